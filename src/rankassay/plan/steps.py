"""Look-ups of the rules about analyses: which of them one job makes, and which several share.

Simulations read no data, and their tables are shipped: their settings and the seed decide these. So
a run takes the shipped table where both are those that it was made with, and else simulates.
"""

import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rankassay.plan.analyses import Analyses, of, outputs
from rankassay.plan.resources import Resources
from rankassay.plan.rules import Wildcards
from rankassay.plan.snakemake_private import group_of
from rankassay.studies import ANALYSES, STUDIES, needs, of_study

PLACE = "constructed"
# The analyses that the jobs of a run share among them, and those of them by measures.
SHARED = tuple(name for name, entry in ANALYSES.items() if entry.shared)
BY_MEASURE = tuple(name for name in SHARED if ANALYSES[name].shared == ("measures",))


class Simulations:
    """The simulations whose tables are shipped.

    Attributes
    ----------
    known : mapping
        What each table was made with and its SHA-256, by the name of its analysis.
    shipped : list of str
        The analyses of which a run takes the shipped table.
    """

    def __init__(self, analyses: Analyses) -> None:
        self.analyses = analyses
        self.studies = analyses.data.code.package / "studies"
        self.known: Mapping[str, Any] = json.loads(
            (self.studies / "simulations.json").read_text(encoding="utf-8")
        )["tables"]
        self.shipped = [
            name
            for name, own in self.known.items()
            if self.made_with(name) == own.get("made_with", "")
        ]

    def made_with(self, name: str) -> str | None:
        """Return the checksum of all that decides a table; None if the analysis is left out."""
        if not self.analyses.configured(name):
            return None
        read = (of(PLACE, each) for each in [name, *sorted(needs(name))] if each in ANALYSES)
        given = [
            (each.name, self.analyses.settings(each), self.analyses.evaluation(each))
            for each in read
        ]
        text = json.dumps([self.analyses.config["seed"], given])
        return hashlib.sha256(text.encode()).hexdigest()

    def table(self, wildcards: Wildcards) -> list[str]:
        """Return the shipped table of an analysis."""
        return [str(self.file(wildcards.simulation))]

    def file(self, name: str) -> Path:
        """Return the same, of an analysis by its name."""
        study, _, short = name.partition("/")
        return self.studies / study / f"simulated/{short}.csv.xz"

    @property
    def targets(self) -> list[str]:
        """The tables of all simulations, none of them shipped."""
        return [self.made(name) for name in self.known if self.analyses.configured(name)]

    def made(self, name: str) -> str:
        """Return the table of an analysis that is simulated in this run."""
        place = f"{PLACE}/simulations" if name in self.shipped else PLACE
        return f"results/{place}/{name}.csv"

    def inputs(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return what a simulation reads, by name."""
        return self.analyses.inputs(of(PLACE, wildcards.simulation))

    def code(self, wildcards: Wildcards) -> str:
        """Return the code of a simulation."""
        return self.analyses.code(of(PLACE, wildcards.simulation))

    def jobs(self, wildcards: Wildcards) -> list[tuple[str, dict[str, Any]]]:
        """Return the job that simulates."""
        name = wildcards.simulation
        given = self.analyses.for_analyse(of(PLACE, name))
        return [("analyse", given | {"output": [f"results/{PLACE}/simulations/{name}.csv"]})]


class Shards:
    """The parts of rankings, by users, of scores, by measures, and of analyses.

    Attributes
    ----------
    places : str
        Where analyses that are shared belong, as a pattern: datasets with lists, or none.
    shared : list of str
        The analyses that several jobs share.
    """

    def __init__(self, analyses: Analyses, simulations: Simulations) -> None:
        self.analyses = analyses
        config = analyses.config
        self.count = config["shards"]
        # There is no more to share than there are measures.
        self.all_measures = len(config["metrics"]["names"]) * len(config["metrics"]["cutoffs"])
        self.measures = min(self.count, self.all_measures)
        self.in_parts = self.count > 1
        made = (name for name in SHARED if name not in simulations.shipped)
        self.shared = [name for name in made if analyses.configured(name) and self.of(name) > 1]
        self.places = f"{analyses.data.any_of(with_lists=True)}|constructed"

    def of(self, name: str) -> int:
        """Return how many jobs share an analysis: no more than there are entries to share."""
        if name in BY_MEASURE:  # each part of the scores is read by one job
            return self.measures
        study, _, short = name.partition("/")
        settings = STUDIES[study].settings_of(short, self.analyses.config[study])
        of_metrics = {"metrics": self.analyses.config["metrics"]["names"]}
        several = [(of_metrics | settings)[shared] for shared in ANALYSES[name].shared]
        entries = sum(own if isinstance(own, int) else len(own) for own in several)
        return min(self.count, entries)

    def jobs(self, wildcards: Wildcards) -> int:
        """Return how many jobs share an analysis, or the lists of a recommender, or the scores."""
        if hasattr(wildcards, "name"):
            return self.of(wildcards.name)
        return self.count if hasattr(wildcards, "recommender") else self.measures

    def parts(self, pattern: str, name: str = "") -> Callable[[Wildcards], list[str]]:
        """Return a function of the wildcards: the files of all parts, in order."""

        def paths(wildcards: Wildcards) -> list[str]:
            known = dict(wildcards.items())
            count = self.of(name) if name else self.jobs(wildcards)
            return [pattern.format(**known, shard=shard) for shard in range(1, count + 1)]

        return paths

    def part(self, wildcards: Wildcards) -> tuple[int, int]:
        """Return which part of how many a job does."""
        return int(wildcards.shard), self.jobs(wildcards)

    def for_rank(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how a recommender ranks for some of the users."""
        return self.analyses.recommenders.for_rank(wildcards) | {"shard": self.part(wildcards)}

    def for_score(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how some of the measures are computed."""
        return self.analyses.for_score(wildcards) | {"shard": self.part(wildcards)}

    def parts_of(self, name: str) -> dict[str, Callable[[Wildcards], list[str]]]:
        """Return functions of the wildcards: the files of all parts of an analysis, by kind."""
        patterns = zip(("parts", "replicates"), part_files(name), strict=False)
        return {kind: self.parts(pattern, name) for kind, pattern in patterns}

    def joined(self, name: str) -> dict[str, str]:
        """Return the patterns of the files of an analysis, by the names of the job that joins."""
        return dict(zip(("output", "joined_replicates"), outputs(name), strict=False))

    def for_join(self, name: str) -> Callable[[Wildcards], dict[str, Any]]:
        """Return a function of the wildcards: the columns by which rows are ordered first."""
        return lambda wildcards: {"kind": "table", "within": ANALYSES[name].within}

    def inputs(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the artifacts that a shard of an analysis reads, its own parts where they are."""
        paths = self.analyses.inputs(wildcards)
        if wildcards.name not in BY_MEASURE:
            return paths
        shards = f"results/{wildcards.dataset}/shards"
        for key, artifact in ANALYSES[wildcards.name].inputs.items():
            if artifact == "scores":
                paths[key] = f"{shards}/scores/{wildcards.shard}.npz"
            elif artifact in BY_MEASURE:
                paths[key] = f"{shards}/{artifact}/{wildcards.shard}.csv"
        return paths

    def for_analyse(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the arguments of a part of an analysis, but for its output."""
        given = self.analyses.reading(wildcards, self.inputs(wildcards))
        return given | {"shard": self.part(wildcards), "own_scores": True}


def part_files(name: str) -> list[str]:
    """Return the patterns of the files of a shard of an analysis.

    >>> part_files("robustness/p-values")
    ['results/{dataset}/shards/robustness/p-values/{shard}.csv']
    """
    stem = f"results/{{dataset}}/shards/{name}/{{shard}}"
    return [stem + Path(path).suffix for path in outputs(name)]


@dataclass(frozen=True)
class Step:
    """Analyses of a study, by their names in it and in its order; see `Study.steps`.

    `only` restricts the step where another has the same name: "of_values", of datasets without
    lists, on which no jobs share an analysis; "left_out", of an analysis that the configuration
    leaves out, whose inputs say so to a user who asks for its files.
    """

    study: str
    short: str
    members: tuple[str, ...]
    only: str = ""

    @property
    def name(self) -> str:
        """As in robustness/sparsity."""
        return f"{self.study}/{self.short}"

    @property
    def rule(self) -> str:
        """Return the name of its rule: those of files have other letters."""
        return rule_of("_".join(filter(None, [self.name, self.only])))

    @property
    def analyses(self) -> list[str]:
        """The names of its analyses."""
        return [f"{self.study}/{name}" for name in self.members]

    @property
    def place(self) -> str:
        """The name in place of a dataset's; see `Analysis.place`."""
        return ANALYSES[self.analyses[0]].place

    @property
    def outputs(self) -> list[str]:
        """The patterns of its files."""
        return [path for name in self.analyses for path in outputs(name)]

    @property
    def part_files(self) -> list[str]:
        """The patterns of the files of a part, of one that several jobs share."""
        return part_files(self.name)

    @property
    def priority(self) -> int:
        """When it runs among those that are ready.

        The longest begin, as are most with replicates. Those that train all recommenders wait, so
        that each of these is compiled by its own job: two at a time would both compile all.
        """
        entries = [ANALYSES[name] for name in self.analyses]
        if any(entry.constructed and entry.trains for entry in entries):
            return -1
        return int(any(entry.replicated or entry.slow > 1 for entry in entries))


class Steps:
    """The steps of a configuration.

    The analyses of a step are each by itself where jobs share one of them, and where a dataset has
    some of them only: a rule makes the same files on each.
    """

    def __init__(
        self, analyses: Analyses, simulations: Simulations, shards: Shards, resources: Resources
    ) -> None:
        self.analyses, self.simulations = analyses, simulations
        self.shards, self.resources = shards, resources
        config, data = analyses.config, analyses.data
        self._of_values = data.any_of(with_lists=False)
        self._of_data = f"{data.any_of(with_lists=True)}|{self._of_values}"
        chosen = {*map(data.of, config["datasets"])}
        self._datasets = [*config["datasets"], *(v for v in data.variants if data.of(v) in chosen)]
        self._without_lists = not all(map(data.has_lists, self._datasets))
        alone = (name.partition("/") for name in shards.shared)
        self.shared = [Step(study, name, (name,)) for study, _, name in alone]

    @functools.cached_property
    def all(self) -> list[Step]:
        """All steps, study by study, but for shipped results and analyses that jobs share."""
        return [step for study in STUDIES for step in self._of(study)]

    def _of(self, study: str) -> Iterator[Step]:
        """Yield the steps of a study, without the analyses where jobs share them."""
        several = {name: step for step, names in STUDIES[study].steps.items() for name in names}
        groups: dict[str, list[str]] = {}
        made = {name: own for name, own in ANALYSES.items() if name not in self.simulations.shipped}
        for name in of_study(made, study):
            groups.setdefault(several.get(name, name), []).append(name)
        for step, names in groups.items():
            known = [name for name in names if self.analyses.configured(f"{study}/{name}")]
            if self._together([f"{study}/{name}" for name in known]):
                yield Step(study, step, tuple(known))
                names = [name for name in names if name not in known]
            for name in names:
                shared = f"{study}/{name}" in self.shards.shared
                if shared and self._without_lists:
                    yield Step(study, name, (name,), only="of_values")
                elif not shared:
                    left_out = not self.analyses.configured(f"{study}/{name}")
                    yield Step(study, name, (name,), only="left_out" * left_out)

    def _together(self, names: list[str]) -> bool:
        """Whether one job makes some analyses."""
        if len(names) < 2 or not {*names}.isdisjoint(self.shards.shared):
            return False
        if ANALYSES[names[0]].place:
            return True
        lacking = self.analyses.systems.lacking
        return all(
            len({bool(lacking(name, dataset)) for name in names}) == 1 for dataset in self._datasets
        )

    def inputs(self, step: Step) -> Callable[[Wildcards], list[str]]:
        """Return a function of the wildcards: the results that the analyses of a step read."""

        def paths(wildcards: Wildcards) -> list[str]:
            made = {path.format(dataset=wildcards.dataset) for path in step.outputs}
            own = (of(wildcards.dataset, name) for name in step.analyses)
            found = (path for each in own for path in _paths(self.analyses.inputs(each)))
            return [path for path in dict.fromkeys(found) if path not in made]

        return paths

    def part_inputs(self, step: Step) -> Callable[[Wildcards], list[str]]:
        """Return a function of the wildcards: the inputs of a part of an analysis."""
        return lambda wildcards: _paths(self.shards.inputs(_part(step, wildcards)))

    def part_jobs(self, step: Step) -> Callable[[Wildcards], list[tuple[str, dict[str, Any]]]]:
        """Return a function of the wildcards: the job of a part of an analysis."""
        return lambda wildcards: [
            ("analyse", _job(_part(step, wildcards), self.shards.for_analyse, part_files))
        ]

    def code(self, step: Step) -> Callable[[Wildcards], list[str]]:
        """Return a function of the wildcards: the code of each analysis."""
        return lambda wildcards: [
            self.analyses.code(of(wildcards.dataset, name)) for name in step.analyses
        ]

    def jobs(self, step: Step) -> Callable[[Wildcards], list[tuple[str, dict[str, Any]]]]:
        """Return a function of the wildcards: the jobs of a step, one after another."""

        def several(wildcards: Wildcards) -> list[tuple[str, dict[str, Any]]]:
            own = (of(wildcards.dataset, name) for name in step.analyses)
            return [("analyse", _job(each, self.analyses.for_analyse, outputs)) for each in own]

        return several

    def places(self, step: Step) -> str:
        """Return a pattern of the datasets of a step, or of the name in place of one."""
        return step.place or (self._of_values if step.only == "of_values" else self._of_data)

    def together(self, workflow: Any) -> Callable[[Wildcards], str | None]:
        """Return a function of the wildcards: the group of the scores, with which analyses go.

        Where the configuration has `shards` there is none: each part is submitted by itself, and
        so is what parts wait for, as a group must not wait for what waits for it.
        """

        def group(wildcards: Wildcards) -> str | None:
            alone = self.shards.in_parts
            return None if alone else group_of(workflow, "score", wildcards.dataset)

        return group

    def asked(self, step: Step) -> dict[str, Callable[[Wildcards, int], int]]:
        """Return the resources of a step: the most memory of an analysis, and all minutes."""

        def own(wildcards: Wildcards) -> list[SimpleNamespace]:
            return [of(wildcards.dataset, name) for name in step.analyses]

        def megabytes(wildcards: Wildcards, attempt: int) -> int:
            return max(self.resources.analyse_memory(each, attempt) for each in own(wildcards))

        def minutes(wildcards: Wildcards, attempt: int) -> int:
            return sum(self.resources.analyse_runtime(each, attempt) for each in own(wildcards))

        return {"mem_mb": megabytes, "runtime": minutes}


def _job(
    wildcards: SimpleNamespace, given: Callable, patterns: Callable[[str], list[str]]
) -> dict[str, Any]:
    """Return the arguments of the job that makes an analysis, or a part of one."""
    files = [path.format(**vars(wildcards)) for path in patterns(wildcards.name)]
    return given(wildcards) | {"output": files}


def _part(step: Step, wildcards: Wildcards) -> SimpleNamespace:
    """Return the wildcards of a part of an analysis."""
    return SimpleNamespace(dataset=wildcards.dataset, name=step.name, shard=wildcards.shard)


def _paths(read: Mapping[str, Any]) -> list[str]:
    """Return the files that an analysis reads, which it has by name, one or several."""
    several = ([path] if isinstance(path, str) else path for path in read.values())
    return [path for paths in several for path in paths]


def rule_of(name: str) -> str:
    """Return the name of the rule of a step or analysis.

    >>> rule_of("robustness/discriminative-power")
    'robustness_discriminative_power'
    """
    return name.replace("/", "_").replace("-", "_")
