"""A run's files, their inputs and jobs: the configuration of a run, and all look-ups of its rules.

The rules hold patterns of files; here are the functions of their wildcards. Nothing here reads
results, but for the sizes that a job's resources depend on.
"""

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from rankassay.config.check import filled, validate
from rankassay.config.systems import at_common_depth, run_ends
from rankassay.config.titles import PLACES
from rankassay.plan.analyses import Analyses
from rankassay.plan.code import Code
from rankassay.plan.data import Data
from rankassay.plan.publications import Advice, Publications
from rankassay.plan.published import TABLES, Claims, Fidelity
from rankassay.plan.recommenders import Recommenders, Tuning
from rankassay.plan.report import Report
from rankassay.plan.resources import Resources
from rankassay.plan.rules import Wildcards, as_json, files_and
from rankassay.plan.steps import Shards, Simulations, Steps
from rankassay.plan.systems import Systems
from rankassay.studies import STUDIES

Given = Callable[[Wildcards], Mapping[str, Any]]  # arguments of a job


class Plan:
    """The files that a run makes, part by part.

    Parameters
    ----------
    config : mapping
        The merged configuration of the run.
    project : Path
        The folder of the project's code; the run itself happens in the current folder.
    check : bool
        Whether to check that the configuration fits together, beyond what its keys may hold; the
        jobs of a cluster read it again and need not.

    Raises
    ------
    RankassayError
        For the first mistake in the configuration.
    """

    def __init__(self, config: Mapping[str, Any], project: Path, check: bool = True) -> None:
        whole = validate(config) if check else filled(config)
        ends = run_ends(whole)
        self.config = at_common_depth(whole, ends)
        self.studies = self.config["studies"]
        self.code = Code(project)
        self.data = Data(self.config, self.code)
        self.recommenders = Recommenders(self.data)
        self.systems = Systems(self.data, ends)
        self.fidelity = Fidelity(self.systems)
        self.claims = Claims(self.data)
        self.analyses = Analyses(self.systems, self.recommenders, self.fidelity, self.claims)
        self.simulations = Simulations(self.analyses)
        self.shards = Shards(self.analyses, self.simulations)
        self.advice = Advice(self.analyses)
        self.publications = Publications(self.analyses, self.advice)
        self.report = Report(self.publications, self.simulations)
        self.tuning = Tuning(self.recommenders)
        self.resources = Resources(self.systems, self.recommenders)
        self.steps = Steps(self.analyses, self.simulations, self.shards, self.resources)

    def job(
        self,
        name: str,
        given: Given = lambda wildcards: {},
        code: Callable[[Wildcards], Any] | None = None,
        unseen: Given = lambda wildcards: {},
    ) -> dict[str, Callable]:
        """Return the parameters of a rule: a job's code and arguments, and the files of the rule.

        Arguments that are `unseen` do not run the job again when they change.
        """
        return {
            "code": code or (lambda wildcards: self.code.of_job(name)),
            "job": lambda wildcards: as_json({name: given(wildcards)}),
            "files": files_and(unseen),
        }

    @staticmethod
    def jobs(
        given: Callable[[Wildcards], list[tuple[str, dict[str, Any]]]],
        code: Callable[[Wildcards], Any],
    ) -> dict[str, Any]:
        """Return the same of jobs that one process does, which know all files."""
        return {
            "code": code,
            "job": lambda wildcards: as_json([{name: own} for name, own in given(wildcards)]),
            "files": "",
        }

    @property
    def constraints(self) -> dict[str, str]:
        """The expressions that the wildcards of all rules fit."""

        def any_of(names: Any) -> str:
            return "|".join(map(re.escape, names)) or "(?!)"

        return {
            "dataset": any_of([*self.config["dataset_catalogue"], *self.data.variants, *PLACES]),
            "recommender": any_of(self.config["recommender_catalogue"]),
            "run": any_of({name for runs in self.systems.runs.values() for name in runs}),
            "filter": "[0-9a-f]{12}",
            "simulation": any_of(self.simulations.shipped),
            "shard": r"\d+",
        }

    @property
    def targets(self) -> list[str]:
        """All that a run makes which asks for nothing else."""
        outputs = [path for study in self.studies for path in self.publications.of_study(study)]
        claims = self.claims_targets if self.claims.shown else []
        return [*outputs, *claims, "results/report.html"]

    @property
    def claims_targets(self) -> list[str]:
        """The verdicts on the claims of all studies."""
        return [*TABLES] if self.claims.files else []


def studies_named(rules: Collection[str], configured: Mapping[str, Any]) -> set[str] | None:
    """Return the studies that a run is asked for by their names; None where it is for all of them.

    They are its targets, or those of the key `studies` in a file or on the command line.

    Parameters
    ----------
    rules : collection of str
        Those of all that the run was asked for, directly or not.
    configured : mapping
        What is given in place of the shipped values.
    """
    if {"all", "default", "report", "claims"} & {*rules}:
        named = configured.get("studies")
        return {*named} if isinstance(named, list) else None
    return {*rules} & STUDIES.keys()
