"""Reading recorded values ahead, while others do so too."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from contextful.adapters.memory import MemoryRows
from contextful.kernel.table import Row, Select
from contextful.runner.read_ahead import ReadAhead


class Interrupted(MemoryRows):
    """Rows whose first selection lets something else happen before it answers."""

    meanwhile: Callable[[], None] | None = None

    def select(self, select: Select) -> Sequence[Row]:
        """As the rows of memory."""
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            meanwhile()
        return super().select(select)


def test_a_caller_that_reads_on_keeps_no_other_from_it() -> None:
    rows = Interrupted()
    ahead = ReadAhead(rows, "exec-1", resumed=False)
    other = threading.Thread(target=ahead.missed, args=({"ahead": 0},))

    def reads_on() -> None:
        other.start()
        other.join(timeout=5)

    rows.meanwhile = reads_on
    ahead.missed({"ahead": 0})
    done = not other.is_alive()
    other.join()

    assert done
