"""Look-ups of the rules about the grids of settings.

Only the targets of tuning call these, so that all others are planned without the files of every
point.
"""

import functools
from collections.abc import Mapping
from typing import Any

from rankassay.lookup import find
from rankassay.metrics.catalogue import bare, metric
from rankassay.plan.arguments import Wildcards
from rankassay.plan.recommenders import Recommenders
from rankassay.seeds import derive


class Tuning:
    """The grids of a configuration."""

    def __init__(self, recommenders: Recommenders) -> None:
        self.recommenders = recommenders
        self.data = recommenders.data
        self.config = recommenders.config
        self.points = functools.cache(self._points)

    def grid(self, recommender: str) -> dict[str, list]:
        """Return the values to try of each of a recommender's settings; empty if there are none."""
        grid = self.config["tuning"]["grids"].get(recommender) or {}
        return {setting: values for setting, values in grid.items() if values is not None}

    def tuned(self, dataset: str) -> list[str]:
        """Return the recommenders of a dataset that have a grid."""
        return [name for name in self.data.protocols.recommenders(dataset) if self.grid(name)]

    def _points(self, recommender: str) -> Mapping[str, dict[str, Any]]:
        """Return the points of a recommender's grid by the names of their files, in its order."""
        import pandas as pd
        from snakemake.utils import Paramspace

        from rankassay.tuning.grid import points

        grid = points(self.grid(recommender))
        # The values go into the names unchanged: a table of objects does not turn 1 into 1.0.
        space = Paramspace(pd.DataFrame(grid, dtype=object), single_wildcard="point")
        return dict(zip(space.instance_patterns, grid, strict=True))

    def outputs(self, wildcards: Wildcards) -> list[str]:
        """Return the best points of every configured dataset, and the figures of their grids."""
        datasets = list(filter(self.tuned, self.config["datasets"]))
        return [f"results/{dataset}/tuning/chosen.yaml" for dataset in datasets] + [
            f"figures/tuning/{dataset}/{name}.pdf"
            for dataset in datasets
            for name in self.tuned(dataset)
        ]

    def for_tune(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how one point of a grid is scored.

        The points differ in their settings only: they have one seed.
        """
        tuning, dataset = self.config["tuning"], wildcards.dataset
        point = find("point", wildcards.point, self.points(wildcards.recommender))
        return {
            "method": self.recommenders.method(wildcards),
            "settings": self.recommenders.settings_of(wildcards) | point,
            "measure": tuning["measure"],
            "profile": self.config["metrics"]["profile"],
            "threshold": self.data.threshold(dataset),
            "test_fraction": tuning["test_fraction"],
            "rounding": self.config["split"].get("rounding", "floor"),
            "seed": derive(self.config["seed"], dataset, "tuning"),
            **self.data.counted(dataset),
            **self.data.lists(wildcards),
        }

    def code(self, wildcards: Wildcards) -> str:
        """Return the code of the job that scores a point, of its recommender and the measure."""
        measure = metric(bare(self.config["tuning"]["measure"]))
        return self.data.code.of_job("tune", self.recommenders.target(wildcards), measure)

    def order_code(self, wildcards: Wildcards) -> str:
        """Return the code of the job that orders the points of a grid."""
        return self.data.code.of_job("order_grid")

    def best_code(self, wildcards: Wildcards) -> str:
        """Return the code of the job that writes the best points."""
        return self.data.code.of_job("write_best")

    def scores(self, wildcards: Wildcards) -> list[str]:
        """Return the scores of all points of a recommender's grid, in its order."""
        folder = f"results/{wildcards.dataset}/tuning/{wildcards.recommender}"
        return [f"{folder}/{point}.csv" for point in self.points(wildcards.recommender)]

    def for_order_grid(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the grid of a recommender, and the title of its figure."""
        label = self.config["recommender_catalogue"][wildcards.recommender]["label"]
        title = f"{label} · {self.data.title(wildcards.dataset)}"
        return {"grid": self.grid(wildcards.recommender), "title": title}

    def tables(self, wildcards: Wildcards) -> list[str]:
        """Return the ordered points of all recommenders on a dataset."""
        return [
            f"results/{wildcards.dataset}/tuning/{name}.csv"
            for name in self.tuned(wildcards.dataset)
        ]

    def for_write_best(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the ordered points of all recommenders, and their grids."""
        tuned = self.tuned(wildcards.dataset)
        return {
            "dataset": wildcards.dataset,
            "tables": dict(zip(tuned, self.tables(wildcards), strict=True)),
            "grids": {name: self.grid(name) for name in tuned},
        }
