"""read.cache: an answer is given again where everything that it rests on is the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from contextful.authority.credential import Credential
from contextful.kernel import digest
from contextful.kernel.shape import to_json
from contextful.store.declare import Reading
from contextful_contract.shapes import ResultKey

UNSETTLED = re.compile(  # what is another each time, over the same rows
    r"(?i)\b(?:now|today|tomorrow|yesterday|age|local(?:time|timestamp)|transaction_timestamp|\w*current_\w*"
    r"|random|setseed|\w*uuid\w*|nextval|currval|setval|(?:table)?sample)\b"
)
OWNER = "owner"  # whoever has the stores, and presents nothing


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, as far as what is answered depends on it."""

    subject: str = OWNER
    token_id: str = ""
    revocation_epoch: int = 0


def caller(credential: Credential | None, revocation_epoch: int) -> Caller:
    """Whoever presents the credential, once there have been so many revocations."""
    if credential is None:
        return Caller(revocation_epoch=revocation_epoch)
    subject = digest.of([credential.on_behalf_of, [to_json(grant) for grant in credential.grants]])
    return Caller(subject, credential.id, revocation_epoch)


def result_key(who: Caller, sql: str, *, bounds: Mapping[str, str], snapshots: Mapping[str, str]) -> ResultKey:
    """What an answer is kept under."""
    ##= read.cache.result-key
    return ResultKey(
        subject=who.subject,
        token_id=who.token_id,
        revocation_epoch=who.revocation_epoch,
        snapshots=snapshots,
        bounds=bounds,
        statement_sha256=digest.of_bytes(sql.encode()),
    )


def may_keep(sql: str, touched: Iterable[str], readings: Mapping[str, Reading]) -> bool:
    """Whether a statement's answer may be kept, which is about these tables."""
    tables = list(touched)
    if not tables or UNSETTLED.search(sql):
        return False
    return all(table in readings and readings[table].result_cache for table in tables)  ##= read.cache.opt-in
