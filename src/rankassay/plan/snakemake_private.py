"""All uses of Snakemake's internals, where it has no public interface.

Each function names the request that would make it unnecessary. The tests of this module are run
with the lowest and the newest Snakemake that pyproject.toml allows (`.ci/run snakemake`).
"""

import base64
import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Workflow = Any  # snakemake.workflow.Workflow, as rules know it

FOLDER = ".snakemake"
RECORDS = ("metadata", "incomplete")  # of files made, and of files begun


def is_main(workflow: Workflow) -> bool:
    """Whether this is the process that a user started, and not one that Snakemake did for a job.

    Request: a documented `workflow.is_main_process`.
    """
    return workflow.is_main_process


def is_module(workflow: Workflow) -> bool:
    """Whether another workflow imports this one with a configuration, so that `configfile` is void.

    Request: let a module's Snakefile know that it is one.
    """
    return workflow.modifier.skip_configfile


def configfiles(workflow: Workflow) -> list[Path]:
    """Return the files of --configfile.

    Request: a documented `workflow.overwrite_configfiles`.
    """
    return [*(workflow.config_settings.configfiles or ())]


def config_arguments(workflow: Workflow) -> Any:
    """Return the values typed after --config.

    Request: values of --config as they were typed, for workflows that have types of their own.
    """
    return workflow.config_settings.config_args


def configured(workflow: Workflow) -> Mapping[str, Any]:
    """Return the command line's configuration, typed or in files, in place of shipped values.

    Request: a documented `workflow.overwrite_config`.
    """
    return workflow.config_settings.overwrite_config


def makes_all(workflow: Workflow) -> bool:
    """Whether a run makes all again (--forceall); known once the rules are read.

    Request: the options of a run, for those who write workflows.
    """
    return workflow.dag_settings.forceall


def touches(workflow: Workflow) -> bool:
    """Whether a run makes nothing, but marks existing files as new (--touch).

    Request: as for `makes_all`.
    """
    return bool(workflow.touch)


def runs_here(workflow: Workflow) -> bool:
    """Whether jobs run on this machine, in this environment of Python.

    Request: as for `makes_all`.
    """
    return workflow.local_exec and not workflow.deployment_settings.deployment_method


def group_of(workflow: Workflow, rule: str, dataset: str) -> str | None:
    """Return the group on a dataset that --groups, or a profile, has for a rule.

    Snakemake knows them once all rules are read, so that a function has to ask; and how many of a
    group go together it looks up by the text with the wildcard, which it notes for texts alone.

    Request: give rules that `group` computes a group by their name, as those of a profile.
    """
    pattern = workflow.group_settings.overwrite_groups.get(rule)
    if pattern is None:
        return None
    group = pattern.format(dataset=dataset)
    workflow.parent_groupids[group] = pattern
    return group


def targets(workflow: Workflow) -> list[str]:
    """Return the names of the rules without output files, which are asked for by name.

    Request: a documented `workflow.rules`, or names of `rules`.
    """
    return [rule.name for rule in workflow.rules if not (rule.has_wildcards() or rule.output)]


def rules_asked_for(workflow: Workflow) -> set[str]:
    """Return the names of all rules that a run was asked for, directly or not.

    Request: all jobs of a plan, in an event or a documented `workflow.dag`.
    """
    return {job.rule.name for job in workflow.dag.jobs}


def asked_for(workflow: Workflow) -> set[str]:
    """Return the paths of all files that a run was asked for, directly or not, made or present.

    Request: as for `rules_asked_for`.
    """
    return {str(path) for job in workflow.dag.jobs for path in job.output}


def look_when_jobs_end(workflow: Workflow) -> None:
    """Let Snakemake look for ready jobs when one ends, and not all the time, if jobs run here.

    To keep its limit of jobs a second, it looks again one second after each look, those included.
    So every job that ends adds a look to each second of the rest of the run, and every look asks
    the plan for the settings of all jobs that are ready: after 200 jobs that takes much of a core.

    Request: `--max-jobs-per-timespan none`, or one look for all that are due.
    """
    scheduler = getattr(workflow, "scheduler", None)
    if workflow.local_exec and hasattr(scheduler, "job_rate_limiter"):
        scheduler.job_rate_limiter = None


def recorded(folder: Path) -> set[str] | None:
    """Return the paths of which Snakemake has a record of how it made them, or began to.

    None where they are in a database, which is not read. The names of the records are the paths,
    encoded, in folders if they are long.

    Request: `snakemake --list-metadata`, or a public reader of the persistence.
    """
    root = folder / FOLDER
    if (root / "metadata.db").exists():
        return None
    return {name for part in RECORDS for name in _names(root / part, part == "metadata")}


def _names(root: Path, filled: bool) -> Iterator[str]:
    for path in root.rglob("*"):
        if path.is_file() and (not filled or path.stat().st_size):  # else it says nothing
            name = "".join(piece.removeprefix("@") for piece in path.relative_to(root).parts)
            with contextlib.suppress(ValueError):
                yield base64.urlsafe_b64decode(name).decode()
