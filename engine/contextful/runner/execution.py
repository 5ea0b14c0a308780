"""One attempt at a scope's execution, in the hands of its body."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import count
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from contextful.kernel import codec, digest
from contextful.kernel.change import Change
from contextful.kernel.signal import Stopped
from contextful.ports.observer import Annotated, Progress, RunClosed
from contextful.ports.world import World
from contextful.run import cancel, project, record
from contextful.run.journal import fan_out_join, journal
from contextful.run.retry import DEFAULT, Schedule, admit
from contextful.runner import aio, aside, child, ending, join
from contextful.runner.journal import Attempt, Journal
from contextful.runner.keeper import Keeper
from contextful.runner.own import Owners
from contextful.runner.signals import PARKS, Signals
from contextful.runner.suspend import Awakeables, Minted
from contextful_contract.errors import StepFailed
from contextful_contract.shapes import Awakeable, EntryKey, FailedBranch, FailureTag, InputBounds, Json, RunStatus

Value = TypeVar("Value")
LABEL_CHARS_MAX = 256
ARGUMENTS: Any = object()  # the default of `input`: the effect's own arguments
NOTHING = record.Counts()
NO_INPUT = digest.of([[], {}])


class Execution:
    """Pending work under a scope. Leaving the `with` block closes it: success retires the owner, failure holds it."""

    def __init__(
        self,
        attempt: Attempt,
        journal: Journal,
        awakeables: Awakeables,
        owners: Owners,
        keeper: Keeper,
        world: World,
    ) -> None:
        self._attempt = attempt
        self._journal = journal
        self._awakeables = awakeables
        self._owners = owners
        self._keeper = keeper
        self._world = world
        self._pid = world.pid()
        self._joins: dict[tuple[str, ...], Iterator[int]] = {}
        self._failed_branches: Sequence[FailedBranch] = ()
        self._metadata: Mapping[str, Json] = {}
        self._metadata_turn = threading.Lock()
        self._closed = False
        self._looked = False
        self._signals = Signals()
        self._input: InputBounds | None = None

    @property
    def run_id(self) -> str:
        """The id of this attempt."""
        return self._attempt.run_id

    @property
    def execution_id(self) -> str:
        """What the journal keys recorded work on; the same for every attempt at the pending work."""
        return self._attempt.owner.execution_id

    @property
    def plan_ref(self) -> str:
        """The plan that the run resolves, from its start to its end, whatever is applied meanwhile."""
        return self._attempt.owner.pins.plan_ref  ##= run.journal.plan-pin

    @property
    def trace_id(self) -> str | None:
        """The trace that the run belongs to."""
        return self._attempt.trace_id

    def read(self, bounds: InputBounds) -> None:
        """The run's input was read under these bounds: its row says so once it closes."""
        self._input = bounds

    def step(
        self,
        label: str,
        effect: Callable[..., Value],
        *args: object,
        retry: Schedule = DEFAULT,
        input: object = ARGUMENTS,
        **kwargs: object,
    ) -> Value:
        """The effect's recorded value: run once, recorded once, returned by every later call (run.journal.step-output).

        The step is keyed on its label and its input: the arguments, or `input` where they can't be recorded.
        Raises StepFailed with the label and tag where the effect fails for good, RunRetryTagUnretryable where
        the schedule retries what no attempt can cure.
        """
        with self._signals:
            name = self._admit(label)
            if not callable(effect):
                raise TypeError(f"the effect of step {name} is {effect!r:.80}, and must be a function")
            schedule = admit(retry, name)
            input_hash = _input_hash(name, args, kwargs, input)
            value = self._journal.step(
                self._attempt,
                name,
                input_hash,
                lambda: aio.called(effect, args, kwargs, self._attempt.token),
                schedule,
            )
        return cast(Value, value)

    def unsafe(self, label: str, effect: Callable[..., Value], *args: object, because: str, **kwargs: object) -> Value:
        """What the effect returns, run anew at every call and never recorded: for a read that may be read again.

        `because` says why a replay that is given another answer harms nothing, so that whoever searches for these
        calls finds the reasons with them.
        """
        with self._signals:
            name = self._admit(label)
            if not isinstance(because, str) or not because.strip():
                raise TypeError(f"the effect of {name} is not recorded, so `because` says why it may be run again")
            ##= run.journal.escape-hatch
            return cast(Value, aio.called(effect, args, kwargs, self._attempt.token))

    def wait(
        self,
        label: str,
        *,
        ttl: str = "24h",
        caller: str | None = None,
        hold: str | None = None,
    ) -> Any:
        """What a party outside answers under the token of `awakeable(label)`: minted, waited for, recorded once."""
        return self.awakeable(label, ttl=ttl, caller=caller).wait(hold=hold)

    def awakeable(
        self, label: str, *, ttl: str = "24h", caller: str | None = None, created_at: str | None = None
    ) -> Minted:
        """A token to send out before waiting; the same one at every replay.

        Whoever has it may answer once, up to `ttl` after `created_at`, an RFC 3339 instant in UTC (now, unless given).
        With `caller`, the answer has to come on behalf of that subject.
        """
        with self._signals:
            name = self._admit(label)
            awakeable = self._awakeables.mint(self._attempt, name, ttl=ttl, caller=caller, created_at=created_at)
        return Minted(awakeable, lambda hold_ms: self._wait(awakeable, hold_ms))

    def gather(
        self, label: str, branches: Mapping[str, Callable[[], Value]], *, allow_partial: bool = False
    ) -> dict[str, Value]:
        """What each branch returned, by its name. All run at once, take steps as the body does, and join here.

        A failed branch fails the run. With `allow_partial` it is left out, and the run's record keeps its name and tag.
        How the branches joined is recorded under `label`, so that a replay goes on alike (run.journal.fan-out-join).
        A later join of the same label and branches is one of its own.
        """
        within, names = join.WITHIN.get(), tuple(branches)
        with self._signals:
            name = self._admit(label)
            turn = next(self._joins.setdefault((*within, name, *names), count()))
            ended = join.ends(self._world, name, branches)
            verdict = fan_out_join.join(join.failures(ended), allow_partial=allow_partial)
            if isinstance(verdict, fan_out_join.Fails):
                raise _failed(ended, verdict.label)
            input_hash = fan_out_join.input_hash(within, names, turn)
            recorded = self._journal.step(self._attempt, name, input_hash, lambda: verdict.failed, DEFAULT)
        failed = cast(Sequence[FailedBranch], recorded)
        self._failed_branches = (*self._failed_branches, *failed)
        lost = [branch.label for branch in failed]
        return {name: cast(Value, join.value(end)) for name, end in ended.items() if name not in lost}

    def abandonable(self, name: str, work: Callable[[], Value], *, deadline_ms: int) -> Value:
        """What a connector's call returns, within a step; a stop and its deadline leave it to itself.

        Raises Struck where the call goes past a bound (run.retry.bound-hit-is-transient).
        """
        return aside.awaited(self._world, self._attempt.token, name, work, deadline_ms=deadline_ms)

    def child(self, command: Sequence[str], *, given: bytes = b"") -> bytes:
        """What the command writes to standard output, within a step: `run.step("train", run.child, ["train", "it"])`.

        `given` is its standard input. Raises Permanent where it does not leave with 0. A stop ends it and all that it
        has started: asked to first, by force after 10 s; and only then is the run canceled (run.cancel.child-reaped).
        A kill of this process leaves it to itself, so what it does has to bear being done again beside it.
        """
        if isinstance(command, str | bytes) or not all(isinstance(word, str) for word in command):
            raise TypeError(f"a command is a list of words, not {command!r:.80}")
        if not isinstance(given, bytes):
            raise TypeError(f"what a command is given is bytes, not {given!r:.80}")
        return child.awaited(self._world, self._attempt.token, command, given)

    @property
    def opened_ms(self) -> int:
        """When the execution opened, whichever attempt this is."""
        return self._attempt.owner.opened_ms

    @contextmanager
    def parks(self) -> Iterator[None]:
        """A wait in here ends what is in here alone; whoever parks it says how the attempt goes on."""
        outer = PARKS.set(True)
        try:
            yield
        finally:
            PARKS.reset(outer)

    @property
    def attempts(self) -> tuple[str, ...]:
        """The run ids of the pending work's attempts, oldest first."""
        return self._attempt.owner.attempts

    def annotate(self, entries: Mapping[str, Json]) -> None:
        """Write entries, which JSON can hold, into the run's metadata: what its live view shows of it, and no more.

        They are merged into those before, and gone with the process. Raises RunMetadataTooLarge where all of them
        together would come to more than 16,384 bytes, and writes none of these.
        """
        with self._metadata_turn:
            self._metadata = project.merged(self._metadata, entries)
            self.tell(Annotated(self._metadata))

    def tell(self, progress: Progress) -> None:
        """Let whoever watches the run know."""
        self._attempt.observer.tell(progress)

    def check(self) -> None:
        """Leave, where another attempt has come to own the execution: right before anything is published.

        A stop does not count here: what is ready to be published was received before it.
        """
        self._journal.still_ours(self._attempt)  ##= run.journal.current-owner

    def holding(self) -> AbstractContextManager[None]:
        """While within, nobody takes the execution over where the profile has a strict guard."""
        return self._journal.holding(self._attempt)

    def admit(self) -> None:
        """Leave, where another attempt has come to own the execution, or this one was asked to stop."""
        self.check()
        self._keeper.feed()
        self._attempt.token.check()

    def stops(self, part: Execution) -> AbstractContextManager[None]:
        """While within, a stop of this run is one of its part too."""
        return self._attempt.token.reaching(part._attempt.token)

    def rest(self, until_ms: int) -> None:
        """Wait for the instant, or for a stop, with which it leaves."""
        remaining_ms = until_ms - self._world.now_ms()
        if remaining_ms > 0:
            self._world.wait(self._attempt.token.stopped, remaining_ms)
        self.admit()

    def known(self, label: str) -> Any:
        """What a part of this execution has left under the label as it closed; none where none has."""
        content = self._journal.recorded(self._journal.entry(self._attempt, label, NO_INPUT))
        return None if content is None else codec.decode(content)

    def holds(self, label: str, given: object) -> bool:
        """Whether the step of this label and input has its value on record."""
        entry = self._journal.entry(self._attempt, label, _input_hash(label, (), {}, given))
        return self._journal.recorded(entry) is not None

    def leaves(self, label: str, value: object) -> Change:
        """With this in the commit that closes it, a part of this execution leaves word of itself under the label."""
        content, _ = codec.exchanged(value)
        return journal.delivered(self._journal.entry(self._attempt, label, NO_INPUT), self._journal.placed(content))

    def collect(self, *also: Change) -> None:
        """Let go of what is recorded so far, in one commit with `also`; the owner stays pending."""
        self._journal.collect(self._attempt, also)

    def close(self, closing: record.Closing, *, also: Sequence[Change] = (), refused: Sequence[EntryKey] = ()) -> None:
        """Close the attempt, once, in one commit with `also`. Raises Stopped in place of a wait."""
        assert not self._closed, "an execution closes once"
        self._closed = True
        try:
            closing = replace(closing, failed_branches=self._failed_branches, input=self._input)
            stop = self._owners.close(self._attempt.owner, closing, refused=refused, also=also)
        finally:
            self._keeper.deregister(self.run_id)
        status = closing.status if stop is None else RunStatus.CANCELED
        counts = closing.counts
        self.tell(RunClosed(status, closing.failure, self._world.now_ms(), counts.rows, counts.bytes))
        if stop is not None:
            raise Stopped(cancel.sentence(stop), scope=cancel.grain(stop))

    def leave(
        self,
        error: BaseException | None,
        *,
        counts: record.Counts = NOTHING,
        replay_stable: bool = False,
        holds: bool = False,
        also: Sequence[Change] = (),
    ) -> None:
        """Close as a body's way of leaving says: well, with a failure, to wait, or stopped; `also` goes with a failure.

        Raises the signal that the body was given, where it left with something else.
        """
        left = self._left(error)
        try:
            closing = replace(ending.closing(left), counts=counts, replay_stable=replay_stable, holds=holds)
            failed = closing.status is RunStatus.FAILED
            refused = [entry for entry in ending.entries(error) if entry.execution_id == self.execution_id]
            self.close(closing, refused=refused if failed else (), also=also if failed else ())
        finally:
            self.drop()
        if left is not None and left is not error:
            raise left from error

    def drop(self) -> None:
        """Let the handle go without a word: the owner stays pending, and its lease lapses."""
        self._closed = True
        self._keeper.deregister(self.run_id)  ##= run.own.unclosed-execution

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not self._closed and self._world.pid() == self._pid:  # a forked child leaves its parent's work alone
            self.leave(error)

    def _left(self, error: BaseException | None) -> BaseException | None:
        """What the body left with. It has no say in a signal: one that it swallowed, wrapped or replaced counts."""
        if error is None or isinstance(error, Exception | BaseExceptionGroup):
            return self._signals.left or error
        return error

    def _wait(self, awakeable: Awakeable, hold_ms: int | None) -> object:
        with self._signals:
            self._admit(awakeable.step_label)
            return self._awakeables.wait(self._attempt, awakeable, hold_ms=hold_ms)

    def _admit(self, label: str) -> str:
        """The label, where the body may wait now. A stop comes before the work of a call."""
        aio.refuse_inside_a_loop()
        self._check()
        name = _label(label)
        if not self._looked:
            self._looked = True
            self._keeper.feed()  ##= run.cancel.poll-interval
        self._attempt.token.check()  ##= run.cancel.one-token
        return name

    def _check(self) -> None:
        if self._closed:
            raise Stopped(f"run {self.run_id} has closed")
        if self._world.pid() != self._pid:
            raise RuntimeError(f"run {self.run_id} belongs to the process that this one was forked from")


def _label(label: str) -> str:
    """The label as plain text, which a member of an enumeration of texts is too."""
    if not isinstance(label, str) or not 1 <= len(label) <= LABEL_CHARS_MAX or not label.isprintable():
        raise ValueError(f"a step's label is 1 to {LABEL_CHARS_MAX} printable characters, not {label!r:.80}")
    return label if type(label) is str else str.__str__(label)


def _failed(ended: join.Ends, branch: str) -> Exception:
    """The error that the branch left with; it stands for those of the other branches too."""
    errors = {name: end.error for name, end in ended.items() if isinstance(end, join.Raised)}
    error = errors[branch]
    assert isinstance(error, Exception), "signals were raised before"
    ending.refuse(error, [entry for each in errors.values() for entry in ending.entries(each)])
    return error


def _input_hash(label: str, args: tuple[object, ...], kwargs: dict[str, object], given: object) -> str:
    if given is ARGUMENTS and not args and not kwargs:
        return NO_INPUT
    try:
        return digest.of([list(args), kwargs] if given is ARGUMENTS else given, root="input")
    except codec.Unrecordable as refusal:
        raise StepFailed(
            label=label,
            tag=FailureTag.PERMANENT,
            message=f"{refusal}; pass input=… to say what identifies it",
        ) from None
