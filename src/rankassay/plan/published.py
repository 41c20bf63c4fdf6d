"""Look-ups of the rules about what was published: claims of papers, and means of systems."""

import csv
import functools
import os
from pathlib import Path
from typing import Any

from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import METRICS
from rankassay.plan.data import Data
from rankassay.plan.rules import Wildcards, ending
from rankassay.plan.systems import Systems
from rankassay.studies import FIGURES, STUDIES

FIGURE = "fidelity/systems"
DEPTH = 100  # of the authors' lists
# The verdicts of all studies, how many there are, and those on the sentences of papers.
TABLES = ("results/claims.csv", "results/claims-totals.csv", "results/claims-sentences.csv")


class Claims:
    """The files of the studies' claims, and which of them are judged on a dataset.

    `files` are those of the run's studies, by study; `shown` are the studies whose claims a run
    shows by default.
    """

    def __init__(self, data: Data) -> None:
        self.data = data
        own = {study.name: study.claims for study in STUDIES.values() if study.claims.is_file()}
        self._all = {
            study: os.path.relpath(path) if Path(path).is_absolute() else str(path)
            for study, path in (own | data.config["claims"]).items()
        }
        studies = data.config["studies"]
        self.files = {study: path for study, path in self._all.items() if study in studies}
        self.shown = [study for study in self.files if self.are_about_data(study)]

    def are_about_data(self, study: str) -> bool:
        """Return whether a study's claims are the user's own or about the data of the run.

        Data that no paper is about have no claims of papers.
        """
        names = self.data.config["datasets"]
        known = {
            name for dataset in names for name in (self.data.of(dataset), *self._whose(dataset))
        }
        own = study in self.data.config["claims"]
        return own or not known.isdisjoint(STUDIES[study].data)

    def _whose(self, dataset: str) -> list[str]:
        """Return the datasets by whose claims one is judged, itself first if it is one of them."""
        own = self.data.of(dataset)
        others = self.data.entry(dataset).get("claims_of") or own
        named = [others] if isinstance(others, str) else others
        return sorted(named, key=lambda name: name != own)

    def variants(self) -> dict[str, dict[str, Any]]:
        """Return the datasets of the run that are variants, as `claims.verdicts.Run` has them."""
        known = self.data.config["variants"]
        chosen = self.data.config["datasets"]
        return {
            name: {
                "of": known[name]["of"],
                "label": known[name]["label"],
                "settings": self.data.settings_of(name),
                "split": self.data.is_split(name),
            }
            for name in known
            if name in chosen or ("claims" in known[name] and known[name]["of"] in chosen)
        }

    def path(self, study: str) -> str:
        """Return the file of a study's claims: the configured one, or the study's own."""
        return self._all[study]

    def whose(self, dataset: str) -> dict[str, Any]:
        """Return the datasets whose claims are judged on one, and whether published numbers are.

        A variant is judged by all claims about its data; a dataset that no claim is about, by those
        claims about others that give no number.
        """
        others = self._whose(dataset)
        return {"of": others, "published": others[0] == self.data.of(dataset)}


class Fidelity:
    """The comparison of our systems with the published ones."""

    def __init__(self, systems: Systems) -> None:
        self.systems = systems
        self.data = systems.data
        self.config = systems.config
        self.published = str(self.data.code.package / "studies/fidelity/published/system-means.csv")

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

    def code(self, wildcards: Wildcards) -> list[str]:
        """Return the code of both jobs, with that of the metrics and of the figure."""
        of_job = self.data.code.of_job
        metrics = (entry.function for entry in METRICS.values())
        return [of_job("fidelity", *metrics), of_job("figure", FIGURES[FIGURE].function)]

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
