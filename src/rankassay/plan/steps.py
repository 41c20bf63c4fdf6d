"""Look-ups of the rules about steps: the analyses of a study that one job makes, one by one."""

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from rankassay.plan.analyses import Analyses, of, outputs
from rankassay.plan.arguments import Wildcards
from rankassay.plan.resources import Resources
from rankassay.plan.shards import Shards, part_files
from rankassay.plan.simulations import Simulations
from rankassay.plan.snakemake_private import group_of
from rankassay.studies import ANALYSES, STUDIES, of_study


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

    def for_part(self, step: Step) -> Callable[[Wildcards], dict[str, Any]]:
        """Return a function of the wildcards: the arguments of a part of an analysis."""
        return lambda wildcards: _job(_part(step, wildcards), self.shards.for_analyse, part_files)

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

    def memory(self, step: Step) -> Callable[[Wildcards, int], int]:
        """Return a function of the wildcards and the attempt: the most that an analysis takes."""

        def megabytes(wildcards: Wildcards, attempt: int) -> int:
            own = (of(wildcards.dataset, name) for name in step.analyses)
            return max(self.resources.analyse_memory(each, attempt) for each in own)

        return megabytes

    def runtime(self, step: Step) -> Callable[[Wildcards, int], int]:
        """Return a function of the wildcards and the attempt: the minutes of all analyses."""

        def minutes(wildcards: Wildcards, attempt: int) -> int:
            own = (of(wildcards.dataset, name) for name in step.analyses)
            return sum(self.resources.analyse_runtime(each, attempt) for each in own)

        return minutes


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
