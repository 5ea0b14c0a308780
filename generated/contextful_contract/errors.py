"""The refusals of the contract, one class each."""

from __future__ import annotations

from collections.abc import Mapping

from contextful_contract.base import ContextfulError
from contextful_contract.shapes import FailureTag, Instant


class ApplyValidationRefused(ContextfulError):
    """surface.apply.validate"""

    clause = "surface.apply.validate"
    sentence = "The project is not applied, since it does not validate: {faults}. Correct these and apply again."
    tag = FailureTag.CONFIG
    exit_code = 1
    faults: str


class AudienceMismatch(ContextfulError):
    """authority.verify.audience"""

    clause = "authority.verify.audience"
    sentence = "This credential is made out to another audience than {audience}: ask for one that is made out to it."
    tag = FailureTag.AUTH_EXPIRED
    http_status = 401
    exit_code = 1
    audience: str


class AuthorityExpired(ContextfulError):
    """authority.verify.expiry"""

    clause = "authority.verify.expiry"
    sentence = "This credential expired at {expired_at}: ask for a new one."
    tag = FailureTag.AUTH_EXPIRED
    http_status = 401
    exit_code = 1
    expired_at: Instant


class AuthorityRevoked(ContextfulError):
    """authority.verify.revocation"""

    clause = "authority.verify.revocation"
    sentence = "This credential was revoked: ask for a new one."
    tag = FailureTag.AUTH_EXPIRED
    http_status = 401
    exit_code = 1


class AwakeableAlreadyResolved(ContextfulError):
    """run.suspend.conflicting-resolution"""

    clause = "run.suspend.conflicting-resolution"
    sentence = "This token was resolved before, with a payload of sha256 {recorded}, and that one stands. Another answer takes another token."
    tag = FailureTag.PERMANENT
    http_status = 409
    exit_code = 1
    recorded: str


class AwakeableTimedOut(ContextfulError):
    """run.suspend.expired-token"""

    clause = "run.suspend.expired-token"
    sentence = "The deadline of this token was {deadline}, and the run has gone on without an answer. Ask whoever started the run for a new token."
    tag = FailureTag.PERMANENT
    http_status = 410
    exit_code = 1
    deadline: Instant


class AwakeableUnknown(ContextfulError):
    """run.suspend.unknown-token"""

    clause = "run.suspend.unknown-token"
    sentence = "No awakeable answers to this token from this caller. Check the token, and on whose behalf the credential was issued."
    tag = FailureTag.PERMANENT
    http_status = 404
    exit_code = 1


class BearerLifetimeExceeded(ContextfulError):
    """authority.verify.bearer-lifetime"""

    clause = "authority.verify.bearer-lifetime"
    sentence = "This bearer credential lives {lifetime_s} s, which is too long on a network: ask for a shorter one, or prove possession."
    tag = FailureTag.AUTH_EXPIRED
    http_status = 401
    exit_code = 1
    lifetime_s: int


class BlobMissing(ContextfulError):
    """run.journal.missing-blob"""

    clause = "run.journal.missing-blob"
    sentence = "A recorded value points at blob {reference}, and no store holds it: restore the blob, or rewind the execution to do the work again."
    tag = FailureTag.STORAGE
    exit_code = 1
    reference: str


class CancelTargetNotInFlight(ContextfulError):
    """run.cancel.not-in-flight"""

    clause = "run.cancel.not-in-flight"
    sentence = "Run {run_id} is not in flight, so there is nothing to stop. `contextful run history` lists the runs that there are, and how each ended."
    tag = FailureTag.PERMANENT
    http_status = 409
    exit_code = 1
    run_id: str


class CancelUnauthorized(ContextfulError):
    """run.cancel.stop-unauthorized"""

    clause = "run.cancel.stop-unauthorized"
    sentence = "This credential may not stop run {run_id}. Present one with an `execute` grant over the pipeline that the run belongs to."
    tag = FailureTag.PERMANENT
    http_status = 403
    exit_code = 1
    run_id: str


class CapabilityUnwired(ContextfulError):
    """run.journal.unwired-capability"""

    clause = "run.journal.unwired-capability"
    sentence = "Profile {profile} has no {capability}: choose a profile that has it, or leave out what asks for it."
    tag = FailureTag.CONFIG
    exit_code = 1
    capability: str
    profile: str


class ConditionalWriteUnsupported(ContextfulError):
    """surface.apply.weak-conditional-backend"""

    clause = "surface.apply.weak-conditional-backend"
    sentence = "The backend {backend} does not refuse a write whose condition fails, so nothing can be claimed on it: use one that does."
    tag = FailureTag.CONFIG
    exit_code = 1
    backend: str


class ConnectorDigestMismatch(ContextfulError):
    """connector.package.content-hash"""

    clause = "connector.package.content-hash"
    sentence = "Connector {connector} is pinned to {expected}, and its artifact has {found}. Pin the new digest, if it is meant."
    tag = FailureTag.CONFIG
    exit_code = 1
    connector: str
    expected: str
    found: str


class ConnectorHotReload(ContextfulError):
    """connector.package.hot-reload"""

    clause = "connector.package.hot-reload"
    sentence = "Run {run_id} holds connector {connector}, which cannot be resolved anew under it. Try again when the run has closed."
    tag = FailureTag.TRANSIENT
    exit_code = 1
    connector: str
    run_id: str


class ConnectorPageLoop(ContextfulError):
    """connector.source.page-loop"""

    clause = "connector.source.page-loop"
    sentence = "The walk was sent back to {url}, where it has been. Check how the source says what comes next."
    tag = FailureTag.PERMANENT
    exit_code = 1
    url: str


class ConnectorUnmetered(ContextfulError):
    """connector.meter.unmetered"""

    clause = "connector.meter.unmetered"
    sentence = "A request to {host} has no permit of limiter {limiter} and was not sent. Send it through the connector's own client."
    tag = FailureTag.CONFIG
    exit_code = 1
    limiter: str
    host: str


class CursorFieldMismatch(ContextfulError):
    """run.advance.field-rename"""

    clause = "run.advance.field-rename"
    sentence = "The stored position watches {stored}, and {declared} is declared. Declare {stored} again, or land the table afresh under another pipeline id."
    tag = FailureTag.CONFIG
    exit_code = 1
    stored: str
    declared: str


class CursorPositionUnorderable(ContextfulError):
    """run.advance.unorderable-position"""

    clause = "run.advance.unorderable-position"
    sentence = "Clock field {field} holds {value}, which has no order against the position. Have the source give each row a number there, or each row a text, and never null."
    tag = FailureTag.PERMANENT
    exit_code = 1
    field: str
    value: str


class DelegateUnbound(ContextfulError):
    """delegate.bind.unbound"""

    clause = "delegate.bind.unbound"
    sentence = "Job {job} asks the delegate {binding}, and this machine binds none of that name: bind it, or fire the job where it is bound."
    tag = FailureTag.CONFIG
    exit_code = 1
    job: str
    binding: str


class EnforceRedactionInvalid(ContextfulError):
    """authority.redact.bounds"""

    clause = "authority.redact.bounds"
    sentence = "The redaction of table {table} cannot be used, {reason}: correct the rule, and validate again."
    tag = FailureTag.CONFIG
    exit_code = 1
    table: str
    reason: str


class ExecutionGuardEvidenceMismatch(ContextfulError):
    """run.callback-guard.evidence"""

    clause = "run.callback-guard.evidence"
    sentence = "Evidence {evidence} cannot be tied to guard {token}. Ask the destination about key {idempotency_key} and bring its receipt as `receipt:{idempotency_key}:<id>`."
    tag = FailureTag.PERMANENT
    exit_code = 1
    token: str
    evidence: str
    idempotency_key: str


class ExecutionGuardHeld(ContextfulError):
    """run.callback-guard.live-holder"""

    clause = "run.callback-guard.live-holder"
    sentence = "Guard {token} is still held by {holder}, whose callback may be sending its effect. Stop that holder, or come back after its owner lease ends at {lease_expires_at}."
    tag = FailureTag.TRANSIENT
    exit_code = 1
    token: str
    holder: str
    lease_expires_at: Instant


class ExecutionPinMismatch(ContextfulError):
    """run.own.pinned-plan-changed"""

    clause = "run.own.pinned-plan-changed"
    sentence = "Execution {execution_id} is pending on {scope} with {recorded}, and this fire brings {requested}. To go on, restore the recorded build and resume it to completion. To give it up, use `contextful run rewind {execution_id} --reason TEXT` for a host or table, or a rewind of the window for chunks."
    tag = FailureTag.PERMANENT
    exit_code = 1
    scope: str
    execution_id: str
    recorded: Mapping[str, str]
    requested: Mapping[str, str]


class ExecutionRecoveryMismatch(ContextfulError):
    """run.journal.execution-recovery"""

    clause = "run.journal.execution-recovery"
    sentence = "The execution database does not belong to this project and frontier: expected {expected}, found {found}. Restore the database, its recovery identity and the bucket from one backup."
    tag = FailureTag.STORAGE
    exit_code = 1
    expected: str
    found: str


class ExecutionRewindNotPending(ContextfulError):
    """run.own.rewind-not-pending"""

    clause = "run.own.rewind-not-pending"
    sentence = "No pending owner of a host or table holds execution {execution_id}, so there is nothing to rewind. Chunks retire through a rewind of their window; `contextful run history` shows what has ended."
    tag = FailureTag.PERMANENT
    exit_code = 1
    execution_id: str


class ExecutionRewindPlanCurrent(ContextfulError):
    """run.own.rewind-plan-current"""

    clause = "run.own.rewind-plan-current"
    sentence = "Nothing has asked execution {execution_id} for another plan than {plan_ref}, so its next fire resumes it. Let it resume, or pass --force to throw away what it recorded. If its plan has changed since, fire it once, and rewind when that is refused."
    tag = FailureTag.PERMANENT
    exit_code = 1
    execution_id: str
    plan_ref: str


class ExecutionRewindUnsafe(ContextfulError):
    """run.own.rewind-unsafe"""

    clause = "run.own.rewind-unsafe"
    sentence = "Execution {execution_id} cannot be retired because of {blocker}. Let it end, or stop an attempt with `contextful run cancel`, and rewind again; --force does not override this."
    tag = FailureTag.PERMANENT
    exit_code = 1
    execution_id: str
    blocker: str


class ExecutionSchemaIncompatible(ContextfulError):
    """run.journal.execution-schema"""

    clause = "run.journal.execution-schema"
    sentence = "The execution database has schema {found} and this executable supports {supported}. {remedy}"
    tag = FailureTag.STORAGE
    exit_code = 1
    found: str
    supported: str
    remedy: str


class GrantPipelineNotCovered(ContextfulError):
    """authority.grant.pipeline-not-covered"""

    clause = "authority.grant.pipeline-not-covered"
    sentence = "This credential does not cover pipeline {pipeline}: present one with a `read` grant over it."
    tag = FailureTag.PERMANENT
    http_status = 403
    exit_code = 1
    pipeline: str


class GrantRunTraceDenied(ContextfulError):
    """authority.grant.run-trace-denied"""

    clause = "authority.grant.run-trace-denied"
    sentence = (
        "This credential covers no such run: present one with a `read` grant over the pipeline that it belongs to."
    )
    tag = FailureTag.PERMANENT
    http_status = 403
    exit_code = 1


class HistoryBoundSpelling(ContextfulError):
    """run.record.bound-spelling"""

    clause = "run.record.bound-spelling"
    sentence = (
        "{bound} is not a lower bound for a history window: write a day as YYYY-MM-DD, or a UTC instant that ends in Z."
    )
    tag = FailureTag.CONFIG
    http_status = 400
    exit_code = 1
    bound: str


class IssuancePrincipalRequired(ContextfulError):
    """authority.issue.principal-required"""

    clause = "authority.issue.principal-required"
    sentence = "A credential with the action {action} acts for somebody: name them with `--on-behalf-of`."
    tag = FailureTag.CONFIG
    exit_code = 1
    action: str


class JobBodyUnregistered(ContextfulError):
    """surface.fire.body"""

    clause = "surface.fire.body"
    sentence = "Job {job} runs the body {body}, which this binary does not register: register it, or correct the name."
    tag = FailureTag.CONFIG
    exit_code = 1
    job: str
    body: str


class JobConcurrencyUnset(ContextfulError):
    """surface.fire.concurrency"""

    clause = "surface.fire.concurrency"
    sentence = (
        "Job {job} does not say how many rows may be in its body at once: set `max_in_flight` to a positive number."
    )
    tag = FailureTag.CONFIG
    exit_code = 1
    job: str


class JobKindUnknown(ContextfulError):
    """surface.fire.job-kind"""

    clause = "surface.fire.job-kind"
    sentence = "Job {job} asks for {named}, which no job can be: use one of the kinds, and for code of your own a registered body."
    tag = FailureTag.CONFIG
    exit_code = 1
    job: str
    named: str


class JobTargetUnbound(ContextfulError):
    """surface.fire.target"""

    clause = "surface.fire.target"
    sentence = "Job {job} targets {target}, which the project does not declare: declare it, or correct the name."
    tag = FailureTag.CONFIG
    exit_code = 1
    job: str
    target: str


class JournalRedactionConflict(ContextfulError):
    """run.journal.redacting-source"""

    clause = "run.journal.redacting-source"
    sentence = "Pipeline {pipeline} removes values from table {table}, and journaling its pulls would keep them: declare canonical redaction rules, so that only prepared batches are recorded, or declare that its pulls are not journaled."
    tag = FailureTag.CONFIG
    exit_code = 1
    pipeline: str
    table: str


class LeaseFenced(ContextfulError):
    """store.lease.fenced"""

    clause = "store.lease.fenced"
    sentence = "The lease {key} has moved on to fence {recorded}, and this writer has fence {fence}. Stop it: another one has taken over."
    tag = FailureTag.PERMANENT
    exit_code = 1
    key: str
    fence: int
    recorded: int


class LeaseHeld(ContextfulError):
    """store.lease.held"""

    clause = "store.lease.held"
    sentence = "{holder} holds the lease {key} until {expires_at}. The next tick tries again."
    tag = FailureTag.TRANSIENT
    exit_code = 1
    key: str
    holder: str
    expires_at: Instant


class LeaseNodeIdLocal(ContextfulError):
    """store.lease.node-id-local"""

    clause = "store.lease.node-id-local"
    sentence = "A node called local cannot take the lease {key}, since other machines may be called so. Give this node an id in CONTEXTFUL_NODE_ID."
    tag = FailureTag.CONFIG
    exit_code = 1
    key: str


class LeaseNotHeld(ContextfulError):
    """store.lease.not-held"""

    clause = "store.lease.not-held"
    sentence = "Node {node_id} does not hold the lease {key}. Take it before renewing or releasing it."
    tag = FailureTag.PERMANENT
    exit_code = 1
    key: str
    node_id: str


class ManifestVersionConflict(ContextfulError):
    """surface.apply.version-conflict"""

    clause = "surface.apply.version-conflict"
    sentence = "Version {version} was claimed by another apply: read what it changed, and apply again."
    tag = FailureTag.TRANSIENT
    exit_code = 1
    version: int


class PipelineChunkParallelism(ContextfulError):
    """run.backfill.chunk-parallelism"""

    clause = "run.backfill.chunk-parallelism"
    sentence = "Pipeline {pipeline} asks for {asked} chunks at a time, and its cursor allows one. Ask for one, or read it by a monotonic cursor."
    tag = FailureTag.CONFIG
    exit_code = 1
    pipeline: str
    asked: int


class PipelineDuplicateId(ContextfulError):
    """run.declare.duplicate-id"""

    clause = "run.declare.duplicate-id"
    sentence = "There are two pipelines {pipeline}. Give one of them another id."
    tag = FailureTag.CONFIG
    exit_code = 1
    pipeline: str


class PipelineManifestMissing(ContextfulError):
    """run.declare.manifest-missing"""

    clause = "run.declare.manifest-missing"
    sentence = "There is no project file {path}. Write one with `contextful init`, or name the folder that has it."
    tag = FailureTag.CONFIG
    exit_code = 1
    path: str


class PipelineReplaceUnsupported(ContextfulError):
    """run.declare.replace-unsupported"""

    clause = "run.declare.replace-unsupported"
    sentence = "Table {table} cannot replace beside {reason}. Let it append, or read it whole each time."
    tag = FailureTag.CONFIG
    exit_code = 1
    table: str
    reason: str


class PipelineRewindWindowInvalid(ContextfulError):
    """run.backfill.rewind-window-invalid"""

    clause = "run.backfill.rewind-window-invalid"
    sentence = "{window} is no window to rewind: {reason}. Give a start and a later end, in the units of the cursor."
    tag = FailureTag.CONFIG
    exit_code = 1
    window: str
    reason: str


class PipelineSpecInvalid(ContextfulError):
    """run.declare.invalid"""

    clause = "run.declare.invalid"
    sentence = "{key} {reason}."
    tag = FailureTag.CONFIG
    exit_code = 1
    pipeline: str
    key: str
    reason: str


class PipelineTableFailed(ContextfulError):
    """run.land.table-failed"""

    clause = "run.land.table-failed"
    sentence = "Table {table} failed {tag} in run {run_id}. `contextful run show {run_id}` has the rest."
    exit_code = 1
    table: str
    tag: FailureTag
    run_id: str


class PipelineTableNameCollision(ContextfulError):
    """run.declare.table-name-collision"""

    clause = "run.declare.table-name-collision"
    sentence = "{first} and {second} would both land in {table}. Rename one of them."
    tag = FailureTag.CONFIG
    exit_code = 1
    table: str
    first: str
    second: str


class PipelineTypeDeclaredLate(ContextfulError):
    """run.land.late-type"""

    clause = "run.land.late-type"
    sentence = "Column {column} of table {table} was staged before its type was declared. Have the source declare it with its first batch."
    tag = FailureTag.PERMANENT
    exit_code = 1
    table: str
    column: str


class PipelineUnknownBlock(ContextfulError):
    """run.declare.unknown-block"""

    clause = "run.declare.unknown-block"
    sentence = "The project file has a block {block}, which nothing reads. Check its spelling, or remove it."
    tag = FailureTag.CONFIG
    exit_code = 1
    block: str


class PipelineUnknownConfigKey(ContextfulError):
    """run.declare.unknown-key"""

    clause = "run.declare.unknown-key"
    sentence = "Nothing reads the key {key}. Check its spelling, or remove it."
    tag = FailureTag.CONFIG
    exit_code = 1
    pipeline: str
    key: str


class PipelineUnknownDestination(ContextfulError):
    """run.land.unknown-destination"""

    clause = "run.land.unknown-destination"
    sentence = "There is no destination {destination}: rows land in the local store. Leave the destination out, or call it store."
    tag = FailureTag.CONFIG
    exit_code = 1
    destination: str


class PossessionProofInvalid(ContextfulError):
    """authority.verify.possession"""

    clause = "authority.verify.possession"
    sentence = "The proof of possession does not hold, {reason}: make a new one for this very request."
    tag = FailureTag.AUTH_EXPIRED
    http_status = 401
    exit_code = 1
    reason: str


class PossessionProofReplayed(ContextfulError):
    """authority.verify.replay"""

    clause = "authority.verify.replay"
    sentence = "This proof of possession was used before: make a new one for each request."
    tag = FailureTag.AUTH_EXPIRED
    http_status = 401
    exit_code = 1


class ProfileCapabilityAbsent(ContextfulError):
    """topology.package.capability-absent"""

    clause = "topology.package.capability-absent"
    sentence = "This build has no {capability}, which {command} needs: install the extra of that name."
    tag = FailureTag.CONFIG
    exit_code = 1
    command: str
    capability: str


class ReadStatementRefused(ContextfulError):
    """read.face.one-select"""

    clause = "read.face.one-select"
    sentence = "The statement cannot be read, {reason}: send one SELECT that changes nothing."
    tag = FailureTag.CONFIG
    http_status = 400
    exit_code = 1
    reason: str


class RunCheckpointIdTooLong(ContextfulError):
    """run.own.checkpoint-id-length"""

    clause = "run.own.checkpoint-id-length"
    sentence = "The run id {run_id} of the next checkpoint has {length} chars, and the store takes {length_max}. Start the run under a shorter id."
    tag = FailureTag.PERMANENT
    exit_code = 1
    run_id: str
    length: int
    length_max: int


class RunInputTruncated(ContextfulError):
    """run.journal.input-truncated"""

    clause = "run.journal.input-truncated"
    sentence = "The input statement has more rows than the ceiling of {ceiling}, so no row was run: narrow the statement, or raise the ceiling."
    tag = FailureTag.PERMANENT
    exit_code = 1
    ceiling: int


class RunMetadataTooLarge(ContextfulError):
    """run.project.metadata-too-large"""

    clause = "run.project.metadata-too-large"
    sentence = "The run's metadata comes to {size} bytes and may have {bound}: write less, or record the value as a step output."
    tag = FailureTag.PERMANENT
    exit_code = 1
    size: int
    bound: int


class RunRetryTagUnretryable(ContextfulError):
    """run.retry.unretryable-tag"""

    clause = "run.retry.unretryable-tag"
    sentence = "The schedule of step {label} retries on {named}, which another attempt cannot cure: name Transient, RateLimited or both."
    tag = FailureTag.CONFIG
    exit_code = 1
    label: str
    named: str


class RunStagedBytesExceeded(ContextfulError):
    """run.own.staged-bytes"""

    clause = "run.own.staged-bytes"
    sentence = "Table {table} staged {staged_bytes} B since its last commit, and {bound_bytes} B is the most. Have the source return less in one run, or use one that can commit at checkpoints."
    tag = FailureTag.PERMANENT
    exit_code = 1
    table: str
    staged_bytes: int
    bound_bytes: int


class RunStreamUnauthorized(ContextfulError):
    """run.project.unauthenticated-upgrade"""

    clause = "run.project.unauthenticated-upgrade"
    sentence = "The stream of run {run_id} needs a valid credential: send one in the `Authorization` header of the request that opens it."
    tag = FailureTag.AUTH_EXPIRED
    http_status = 401
    exit_code = 1
    run_id: str


class RunSweepOriginAfterOpen(ContextfulError):
    """run.sweep.origin-after-open"""

    clause = "run.sweep.origin-after-open"
    sentence = "The sweep of job {job} ends at {end}, after the {as_of} at which it reads: end it no later than that, or move as_of."
    tag = FailureTag.CONFIG
    exit_code = 1
    job: str
    end: Instant
    as_of: Instant


class ScheduleUnreadable(ContextfulError):
    """surface.arm.unreadable-schedule"""

    clause = "surface.arm.unreadable-schedule"
    sentence = "The schedule {schedule} of {entry} cannot be read: write `every <n><unit>` with s, m, h or d, or a cron line of five fields."
    tag = FailureTag.CONFIG
    exit_code = 1
    entry: str
    schedule: str


class SignatureInvalid(ContextfulError):
    """authority.verify.signature"""

    clause = "authority.verify.signature"
    sentence = "This credential was not signed by the issuer that this face trusts: ask that issuer for one."
    tag = FailureTag.AUTH_EXPIRED
    http_status = 401
    exit_code = 1


class SiteIdUnresolved(ContextfulError):
    """run.record.site-id-unresolved"""

    clause = "run.record.site-id-unresolved"
    sentence = "There is no site id to run under: {reason}. Declare one of site_id and site_id_env in the manifest, or pass one of --site-id and --site-id-env."
    tag = FailureTag.CONFIG
    exit_code = 1
    reason: str


class StepFailed(ContextfulError):
    """run.retry.step-failed"""

    clause = "run.retry.step-failed"
    sentence = (
        "Step {label} failed {tag}: {message}. Cure the cause, then resume the run: recorded steps are not run again."
    )
    exit_code = 1
    label: str
    tag: FailureTag
    message: str


class StorageBindingUnavailable(ContextfulError):
    """run.journal.d1-transport"""

    clause = "run.journal.d1-transport"
    sentence = "No answer came from {binding} to a write, {statement}. It may have been applied and was not sent again: resume the run, which looks at what stands."
    tag = FailureTag.STORAGE
    http_status = 503
    exit_code = 1
    binding: str
    statement: str


class StorageCapabilityMissing(ContextfulError):
    """run.journal.storage-incomplete"""

    clause = "run.journal.storage-incomplete"
    sentence = "Storage profile {profile} has no {missing}, so no execution is admitted: provide it, or choose another profile."
    tag = FailureTag.CONFIG
    exit_code = 1
    profile: str
    missing: str


class StorageProfileUnsupported(ContextfulError):
    """run.journal.storage-unsupported"""

    clause = "run.journal.storage-unsupported"
    sentence = "Storage profile {profile} cannot be used: {reason}. Set CONTEXTFUL_STORAGE_PROFILE to postgres or cloudflare-d1, or leave it unset for local storage."
    tag = FailureTag.CONFIG
    exit_code = 1
    profile: str
    reason: str


class StoreAsOfUnretained(ContextfulError):
    """store.bound-time.as-of-unretained"""

    clause = "store.bound-time.as-of-unretained"
    sentence = "Table {table} has kept its history since {earliest}, and {as_of} is earlier. Ask for a later instant, or have tables keep their runs for longer."
    tag = FailureTag.PERMANENT
    exit_code = 1
    table: str
    as_of: Instant
    earliest: Instant


class StoreColumnMissing(ContextfulError):
    """store.declare.declared-columns"""

    clause = "store.declare.declared-columns"
    sentence = "A row of table {table} has no value in column {column}, by which the table is keyed, ordered or dated. Have the source give one, or declare another."
    tag = FailureTag.SCHEMA_INCOMPATIBLE
    exit_code = 1
    table: str
    column: str


class StoreColumnNameInvalid(ContextfulError):
    """store.reserve.column-shape"""

    clause = "store.reserve.column-shape"
    sentence = 'Table {table} cannot have the column "{column}": {reason}. Rename it at the source or in a transform.'
    tag = FailureTag.SCHEMA_INCOMPATIBLE
    exit_code = 1
    table: str
    column: str
    reason: str


class StoreKeyWidened(ContextfulError):
    """store.reconcile.key-widening"""

    clause = "store.reconcile.key-widening"
    sentence = "Key column {column} of table {table} would become a float, and keys would run together. Have the source give integers there, or key the table otherwise."
    tag = FailureTag.SCHEMA_INCOMPATIBLE
    exit_code = 1
    table: str
    column: str


class StoreManifestUnreadable(ContextfulError):
    """store.lay-out.manifest-unreadable"""

    clause = "store.lay-out.manifest-unreadable"
    sentence = "The manifest {path} cannot be read: {reason}. Restore it from the bucket or from a backup."
    tag = FailureTag.STORAGE
    exit_code = 1
    path: str
    reason: str


class StoreNodeIdInvalid(ContextfulError):
    """store.lay-out.node-id-shape"""

    clause = "store.lay-out.node-id-shape"
    sentence = "{node_id} is no node id. Use up to 64 letters, digits, dots, underscores and hyphens."
    tag = FailureTag.CONFIG
    exit_code = 1
    node_id: str


class StoreReservedColumnName(ContextfulError):
    """store.reserve.column-namespaces"""

    clause = "store.reserve.column-namespaces"
    sentence = "Column {column} begins with an underscore, and such columns are the engine's. Rename it at the source or in a transform."
    tag = FailureTag.SCHEMA_INCOMPATIBLE
    exit_code = 1
    column: str


class StoreReservedTableName(ContextfulError):
    """store.reserve.table-namespaces"""

    clause = "store.reserve.table-namespaces"
    sentence = "{table} is a table of the engine's. Give yours another name."
    tag = FailureTag.CONFIG
    exit_code = 1
    table: str


class StoreRunConflict(ContextfulError):
    """store.lay-out.run-conflict"""

    clause = "store.lay-out.run-conflict"
    sentence = "Table {table} has committed run {run_id} with other rows. Land these under a run id of their own."
    tag = FailureTag.PERMANENT
    http_status = 409
    exit_code = 1
    table: str
    run_id: str


class StoreSchemaIncompatible(ContextfulError):
    """store.reconcile.incompatible"""

    clause = "store.reconcile.incompatible"
    sentence = "Column {column} of table {table} is {stored}, and {arriving} arrived. Cast it in a transform, or land it under another name."
    tag = FailureTag.SCHEMA_INCOMPATIBLE
    exit_code = 1
    table: str
    column: str
    stored: str
    arriving: str


class StoreUnknownTable(ContextfulError):
    """store.lay-out.unknown-table"""

    clause = "store.lay-out.unknown-table"
    sentence = "No schema declares table {table}. Check its name, or land a row in it first."
    tag = FailureTag.CONFIG
    http_status = 404
    exit_code = 1
    table: str


class SyncManifestRebaseExhausted(ContextfulError):
    """store.merge.exhausted"""

    clause = "store.merge.exhausted"
    sentence = (
        "Other nodes changed the bucket during each of {attempts} pushes. Push again; nothing on this node is lost."
    )
    tag = FailureTag.TRANSIENT
    exit_code = 1
    attempts: int


class SyncObjectDigestMismatch(ContextfulError):
    """store.pull.object-digest"""

    clause = "store.pull.object-digest"
    sentence = "Object {key} should have the digest {expected} and has {found}. `contextful sync push --verify` sends it again from a node that has it."
    tag = FailureTag.STORAGE
    exit_code = 1
    key: str
    expected: str
    found: str


class SyncPullDidNotConverge(ContextfulError):
    """store.pull.convergence"""

    clause = "store.pull.convergence"
    sentence = "The bucket changed during each of {attempts} pulls. Pull again when fewer nodes are pushing."
    tag = FailureTag.TRANSIENT
    exit_code = 1
    attempts: int


class SyncPushInFlight(ContextfulError):
    """store.push.in-flight"""

    clause = "store.push.in-flight"
    sentence = "{holder} is pushing this store already. Push again when it is done."
    tag = FailureTag.TRANSIENT
    exit_code = 1
    holder: str


class SyncRunsUnpushed(ContextfulError):
    """store.drain.status"""

    clause = "store.drain.status"
    sentence = "This store has runs that the bucket lacks, {open} of them: run `contextful sync push` before its machine is replaced."
    exit_code = 3
    open: int


class SyncStatusUnread(ContextfulError):
    """store.drain.status-unread"""

    clause = "store.drain.status-unread"
    sentence = "The execution database could not be read, so whether runs are unpushed is not known: {cause}. Make it readable and ask again."
    tag = FailureTag.STORAGE
    exit_code = 1
    cause: str
