"""Look-ups of the rules about work that several jobs share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rankassay.plan.analyses import Analyses, outputs
from rankassay.plan.arguments import Wildcards
from rankassay.plan.simulations import Simulations
from rankassay.studies import ANALYSES

# The analyses that the jobs of a run share among them, and those of them by measures.
SHARED = tuple(name for name, entry in ANALYSES.items() if entry.shared)
BY_MEASURE = tuple(name for name in SHARED if ANALYSES[name].shared == ("measures",))


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
        settings = self.analyses.config[study]["analyses"][short]
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
