"""What the registry knows of an analysis, a figure and a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Analysis:
    """One analysis of a study: its function and the artifacts that it reads.

    An analysis of rankings that a paper constructed needs no dataset and is run once; whatever else
    it reads is constructed, too. An analysis by measure returns rows about single measures, in
    their order, so that several jobs can share the measures among them. An analysis of whole
    rankings needs the rank of every test item among all candidates: lists that end, those of run
    files, take no part. A replicated analysis returns what its numbers would be for resampled
    users, too (`assayer.statistics.replicated`), and one that compares reads the replicates of what
    it reads.
    """

    function: str
    inputs: tuple[str, ...]
    constructed: bool = False
    by_measure: bool = False
    whole_rankings: bool = False
    replicated: bool = False
    compares: bool = False


@dataclass(frozen=True)
class Figure:
    """One figure: its drawing function, the analysis it shows, and what its panels are.

    `panels` is "metrics" when a panel shows one metric on one dataset over its cut-offs,
    "datasets" when a panel shows all metrics at the reference cut-off on one dataset, "dataset"
    when each dataset has a figure of its own, whose function makes the panels, and "constructed"
    when the figure shows an analysis that needs no dataset.
    """

    function: str
    analysis: str
    panels: str

    def shown(
        self, titles: dict[str, str], cutoff: int | None, metrics: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        """Return what each panel shows: a dataset, or one metric on it.

        Parameters
        ----------
        titles : dict
            The names of the datasets for readers, by their own.
        cutoff : int or None
            At which metrics are compared.
        metrics : sequence of str
            Of a figure with a panel for each metric.
        """
        return [
            {"dataset": dataset, "title": title, "cutoff": cutoff}
            | ({"metric": metric} if metric else {})
            for dataset, title in titles.items()
            for metric in metrics or [None]
        ]


@dataclass(frozen=True)
class Table:
    """One table of a study: its function and the result tables that it is made from."""

    function: str
    inputs: tuple[str, ...]
