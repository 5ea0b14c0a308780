"""Masks as a reader meets them: no statement gets behind one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.parquet import ParquetStore
from contextful.authority import mask
from contextful.errors import ReadStatementRefused
from contextful.kernel.failure import StorageFailed
from contextful.pipeline import land
from contextful.pipeline.land import Destined
from contextful.ports.destination import Lot
from contextful.store.declare import Reading
from contextful.store.schema import Type
from contextful.testing import SkippingWorld
from contextful_contract.shapes import ColumnPolicy, Grant, GrantAction, MaskStrategy

PEPPER = b"salt-and-pepper"
HASH = ColumnPolicy(class_="pii", strategy=MaskStrategy.HASH)
DROP = ColumnPolicy(class_="pii", strategy=MaskStrategy.DROP)
ROWS: list[dict[str, Any]] = [
    {"id": 1, "email": "ann@example.org", "city": "Bern"},
    {"id": 2, "email": "bob@example.org", "city": "Basel"},
    {"id": 3, "email": None, "city": "Bern"},
]


@pytest.fixture
def store(tmp_path: Path) -> ParquetStore:
    made = ParquetStore(tmp_path / "store", SkippingWorld(), node_id="node")
    land_rows(made, ROWS)
    return made


def land_rows(store: ParquetStore, rows: Sequence[dict[str, Any]], table: str = "people", **types: Type) -> None:
    """A committed run."""
    destined = Destined(table, types=types)
    stage = store.stage(Lot(destined, f"r-{table}", f"shop-{table}", "here"))
    stage.add(land.shape(destined, rows, stage.schema))
    stage.commit(None, known=None, attempts=(f"r-{table}",), admit=lambda: None)


def ask(store: ParquetStore, sql: str, *grants: Grant, key: Sequence[str] = (), **policy: ColumnPolicy) -> list[Any]:
    """What a reader is answered under this policy, which hashes the address where it says nothing else."""
    reading = Reading("people", tuple(key), policy=policy or {"email": HASH})
    return list(DuckdbReads(store, [reading], grants=grants or None, pepper=PEPPER).query(sql, rows_max=100).rows)


@pytest.mark.clause("read.face.enforced")
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM people WHERE email = 'ann@example.org'",
        "SELECT id FROM people WHERE email LIKE '%@%'",
        "SELECT id FROM people JOIN (SELECT 'ann@example.org' AS email) USING (email)",
        "SELECT id FROM people GROUP BY id HAVING max(email) = 'ann@example.org'",
        "SELECT id FROM people QUALIFY first_value(email) OVER (ORDER BY email DESC) LIKE '%.org'",
    ],
)
def test_no_condition_tells_what_is_behind_a_mask(store: ParquetStore, sql: str) -> None:
    assert ask(store, sql) == []


@pytest.mark.clause("read.face.enforced")
def test_rows_have_the_order_of_their_masked_values(store: ParquetStore) -> None:
    masked = [mask.digest(row["email"], PEPPER) for row in ROWS if row["email"]]

    assert ask(store, "SELECT email FROM people ORDER BY email NULLS LAST") == [(v,) for v in [*sorted(masked), None]]


@pytest.mark.clause("read.face.enforced")
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_parquet('{part}')",
        "SELECT id FROM people UNION ALL SELECT id FROM '{part}'",
        "SELECT * FROM people, parquet_metadata('{part}')",
        "SELECT * FROM people, glob('{root}/**')",
        "SELECT * FROM query('SELECT * FROM read_parquet(''{part}'')')",
    ],
)
def test_the_files_of_a_masked_table_are_nobodys_to_read(store: ParquetStore, sql: str) -> None:
    (part,) = store.root.rglob("*.parquet")

    with pytest.raises(ReadStatementRefused):
        ask(store, sql.format(part=part, root=store.root))


@pytest.mark.parametrize("of", ["duckdb_views()", "duckdb_settings()", "duckdb_functions()", "duckdb_variables()"])
def test_the_catalog_tells_neither_the_pepper_nor_a_file(store: ParquetStore, of: str) -> None:
    told = str(ask(store, f"SELECT * FROM {of}, (SELECT count(*) FROM people)"))

    assert PEPPER.decode() not in told
    assert ".parquet'" not in told


def test_a_masked_table_is_listed_and_described_like_any_other(store: ParquetStore) -> None:
    assert ask(store, "SHOW TABLES") == [("people",)]
    assert ask(store, "SELECT column_name, column_type FROM (DESCRIBE people) LIMIT 3") == [
        ("id", "BIGINT"),
        ("email", "VARCHAR"),
        ("city", "VARCHAR"),
    ]


def test_a_masked_table_is_read_as_often_as_a_statement_names_it(store: ParquetStore) -> None:
    assert ask(store, "SELECT count(*) FROM people a JOIN PEOPLE b ON a.city = b.city") == [(5,)]


@pytest.mark.clause("authority.mask.drop")
def test_a_dropped_key_is_an_empty_text_and_still_keys_its_rows(store: ParquetStore) -> None:
    policy = {"id": DROP, "city": DROP}

    read = ask(store, "SELECT id, city FROM people", key=["id"], **policy)

    assert read == [("", None)] * len(ROWS)


@pytest.mark.clause("authority.mask.one-digest")
@pytest.mark.parametrize(
    "value",
    ["text", 5, 5.0, 0.1, 1e300, True, {"b": [1, "x"], "a": None}, ["x"]],
    ids=["a text", "a number", "a whole float", "a float", "a large float", "a truth", "an object", "a list"],
)
def test_a_value_of_any_type_has_the_digest_at_read_that_it_has_at_write(store: ParquetStore, value: object) -> None:
    land_rows(store, [{"email": value}], "others")
    reading = Reading("others", policy={"email": HASH})

    answer = DuckdbReads(store, [reading], pepper=PEPPER).query("SELECT email FROM others", rows_max=1)

    assert answer.rows == [(mask.digest(value, PEPPER),)]


@pytest.mark.clause("authority.mask.one-digest")
@pytest.mark.parametrize("at", ["2026-03-01T05:00:00Z", "2026-03-01T05:00:00.125Z"])
def test_an_instant_has_the_digest_of_its_text(store: ParquetStore, at: str) -> None:
    land_rows(store, [{"email": at}], "others", email=Type.TIMESTAMP)
    reading = Reading("others", policy={"email": HASH})

    answer = DuckdbReads(store, [reading], pepper=PEPPER).query("SELECT email FROM others", rows_max=1)

    assert answer.rows == [(mask.digest(at, PEPPER),)]


@pytest.mark.clause("authority.mask.one-digest")
def test_a_text_that_came_before_its_column_was_nested_keeps_its_digest(store: ParquetStore) -> None:
    land_rows(store, [{"email": "text"}, {"email": [1]}], "others")
    reading = Reading("others", policy={"email": HASH})

    answer = DuckdbReads(store, [reading], pepper=PEPPER).query("SELECT email FROM others", rows_max=9)

    assert answer.rows == [(mask.digest("text", PEPPER),), (mask.digest([1], PEPPER),)]


@pytest.mark.clause("authority.mask.column-policy")
@pytest.mark.parametrize(
    ("grant", "clear"),
    [
        (Grant(actions=(GrantAction.READ,), tables=("people",), unmasked=("pii",)), True),
        (Grant(actions=(GrantAction.READ,), tables=("people",), unmasked=("health",)), False),
        (Grant(actions=(GrantAction.ADMIN,), tables=("people",), unmasked=("pii",)), False),
        (Grant(actions=(GrantAction.READ,), tables=("shop_*",), unmasked=("pii",)), False),
    ],
    ids=["of its class", "of another class", "to do something else", "of another table"],
)
def test_an_exception_is_good_for_its_class_its_tables_and_reads(
    store: ParquetStore, grant: Grant, clear: bool
) -> None:
    reads = Grant(actions=(GrantAction.READ,), tables=("people",))

    found = ask(store, "SELECT id FROM people WHERE email = 'ann@example.org'", reads, grant)

    assert found == ([(1,)] if clear else [])


def test_a_masked_part_that_cannot_be_read_is_named(store: ParquetStore) -> None:
    (part,) = store.root.rglob("*.parquet")
    part.write_bytes(b"PAR1 and no more")

    with pytest.raises(StorageFailed, match="restore it from a backup"):
        ask(store, "SELECT email FROM people")


def test_a_part_that_breaks_off_in_its_rows_is_named(store: ParquetStore) -> None:
    (part,) = store.root.rglob("*.parquet")
    held = part.read_bytes()
    part.write_bytes(b"PAR1" + bytes(200) + held[204:])

    with pytest.raises(StorageFailed, match="restore it from a backup"):
        ask(store, "SELECT email, city, id FROM people")
