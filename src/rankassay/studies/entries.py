"""Studies, and the properties of their analyses, figures and tables.

A function or class is named as "module:attribute" and imported on use; the module is one of the
study's own folder, or begins with "rankassay".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rankassay.declared.columns import Column
from rankassay.lookup import load

if TYPE_CHECKING:
    from rankassay.studies.settings import Settings

# The general settings of metrics that the values of an analysis's own metrics depend on.
JUDGED = ("threshold", "profile", "without_relevant")
# The same, where users' values become one number; and where the configured metrics are evaluated.
AGGREGATED = (*JUDGED, "aggregate")
MEASURED = (*AGGREGATED, "measures")
# "metrics" are the names alone, "measures" have cut-offs, and "cutoffs" are those of all of them,
# where measures are a part; "recommenders" are with their settings, "families" those of systems.
READABLE = (*MEASURED, "metrics", "cutoffs", "recommenders", "families")

# Memory of analyses for each user and system, in kB: the values of some 77 measures three times; or
# the judged items, or as much of lists, or of preferences between them.
ALL_VALUES, JUDGED_ITEMS = 2.0, 0.15
# The settings whose entries are metrics, or preferences, each with separate values.
OF_METRICS = {"metrics", "preferences", "signs"}


def reads(*same: str, **others: str) -> dict[str, str]:
    """Return the inputs of a function, by the names of its parameters.

    Parameters
    ----------
    *same : str
        Artifacts that have the parameter's name: train, test, rankings, scores, means, statistics,
        fidelity, claims; ratings, all of a dataset; aspects, the same where items have some;
        attributes of users and items, where there are any; truth, judgements of random items;
        propensities of the ratings, where they are known; and
        replicates, the users' values under each of the study's protocols, by seed or fold.
    **others : str
        Results of analyses, as in p_values="robustness/p-values", published numbers, as in
        table_3="published/table-3", the counts of the split, "split/summary", what its filter
        removed, "split/filter", and the propensities of the test ratings, "split/propensities".

    Examples
    --------
    >>> reads("scores", p_values="robustness/p-values")
    {'scores': 'scores', 'p_values': 'robustness/p-values'}
    """
    return {name: name for name in same} | others


@dataclass(frozen=True)
class Analysis:
    """One analysis of a study.

    Parameters
    ----------
    function : str
        It gets what it reads and each of its settings by name; and `dataset`, `seed`,
        `evaluation` and `shard`, if its parameters have these names. With a `valuation`, its first
        parameter is that, and it gets of the others those that it names.
    about : str
        What it does, for users.
    inputs : mapping
        See `reads`.
    settings : str
        The class of its settings, as "settings:Sparsity"; it has none if not given.
    evaluation : sequence of str
        What it reads of the metrics' settings, such as `MEASURED` or "metrics" (their names): its
        job runs again when that changes, and only then.
    constructed : bool
        Whether it is about rankings that a paper constructed: it needs no dataset and runs once.
    across : bool
        Whether it is about all datasets at once: it runs once, and gets each result that it reads
        as one table with the column `dataset`. Of a dataset and its variants the first counts; with
        fewer than two datasets it is skipped, and without one of those that its setting `datasets`
        names, if it has one.
    runs : bool
        Whether it names datasets in sentences: it gets `runs`, the run's datasets and variants with
        their titles, and is made again where one of these changes.
    by_protocol : bool
        Whether it reads the results of other analyses under each protocol: it gets each as one
        table with the column `protocol`, of the first replicate of each and the reference's second.
    shared : tuple of str
        What several jobs can share among them: the entries of its settings of these names, lists or
        mappings, one setting after the other; how often something is repeated, of which a job gets
        its own numbers; or "measures" or "metrics", those of the metrics' settings. Its rows are
        about single entries, in this order, and do not depend on the others; a function with a
        parameter `shard` gets all entries and takes its share itself. Empty where one job does all.
    within : tuple of str
        The columns by which its rows are ordered before the entries that are shared: each job has
        rows of all their values.
    of_cutoffs : bool
        Whether it compares the cut-offs of a metric: values of metrics that others computed may
        have one cut-off each.
    whole_rankings : bool
        Whether it needs the rank of every test item among all candidates; truncated lists, those of
        run files, are then excluded.
    replicated : bool
        Whether it returns its numbers for resampled users, too (`rankassay.statistics.replicated`).
    compares : bool
        Whether it reads the replicates of its inputs.
    optional : tuple of str
        The parameters among its inputs without which it is run where a dataset does not have them,
        or their study is not made.
    trains : bool
        Whether it trains the configured recommenders itself: where there are none it is skipped.
    holds : float
        The kB that it holds for each user and system, by which memory is asked. Less than
        `ALL_VALUES` is for one that reads the values of some measures at a time
        (`rankassay.artifacts.shards`), or whose job does so (`in_turn`).
    slow : int
        How many times as long as the slowest of most analyses it takes, for schedulers.
    valuation : str
        The function that makes the `rankassay.statistics.valuation.Valuation` that the analysis is
        about, one of those that it names; none if not given.
    borrows : mapping
        Other analyses whose settings it follows, by the names of its parameters: it gets each as a
        mapping, or None where the configuration leaves that analysis out.
    """

    function: str
    about: str
    inputs: Mapping[str, str] = field(default_factory=dict)
    settings: str = "rankassay.studies.settings:Settings"
    evaluation: tuple[str, ...] = ()
    constructed: bool = False
    across: bool = False
    runs: bool = False
    by_protocol: bool = False
    shared: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    of_cutoffs: bool = False
    whole_rankings: bool = False
    replicated: bool = False
    compares: bool = False
    optional: tuple[str, ...] = ()
    trains: bool = False
    holds: float = ALL_VALUES
    slow: int = 1
    valuation: str = ""
    borrows: Mapping[str, str] = field(default_factory=dict)

    @property
    def in_turn(self) -> bool:
        """Whether it computes users' values of the metrics that jobs can share: some at a time."""
        of_metrics = bool(self.shared) and {*self.shared} <= OF_METRICS
        return of_metrics and "rankings" in self.inputs.values()

    @property
    def required(self) -> list[str]:
        """The inputs that it cannot do without."""
        return [name for key, name in self.inputs.items() if key not in self.optional]

    @property
    def judges(self) -> bool:
        """Whether it judges claims: those whose results are missing are not asked."""
        return "claims" in self.inputs.values()

    @property
    def place(self) -> str:
        """The name in place of a dataset's, for results of no dataset; else empty."""
        return "constructed" if self.constructed else "across" if self.across else ""

    @property
    def model(self) -> "type[Settings]":
        """The class of its settings, imported on use: most jobs need none."""
        return load(self.settings)


@dataclass(frozen=True)
class Figure:
    """One figure: its drawing function, the analysis it shows, and the subjects of its panels.

    The function gets the analysis's table, with the column dataset unless it is constructed, and
    the panels as `shown` returns them. It raises NothingToShowError where a panel has no rows. Its
    docstring describes the axes, peculiarities, and which figure of a paper it is.

    `panels` is "metrics" when a panel shows one metric on one dataset over its cut-offs,
    "datasets" when a panel shows all metrics at the reference cut-off on one dataset, "dataset"
    when each dataset has a figure of its own, whose function makes the panels, "constructed" when
    the figure shows an analysis that needs no dataset, and "across" one of all datasets at once.
    """

    function: str
    analysis: str
    panels: str

    def shown(
        self, titles: Mapping[str, str], cutoff: int | None, metrics: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        """Return the panels, each of a dataset or of one metric on it.

        Parameters
        ----------
        titles : mapping
            The names of the datasets for readers, by their own.
        cutoff : int or None
            The cut-off at which metrics are compared.
        metrics : sequence of str
            The metrics, of a figure with a panel for each.
        """
        return [
            {"dataset": dataset, "title": title, "cutoff": cutoff}
            | ({"metric": metric} if metric else {})
            for dataset, title in titles.items()
            for metric in metrics or [None]
        ]


@dataclass(frozen=True)
class Table:
    """One table of a study: its function, and the results that it is made from; see `reads`.

    `rankassay.drawing.table` says what the function gets. The inputs whose parameters are
    `optional` it gets as None where no dataset has them.
    """

    function: str
    inputs: Mapping[str, str]
    optional: tuple[str, ...] = ()

    @property
    def required(self) -> list[str]:
        """The results that it cannot do without."""
        return [name for key, name in self.inputs.items() if key not in self.optional]


Entry = TypeVar("Entry", Analysis, Figure, Table)


@dataclass(frozen=True)
class Study:
    """A study: a folder with all its files, which `study.py` in it describes.

    Beside `study.py` lie settings, analyses, figures and tables; `claims.yaml`, what its paper
    claims; `captions/` of figures and tables; `published/`, numbers that the paper printed; and
    `simulated/`, tables of analyses that read no data (`rankassay.plan.simulations`).

    Parameters
    ----------
    name : str
        That of the folder, of its section in the configuration and of its target.
    title : str
        Its subject, and the paper.
    done : str
        The words at the end of a run, after "Done:".
    cutoff : int or None
        The cut-off at which figures and tables compare metrics, if it is not configured otherwise.
    featured : str or None
        The metric that figures of one metric show, if it is not configured otherwise.
    data : sequence of str
        The datasets that its claims are about, apart from constructed rankings.
    section : str
        The class of further settings of its section, as "settings:Section"; none if not given.
    on_request : bool
        Whether it is made only by runs that name it, as it takes many times as long as others.
    analyses, figures, tables : mapping
        By name within the study.
    steps : mapping
        Which analyses one job makes, one after another, by the name of its rule within the study;
        an analysis that none names has a separate job.
    evidence : mapping
        The analyses that the report's overview reads, by what they show: `summary`, metrics by all
        criteria; `conclusions`, what holds across datasets.
    columns : mapping
        The columns of its results besides those of all studies (`rankassay.declared.columns`).
    advice : bool
        Whether the advice on each dataset is made with it.
    """

    name: str
    title: str
    done: str
    cutoff: int | None = None
    featured: str | None = None
    data: tuple[str, ...] = ()
    section: str = ""
    on_request: bool = False
    analyses: Mapping[str, Analysis] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    evidence: Mapping[str, str] = field(default_factory=dict)
    advice: bool = False
    columns: Mapping[str, Column] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder of the study."""
        return Path(__file__).parent / self.name

    @property
    def claims(self) -> Path:
        """The file of its paper's claims, which may not exist."""
        return self.folder / "claims.yaml"

    def resolved(self) -> "Study":
        """Return the study with the whole names of modules."""

        def whole(name: str) -> str:
            own = not name.startswith("rankassay.")
            return f"rankassay.studies.{self.name}.{name}" if own else name

        def named(entries: Mapping[str, Entry]) -> dict[str, Entry]:
            return {
                name: replace(
                    entry,
                    **{
                        key: whole(getattr(entry, key))
                        for key in ("function", "settings", "valuation")
                        if getattr(entry, key, "")
                    },
                )
                for name, entry in entries.items()
            }

        return replace(
            self,
            section=whole(self.section) if self.section else "",
            analyses=named(self.analyses),
            figures=named(self.figures),
            tables=named(self.tables),
        )
