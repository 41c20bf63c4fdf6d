"""Look-ups of the rules about published means of systems."""

import csv
import functools
from typing import Any

from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import METRICS
from rankassay.plan.arguments import Wildcards, ending
from rankassay.plan.systems import Systems
from rankassay.studies import FIGURES

FIGURE = "fidelity/systems"
DEPTH = 100  # of the authors' lists


class Fidelity:
    """The comparison of our systems with the published ones."""

    def __init__(self, systems: Systems) -> None:
        self.systems = systems
        self.data = systems.data
        self.config = systems.config
        code = self.data.code
        self.published = str(code.package / "studies/fidelity/published/system-means.csv")
        self.means_code = code.of_job("fidelity", *(entry.function for entry in METRICS.values()))
        self.figure_code = code.of_job("figure", FIGURES[FIGURE].function)

    @functools.cached_property
    def pairs(self) -> set[tuple[str, str]]:
        """The datasets and recommenders that were published."""
        with open(self.published, encoding="utf-8") as file:
            return {(row["dataset"], row["recommender"]) for row in csv.DictReader(file)}

    def recommenders(self, dataset: str) -> list[str]:
        """Return the configured recommenders whose means on a dataset were published."""
        return [name for name in self.config["recommenders"] if (dataset, name) in self.pairs]

    def possible(self, dataset: str) -> bool:
        """Return whether systems on a dataset were published, with lists no longer than ours."""
        return self.config["depth"] >= DEPTH and bool(self.recommenders(dataset))

    @ending
    def outputs(self, wildcards: Wildcards) -> list[str]:
        """Return the comparisons of all datasets; raises RankassayError if there are none."""
        datasets = [name for name in self.config["datasets"] if self.recommenders(name)]
        if not datasets:
            known = ", ".join(sorted({dataset for dataset, _ in self.pairs}))
            raise RankassayError(
                "fidelity: no configured dataset has published means of a configured recommender; "
                f"published are {known}."
            )
        return [
            path
            for name in datasets
            for path in (
                *(f"results/{name}/{table}.csv" for table in ("fidelity", "fidelity-summary")),
                *(f"figures/fidelity/{name}.{kind}" for kind in ("pdf", "svg", "png")),
            )
        ]

    @ending
    def rankings(self, wildcards: Wildcards) -> list[str]:
        """Return the rankings of the systems to compare; raises RankassayError if there is none."""
        recommenders = self.recommenders(wildcards.dataset)
        if not recommenders:
            raise RankassayError(
                f"no configured recommender has published means on {wildcards.dataset}."
            )
        return [f"results/{wildcards.dataset}/rankings/{name}.npz" for name in recommenders]

    def jobs(self, wildcards: Wildcards) -> list[tuple[str, dict[str, Any]]]:
        """Return the comparison of the systems of a dataset, and the drawing of its figure."""
        dataset = wildcards.dataset
        labels = self.systems.of(dataset)
        systems = {
            name: {"label": labels[name], "rankings": path}
            for name, path in zip(self.recommenders(dataset), self.rankings(wildcards), strict=True)
        }
        table = f"results/{dataset}/fidelity.csv"
        compared = {
            "test": f"results/{dataset}/split/test.npz",
            "published": self.published,
            "dataset": dataset,
            "systems": systems,
            "threshold": self.data.threshold(dataset),
            "table": table,
            "summary": f"results/{dataset}/fidelity-summary.csv",
        }
        figure = {
            "name": FIGURE,
            "tables": {dataset: table},
            "panels": [{"dataset": dataset, "title": self.data.title(dataset)}],
            "output": f"figures/fidelity/{dataset}.pdf",
        }
        return [("fidelity", compared), ("figure", figure)]
