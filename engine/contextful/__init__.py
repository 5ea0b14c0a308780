"""contextful: durable runs for Python, generated from a contract and held to it."""

from contextful.adapters.sources.python import Asked, Page, source
from contextful.faces.embedded import Engine
from contextful.kernel.failure import Failed, Failure, Permanent, RateLimited, Transient
from contextful.kernel.signal import Stopped, Suspended
from contextful.run.retry import Schedule
from contextful.runner.bodies import BODIES
from contextful.runner.execution import Execution
from contextful.runner.journal import idempotency_key
from contextful.runner.row import Row
from contextful_contract.base import ContextfulError
from contextful_contract.errors import StepFailed
from contextful_contract.shapes import Backoff, FailureTag, RunStatus

body = BODIES.register

__all__ = [
    "Asked",
    "Backoff",
    "ContextfulError",
    "Engine",
    "Execution",
    "Failed",
    "Failure",
    "FailureTag",
    "Page",
    "Permanent",
    "RateLimited",
    "Row",
    "RunStatus",
    "Schedule",
    "StepFailed",
    "Stopped",
    "Suspended",
    "Transient",
    "body",
    "idempotency_key",
    "source",
]
