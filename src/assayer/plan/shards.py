"""What the rules look up about work that several jobs share."""

from collections.abc import Callable, Iterable
from typing import Any

from assayer.plan.analyses import REPLICATED, Analyses
from assayer.plan.arguments import Wildcards, words
from assayer.studies import ANALYSES

# The analyses that the jobs of a run share among them, and those of them by measures.
SHARED = tuple(name for name, entry in ANALYSES.items() if entry.shared)
BY_MEASURE = tuple(name for name in SHARED if ANALYSES[name].shared == ("measures",))


class Shards:
    """The parts of rankings, by users, of scores, by measures, and of analyses.

    Attributes
    ----------
    places : str
        Where analyses that are shared belong, as a pattern: datasets with lists, or none.
    shared, replicated, tables : str
        The analyses that several jobs share, as a pattern: all, those with replicates, and others.
    before : str
        The tables that one job makes and that shared analyses read, as a pattern.
    """

    def __init__(self, analyses: Analyses) -> None:
        self.analyses = analyses
        config = analyses.config
        self.count = config["shards"]
        # There is no more to share than there are measures.
        self.all_measures = len(config["metrics"]["names"]) * len(config["metrics"]["cutoffs"])
        self.measures = min(self.count, self.all_measures)
        self.in_parts = self.count > 1
        shared = [name for name in SHARED if analyses.configured(name) and self.of(name) > 1]
        self.shared = _any_of(shared)
        self.places = f"{analyses.data.any_of(with_lists=True)}|constructed"
        self.replicated = _any_of(name for name in shared if name in REPLICATED)
        self.tables = _any_of(name for name in shared if name not in REPLICATED)
        read = {name for own in shared for name in ANALYSES[own].inputs.values()}
        self.before = _any_of(sorted(read & {*ANALYSES} - {*shared, *REPLICATED}))

    def of(self, name: str) -> int:
        """Return how many jobs share an analysis: no more than there are entries to share."""
        entry = ANALYSES[name]
        if name in BY_MEASURE:
            # Where the scores have parts, each of these is read by one job.
            return self.measures if self.in_parts else min(entry.jobs, self.all_measures)
        study, _, short = name.partition("/")
        settings = self.analyses.config[study]["analyses"][short]
        of_metrics = {"metrics": self.analyses.config["metrics"]["names"]}
        several = [(of_metrics | settings)[shared] for shared in entry.shared]
        entries = sum(own if isinstance(own, int) else len(own) for own in several)
        return min(max(self.count, entry.jobs), entries)

    def jobs(self, wildcards: Wildcards) -> int:
        """Return how many jobs share an analysis, or the lists of a recommender, or the scores."""
        if hasattr(wildcards, "name"):
            return self.of(wildcards.name)
        return self.count if hasattr(wildcards, "recommender") else self.measures

    def parts(self, pattern: str) -> Callable[[Wildcards], list[str]]:
        """Return a function of the wildcards: the files of all parts, in order."""

        def paths(wildcards: Wildcards) -> list[str]:
            known, count = dict(wildcards.items()), self.jobs(wildcards)
            return [pattern.format(**known, shard=shard) for shard in range(1, count + 1)]

        return paths

    def _part(self, wildcards: Wildcards) -> str:
        """Return which part of how many a job does, as in 2/7."""
        return f"{wildcards.shard}/{self.jobs(wildcards)}"

    def rank_arguments(self, wildcards: Wildcards) -> str:
        """Return what one gets that ranks for some of the users, as words of its command."""
        return self.analyses.recommenders.rank_arguments(wildcards, self._part(wildcards))

    def score_arguments(self, wildcards: Wildcards) -> str:
        """Return what one gets that computes some of the measures."""
        return self.analyses.score_arguments(wildcards, self._part(wildcards))

    def within(self, wildcards: Wildcards) -> str:
        """Return the option that names the columns by which its rows are ordered first, if any."""
        return words(within=[*ANALYSES[wildcards.name].within])

    def together(self, workflow: Any) -> Callable[[Wildcards], str | None]:
        """Return a function of the wildcards: the group of the other analyses, which wait for it.

        Where the configuration has `shards` there is none: each part is submitted by itself, and
        so is what parts wait for, as a group must not wait for what waits for it.
        """

        def group(wildcards: Wildcards) -> str | None:
            found = workflow.group_settings.overwrite_groups.get("analyse")
            alone = self.in_parts or not found
            return None if alone else found.format(dataset=wildcards.dataset)

        return group

    def inputs(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the artifacts that a shard of an analysis reads, its own parts where they are."""
        paths = self.analyses.inputs(wildcards)
        if wildcards.name not in BY_MEASURE or not self.in_parts:
            return paths
        shards = f"results/{wildcards.dataset}/shards"
        for key, artifact in ANALYSES[wildcards.name].inputs.items():
            if artifact == "scores":
                paths[key] = f"{shards}/scores/{wildcards.shard}.npz"
            elif artifact in BY_MEASURE:
                paths[key] = f"{shards}/{artifact}/{wildcards.shard}.csv"
        return paths

    def arguments(self, wildcards: Wildcards) -> str:
        """Return all that a shard of an analysis gets, and whether it reads a part, as words."""
        part = {"shard": self._part(wildcards), "own_scores": self.in_parts}
        return self.analyses.reading(wildcards, self.inputs(wildcards), **part)


def _any_of(names: Iterable[str]) -> str:
    """Return a pattern that matches the names, and nothing where there are none."""
    return "|".join(names) or "(?!)"
