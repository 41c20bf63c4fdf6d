"""Studies, and what the plan knows of their analyses, figures and tables.

A function, or a class of settings, is named as "module:name" and imported on use; the module is
one of the study's own folder, or begins with "rankassay". What a signature says is read from its
source.
"""

import functools
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rankassay.declared.columns import Column
from rankassay.lookup import header, load

if TYPE_CHECKING:
    from rankassay.studies.settings import Settings  # pydantic's, which reading results needs not

NO_SETTINGS = "rankassay.studies.settings:Settings"

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
# What parameters of these names get that is no result of an analysis: of the dataset, its parts and
# what is known of it; aspects, the dataset where items have some; propensities of the ratings;
# replicates, the users' values under each of the study's protocols; and the paper's claims.
ARTIFACTS = {
    *("train", "test", "ratings", "aspects", "attributes", "statistics", "truth", "propensities"),
    *("rankings", "scores", "means", "fidelity", "replicates", "claims"),
}

# The caption of verdicts on a paper's sentences.
CLAIMS_SHOWN = (
    "Each row is a sentence, and each two columns a run: a dataset, or a variant of it "
    "that was studied (the same data with another split, or with other settings of the "
    "systems). The first says whether the sentence is reproduced (the same systems, users "
    "drawn anew), the second whether it is general (systems drawn anew as well, a family "
    "at a time)."
)


@dataclass(frozen=True)
class Shown:
    """What a study makes of results: a function, and what its parameters get.

    A parameter gets the result of the study's analysis of its name, or an artifact. The function
    can do without those whose type is a union with None.

    Parameters
    ----------
    function : str
    of : mapping
        What parameters get whose names do not say it: results of other studies, published numbers
        ("published/table-3"), the counts of the split and of its filter ("split/summary",
        "split/filter") and the propensities of the test ratings ("split/propensities").
    reads : tuple of str
        What parameters get whose names the source does not have.
    always : tuple of str
        The parameters that the pipeline always gives, though the function can do without them.
    study : str
        Set by `Study.resolved`, with `analyses`, the names of all others of the study, and
        `section`, the class of the settings of the study as a whole.
    """

    function: str
    of: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    reads: tuple[str, ...] = field(default=(), kw_only=True)
    always: tuple[str, ...] = field(default=(), kw_only=True)
    study: str = field(default="", kw_only=True)
    analyses: Collection[str] = field(default=(), kw_only=True)
    section: str = field(default=NO_SETTINGS, kw_only=True)

    @functools.cached_property
    def parameters(self) -> dict[str, str]:
        """The types of the parameters, as the source has them, by name."""
        return _parameters(self.function)

    @property
    def settled(self) -> Collection[str]:
        """The parameters that get settings."""
        return ()

    @functools.cached_property
    def inputs(self) -> dict[str, str]:
        """What it reads, by the names of the parameters."""
        found = {}
        for name in (*self.parameters, *self.reads):
            short = name.replace("_", "-")
            if name in self.of:
                found[name] = self.of[name]
            elif name in self.settled:
                continue
            elif name in ARTIFACTS:
                found[name] = name
            elif short in self.analyses and self._is_table(name):
                found[name] = f"{self.study}/{short}"
        return found

    def _is_table(self, name: str) -> bool:
        """Whether a parameter gets a table, by its type or as `reads` says."""
        return name in self.reads or bool(re.search("DataFrame|Replicated", self.parameters[name]))

    @functools.cached_property
    def optional(self) -> tuple[str, ...]:
        """The parameters among its inputs that it can do without."""
        known = self.parameters
        return tuple(
            name
            for name in self.inputs
            if re.search("None|NotRequired", known.get(name, "")) and name not in self.always
        )

    @functools.cached_property
    def required(self) -> list[str]:
        """The inputs that it cannot do without."""
        return [name for key, name in self.inputs.items() if key not in self.optional]


def _parameters(target: str) -> dict[str, str]:
    found = header(target)
    return found.parameters if found else {}


@dataclass(frozen=True)
class Analysis(Shown):
    """One analysis of a study.

    Its function gets, besides its inputs and its settings, of `dataset`, `seed`, `evaluation`,
    `shard` and `runs` (the datasets of the run with their titles, for sentences) those that it has
    parameters for. It returns a table, or `Replicated` if it has numbers for resampled users, too.
    Inputs whose type names `Replicated` come with theirs.

    Parameters
    ----------
    settings : str
        The class of its settings, as in "settings:Groups", whose fields the function gets by name,
        as it gets those of the study as a whole that it has parameters for.
    about : str
        What it does, for users; if not given, the docstring of its settings.
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
    trains : bool
        Whether it trains the configured recommenders itself: where there are none it is skipped.
    holds : float
        The kB that it holds for each user and system, by which memory is asked. Less than
        `ALL_VALUES` is for one that reads the values of some measures at a time
        (`rankassay.artifacts.shards`), or whose job does so (`in_turn`).
    slow : int
        How many times as long as the slowest of most analyses it takes, for schedulers.
    valuation : str
        The function that makes the `rankassay.statistics.valuation.Valuation` that is the first
        parameter of the analysis's function; both get of all else what they name.
    borrows : mapping
        Other analyses whose settings it follows, by the names of its parameters: it gets each as a
        mapping, or None where the configuration leaves that analysis out.
    """

    settings: str = NO_SETTINGS
    about: str = ""
    evaluation: tuple[str, ...] = ()
    constructed: bool = False
    across: bool = False
    by_protocol: bool = False
    shared: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    of_cutoffs: bool = False
    whole_rankings: bool = False
    trains: bool = False
    holds: float = ALL_VALUES
    slow: int = 1
    valuation: str = ""
    borrows: Mapping[str, str] = field(default_factory=dict)

    @property
    def model(self) -> "type[Settings]":
        """The class of its settings."""
        return load(self.settings)

    @functools.cached_property
    def parameters(self) -> dict[str, str]:
        """The types of the parameters, those of the valuation among them, by name."""
        own = _parameters(self.function)
        return _parameters(self.valuation) | own if self.valuation else own

    @property
    def settled(self) -> Collection[str]:
        """The parameters that get settings."""
        return {*self.model.model_fields, *self.borrows, *self.common}

    @functools.cached_property
    def common(self) -> frozenset[str]:
        """The settings of the study as a whole that it gets: its function has such parameters."""
        of_study = load(self.section).model_fields
        return frozenset(self.parameters) & {*of_study} - {*self.model.model_fields}

    @property
    def description(self) -> str:
        """What it does, for users."""
        return self.about or " ".join((self.model.__doc__ or "").split())

    @functools.cached_property
    def replicated(self) -> bool:
        """Whether it returns its numbers for resampled users, too."""
        found = header(self.function)
        return found is not None and "Replicated" in found.returns

    @functools.cached_property
    def compares(self) -> bool:
        """Whether it gets the replicates of its inputs, as by a type, or to judge claims."""
        types = (self.parameters.get(name, "") for name in self.inputs)
        return self.judges or any("Replicated" in own for own in types)

    @property
    def runs(self) -> bool:
        """Whether it gets the run's datasets, and is made again where one of these changes."""
        return "runs" in self.parameters

    @property
    def in_turn(self) -> bool:
        """Whether it computes users' values of the metrics that jobs can share: some at a time."""
        of_metrics = bool(self.shared) and {*self.shared} <= OF_METRICS
        return of_metrics and "rankings" in self.inputs.values()

    @property
    def judges(self) -> bool:
        """Whether it judges claims: those whose results are missing are not asked."""
        return "claims" in self.inputs.values()

    @property
    def place(self) -> str:
        """The name in place of a dataset's, for results of no dataset; else empty."""
        return "constructed" if self.constructed else "across" if self.across else ""


@dataclass(frozen=True)
class Figure:
    """One figure: its drawing function, the analysis it shows, and the subjects of its panels.

    The function gets the analysis's table, with the column dataset unless it is constructed, and
    the panels as `shown` returns them. It raises NothingToShowError where a panel has no rows. The
    caption says what is seen, and which figure of a paper it is.

    `panels` is "metrics" when a panel shows one metric on one dataset over its cut-offs,
    "datasets" when a panel shows all metrics at the reference cut-off on one dataset, "dataset"
    when each dataset has a figure of its own, whose function makes the panels, "constructed" when
    the figure shows an analysis that needs no dataset, and "across" one of all datasets at once.
    """

    function: str
    analysis: str
    panels: str
    caption: str

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
class Table(Shown):
    """One table of a study; `rankassay.drawing.table` says what its function gets and returns.

    What results it can do without it gets as None where no dataset has them.
    """

    caption: str = ""  # not needed where a figure has its name, or its own title says all

    @property
    def settled(self) -> Collection[str]:
        """The parameters that get what is no result: the numbers that the paper printed."""
        return ("published",)


Entry = TypeVar("Entry", Analysis, Figure, Table)


@dataclass(frozen=True)
class Study:
    """A study: a folder with all its files, which `study.py` in it describes.

    Next to it lie `settings.py`, analyses, figures and tables; `claims.yaml`, what its paper
    claims; `published/`, numbers that the paper printed; and `simulated/`, tables of analyses that
    read no data (`rankassay.plan.steps`).

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
        The class of settings of the study as a whole: analyses with a parameter of such a name get
        it.
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
    section: str = NO_SETTINGS
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
    def model(self) -> "type[Settings]":
        """The class of the settings of the study as a whole."""
        return load(self.section)

    def place(self, analysis: str, key: str) -> str:
        """Return where a setting of an analysis stands in the configuration."""
        common = key in self.analyses[analysis].common
        return f"{self.name}.{key}" if common else f"{self.name}.analyses.{analysis}.{key}"

    def settings_of(self, analysis: str, section: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of an analysis in the study's section of a configuration.

        Those of the study as a whole that it gets are among them.
        """
        common = sorted(self.analyses[analysis].common)
        return {**section["analyses"][analysis], **{key: section[key] for key in common}}

    @property
    def claims(self) -> Path:
        """The file of its paper's claims, which may not exist."""
        return self.folder / "claims.yaml"

    def resolved(self) -> "Study":
        """Return the study with the whole names of modules, and entries that know its analyses."""

        def whole(name: str) -> str:
            own = not name.startswith("rankassay.")
            return f"rankassay.studies.{self.name}.{name}" if own else name

        section = whole(self.section)

        def named(entries: Mapping[str, Entry]) -> dict[str, Entry]:
            found = {}
            for name, entry in entries.items():
                changed: dict[str, Any] = {"function": whole(entry.function)}
                if isinstance(entry, Shown):
                    others = {*self.analyses} - ({name} if isinstance(entry, Analysis) else set())
                    changed |= {"study": self.name, "analyses": frozenset(others)}
                    changed["section"] = section
                if isinstance(entry, Analysis):
                    changed["settings"] = whole(entry.settings)
                    changed["valuation"] = whole(entry.valuation) if entry.valuation else ""
                found[name] = replace(entry, **changed)
            return found

        return replace(
            self,
            section=section,
            analyses=named(self.analyses),
            figures=named(self.figures),
            tables=named(self.tables),
        )
