"""Look-ups of the rules about recommenders."""

import functools
from types import SimpleNamespace
from typing import Any

from rankassay.plan.arguments import Wildcards
from rankassay.plan.data import Data
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
