"""A plan: the configuration of a run, and all look-ups of its rules."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from assayer.config.check import filled, validate
from assayer.config.depths import at_common_depth, run_ends
from assayer.config.titles import PLACES
from assayer.plan.advice import Advice
from assayer.plan.analyses import Analyses
from assayer.plan.claims import TABLES as TABLES_OF_CLAIMS
from assayer.plan.claims import Claims
from assayer.plan.code import Code
from assayer.plan.data import Data
from assayer.plan.fidelity import Fidelity
from assayer.plan.publications import Publications
from assayer.plan.recommenders import Recommenders
from assayer.plan.report import Report
from assayer.plan.resources import Resources
from assayer.plan.shards import Shards
from assayer.plan.steps import Steps
from assayer.plan.systems import Systems
from assayer.plan.tuning import Tuning
from assayer.studies import STUDIES


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
    AssayerError
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
        self.shards = Shards(self.analyses)
        self.advice = Advice(self.analyses)
        self.publications = Publications(self.analyses, self.advice)
        self.report = Report(self.publications)
        self.tuning = Tuning(self.recommenders)
        self.resources = Resources(self.systems, self.recommenders)
        self.steps = Steps(self.analyses, self.shards, self.resources)

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
        return [*TABLES_OF_CLAIMS] if self.claims.files else []


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
