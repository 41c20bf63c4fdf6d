"""What the rules look up about the claims of papers."""

import os
from pathlib import Path

from assayer.plan.arguments import named
from assayer.plan.data import Data
from assayer.studies import STUDIES


class Claims:
    """The files of the studies' claims, and which of them are judged on a dataset."""

    def __init__(self, data: Data) -> None:
        self.data = data
        own = {study.name: study.claims for study in STUDIES.values() if study.claims.is_file()}
        self._all = {
            study: os.path.relpath(path) if Path(path).is_absolute() else str(path)
            for study, path in (own | data.config["claims"]).items()
        }
        studies = data.config["studies"]
        self.files = {study: path for study, path in self._all.items() if study in studies}

    @property
    def arguments(self) -> str:
        """STUDY=PATH for the claims of each study, quoted for the shell."""
        return named(self.files.keys(), self.files.values())

    def path(self, study: str) -> str:
        """Return the file of a study's claims: the configured one, or the study's own."""
        return self._all[study]

    def choice(self, dataset: str) -> str:
        """Return the options that say which claims are judged on a dataset.

        A variant is judged by all that is claimed of its data; a dataset that no claim is about,
        by those claims about another one that give no number.
        """
        if dataset == "constructed":
            return ""
        data = self.data.of(dataset)
        other = self.data.entry(dataset).get("claims_of", data)
        return f"--claims-of {other}" + (" --published" if other == data else "")
