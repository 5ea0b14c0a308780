"""JSON records over HTTP, a page a pull. A failure goes back to the step's schedule: nothing is retried here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, cast
from urllib.parse import urljoin, urlsplit

import httpx
import msgspec

from contextful.adapters.sources import http_answer, http_link
from contextful.adapters.sources.http_answer import IDEMPOTENCY_KEY, Answered
from contextful.kernel import pointer
from contextful.kernel.failure import CALL_DEADLINE, LINEAR_MEMORY, Permanent, Struck
from contextful.pipeline import pull
from contextful.pipeline.pull import Ask, Batch, Inventory
from contextful.pipeline.spec import HttpSource, NextCursor, NextLink, NextUrl, Pages
from contextful.ports.world import World
from contextful.store.lay_out import position
from contextful_contract import limits

JOURNALED = True  # a page's content changes under its number, so only the record can replay it
FRESH = "land the table afresh, under another pipeline id"
FINISHED = {"next": None}  # the walk has come to its end, and the next one begins anew


class HttpPages:
    """One table's walk over an endpoint's pages."""

    journaled = JOURNALED
    pulls_max = limits.CONNECTOR_PAGE_CAP_REQUESTS

    def __init__(
        self,
        spec: HttpSource,
        table: str,
        world: World,
        *,
        headers: Mapping[str, str],
        permit: Callable[[], AbstractContextManager[None]] = nullcontext,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.position_addressed = not isinstance(spec.pagination, NextUrl | NextLink)
        self._spec = spec
        self._world = world
        self._endpoint = spec.endpoint.replace("{table}", table)
        self.host = urlsplit(self._endpoint).netloc.rpartition("@")[2]
        self._permit = permit
        self._client = httpx.Client(
            headers=dict(headers), timeout=spec.timeout_ms / 1_000, follow_redirects=False, transport=transport
        )

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        """The page at the position."""
        held = self._held(ask.position)
        url = self._url(held)
        params = {**self._spec.params, **self._page(held)}
        if self._spec.since_param is not None and ask.floor is not None:
            params[self._spec.since_param] = str(ask.floor)
        if self._spec.until_param is not None and ask.until is not None:
            params[self._spec.until_param] = str(ask.until)
        address = httpx.URL(url).copy_merge_params(params) if params else httpx.URL(url)
        answered = self._answered(address, idempotency_key)
        sha256 = hashlib.sha256(answered.content).hexdigest()
        if self._spec.skip_unchanged and held.get("sha256") == sha256:
            return pull.batch([], position=ask.position, more=False, inventory=Inventory.UNCHANGED)
        body = _json(answered.content, address)
        rows = self._rows(body, address)
        link = answered.headers.get("link", "")
        after = self._after(held, body, rows, link=link, address=address)
        if after != FINISHED:
            return pull.batch(rows, position=position(after), more=True)
        inventory = Inventory.COMPLETE if self._spec.whole else None
        ends = {"sha256": sha256, "rows": len(rows)} if self._spec.skip_unchanged else FINISHED
        return pull.batch(rows, position=position(ends), more=False, inventory=inventory)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _held(self, asked: str | None) -> Mapping[str, Any]:
        """The position as this walk writes it."""
        held = FINISHED if asked is None else json.loads(asked)
        match self._spec.pagination, held:
            case (
                (None, {"sha256": str(), "rows": int()})
                | (_, {"next": None})
                | (Pages(), {"page": int()})
                | (NextCursor(), {"cursor": _})
            ):
                return cast(Mapping[str, Any], held)
            case ((NextUrl() | NextLink()), {"url": str()}):
                return cast(Mapping[str, Any], held)
            case _:
                raise Permanent(f"the stored position {asked} is none of this walk's: {FRESH}")

    def _url(self, held: Mapping[str, Any]) -> str:
        return cast(str, held["url"]) if "url" in held else self._endpoint

    def _page(self, held: Mapping[str, Any]) -> dict[str, str]:
        """The parameters that name the page; the first has none but its number."""
        match self._spec.pagination:
            case Pages(param, first, size_param, size):
                sized = {size_param: str(size)} if size_param and size else {}
                return {param: str(held.get("page", first)), **sized}
            case NextCursor(_, param) if "cursor" in held:
                return {param: str(held["cursor"])}
            case _:
                return {}

    def _after(
        self, held: Mapping[str, Any], body: object, rows: list[dict[str, Any]], *, link: str, address: httpx.URL
    ) -> Mapping[str, Any]:
        """The position after a page."""
        match self._spec.pagination:
            case Pages(_, first, _, size):
                last = not rows or (size is not None and len(rows) < size)
                return FINISHED if last else {"page": held.get("page", first) + 1}
            case NextCursor(at):
                return self._next_cursor(pointer.found(body, at), address)
            case NextUrl(at):
                return self._next_url(pointer.found(body, at), address)
            case NextLink():
                return self._next_url(_linked(link, address), address)
            case None:
                return FINISHED

    def _next_cursor(self, found: object, address: httpx.URL) -> Mapping[str, Any]:
        if _ends(found):
            return FINISHED
        if isinstance(found, bool) or not isinstance(found, str | int | float):
            raise Permanent(f"{address} has {found!r:.80} for a cursor, which is no text and no number")
        return {"cursor": found}

    def _next_url(self, found: object, address: httpx.URL) -> Mapping[str, Any]:
        if _ends(found):
            return FINISHED
        if not isinstance(found, str):
            raise Permanent(f"{address} points on to {found!r:.80}, which is no address")
        url = urljoin(str(address), found)
        if urlsplit(url)[:2] != urlsplit(self._endpoint)[:2]:
            raise Permanent(f"{address} points on to {url}, another host: its headers are not for that one")
        return {"url": url}

    def _answered(self, address: httpx.URL, idempotency_key: str) -> Answered:
        """What is answered, if it is of bounded size and came in time."""
        memory_max, said_max = limits.CONNECTOR_MEMORY_DEFAULT_BYTES, self._spec.body_bytes_max
        try:
            with self._permit():
                return http_answer.answered(
                    self._client.stream("GET", address, headers={IDEMPOTENCY_KEY: idempotency_key}),
                    str(address),
                    self._world,
                    bytes_max=min(memory_max, said_max),
                    timeout_ms=self._spec.timeout_ms,
                )
        except http_answer.Overlong:
            if memory_max <= said_max:
                raise Struck(LINEAR_MEMORY, f"{address} answered more than fits it") from None
            raise Permanent(f"{address} answered more than {said_max} bytes") from None
        except http_answer.Overdue as late:
            raise Struck(CALL_DEADLINE, f"{address} {late}") from late

    def _rows(self, body: object, address: httpx.URL) -> list[dict[str, Any]]:
        found = pointer.found(body, self._spec.records)
        if not isinstance(found, list):
            raise Permanent(f"{address} has no list of records at {self._spec.records or 'its top'}")
        for at, row in enumerate(found):
            if not isinstance(row, dict):
                raise Permanent(f"{address} has a {type(row).__name__} for record {at}, and not an object")
        return found


def _json(content: bytes, address: httpx.URL) -> object:
    try:
        return msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Permanent(f"{address} answered what is no JSON: {error}") from None


def _linked(header: str, address: httpx.URL) -> str | None:
    try:
        return http_link.target(header, "next")
    except ValueError as error:
        raise Permanent(f"{address} has a Link header that {error}") from None


def _ends(found: object) -> bool:
    """Whether an answer says that nothing follows. A zero is a cursor like any other."""
    return found is None or found is False or found == ""
