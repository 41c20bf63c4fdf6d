"""Look-ups of the rules about the claims of papers."""

import os
from pathlib import Path
from typing import Any

from rankassay.plan.data import Data
from rankassay.studies import STUDIES

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
