"""What the rules look up about work that several jobs share."""

from collections.abc import Callable
from typing import Any

from assayer.plan.analyses import REPLICATED, Analyses
from assayer.plan.arguments import Wildcards
from assayer.studies import ANALYSES

# The analyses that the jobs of a run share among them.
BY_MEASURE = tuple(name for name, entry in ANALYSES.items() if entry.by_measure)


class Shards:
    """The parts of rankings, by users, and of scores and analyses, by measures."""

    by_measure = "|".join(BY_MEASURE)
    replicated = "|".join(sorted({*BY_MEASURE} & {*REPLICATED}))
    tables = "|".join(sorted({*BY_MEASURE} - {*REPLICATED}))

    def __init__(self, analyses: Analyses) -> None:
        self.analyses = analyses
        config = analyses.config
        self.count = config["shards"]
        # There is no more to share than there are measures.
        self.measures = min(
            self.count, len(config["metrics"]["names"]) * len(config["metrics"]["cutoffs"])
        )

    def of_users(self, pattern: str) -> Callable[[Wildcards], list[str]]:
        """Return a function of the wildcards: the files of all parts, in order."""
        return self._parts(pattern, self.count)

    def of_measures(self, pattern: str) -> Callable[[Wildcards], list[str]]:
        """Return a function of the wildcards: the files of all parts, in order."""
        return self._parts(pattern, self.measures)

    def _parts(self, pattern: str, count: int) -> Callable[[Wildcards], list[str]]:
        def parts(wildcards: Wildcards) -> list[str]:
            known = dict(wildcards.items())
            return [pattern.format(**known, shard=shard) for shard in range(1, count + 1)]

        return parts

    def word(self, wildcards: Wildcards) -> str:
        """Return the option that names a part of the measures."""
        return f"--shard {wildcards.shard}/{self.measures}"

    def inputs(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the artifacts that a shard of an analysis reads; of others' its own shard."""
        paths = self.analyses.inputs(wildcards)
        shards = f"results/{wildcards.dataset}/shards"
        for key, artifact in ANALYSES[wildcards.name].inputs.items():
            if artifact == "scores":
                paths[key] = f"{shards}/scores/{wildcards.shard}.npz"
            elif artifact in BY_MEASURE:
                paths[key] = f"{shards}/{artifact}/{wildcards.shard}.csv"
        return paths

    def arguments(self, wildcards: Wildcards) -> str:
        """Return the artifacts that a shard reads as words of its command."""
        return self.analyses.words(wildcards.name, wildcards.dataset, self.inputs(wildcards))
