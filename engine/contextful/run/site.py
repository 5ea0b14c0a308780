"""run.record: the id of the site that writes, as it is declared in one way and no other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from contextful_contract import limits
from contextful_contract.errors import SiteIdUnresolved

##= run.record.site-id-length
SITE_ID = re.compile(rf"[A-Za-z0-9._-]{{{limits.SITE_ID_MIN_LENGTH_CHARS},{limits.SITE_ID_MAX_LENGTH_CHARS}}}")


@dataclass(frozen=True, slots=True)
class Site:
    """Where a site id comes from: itself, or the variable that holds it."""

    id: str | None = None
    env: str | None = None


def site_id(site: Site, environ: Mapping[str, str]) -> str:
    """The site id that is declared, in one way and no other."""
    reason = None
    if site.id is None and site.env is None:
        reason = "nothing declares one"
    elif site.id is not None and site.env is not None:
        reason = "site_id and site_id_env are both there"
    declared = site.id if site.env is None else environ.get(site.env)
    if declared is None:
        reason = reason or f"the variable {site.env} is not set"
    elif SITE_ID.fullmatch(declared) is None:
        reason = reason or f"{declared!r} is not 1 to 64 letters, digits, dots, underscores and hyphens"
    if declared is None or reason is not None:
        raise SiteIdUnresolved(reason=str(reason))  ##= run.record.site-id-unresolved
    return declared
