"""Finished runs for users of Python: results as tidy frames, their findings, and figures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from rankassay.advice.cutoffs import AUTO, among
from rankassay.artifacts.files import MANIFEST, Pathlike, certified, read_json
from rankassay.artifacts.tables import read_table
from rankassay.config.cutoffs import possible
from rankassay.config.titles import PLACES, dataset_title
from rankassay.data import inputs
from rankassay.data.inputs import opened
from rankassay.errors import RankassayError, one_of, unknown, written
from rankassay.lookup import find, load
from rankassay.metrics.names import canonical
from rankassay.studies import ANALYSES, FIGURES, STUDIES
from rankassay.types import Shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What a run writes of each dataset in addition to the analyses.
OF_DATASETS = {
    "means": "means.csv",
    "scores": "scores.npz",
    "statistics": "statistics.csv",
    "fidelity": "fidelity.csv",
}
# The target that makes a result where it is not that of its study.
TARGETS = {"claims": "claims", "constructed-claims": "claims", "fidelity": "fidelity"}


def results(
    name: str, folder: Pathlike = ".", datasets: str | Sequence[str] | None = None
) -> pd.DataFrame:
    """Return results of a finished run as one frame, with a column that names the dataset.

    Parameters
    ----------
    name : str
        An analysis, as in "robustness/sparsity", whose docstring has the columns
        (`rankassay.studies.ANALYSES` names all); "means", one row per system and measure; "scores",
        one row per user and system, with a column for every measure; "statistics" of the datasets;
        "claims", the verdicts on the papers' claims; or "fidelity", the systems' means next to the
        published ones.
    folder : path
        Where the workflow ran: the folder that holds `results`.
    datasets : str, sequence of str or None
        Which datasets and variants; None takes all that exist, in the order of the configuration.
        An analysis of a paper's own rankings has the dataset "constructed", and one of all datasets
        at once "across".

    Returns
    -------
    DataFrame
        As the workflow wrote it. The users of "scores" are indices into the `user_ids` of
        `data/processed/<dataset>/ratings.npz`, or of a file in the folder `filtered` next to it
        where a filter comes before the split.

    Raises
    ------
    RankassayError
        For unknown names, with the nearest known one; for missing results, with the command that
        makes them; and for a file that is not what its record or the manifest of the run says.

    Examples
    --------
    >>> import rankassay, pandas as pd, tempfile
    >>> from rankassay.artifacts.tables import write_table
    >>> folder = tempfile.TemporaryDirectory()
    >>> table = pd.DataFrame({"metric": ["P", "RR"], "cutoff": 10, "level": 50, "tau": [0.9, 0.7]})
    >>> write_table(table, f"{folder.name}/results/mine/robustness/sparsity.csv")
    >>> rankassay.results("robustness/sparsity", folder.name)
      dataset metric  cutoff  level  tau
    0    mine      P      10     50  0.9
    1    mine     RR      10     50  0.7
    >>> folder.cleanup()
    """
    known = [*ANALYSES, *OF_DATASETS, "claims"]
    one_of("result", name, known)
    folder = inputs.path("folder", folder)
    wanted = None if datasets is None else inputs.names("datasets", datasets)
    if name == "claims":
        table = _read(_places(folder, name, "claims.csv")[0])
        for dataset in wanted or ():
            one_of(f"dataset with results of {name}", dataset, table["dataset"].unique())
        return table if wanted is None else table[table["dataset"].isin(wanted)]
    file = OF_DATASETS.get(name, f"{name}.csv")
    places = {
        path.parents[file.count("/")].name: path for path in _places(folder, name, f"*/{file}")
    }
    for dataset in wanted or ():
        if dataset not in places:
            raise unknown(f"dataset with results of {name}", dataset, places)
    tables = {dataset: _read(places[dataset]) for dataset in wanted or _ordered(places, folder)}
    named = [_with_dataset(table, dataset) for dataset, table in tables.items()]
    return pd.concat(named, ignore_index=True)


def draw(
    name: str,
    source: Pathlike | pd.DataFrame = ".",
    datasets: str | Sequence[str] | None = None,
    metrics: str | Sequence[str] | None = None,
    cutoff: int | None = None,
    titles: Mapping[str, str] | None = None,
) -> "Figure":
    """Draw a figure of a study from the results of a finished run, or from a frame of them.

    Parameters
    ----------
    name : str
        A figure, as in "robustness/figure-6"; `rankassay.studies.FIGURES` names all.
    source : path or frame
        Where the workflow ran; or a frame as `rankassay.results` returns it for the figure's
        analysis, or `rankassay.robustness` for figures 2, 3, 6 and 7 of that study.
    datasets : str, sequence of str or None
        What to show; None shows all that exist.
    metrics : str, sequence of str or None
        In figures with a panel for each metric, which ones; None is all.
    cutoff : int or None
        Where metrics are compared; None takes the cut-off that the run was configured with, or the
        deepest one in a frame.
    titles : mapping or None
        The names of datasets to show; None takes those of the configuration.

    Returns
    -------
    matplotlib.figure.Figure
        A notebook shows it as it is. `figure.savefig("figure.pdf")` writes it. It is laid out for
        its size: for another one, set that and then `figure.set_layout_engine("constrained")`.

    Raises
    ------
    RankassayError
        As for `results`; if a figure shows one dataset and the frame has several; and if the frame
        has no rows to show.

    Examples
    --------
    >>> import rankassay, pandas as pd
    >>> table = pd.DataFrame(
    ...     {"metric": ["P", "P", "RR", "RR"], "cutoff": 10, "level": [100, 50] * 2}
    ... ).assign(tau=[1, 0.9, 1, 0.7])
    >>> figure = rankassay.draw("robustness/figure-6", table, titles={"": "Made up"})
    >>> [axes.get_title() for axes in figure.axes]
    ['Made up']
    """
    entry = find("figure", name, FIGURES)
    study = name.partition("/")[0]
    config: dict[str, Any] = {}
    if cutoff is not None:
        cutoff = inputs.whole("cutoff", cutoff, 1)
    if titles is not None and not isinstance(titles, Mapping):
        raise RankassayError(f"titles: expected a mapping, found {type(titles).__name__}.")
    source = opened(source)
    if isinstance(source, pd.DataFrame):
        inputs.frame("source", source)
        if source.empty:
            raise RankassayError(f"source: expected rows for {name} to show, found none.")
        table = source if "dataset" in source else _with_dataset(source, "")
    else:
        analysis = f"{study}/{entry.analysis}"
        table = results(analysis if analysis in ANALYSES else entry.analysis, source, datasets)
        config = configuration(source)
    shown = (name, table, datasets, metrics, cutoff, titles or {}, config)
    if not isinstance(source, pd.DataFrame):
        return _drawn(*shown)
    try:
        return _drawn(*shown)
    except (LookupError, TypeError, ValueError, NameError, ArithmeticError) as error:
        raise RankassayError(
            f"{name}: expected a frame as rankassay.results('{study}/{entry.analysis}') returns "
            f"it, found the columns {', '.join(map(written, source.columns)) or 'none'} "
            f"({error!r})."
        ) from error


def _drawn(name, table, datasets, metrics, cutoff, titles, config) -> "Figure":
    """Draw the requested part of a table; see `draw`."""
    entry, study = FIGURES[name], name.partition("/")[0]
    shown = table["dataset"].unique() if datasets is None else inputs.names("datasets", datasets)
    shown = [*map(str, shown)]
    if entry.panels == "dataset" and len(shown) > 1:
        raise RankassayError(f"{name} shows one dataset; give datasets= one of {', '.join(shown)}.")
    if entry.panels != "metrics" and metrics is not None:
        raise RankassayError(
            f"{name} has no panel for each metric; give it a frame that holds the metrics wanted."
        )
    table = table[table["dataset"].isin(shown)]
    if entry.panels == "metrics":
        metrics = inputs.names("metrics", table["metric"].unique() if metrics is None else metrics)
        metrics = [*map(canonical, metrics)]
    if cutoff is None and study in config:
        cutoff = config[study]["cutoff"]
    elif cutoff is None and "cutoff" in table:
        cutoff = _deepest(name, table)
    named = {dataset: title_of(config, dataset, titles) for dataset in shown}
    figure = load(entry.function)(table, entry.shown(named, cutoff, metrics or ()))
    from rankassay.drawing.style import in_notebooks  # on use: matplotlib is an extra

    return in_notebooks(figure)


def _deepest(name: str, table: pd.DataFrame) -> int:
    """Return the deepest cut-off of a table; raises RankassayError if there is none."""
    cutoffs = table["cutoff"].dropna()
    if cutoffs.empty:
        raise RankassayError(f"{name}: expected rows at a cut-off to show, found none.")
    return int(cutoffs.max())


def _places(folder: Pathlike, name: str, pattern: str) -> list[Path]:
    """Return the files of a result; raises RankassayError if there are none."""
    root = Path(folder) / "results"
    found = [path for path in root.glob(pattern) if path.relative_to(root).parts[0] != "tables"]
    if not found:
        study = name.partition("/")[0] if "/" in name else next(iter(STUDIES))
        target = TARGETS.get(name.rpartition("/")[2], study)
        raise RankassayError(
            f"no results of {name} in '{root}'; make them with "
            f"./run snakemake --cores 2 {target}, or name the folder in which that ran."
        )
    return found


def _read(path: Path) -> pd.DataFrame:
    """Read a table, or scores as one: one row per user and system, one column per measure."""
    certified(path)
    if path.suffix == ".csv":
        return read_table(path)
    from rankassay.artifacts.arrays import (
        Scores,  # on use: a job that draws needs no sparse matrices
    )

    scores = Scores.load(path)
    n_users, n_systems, n_measures = scores.values.shape
    table = pd.DataFrame(scores.values.reshape(-1, n_measures), columns=scores.measures)
    table.insert(0, "user", scores.users.repeat(n_systems))
    table.insert(1, "system", [*map(str, scores.systems)] * n_users)
    return table


def _with_dataset(table: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Return a table whose first column is its dataset."""
    rest = table.drop(columns="dataset", errors="ignore")
    return pd.concat([pd.Series(dataset, rest.index, name="dataset"), rest], axis=1)


def configuration(folder: Pathlike) -> dict[str, Any]:
    """Return the configuration of the run that finished last in a folder, or none."""
    place = Path(folder) / MANIFEST
    if not place.is_file():
        return {}
    content = read_json(place)
    config = content.get("config") if isinstance(content, dict) else None
    if not _usable(config):
        raise RankassayError(
            f"{place}: expected the manifest of a run, found another configuration in it, or none; "
            "delete the file and run again."
        )
    followed = [study for study in STUDIES if config.get(study, {}).get("cutoff") == AUTO]
    if not followed:
        return config
    paths = [Path(folder) / f"results/{name}/advice.json" for name in config["datasets"]]
    advice = [read_json(certified(path)) for path in paths if path.is_file()]
    advised = [own["data"]["cutoff"] for own in advice]
    known = {study: possible(config, study) for study in followed}
    cutoffs = {study: among(own, advised or own[-1:]) for study, own in known.items()}
    return config | {study: config[study] | {"cutoff": own} for study, own in cutoffs.items()}


def _usable(config: Any) -> bool:
    """Return whether a configuration has these titles of datasets, and the studies' cut-offs."""
    try:
        datasets = config.get("datasets", [])
        names = [*PLACES, *config["variants"], *config["dataset_catalogue"]]
        titles = [dataset_title(config, name) for name in names]
        cutoffs = [config[study]["cutoff"] for study in STUDIES if study in config]
        if AUTO in cutoffs:
            cutoffs = [cutoff for cutoff in cutoffs if cutoff != AUTO]
            cutoffs += config["metrics"]["cutoffs"] or [None]
    except (AttributeError, KeyError, TypeError):
        return False
    texts = [*datasets, *titles] if isinstance(datasets, list) else [None]
    return all(isinstance(text, str) for text in texts) and all(type(c) is int for c in cutoffs)


def _ordered(datasets: Iterable[str], folder: Pathlike) -> list[str]:
    """Return datasets in the order of the configuration, and then others by name."""
    configured = [name for name in configuration(folder).get("datasets", ()) if name in datasets]
    return configured + sorted({*datasets} - {*configured})


def title_of(config: dict[str, Any], dataset: str, titles: Mapping[str, str]) -> str:
    """Return a dataset's title: the one wished for, the configured one, or else its name."""
    if dataset in titles or not config:
        return titles.get(dataset, dataset)
    known = {*PLACES, *config["variants"], *config["dataset_catalogue"]}
    return dataset_title(config, dataset) if dataset in known else dataset


@dataclass(frozen=True, repr=False)
class Summary(Shown):
    """A study's findings on metrics; printed as sentences.

    Attributes
    ----------
    table : DataFrame
        Columns dataset, and those of `rankassay.answers.criteria.summary`, at all cut-offs.
    cutoff : int
        At which the metrics are compared.
    sentences : dict
        By the dataset's title, the findings of the table: the best metrics, those tied with them,
        and what the data cannot decide.
    """

    table: pd.DataFrame
    cutoff: int
    sentences: dict[str, list[str]]

    def __str__(self) -> str:
        from rankassay.answers import words  # on use: frames and figures need none

        return "\n\n".join(words.paragraph(*item) for item in self.sentences.items())


def summary(
    folder: Pathlike = ".",
    study: str | None = None,
    datasets: str | Sequence[str] | None = None,
    cutoff: int | None = None,
) -> Summary:
    """Return which metrics stand out by robustness, power and validity, and the evidence.

    Validity is the agreement with the true ranking of the systems, where the data have judgements
    of random items: by what users like and, where the data say who knew what, by what of it is new
    to them. These are two questions with an answer each. Without a truth, the sentences say how
    much selection would change the ranking.

    Parameters
    ----------
    folder : path
        Where the workflow ran: the folder that holds `results`.
    study : {"robustness", "goals", "diversity"} or None
        Whose summary; None takes the first that the run has made.
    datasets : str, sequence of str or None
        Which ones; None takes all that exist.
    cutoff : int or None
        At which the metrics are compared; None takes the cut-off that the run was configured with.

    Examples
    --------
    >>> import rankassay
    >>> print(rankassay.summary())  # doctest: +SKIP
    MovieLens 1M
      The metrics are compared at cut-off 100, with 21 systems and 6,040 test users. ...
    """
    from rankassay.answers import words  # on use: frames and figures need none

    studies = [name for name, entry in STUDIES.items() if "summary" in entry.analyses]
    folder = inputs.path("folder", folder)
    if study is None:
        study = next((name for name in studies if _made(folder, name)), studies[0])
    one_of("study", study, studies)
    table = results(f"{study}/summary", folder, datasets)
    config = configuration(folder)
    known = sorted(int(k) for k in table["cutoff"].dropna().unique())
    if cutoff is None:
        cutoff = config[study]["cutoff"] if study in config else known[-1]
    cutoff = inputs.whole("cutoff", cutoff, 1)
    if cutoff not in known:
        raise RankassayError(
            f"cutoff: expected one of {', '.join(map(str, known))}, found {cutoff}; the run "
            "evaluated no other."
        )
    said = {
        title_of(config, dataset, {}): words.sentences(own, cutoff)
        for dataset, own in table.groupby("dataset", sort=False)
    }
    return Summary(table, cutoff, said)


def _made(folder: Pathlike, study: str) -> bool:
    """Return whether a run has made a study's summary of some dataset."""
    places = Path(folder).glob(f"results/*/{study}/summary.csv")
    return any(path.parents[1].name != "tables" for path in places)
