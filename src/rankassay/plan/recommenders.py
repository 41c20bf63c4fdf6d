"""Look-ups of the rules about recommenders, and the grids of their settings."""

import functools
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from rankassay.lookup import find
from rankassay.metrics.catalogue import bare, metric
from rankassay.plan.data import Data
from rankassay.plan.rules import Wildcards
from rankassay.recommenders.catalogue import OF_STARS, family, recommender
from rankassay.seeds import derive

# The methods that take longest, of those of the paper.
SLOW = ("ht", "bprmf", "lda", "plsa")


class Recommenders:
    """The recommenders of a configuration.

    Attributes
    ----------
    slow : str
        Those of the methods that take longest, as a pattern.
    """

    def __init__(self, data: Data) -> None:
        self.data = data
        self.config = data.config
        catalogue = self.config["recommender_catalogue"]
        slow = (name for name, entry in catalogue.items() if entry["method"] in SLOW)
        self.slow = "|".join(slow) or "(?!)"
        self.recommend_code = functools.partial(self._code, "recommend")
        self.fit_code = functools.partial(self._code, "fit")
        self.rank_code = functools.partial(self._code, "rank")

    def method(self, wildcards: Wildcards) -> str:
        """Return the method of a recommender."""
        return self.config["recommender_catalogue"][wildcards.recommender]["method"]

    def target(self, wildcards: Wildcards) -> str:
        """Return "module:class" of a recommender."""
        return recommender(self.method(wildcards))

    def settings_of(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the settings of a recommender on a dataset."""
        entry = self.config["recommender_catalogue"][wildcards.recommender]
        special = entry.get("datasets", {})
        settings = entry.get("settings", {}) | special.get(self.data.of(wildcards.dataset), {})
        counted = self.data.counted(wildcards.dataset)
        if counted and entry["method"] in OF_STARS:
            settings = {"threshold": counted["relevant"]} | settings
        shared = special.get(self.data.settings_of(wildcards.dataset), {})
        return settings | shared | special.get(wildcards.dataset, {})

    def all_of(self, dataset: str) -> dict[str, dict[str, Any]]:
        """Return the method and the settings on a dataset of all recommenders, by their labels."""
        catalogue = self.config["recommender_catalogue"]
        return {
            catalogue[name]["label"]: {
                "method": catalogue[name]["method"],
                "settings": self.settings_of(SimpleNamespace(dataset=dataset, recommender=name)),
            }
            for name in self.data.protocols.recommenders(dataset)
        }

    def families(self, dataset: str) -> dict[str, str]:
        """Return the families of the recommenders of a dataset, by their labels."""
        return {label: family(own["method"]) for label, own in self.all_of(dataset).items()}

    def calibrated(self, dataset: str) -> bool:
        """Return whether the settings on a dataset were chosen to match published means.

        On a variant they were not if any recommender has other settings than on the data itself.
        """
        data, own = self.data.of(dataset), self.all_of(dataset)
        matched = self.all_of(data)
        same = all(entry == matched[label] for label, entry in own.items() if label in matched)
        return data in self.config["calibrated"] and bool(own) and same

    def targets(self) -> list[str]:
        """Return "module:class" of all recommenders, each once."""
        catalogue = self.config["recommender_catalogue"]
        methods = (catalogue[name]["method"] for name in self.config["recommenders"])
        return list(dict.fromkeys(map(recommender, methods)))

    def seed(self, wildcards: Wildcards) -> int:
        """Return the seed of one recommender on one dataset."""
        seed = self.data.variants.get(wildcards.dataset, {}).get("seed", self.config["seed"])
        return derive(seed, self.data.of(wildcards.dataset), wildcards.recommender)

    def for_fit(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how a recommender is fitted."""
        return self._chosen(wildcards) | {"seed": self.seed(wildcards)}

    def for_rank(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how a fitted recommender ranks."""
        return self._chosen(wildcards) | self.data.lists(wildcards)

    def for_recommend(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how a recommender is fitted and ranks for all users."""
        return self.for_fit(wildcards) | self.data.lists(wildcards)

    def _chosen(self, wildcards: Wildcards) -> dict[str, Any]:
        return {"method": self.method(wildcards), "settings": self.settings_of(wildcards)}

    def _code(self, job: str, wildcards: Wildcards) -> str:
        """Return the code of a job and of the one recommender."""
        return self.data.code.of_job(job, self.target(wildcards))


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
