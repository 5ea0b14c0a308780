"""The enumerations and records of the contract.

A field that has a default is absent from JSON where it has that value; every other field is always there.
A field such as `class_` stands for the key `class`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

Instant: TypeAlias = int  # milliseconds since 1970-01-01T00:00:00Z; JSON has RFC 3339
Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"


class AwakeableState(StrEnum):
    """run.suspend.deadline"""

    # nobody has answered, and there is time left
    PENDING = "pending"
    # the payload is recorded
    RESOLVED = "resolved"
    # the deadline passed without an answer
    TIMED_OUT = "timed_out"

    @property
    def final(self) -> bool:
        """Whether the page says yes under `final`."""
        return self in (
            AwakeableState.RESOLVED,
            AwakeableState.TIMED_OUT,
        )


class Backoff(StrEnum):
    """run.retry.schedule"""

    # every delay is the base
    FIXED = "fixed"
    # each delay is the one before times the factor
    EXPONENTIAL = "exponential"


class CallbackKind(StrEnum):
    """run.callback-guard.class"""

    # the callback publishes output to a destination
    PUBLICATION = "publication"
    # the callback has any other effect
    OTHER = "other"


class ChangeKind(StrEnum):
    """run.project.reducer-is-total"""

    # the run's status moved
    STATUS = "status"
    # a step is new or has moved
    STEP = "step"
    # entries of the metadata map were written
    METADATA = "metadata"


class CursorKind(StrEnum):
    """run.advance.cursor-kind"""

    # a timestamp, counter or watermark, whose values have an order
    MONOTONIC = "monotonic"
    # a continuation that only its vendor can read
    OPAQUE_TOKEN = "opaque-token"
    # a log sequence number or a version id
    SNAPSHOT_ID = "snapshot-id"

    @property
    def concurrent_safe(self) -> bool:
        """Whether the page says yes under `concurrent_safe`."""
        return self is CursorKind.MONOTONIC


class EntryState(StrEnum):
    """run.journal.entry-key"""

    # a caller holds the claim and may be running the effect
    PENDING = "pending"
    # the value stands
    RECORDED = "recorded"


class EvidenceClass(StrEnum):
    """run.callback-guard.class"""

    # the destination still recognizes the key, so sending it once more repeats nothing
    REPLAY_SAFE = "replay-safe"
    # a publication past its window: only a receipt of the destination tells
    RECEIPT_REQUIRED = "receipt-required"
    # another callback past its window: somebody has to find out
    UNKNOWN = "unknown"


class FailureTag(StrEnum):
    """run.retry.failure-taxonomy"""

    # a fault that another attempt may not meet
    TRANSIENT = "Transient"
    # a fault that every attempt meets
    PERMANENT = "Permanent"
    # the rows do not fit the table's schema
    SCHEMA_INCOMPATIBLE = "SchemaIncompatible"
    # the credential is no longer taken
    AUTH_EXPIRED = "AuthExpired"
    # the source or its limiter asks for a pause
    RATE_LIMITED = "RateLimited"
    # what was declared cannot be run
    CONFIG = "Config"
    # the engine's own storage did not answer
    STORAGE = "Storage"
    # no connector goes by the declared name
    UNKNOWN_CONNECTOR = "UnknownConnector"
    # a declared secret has no value
    SECRET_NOT_FOUND = "SecretNotFound"
    # a stop ended the work
    CANCELED = "Canceled"

    @property
    def retryable(self) -> bool:
        """Whether the page says yes under `retryable`."""
        return self in (
            FailureTag.TRANSIENT,
            FailureTag.RATE_LIMITED,
        )


class GrantAction(StrEnum):
    """authority.grant.actions"""

    # read rows and runs
    READ = "read"
    # land rows
    WRITE = "write"
    # fire a run, and stop it
    EXECUTE = "execute"
    # all else that changes the store
    ADMIN = "admin"


class ItemOutcome(StrEnum):
    """run.items.outcomes"""

    # its body returned and its rows landed
    SUCCESS = "success"
    # its attempt failed
    FAILURE = "failure"
    # it awaits an awakeable
    PARKED = "parked"
    # another item holds its entity, so its body was not entered
    DEFERRED = "deferred"
    # it closed on the instant of its next attempt
    WAITING = "waiting"

    @property
    def spends(self) -> bool:
        """Whether the page says yes under `spends`."""
        return self is ItemOutcome.FAILURE


class ItemTerminal(StrEnum):
    """run.items.terminal-outcome"""

    # its rows landed and its receipt committed
    SUCCEEDED = "succeeded"
    # it ended on a failure that no retry may cure
    FAILED = "failed"
    # its last attempt failed and the budget is spent
    EXHAUSTED = "exhausted"

    @property
    def spends(self) -> bool:
        """Whether the page says yes under `spends`."""
        return self in (
            ItemTerminal.FAILED,
            ItemTerminal.EXHAUSTED,
        )


class JobKind(StrEnum):
    """surface.fire.job-kind"""

    # runs a registered body once per row of a statement
    STORE_DRIVEN = "store-driven"
    # builds a model
    BUILD = "build"
    # folds a table's runs into a snapshot
    FOLD = "fold"
    # builds the derived catalog anew
    REBUILD_CATALOG = "rebuild-catalog"
    # pushes to the bucket
    SYNC_PUSH = "sync-push"
    # checks the project
    VALIDATE = "validate"


class MaskStrategy(StrEnum):
    """authority.mask.column-policy"""

    # a digest that joins and does not tell
    HASH = "hash"
    # nothing
    DROP = "drop"


class NodeKind(StrEnum):
    """run.compile.nodes"""

    # an effect whose value is recorded
    STEP = "step"
    # a wait until an instant
    SLEEP = "sleep"
    # a wait for an awakeable
    AWAIT_EVENT = "awaitEvent"
    # one way or another, by a recorded value
    BRANCH = "branch"
    # branches side by side, up to their join
    PARALLEL = "parallel"


class OnTableError(StrEnum):
    """run.land.on-table-error"""

    # halt at the first table that fails
    ABORT = "abort"
    # land the tables that are left
    CONTINUE = "continue"


class Phase(StrEnum):
    """run.record.reserved-table"""

    # the row written when the run opened
    PLAN = "plan"
    # the row written when it closed; read before `plan` where one row is wanted
    COMMIT = "commit"


class RedactionOperation(StrEnum):
    """authority.redact.declaration"""

    # the value becomes null
    DROP = "drop"
    # the value becomes its masked digest
    HASH = "hash"
    # the value, or what the pattern matched of it, becomes `[REDACTED:<argument>]`
    REPLACE = "replace"


class RunStatus(StrEnum):
    """run.record.status-set"""

    # recorded, and not yet at work
    PENDING = "pending"
    # at work, with a lease
    RUNNING = "running"
    # parked until an awakeable resolves or an instant passes
    WAITING = "waiting"
    # ended, and what it had to do is done
    SUCCESS = "success"
    # found without a living owner at a startup
    PARTIAL_FAILURE = "partial_failure"
    # ended by a failure
    FAILED = "failed"
    # ended by a stop, or its owner was retired
    CANCELED = "canceled"

    @property
    def terminal(self) -> bool:
        """Whether the page says yes under `terminal`."""
        return self in (
            RunStatus.SUCCESS,
            RunStatus.PARTIAL_FAILURE,
            RunStatus.FAILED,
            RunStatus.CANCELED,
        )

    @property
    def accepts_stop(self) -> bool:
        """Whether the page says yes under `accepts_stop`."""
        return self in (
            RunStatus.PENDING,
            RunStatus.RUNNING,
            RunStatus.WAITING,
        )

    @property
    def counted_upstream(self) -> bool:
        """Whether the page says yes under `counted_upstream`."""
        return self in (
            RunStatus.PENDING,
            RunStatus.RUNNING,
            RunStatus.WAITING,
            RunStatus.SUCCESS,
            RunStatus.PARTIAL_FAILURE,
            RunStatus.FAILED,
        )


class ScopeKind(StrEnum):
    """run.own.host-scope"""

    # a pipeline's live table
    TABLE = "table"
    # one chunk of a backfill
    CHUNK = "chunk"
    # an id that a host declared
    HOST = "host"


class StepStatus(StrEnum):
    """run.project.step-view"""

    # known, and not begun
    PENDING = "pending"
    # its effect runs
    RUNNING = "running"
    # its value is recorded
    COMPLETED = "completed"
    # it ended on a failure or a stop
    FAILED = "failed"
    # an attempt failed and another is to come
    RETRYING = "retrying"

    @property
    def terminal(self) -> bool:
        """Whether the page says yes under `terminal`."""
        return self in (
            StepStatus.COMPLETED,
            StepStatus.FAILED,
        )

    @property
    def executing(self) -> bool:
        """Whether the page says yes under `executing`."""
        return self in (
            StepStatus.RUNNING,
            StepStatus.RETRYING,
        )


class StopScope(StrEnum):
    """run.cancel.two-grains"""

    # this run; its fire goes on
    RUN = "run"
    # all that the pipeline, or the host scope, has in flight, and what the fire had still to do
    PIPELINE = "pipeline"


class StorageProfile(StrEnum):
    """run.journal.storage-unsupported"""

    # shared state in PostgreSQL, corpus in a remote bucket
    POSTGRES = "postgres"
    # shared state in D1, blobs and corpus in R2
    CLOUDFLARE_D1 = "cloudflare-d1"


class StoredAt(StrEnum):
    """run.journal.inline-cutoff"""

    # the bytes are in the row
    INLINE = "inline"
    # the bytes are in the blob store, under their sha256
    BLOB = "blob"


class SweepState(StrEnum):
    """run.sweep.fresh-state"""

    # every origin starts from the same stored state
    FRESH = "fresh"
    # every origin starts from what the one before it left
    CARRIED = "carried"


class TargetRole(StrEnum):
    """topology.deploy.roles"""

    # makes the scheduler beat
    CRON_TICK = "cron_tick"
    # runs the steps
    ORCHESTRATOR = "orchestrator"
    # holds owners, leases and run rows
    CATALOG = "catalog"
    # holds the corpus
    OBJECT_STORE = "object_store"
    # answers statements
    QUERY_FACE = "query_face"
    # runs the processes
    COMPUTE = "compute"
    # gives credentials to what needs them
    SECRETS = "secrets"


class WriteMode(StrEnum):
    """store.declare.write-mode"""

    # each run adds to what is there
    APPEND = "append"
    # each complete run takes the place of what was there
    REPLACE = "replace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """run.retry.failure-taxonomy"""

    # the class of the failure
    tag: FailureTag
    # what happened, for a person to read
    message: str
    # the wait that the other side asked for
    retry_after_secs: int | None = None
    # the refusal is a pure check of static input
    deterministic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """delegate.call.answer"""

    # what the call returned
    value: Json | None = None
    # what it failed with
    failure: Failure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """run.journal.inline-cutoff"""

    # where the bytes are
    at: StoredAt
    # inline bytes that are UTF-8
    text: str | None = None
    # inline bytes that are not
    hex: str | None = None
    # the name of the blob
    sha256: str | None = None
    # the size of the blob
    bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Awakeable:
    """run.suspend.awakeable"""

    # opaque, for a single use
    token: str
    # the execution that waits
    execution_id: str
    # the step whose output the payload becomes
    step_label: str
    # when it was minted, as the caller said
    created_at: Instant
    # how long it lives
    ttl_secs: int
    # the last instant at which it may be resolved
    deadline: Instant
    # where it stands
    state: AwakeableState
    # what a repeated resolution is compared with
    payload_sha256: str | None
    # the payload on record
    payload: Stored | None
    # the subject it was bound to at mint
    caller: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """delegate.bind.binding"""

    # the name that jobs use
    name: str
    # what may be pinned and shown: endpoint, model, parameters
    public: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundHit:
    """run.retry.bound-hit-recorded"""

    # the step whose call struck the bound
    step_label: str
    # the attempt of that step, counted from one
    attempt: int
    # the name of the bound
    bound: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketLease:
    """store.lease.single-writer"""

    # the node that holds it
    holder: str | None
    # when it was granted
    acquired_at: Instant | None
    # when it ends by itself
    expires_at: Instant | None
    # how many grants there have been
    fence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectorPin:
    """run.own.execution-owner"""

    # the connector
    id: str
    # its version
    version: str
    # the world of its component, or `native`
    world: str
    # its content hash
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildPins:
    """run.own.execution-owner"""

    # what pulls
    connector: ConnectorPin
    # the declaration of the pipeline
    content_hash: str
    # the position it opened at: recorded, and not compared
    input_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputRef:
    """run.project.outputs-by-reference"""

    # where the output is, after redaction
    reference: str
    # how large it is
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPatch:
    """run.project.reducer-is-total"""

    # the step it is about
    label: str
    # as in `StepView`, and so are the rest
    status: StepStatus | None = None
    # attempts begun
    attempts: int | None = None
    # when its first attempt began
    started_at: Instant | None = None
    # when it became terminal
    ended_at: Instant | None = None
    # what it returned, by reference
    output: OutputRef | None = None
    # what its latest attempt failed with
    failure: Failure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """run.project.reducer-is-total"""

    # which of the fields below it carries
    kind: ChangeKind
    # the run's status, for `status`
    status: RunStatus | None = None
    # when it moved, for `status`
    at: Instant | None = None
    # what the run failed with, for `status`
    error: Failure | None = None
    # what moved, for `step`
    step: StepPatch | None = None
    # what was written, for `metadata`
    entries: Mapping[str, Json] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnPolicy:
    """authority.mask.column-policy"""

    # what kind of value the column holds, such as `pii`
    class_: str
    # what is made of it
    strategy: MaskStrategy


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitPointer:
    """run.orchestrate.provider-step"""

    # the table that was committed
    table: str
    # the chunk, where it was one
    chunk: int | None = None
    # the run whose manifest is the commit, the last one where there were several
    run_id: str
    # the node that wrote it
    node_id: str
    # the position that was committed
    position: Json | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """run.advance.cursor-bytes"""

    # the kind
    kind: CursorKind
    # the connector's own value
    position: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class CursorRow:
    """run.advance.commit-with-rows"""

    # the cached position
    position: Json | None
    # grows with every update, which names the one it expects
    version: int
    # the run whose marker is cached
    marker_run_id: str | None
    # the instant of that marker
    marker_committed_at: Instant | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleAnswer:
    """surface.dispatch.cycle-answer"""

    # the units that were fired, by key
    fired: tuple[str, ...]
    # those of them that failed
    failed: tuple[str, ...]
    # units that are due and were not fired
    pending: tuple[str, ...]
    # how many entries have a schedule
    armed: int
    # entries without one
    unarmed: tuple[str, ...]
    # when the next entry is due
    next_due: Instant | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """run.project.version"""

    # when the hub started
    epoch: Instant
    # rises by one with each change since then
    counter: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """run.project.reducer-is-total"""

    # the run it is about
    run_id: str
    # its pipeline's id, or its host scope
    workflow_id: str
    # the version it leads to
    version: Version
    # what changed
    change: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class DowngradeEvent:
    """run.record.schema-diff-shape"""

    # the table
    table: str
    # the column, and the fields within it
    path: str
    # what arrived
    source_type: str
    # what was written
    landed_type: str
    # why the arriving type could not land
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryKey:
    """run.journal.entry-key"""

    # the execution whose work this is
    execution_id: str
    # the step's name within the execution
    step_label: str
    # lowercase hex sha256 of the step's input bytes
    input_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """run.journal.entry-key"""

    # whether the value stands yet
    state: EntryState
    # what the entry stands under
    key: EntryKey
    # the run whose lease guards a pending claim
    run_id: str | None = None
    # attempts completed so far
    attempts: int = 0
    # the instant before which the effect does not run again
    next_attempt_at: Instant | None = None
    # what was recorded
    value: Stored | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """delegate.call.envelope"""

    # the job that asks
    job: str
    # the key of the row or item
    row: str
    # which of the row's calls it is, from 1
    ordinal: int
    # what is asked
    input: Json
    # the same at each sending of this call
    idempotency_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerScope:
    """run.own.host-scope"""

    # the pipeline of a table or chunk
    pipeline_id: str | None = None
    # the table of a table or chunk; it ends in `#seed` while seeding
    table: str | None = None
    # the chunk
    chunk: str | None = None
    # the id that a host declared, such as `job:score`
    host_scope: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPins:
    """run.own.host-scope"""

    # the plan reference
    plan_ref: str
    # further identities by name, such as a body's digests
    identities: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionOwner:
    """run.own.execution-owner"""

    # the key of its recorded work
    execution_id: str
    # what it owns
    scope: OwnerScope
    # the pins of a table or chunk
    build: BuildPins | None = None
    # the pins of a host scope
    plan: PlanPins | None = None
    # run ids, oldest first; the last one is active
    attempts: tuple[str, ...]
    # grows with every attempt that takes over
    fence: int
    # when the first attempt opened it
    opened_at: Instant
    # the instant that a waiting attempt left
    next_attempt_at: Instant | None = None
    # an attempt or a refused open asked for another plan reference
    other_plan_requested: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedBranch:
    """run.journal.fan-out-join"""

    # the branch that failed
    label: str
    # its failure's tag
    tag: FailureTag


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """authority.grant.actions"""

    # what may be done
    actions: tuple[GrantAction, ...]
    # patterns of the tables it is about
    tables: tuple[str, ...] = ()
    # patterns of the pipelines it is about
    pipelines: tuple[str, ...] = ()
    # the most rows that one read may answer
    max_rows: int | None = None
    # classes of masked columns that it reads as they are
    unmasked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """run.callback-guard.identity"""

    # names the guard to operators; opaque
    token: str
    # the protected owner scopes, every ancestor included
    scopes: tuple[str, ...]
    # the protected lease keys, entity fences included
    lease_keys: tuple[str, ...]
    # the execution whose step makes the callback
    execution_id: str
    # the run id of the attempt
    attempt: str
    # the holder identity of its engine
    holder: str
    # the journal entry that takes the callback's value
    entry_key: EntryKey
    # the key that the request carries
    idempotency_key: str
    # when the guard was acquired
    admitted_at: Instant
    # the deduplication window of the destination; null is `none`
    window_ms: int | None
    # what the callback is for
    callback: CallbackKind


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardAudit:
    """run.callback-guard.manual"""

    # the guard that was released
    token: str
    # the evidence as it was given
    evidence: str
    # who gave it
    operator: str
    # when it was released
    released_at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardReport:
    """run.callback-guard.inspect"""

    # the guard as it is recorded
    guard: Guard
    # its class at the instant of printing
    evidence_class: EvidenceClass


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryWindow:
    """run.record.truncation-flag"""

    # the lower bound, itself inside
    since: Instant | None
    # the most rows that may come back
    ceiling: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """run.record.owner-lease"""

    # the process
    pid: int
    # the boot of the machine
    boot_id: str
    # drawn at random when the process started, since containers may share the two above
    holder: str
    # from this instant on, the lease has expired
    lease_expires_at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class StopMark:
    """run.cancel.catalog-channel"""

    # when the stop was asked
    requested_at: Instant
    # a `StopScope` as it was written; another spelling is kept and reads as `run`
    scope: str
    # why, in the asker's words
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InputBounds:
    """run.record.sweep-bounds"""

    # the bound in transaction time
    as_of: Instant
    # the snapshot id of each table the statement touched
    snapshots: Mapping[str, str]
    # how many rows it read
    rows: int
    # the bound in availability, for an origin
    available_as_of: Instant | None = None
    # the sweep it belongs to
    sweep_id: str | None = None
    # which origin it is
    origin: Instant | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """run.record.columns"""

    # one attempt
    run_id: str
    # the execution whose journal it works from
    execution_id: str
    # the pipeline, or the job for its output tables
    pipeline_id: str
    # the destination table, empty for a host scope
    table: str
    # the host-declared scope
    host_scope: str | None = None
    # the chunk of the table's backfill
    chunk: str | None = None
    # the site that writes
    site_id: str
    # which of its two rows this is
    phase: Phase
    # where it stands
    status: RunStatus
    # who holds it while `running` or `waiting`
    owner: Owner | None
    # the stop that was asked
    stop: StopMark | None
    # when it opened
    started_at: Instant
    # when it closed
    ended_at: Instant | None
    # the instant it waits for
    next_attempt_at: Instant | None = None
    # attempts completed when it began to wait
    attempt: int | None = None
    # the plan reference it was admitted with
    plan_ref: str | None = None
    # the connector it pinned
    connector_id: str
    # its version
    connector_version: str
    # its content hash
    connector_hash: str
    # the trace it belongs to
    trace_id: str | None
    # rows counted at the destination
    rows: int
    # bytes counted at the destination
    bytes: int
    # batches landed
    batches: int
    # inputs that the source declined to land whole
    skipped: int = 0
    # rows that went into the transform chain
    fetched: int = 0
    # rows that came out of it
    kept: int = 0
    # files a directory walk declined, by extension
    declined: Mapping[str, int] = dataclasses.field(default_factory=dict)
    # captured output, in pull order
    audit: tuple[str, ...] = ()
    # the tag of the failure
    error_kind: FailureTag | None
    # its message, masked and capped
    error_message: str | None
    # connector bounds struck on the way
    bound_hits: tuple[BoundHit, ...] = ()
    # branches that a partial join let fail
    failed_branches: tuple[FailedBranch, ...] = ()
    # what a store-driven run read
    input: InputBounds | None = None
    # why its owner was retired, or which run went on after it had waited
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPage:
    """run.record.truncation-flag"""

    # what was asked for
    window: HistoryWindow
    # latest start first, and equal starts by run id, highest first
    runs: tuple[RunRow, ...]
    # the window holds more runs than these
    truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class IsolatedItems:
    """run.items.opt-in"""

    # the columns that make an item's logical key, in order
    key: tuple[str, ...]
    # the columns that name its entity; a single column may be written bare
    entity_key: tuple[str, ...]
    # the namespace shared by all jobs that work on these entities
    entity_namespace: str
    # how many failed attempts an item has, across fires
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """run.items.outcome-record"""

    # the job that ran the item
    job: str
    # the logical key as served: one column's value, or canonical JSON of several
    logical_key: str
    # the namespace of its entity
    entity_namespace: str
    # the entity key as served, spelled like the logical key
    entity_key: str
    # failed attempts, and the one that succeeded
    attempts: int
    # how it ended
    outcome: ItemTerminal
    # `<tag>: <message>` of its last failure; none for `succeeded`
    reason: str | None
    # the attempt that ended it
    run_id: str
    # the execution whose journal it used
    execution_id: str
    # when it ended
    ended_at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """run.journal.fan-out-join"""

    # the join's name in the plan
    label: str
    # failed branches are recorded and do not fail the run
    allow_partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PartName:
    """store.lay-out.run-manifest"""

    # the file's name in the run's directory
    name: str
    # which encryption key it is sealed with; 0 for none
    key_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderConfiguration:
    """run.own.body-public-configuration"""

    # where the provider is called, with no credential in it
    endpoint: str
    # which model
    model: str
    # how it generates
    parameters: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull:
    """connector.source.pull-answer"""

    # the batch
    rows: tuple[Json, ...]
    # the position after it
    cursor: Json
    # there is more to pull
    more: bool
    # what the columns are, by name
    types: Mapping[str, str] = dataclasses.field(default_factory=dict)
    # inputs that would not land whole
    skipped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAnswer:
    """read.respond.projection"""

    # the columns, in the order of the statement
    columns: tuple[str, ...]
    # the rows, an array of values each
    rows: tuple[Json, ...]
    # there were more rows than these
    truncated: bool
    # `as_of`, `valid_as_of` and `available_as_of`, as far as they were set
    bounds: Mapping[str, str] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedInput:
    """run.journal.store-input"""

    # the bound that the statement was read under
    as_of: Instant
    # the snapshot id that each table resolved to
    snapshots: Mapping[str, str]
    # the input rows, in order
    rows: tuple[Json, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactionRule:
    """authority.redact.declaration"""

    # the table it protects
    table: str
    # the column it changes
    column: str
    # what becomes of the value
    operation: RedactionOperation
    # what `replace` writes in its stead
    argument: str | None = None
    # a regular expression; without it the whole value is meant
    match: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultKey:
    """read.cache.result-key"""

    # what the policy sees of the caller: scope, zone, and whether it is incognito
    subject: str
    # the token it came with
    token_id: str
    # which revocation was the last: its instant in milliseconds, 0 before the first
    revocation_epoch: int
    # the snapshot id of each touched table
    snapshots: Mapping[str, str]
    # every bound, by name
    bounds: Mapping[str, str] = dataclasses.field(default_factory=dict)
    # what the statement was pinned to
    pins: Mapping[str, str] = dataclasses.field(default_factory=dict)
    # the digest of the statement
    statement_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunManifest:
    """store.lay-out.run-manifest"""

    # the run
    run_id: str
    # the table
    table: str
    # the node that wrote it, as the directory says
    node_id: str
    # the parts of the commit
    parts: tuple[PartName, ...]
    # the commit's instant, which is each row's `_ingested_at`
    committed_at: Instant
    # the `_commit_seq` of its rows
    commit_seq: int | None = None
    # the pipeline
    pipeline_id: str | None = None
    # the position
    cursor: Json | None = None
    # the fence of the lease it was written under
    fence: int | None
    # readable only once the commit log has it
    logged: bool = False
    # the run carries complete inventory
    complete: bool = False
    # current reads begin here
    replacement_frontier: bool = False
    # the downgrades that the run committed
    schema_diff: tuple[DowngradeEvent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """run.retry.schedule"""

    # how the delay grows
    backoff: Backoff
    # the delay before the second attempt
    base_ms: int
    # what each delay is multiplied by
    factor: int
    # attempts in all, the first one counted
    attempts: int
    # the clamp on a delay, before jitter is added
    max_delay_ms: int
    # the ceiling that jitter stays below; 0 means none
    jitter_ms: int
    # the tags that are tried again
    retry_on: tuple[FailureTag, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """run.project.step-view"""

    # the step's label
    label: str
    # where the step stands
    status: StepStatus
    # attempts begun
    attempts: int
    # when its first attempt began
    started_at: Instant | None = None
    # when it became terminal
    ended_at: Instant | None = None
    # what it returned, by reference
    output: OutputRef | None = None
    # what its latest attempt failed with
    failure: Failure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """run.project.wire-snapshot"""

    # the run
    run_id: str
    # its pipeline's id, or its host scope
    workflow_id: str
    # where the run stands
    status: RunStatus
    # its steps in the order in which they appeared
    steps: tuple[StepView, ...]
    # what the run has written about itself
    metadata: Mapping[str, Json]
    # when it opened
    started_at: Instant | None = None
    # when it became terminal
    ended_at: Instant | None = None
    # what the run failed with
    error: Failure | None = None
    # how recent this is
    version: Version


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotDigest:
    """run.advance.skip-unchanged"""

    # lowercase hex sha256 of the input's raw bytes
    sha256: str
    # how many rows that input held
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """run.sweep.origins"""

    # the first origin
    start: Instant
    # no origin is later; one that falls on it is run
    end: Instant
    # from one origin to the next, such as `7d`: a whole number and `s`, `m`, `h` or `d`
    step: str
    # `fresh` unless declared
    state: SweepState


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpushedRun:
    """store.drain.status"""

    # the run
    run_id: str
    # its pipeline, or its job
    pipeline: str
    # its table
    table: str
    # the node whose disk it was committed on
    node: str
    # when it closed
    ended_at: Instant | None
    # a push found its commit gone
    lost: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncStatus:
    """store.drain.status"""

    # null, `"SyncRunsUnpushed"`, or an object whose `identifier` is `SyncStatusUnread` and whose `cause` says why
    error: Json
    # marked runs that are not lost
    open: int
    # marked runs that are
    lost: int
    # some or all of them, by run id; null when they could not be read
    runs: tuple[UnpushedRun, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitOutcome:
    """run.suspend.recorded-timeout"""

    # the deadline passed
    timed_out: bool = False
    # what the resolution brought
    payload: Stored | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Watermark:
    """run.advance.watermark-shape"""

    # the column; one that opens with `/` is an RFC 6901 pointer into the row
    field: str
    # the highest value of that column
    at: Json
