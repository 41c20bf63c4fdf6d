"""Look-ups of the rules about advice: which measure to report on each dataset, and why."""

from typing import Any

from rankassay.plan.analyses import PROPENSITIES, Analyses
from rankassay.plan.arguments import Wildcards, ending
from rankassay.studies import STUDIES

# Where the propensities of a dataset come from that advice takes; by popularity it has its own.
TAKEN = ("known", "fitted")
# Metrics that advice is about in addition to the configured ones.
USUAL = ("nDCG", "IPS", "P", "CP")


class Advice:
    """The advice on the datasets of a configuration; values of metrics alone get none."""

    def __init__(self, analyses: Analyses) -> None:
        self.analyses = analyses
        self.systems = analyses.systems
        self.data = analyses.data
        self.config = analyses.config
        self.paths = analyses.cutoffs.advice

    def inputs(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the artifacts that advice rests on, by name."""
        dataset = wildcards.dataset
        paths: dict[str, Any] = {"test": f"results/{dataset}/split/test.npz"}
        return (
            paths | {"rankings": self.systems.rankings(wildcards)} | self._optional_inputs(dataset)
        )

    def _optional_inputs(self, dataset: str) -> dict[str, str]:
        """Return those that some datasets lack."""
        paths = {}
        if not self.systems.lacking("train", dataset):
            paths["train"] = f"results/{dataset}/split/train.npz"
        if self._weights(dataset) == "given":
            paths["propensities"] = PROPENSITIES.format(dataset=dataset)
        if not self.systems.lacking("truth", dataset):
            paths["truth"] = self.data.companion("truth", dataset)
        return paths

    def for_advise(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the systems' rankings, and how advice is made; reference systems rank the same."""
        dataset = wildcards.dataset
        return {
            "rankings": self.systems.labelled(wildcards),
            "candidates": self.data.candidates(wildcards),
            "evaluation": self.analyses.judged(dataset, "metrics", "cutoffs"),
            "about": self.about(dataset),
            "seed": self.config["seed"],
        }

    def _weights(self, dataset: str) -> str:
        """Return where propensities come from, as in `rankassay.advice.given.Given.weights`."""
        if not self.systems.lacking("split/propensities", dataset):
            return "given" if self.data.estimate(dataset) in TAKEN else "popularity"
        return "none"

    def of_study(self, study: str) -> list[str]:
        """Return the advice on all datasets, of the study that it is made with."""
        return [*self.paths.values()] if STUDIES[study].advice else []

    def about(self, dataset: str) -> dict[str, Any]:
        """Return the description of the data for texts; its title is of who shows them."""
        entry, runs = self.data.entry(dataset), [*self.systems.runs.get(dataset, ())]
        return ({"runs": runs} if runs else {}) | {
            "dataset": self.data.of(dataset),
            "synthetic": entry["kind"] == "synthetic",
            "scale": entry.get("scale"),
            "threshold_reason": entry.get("default_for"),
        }

    @ending
    def code(self, wildcards: Wildcards) -> str:
        """Return the code of the job and of its metrics, and the simulations that ship."""
        reference = self.data.code.package / "advice/reference"
        metrics = self.analyses.metrics([*self.config["metrics"]["names"], *USUAL])
        return self.data.code.of_job("advise", *metrics, files=sorted(reference.glob("*.csv")))
