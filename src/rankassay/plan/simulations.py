"""Look-ups of the rules about simulations: analyses that read no data, whose tables are shipped.

Their settings and the seed decide their tables. So a run takes the shipped table where both are
those that it was made with, and simulates where they are not.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankassay.plan.analyses import Analyses, of
from rankassay.plan.arguments import Wildcards
from rankassay.studies import ANALYSES, needs

PLACE = "constructed"


class Simulations:
    """The simulations whose tables are shipped.

    Attributes
    ----------
    known : mapping
        What each table was made with and its SHA-256, by the name of its analysis.
    shipped : list of str
        The analyses of which a run takes the shipped table.
    """

    def __init__(self, analyses: Analyses) -> None:
        self.analyses = analyses
        self.studies = analyses.data.code.package / "studies"
        self.known: Mapping[str, Any] = json.loads(
            (self.studies / "simulations.json").read_text(encoding="utf-8")
        )["tables"]
        self.shipped = [
            name
            for name, own in self.known.items()
            if self.made_with(name) == own.get("made_with", "")
        ]

    def made_with(self, name: str) -> str | None:
        """Return the checksum of all that decides a table; None if the analysis is left out."""
        if not self.analyses.configured(name):
            return None
        read = (of(PLACE, each) for each in [name, *sorted(needs(name))] if each in ANALYSES)
        given = [
            (each.name, self.analyses.settings(each), self.analyses.evaluation(each))
            for each in read
        ]
        text = json.dumps([self.analyses.config["seed"], given])
        return hashlib.sha256(text.encode()).hexdigest()

    def table(self, wildcards: Wildcards) -> list[str]:
        """Return the shipped table of an analysis."""
        return [str(self.file(wildcards.simulation))]

    def file(self, name: str) -> Path:
        """Return the same, of an analysis by its name."""
        study, _, short = name.partition("/")
        return self.studies / study / f"simulated/{short}.csv.xz"

    @property
    def targets(self) -> list[str]:
        """The tables of all simulations, none of them shipped."""
        return [self.made(name) for name in self.known if self.analyses.configured(name)]

    def made(self, name: str) -> str:
        """Return the table of an analysis that is simulated in this run."""
        place = f"{PLACE}/simulations" if name in self.shipped else PLACE
        return f"results/{place}/{name}.csv"

    def inputs(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return what a simulation reads, by name."""
        return self.analyses.inputs(of(PLACE, wildcards.simulation))

    def code(self, wildcards: Wildcards) -> str:
        """Return the code of a simulation."""
        return self.analyses.code(of(PLACE, wildcards.simulation))

    def for_analyse(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the arguments of the job that simulates."""
        name = wildcards.simulation
        given = self.analyses.for_analyse(of(PLACE, name))
        return given | {"output": [f"results/{PLACE}/simulations/{name}.csv"]}
