"""The mark on a run's row, that what it may commit stands on one disk alone. Only the execution database has it.

(none) --open--> marked --close, nothing committed--> (none)
                   |
                   +-- store.drain: a push carries it, or finds it lost
"""

from __future__ import annotations

from contextful.kernel.table import Kind, Row

COLUMNS = {
    "unpushed": Kind.TEXT,  # the run's own id, by which marks are listed; null where there is no mark
    "unpushed_node": Kind.TEXT,
    "lost": Kind.INTEGER,
    "lost_ms": Kind.INTEGER,
}
INDEXES = (("unpushed",),)
CLEARED: Row = dict.fromkeys(COLUMNS)
UNMARKED: Row = {}


def marked(run_id: str, node_id: str | None) -> Row:
    """What a run's row says from its open on, if its disk may go."""
    if node_id is None:
        return UNMARKED
    return {"unpushed": run_id, "unpushed_node": node_id}  ##= store.drain.mark
