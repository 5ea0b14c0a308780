"""The HTTP source against a server that answers what a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from contextful.adapters.sources.http import HttpPages
from contextful.kernel.failure import Failed, Failure
from contextful.pipeline import pull
from contextful.pipeline.pull import Ask, Batch, Inventory
from contextful.pipeline.spec import HttpSource, NextCursor, NextLink, NextUrl, Pages
from contextful.testing import SkippingWorld
from contextful_contract.shapes import FailureTag

ROWS = [{"id": 1}, {"id": 2}]
LAST = '{"next":null}'


@dataclass
class Reply:
    """What the server answers."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None  # what it claims; it hangs up after the body


@dataclass
class Vendor:
    """A server, what it was asked, and what it answers by path."""

    address: str
    replies: dict[str, Reply]
    asked: list[tuple[str, dict[str, str]]]

    def answers(self, path: str, body: object, **reply: object) -> None:
        """Answer the path so from now on."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.replies[path] = Reply(content, **reply)  # type: ignore[arg-type]


@pytest.fixture
def vendor() -> Iterator[Vendor]:
    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            held.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            reply = held.replies.get(self.path, Reply(b"nothing here", status=404))
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(reply.length or len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    held = Vendor(f"http://127.0.0.1:{server.server_port}", {}, [])
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield held
    server.shutdown()
    server.server_close()


Asking = Callable[..., Batch]


@pytest.fixture
def asking(vendor: Vendor) -> Iterator[Asking]:
    sources: list[HttpPages] = []

    def ask(spec: HttpSource, asked: Ask | None = None, **headers: str) -> Batch:
        source = HttpPages(spec, "orders", SkippingWorld(), headers=headers)
        sources.append(source)
        return source.pull(asked or Ask(), idempotency_key="key-1")

    yield ask
    for source in sources:
        source.close()


@pytest.fixture
def spec(vendor: Vendor) -> HttpSource:
    return HttpSource(f"{vendor.address}/{{table}}")


def test_an_endpoint_without_pages_is_asked_once(vendor: Vendor, spec: HttpSource, asking: Asking) -> None:
    vendor.answers("/orders", ROWS)

    batch = asking(spec)

    assert batch == pull.batch(ROWS, position=LAST, more=False)
    assert batch.records() == ROWS


@pytest.mark.clause("run.journal.idempotency-key")
def test_a_request_carries_the_steps_key_and_the_declared_headers(
    vendor: Vendor, spec: HttpSource, asking: Asking
) -> None:
    vendor.answers("/orders", ROWS)

    asking(spec, authorization="Bearer t")

    (_, headers) = vendor.asked[0]
    assert (headers["idempotency-key"], headers["authorization"]) == ("key-1", "Bearer t")


PAGED = Pages(param="p", first=0, size_param="n", size=2)


@pytest.mark.parametrize(
    ("position", "path", "rows", "after"),
    [
        (None, "/orders?p=0&n=2", ROWS, '{"page":1}'),
        ('{"page":4}', "/orders?p=4&n=2", ROWS, '{"page":5}'),
        ('{"page":4}', "/orders?p=4&n=2", ROWS[:1], LAST),
        ('{"page":4}', "/orders?p=4&n=2", [], LAST),
        (LAST, "/orders?p=0&n=2", ROWS, '{"page":1}'),
    ],
    ids=["the first", "a full one", "a short one ends", "an empty one ends", "after the end it begins anew"],
)
def test_pages_go_by_number(
    vendor: Vendor, spec: HttpSource, asking: Asking, position: str | None, path: str, rows: list[object], after: str
) -> None:
    vendor.answers(path, rows)

    batch = asking(replace(spec, pagination=PAGED), Ask(position))

    assert (batch.records(), batch.position, batch.more) == (rows, after, after != LAST)


@pytest.mark.parametrize(
    ("position", "path", "body", "after"),
    [
        (None, "/orders", {"rows": ROWS, "meta": {"next": "b"}}, '{"cursor":"b"}'),
        ('{"cursor":"b"}', "/orders?cursor=b", {"rows": ROWS, "meta": {"next": None}}, LAST),
        ('{"cursor":"b"}', "/orders?cursor=b", {"rows": ROWS}, LAST),
        (None, "/orders", {"rows": ROWS, "meta": {"next": 0}}, '{"cursor":0}'),
        ('{"cursor":0}', "/orders?cursor=0", {"rows": ROWS, "meta": {"next": ""}}, LAST),
    ],
    ids=["the first", "null ends", "absence ends", "zero is a cursor", "an empty text ends"],
)
def test_cursors_come_out_of_the_answer(
    vendor: Vendor, spec: HttpSource, asking: Asking, position: str | None, path: str, body: object, after: str
) -> None:
    vendor.answers(path, body)

    batch = asking(replace(spec, records="/rows", pagination=NextCursor("/meta/next")), Ask(position))

    assert (batch.records(), batch.position, batch.more) == (ROWS, after, after != LAST)


@pytest.mark.parametrize("cursor", [True, {"page": 2}, [2]], ids=["a truth", "an object", "a list"])
def test_what_cannot_be_a_cursor_is_refused(vendor: Vendor, spec: HttpSource, asking: Asking, cursor: object) -> None:
    vendor.answers("/orders", {"rows": ROWS, "next": cursor})

    with pytest.raises(Failed) as refusal:
        asking(replace(spec, records="/rows", pagination=NextCursor("/next")))

    assert "for a cursor" in refusal.value.failure.message


@pytest.mark.clause("connector.source.next-url-walk")
def test_a_walk_goes_where_the_answer_points(vendor: Vendor, spec: HttpSource, asking: Asking) -> None:
    walk = replace(spec, records="/rows", pagination=NextUrl("/next"))
    vendor.answers("/orders", {"rows": ROWS, "next": "/orders?after=2"})
    vendor.answers("/orders?after=2", {"rows": ROWS, "next": None})

    first = asking(walk)
    second = asking(walk, Ask(first.position))

    assert first.position == f'{{"url":"{vendor.address}/orders?after=2"}}'
    assert (second.position, second.more) == (LAST, False)


@pytest.mark.clause("connector.source.next-url-walk")
def test_a_walk_goes_where_the_link_header_points(vendor: Vendor, spec: HttpSource, asking: Asking) -> None:
    walk = replace(spec, pagination=NextLink())
    vendor.answers("/orders", ROWS, headers={"Link": '<?after=2>; rel="next"'})
    vendor.answers("/orders?after=2", ROWS, headers={"Link": '</orders>; rel="first"'})

    first = asking(walk)
    second = asking(walk, Ask(first.position))

    assert first.position == f'{{"url":"{vendor.address}/orders?after=2"}}'
    assert (second.position, second.more) == (LAST, False)


def test_a_link_header_that_cannot_be_read_ends_no_walk(vendor: Vendor, spec: HttpSource, asking: Asking) -> None:
    vendor.answers("/orders", ROWS, headers={"Link": "/orders?after=2; rel=next"})

    with pytest.raises(Failed, match="has a Link header that cannot be read"):
        asking(replace(spec, pagination=NextLink()))


def test_a_walk_takes_its_headers_to_no_other_host(vendor: Vendor, spec: HttpSource, asking: Asking) -> None:
    vendor.answers("/orders", {"rows": ROWS, "next": "http://elsewhere.example/orders"})

    with pytest.raises(Failed) as refusal:
        asking(replace(spec, records="/rows", pagination=NextUrl("/next")))

    assert refusal.value.failure.tag is FailureTag.PERMANENT
    assert "another host" in refusal.value.failure.message


@pytest.mark.parametrize(
    "position", ['{"file":"a","offset":3}', '{"at":3,"field":"at"}', '{"cursor":"b"}', '"text"', "7"]
)
def test_a_position_of_another_walk_is_refused(spec: HttpSource, asking: Asking, position: str) -> None:
    with pytest.raises(Failed) as refusal:
        asking(replace(spec, pagination=PAGED), Ask(position))

    assert refusal.value.failure.tag is FailureTag.PERMANENT
    assert position in refusal.value.failure.message


def test_a_poll_says_since_when(vendor: Vendor, spec: HttpSource, asking: Asking) -> None:
    vendor.answers("/orders?since=2026-03-01T00%3A00%3A00Z", ROWS)

    batch = asking(replace(spec, since_param="since"), Ask(None, "2026-03-01T00:00:00Z"))

    assert batch.records() == ROWS


@pytest.mark.clause("run.backfill.chunk-plan")
def test_a_chunk_says_from_where_and_up_to_where(vendor: Vendor, spec: HttpSource, asking: Asking) -> None:
    vendor.answers("/orders?since=10&until=20", ROWS)

    batch = asking(replace(spec, since_param="since", until_param="until"), Ask(None, 10, 20))

    assert batch.records() == ROWS


@pytest.mark.clause("run.retry.one-layer")
@pytest.mark.parametrize(
    ("status", "headers", "expected"),
    [
        (429, {"Retry-After": "7"}, Failure(FailureTag.RATE_LIMITED, "429", 7_000)),
        (401, {}, Failure(FailureTag.AUTH_EXPIRED, "401")),
        (404, {}, Failure(FailureTag.CONFIG, "404")),
        (302, {"Location": "/x"}, Failure(FailureTag.PERMANENT, "302, which is no answer to a read")),
        (503, {}, Failure(FailureTag.TRANSIENT, "503")),
    ],
)
def test_a_refusal_goes_back_to_the_step_after_one_request(
    vendor: Vendor, spec: HttpSource, asking: Asking, status: int, headers: dict[str, str], expected: Failure
) -> None:
    vendor.answers("/orders", b"{}", status=status, headers=headers)

    with pytest.raises(Failed) as refusal:
        asking(spec)

    message = f"{vendor.address}/orders answered {expected.message}"
    assert refusal.value.failure == replace(expected, message=message)
    assert len(vendor.asked) == 1


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<html>", "answered what is no JSON"),
        (b"", "answered what is no JSON"),
        (b'[{"id": 1}', "answered what is no JSON"),
        (b'\xff"', "answered what is no JSON"),
        (b'{"id": 1}', "has no list of records at its top"),
        (b"[[1]]", "has a list for record 0, and not an object"),
        (b"[" * 5_000, "answered what is no JSON"),
    ],
    ids=["a web page", "nothing", "half of it", "no text", "an object", "lists", "a deep nest"],
)
def test_garbage_is_refused_with_its_address(
    vendor: Vendor, spec: HttpSource, asking: Asking, body: bytes, reason: str
) -> None:
    vendor.answers("/orders", body)

    with pytest.raises(Failed) as refusal:
        asking(spec)

    assert refusal.value.failure.tag is FailureTag.PERMANENT
    assert refusal.value.failure.message.startswith(f"{vendor.address}/orders {reason}")


def test_an_answer_of_too_many_bytes_is_refused(vendor: Vendor, spec: HttpSource, asking: Asking) -> None:
    vendor.answers("/orders", ROWS)

    with pytest.raises(Failed) as refusal:
        asking(replace(spec, body_bytes_max=5))

    assert refusal.value.failure == Failure(FailureTag.PERMANENT, f"{vendor.address}/orders answered more than 5 bytes")


@pytest.mark.clause("connector.source.http-class")
def test_a_connection_that_is_cut_off_is_transient(vendor: Vendor, spec: HttpSource, asking: Asking) -> None:
    vendor.answers("/orders", ROWS, length=1_000)

    with pytest.raises(Failed) as refusal:
        asking(spec)

    assert refusal.value.failure.tag is FailureTag.TRANSIENT


@pytest.mark.clause("connector.source.http-class")
def test_a_server_that_is_not_there_is_transient(asking: Asking) -> None:
    with pytest.raises(Failed) as refusal:
        asking(HttpSource("http://127.0.0.1:1/orders"))

    assert refusal.value.failure.tag is FailureTag.TRANSIENT
    assert refusal.value.failure.message.startswith("http://127.0.0.1:1/orders did not answer")


def test_pulls_are_journaled() -> None:
    assert HttpPages.journaled


@pytest.mark.clause("run.advance.skip-unchanged")
def test_an_answer_whose_bytes_are_those_of_before_is_skipped(vendor: Vendor, asking: Asking) -> None:
    vendor.answers("/all", ROWS)
    spec = HttpSource(f"{vendor.address}/all", whole=True, skip_unchanged=True)

    first = asking(spec)
    again = asking(spec, Ask(first.position))

    assert (first.records(), first.inventory) == (ROWS, Inventory.COMPLETE)
    assert (again.row_count, again.position, again.inventory) == (0, first.position, Inventory.UNCHANGED)


@pytest.mark.clause("run.advance.snapshot-completion")
def test_pages_are_complete_with_the_last(vendor: Vendor, asking: Asking) -> None:
    vendor.answers("/all?page=1", ROWS)
    vendor.answers("/all?page=2", [])
    spec = HttpSource(f"{vendor.address}/all", pagination=Pages(), whole=True)

    first = asking(spec)

    assert (first.inventory, asking(spec, Ask(first.position)).inventory) == (None, Inventory.COMPLETE)
