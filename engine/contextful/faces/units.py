"""What the scheduler may fire of a project: each of its pipelines, and each job by the command that runs its kind."""

from __future__ import annotations

from collections.abc import Sequence

from contextful.kernel.failure import Failed, Failure
from contextful.pipeline import compile
from contextful.pipeline.spec import JobSpec, ProjectSpec
from contextful.run.journal import store_driven_input
from contextful.runner import schedule
from contextful.runner.schedule import Unit
from contextful_contract.shapes import FailureTag, JobKind


def of(spec: ProjectSpec) -> Sequence[Unit]:
    """The units of a project. Raises Failed where a job has a schedule and nothing that could be fired by it."""
    pipelines = [
        schedule.pipeline(each.id, each.schedule, [plan.scope for plan in compile.tables(each)])
        for each in spec.pipelines
    ]
    jobs = [
        schedule.job(store_driven_input.scope(each.name).scope, each.schedule, _command(each)) for each in spec.jobs
    ]
    return [*pipelines, *jobs]


def _command(job: JobSpec) -> Sequence[str]:
    match job.kind:
        case JobKind.STORE_DRIVEN:
            return ("job", "fire", job.name)
        case JobKind.FOLD:
            return ("context", "compact", *filter(None, [job.target]))
        case JobKind.REBUILD_CATALOG:
            return ("context", "rebuild-catalog")
        case JobKind.VALIDATE:
            return ("pipeline", "validate")
        case _ if job.schedule is None:
            return ()
        case kind:
            raise Failed(Failure(FailureTag.CONFIG, f"job {job.name} has a schedule, and no {kind} can be fired yet"))
