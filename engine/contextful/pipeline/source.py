"""run.declare, the part about sources: where a pipeline's rows come from."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from contextful.pipeline.block import Block
from contextful.pipeline.spec import (
    CommandSource,
    FileSource,
    HttpSource,
    NextCursor,
    NextLink,
    NextUrl,
    Pages,
    Pagination,
    PythonSource,
    SourceSpec,
    SqlSource,
)
from contextful_contract.shapes import CursorKind

ADDRESS = re.compile(r"https?://[!-~]+")
ADDRESS_SAYS = "an address that begins with http:// or https://, in ASCII"
POINTER = re.compile(r"(/[^/]*)*")
POINTER_SAYS = 'a pointer such as "/data/items"'
SOURCES = ("http", "file", "sql", "python", "command")
INSIDE = re.compile(r"(?!/)(?!.*(^|/)\.\.(/|$))[^\x00-\x1f]+")
TABLE = "{table}"
BRACED = re.compile(r"\{[^{}]*\}")
HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
VARIABLE = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*")
PRINTED = re.compile(r"[ -~]*")
FORMATS = re.compile(r"ndjson|csv|json|parquet")
FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
ANYTHING = re.compile(r"[ -~]+")


def read(block: Block, cursor: CursorKind, clock: str | None) -> SourceSpec:
    """The source that a pipeline declares, which its cursor moves over."""
    says = ", ".join(f'"{name}"' for name in SOURCES)
    name = block.required("name", shape=re.compile("|".join(SOURCES)), says=f"one of {says}")
    config = block.block("config")
    block.end()
    whole = cursor is CursorKind.SNAPSHOT_ID
    match name:
        case "file":
            source: SourceSpec = _file(config, whole=whole)
        case "sql":
            source = _sql(config, cursor, clock)
        case "command":
            source = _command(config)
        case "python":
            source = PythonSource(config.required("function", shape=FUNCTION, says='a function, as "module:function"'))
        case _:
            source = _http(config, whole=whole)
    if name in SOURCES:
        config.end()
    return source


def _sql(config: Block, cursor: CursorKind, clock: str | None) -> SqlSource:
    default = SqlSource("", "")
    source = SqlSource(
        database=config.checked("database", _database, shape=ANYTHING, says="a path or env:NAME"),
        query=config.required("query"),
        clock=clock,
        batch_rows=config.integer("batch_rows", default.batch_rows, 1, 1_000_000),
    )
    if cursor is CursorKind.OPAQUE_TOKEN:
        config.fault("query", 'takes a cursor that is "monotonic", with a clock column, or "snapshot-id"')
    return source


def _command(config: Block) -> CommandSource:
    default = CommandSource(("",))
    if not config.has("command"):
        config.fault("command", "is missing")
    return CommandSource(
        command=config.texts("command", default.command),
        timeout_ms=config.span_ms("timeout", default.timeout_ms, "1s", "1h"),
        position_addressed=config.boolean("position_addressed", default=True),
    )


def _database(text: str) -> None:
    if not VARIABLE.fullmatch(text) and not INSIDE.fullmatch(text):
        raise ValueError("must be a path within the project's folder, or a variable as env:NAME")


def _http(config: Block, *, whole: bool) -> HttpSource:
    default = HttpSource(endpoint="")
    source = HttpSource(
        endpoint=config.checked("endpoint", _address, shape=ADDRESS, says=ADDRESS_SAYS),
        records=config.text("records", default.records, shape=POINTER, says=POINTER_SAYS),
        pagination=_pagination(config.block("pagination")) if config.has("pagination") else default.pagination,
        params=config.mapping("params", _word),
        headers=config.mapping("headers", _header, named=HEADER, says="letters, digits and hyphens"),
        since_param=config.optional("since_param"),
        until_param=config.optional("until_param"),
        limiter=_limiter(config),
        timeout_ms=config.span_ms("timeout", default.timeout_ms, "1s", "30s"),
        body_bytes_max=config.integer("body_bytes_max", default.body_bytes_max, 1, 1 << 30),
        whole=whole,
        skip_unchanged=_skip_unchanged(config, whole=whole),
    )
    if source.skip_unchanged and source.pagination is not None:
        config.fault(
            "skip_unchanged", "is for an input that is one answer: it takes a look at every page to compare all"
        )
    return source


def _limiter(config: Block) -> str | None:
    if not config.has("limiter"):
        return None
    return config.checked("limiter", _address, shape=ADDRESS, says=ADDRESS_SAYS)


def _skip_unchanged(config: Block, *, whole: bool) -> bool:
    asked = config.boolean("skip_unchanged", default=False)
    if asked and not whole:
        config.fault("skip_unchanged", 'is for a source that is read whole: declare cursor = "snapshot-id"')
    return asked


def _pagination(block: Block) -> Pagination:
    by = block.required("by", shape=re.compile("page|cursor|url|link"), says='"page", "cursor", "url" or "link"')
    match by:
        case "cursor":
            pointer = block.required("pointer", shape=POINTER, says=POINTER_SAYS)
            read: Pagination = NextCursor(pointer, block.text("param", NextCursor("").param))
        case "url":
            read = NextUrl(block.required("pointer", shape=POINTER, says=POINTER_SAYS))
        case "link":
            read = NextLink()
        case _:
            default = Pages()
            read = Pages(
                param=block.text("param", default.param),
                first=block.integer("first", default.first, 0, 1 << 31),
                size_param=block.optional("size_param"),
                size=block.integer("size", 0, 1, 1_000_000) or None,
            )
    block.end()
    return read


def _file(config: Block, *, whole: bool) -> FileSource:
    default = FileSource(path="", format="")
    return FileSource(
        path=config.checked("path", _glob, shape=INSIDE, says="a path or glob within the project's folder"),
        format=config.required("format", shape=FORMATS, says='"ndjson", "csv", "json" or "parquet"'),
        batch_rows=config.integer("batch_rows", default.batch_rows, 1, 1_000_000),
        whole=whole,
        skip_unchanged=_skip_unchanged(config, whole=whole),
    )


def _word(held: object) -> str:
    if not isinstance(held, str):
        raise ValueError("must be a text")
    return held


def _header(held: object) -> str:
    """A header's value, or the variable that it is read from."""
    text = _word(held)
    if not PRINTED.fullmatch(text):
        raise ValueError("must be a text of printable ASCII")
    if text.startswith("env:") and not VARIABLE.fullmatch(text):
        raise ValueError('must name a variable after "env:"')
    return text


def _address(text: str) -> None:
    _braced(text)
    try:
        parts = urlsplit(text.replace(TABLE, "table"))
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:
        named = False
    if not named:
        raise ValueError("must name a host, and a port from 1 to 65535 where it names one")


def _glob(text: str) -> None:
    _braced(text)
    if any("**" in part and part != "**" for part in text.split("/")):
        raise ValueError("may have ** between slashes alone")


def _braced(text: str) -> None:
    for braced in BRACED.findall(text):
        if braced != TABLE:
            raise ValueError(f"has {braced}, and only {TABLE} stands for something")
