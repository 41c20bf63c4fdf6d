"""What of Snakemake's own ways is set here: what it makes again, and how it looks for jobs."""

from collections.abc import Callable
from typing import Any

from assayer.studies import STUDIES


def go_on(workflow: Any, *checks: Callable[[], None]) -> None:
    """Let Snakemake make again what a run that was stopped did not finish, without being asked.

    As it is, it ends with an exception that says so. Artifacts are whole at any time, so that there
    is nothing to look at first. And before it plans jobs, `checks` look at what is there, unless
    all is made again (--forceall); other commands, such as --unlock, do without.

    Parameters
    ----------
    workflow : snakemake.workflow.Workflow
        One whose rules are being read. Snakemake gives it the settings of the plan when they are.
    checks : callables
    """
    execute = workflow.execute

    def begin(*given: Any, **named: Any) -> Any:
        workflow.dag_settings.force_incomplete = True
        if not workflow.dag_settings.forceall:
            for check in checks:
                check()
        return execute(*given, **named)

    workflow.execute = begin


def touches(workflow: Any) -> bool:
    """Say whether a run makes nothing, but calls all that is there new (--touch)."""
    return bool(workflow.touch)


def asked_for(workflow: Any) -> set[str]:
    """Return the paths of all that a run was asked for, directly or not, when it has ended."""
    return {str(path) for job in workflow.dag.jobs for path in job.output}


def studies_named(workflow: Any) -> set[str] | None:
    """Return the studies that a run is asked for by their names; None where it is for all of them.

    They are its targets, or those of the key `studies` in a file or on the command line.
    """
    rules = {job.rule.name for job in workflow.dag.jobs}
    if rules & {"all", "report", "claims"}:
        named = workflow.config_settings.overwrite_config.get("studies")
        return {*named} if isinstance(named, list) else None
    return rules & STUDIES.keys()


def look_after_jobs(workflow: Any) -> None:
    """Let Snakemake look for ready jobs when one ends, and not all the time, if jobs run here.

    To keep to so many jobs a second, it looks again one second after each look, those included. So
    every job that ends adds a look to each second of the rest of the run, and every look asks the
    plan for the settings of all jobs that are ready: after 200 jobs that takes much of a core. A
    machine that starts its own jobs needs no such limit; where jobs are submitted it stays.

    Parameters
    ----------
    workflow : snakemake.workflow.Workflow
        One that is about to start, so that it has its scheduler.
    """
    scheduler = getattr(workflow, "scheduler", None)
    if workflow.local_exec and hasattr(scheduler, "job_rate_limiter"):
        scheduler.job_rate_limiter = None


def keep_python_here(workflow: Any) -> None:
    """Let a rule that is a line of Python run in this process, if jobs run on this machine.

    Snakemake would start itself and plan the whole run once more for it, which takes seconds, and
    this at the end of a run, where the other cores wait for the report.

    Parameters
    ----------
    workflow : snakemake.workflow.Workflow
        One that is about to start, so that it has its executor.
    """
    executor = getattr(getattr(workflow, "scheduler", None), "_executor", None)
    if workflow.local_exec and hasattr(executor, "use_threads"):
        executor.use_threads = True
