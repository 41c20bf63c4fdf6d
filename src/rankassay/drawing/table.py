"""One table as three files: CSV with the raw values, Markdown and LaTeX (booktabs) for readers.

People open this CSV in spreadsheets, so its texts are quoted (`rankassay.artifacts.tables.quoted`).

The functions that make tables get results by name, as the analyses that their study names return
them, with the column dataset unless they are of constructed data or of all datasets; a result that
is optional is None where no dataset has it. What else they have parameters for they get, too:
cutoff, the cut-off to show; titles, the datasets' titles by short name, in the order of the rows;
n_systems, how many systems the study compares; and published, the numbers that the paper printed.
They raise NothingToShowError where results have no rows at the cut-off.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rankassay.artifacts.files import Pathlike, atomic
from rankassay.artifacts.tables import quoted, write_table
from rankassay.drawing.sentences import plain
from rankassay.drawing.text import Printed, latex, markdown
from rankassay.errors import NothingToShowError
from rankassay.metrics.catalogue import label, ordered

Formatter = Callable[[Any], str]

MISSING = "–"
FIRST = "nDCG"  # the metric that sentences are about, where a dataset has it
ANSWERS = ["Dataset", "Question", "Answer"]
# Rankings are said to agree from this tau on: Voorhees, Information Processing and Management 36,
# 2000
ALIKE = 0.9


@dataclass(frozen=True)
class Table:
    """A table to print."""

    frame: pd.DataFrame  # the raw values; the column names are the headings
    caption: str
    # how a column's values are printed: by `str` if not named here
    formatters: Mapping[str, Formatter] = field(default_factory=dict)
    # by column, which cells are bold
    marked: Mapping[str, Sequence[bool]] = field(default_factory=dict)
    note: str = ""  # below the table
    # by column, the superscript of each cell; the CSV has it as a column that ends in "beats"
    raised: Mapping[str, Sequence[str]] = field(default_factory=dict)


def write(table: Table, stem: Pathlike) -> None:
    """Write a table as `<stem>.csv`, `.md` and `.tex`; the same table always gives the same."""
    text = printed(table)
    write_table(quoted(_with_raised(table)), f"{stem}.csv")
    with atomic(f"{stem}.md", "w") as file:
        file.write(markdown(text))
    with atomic(f"{stem}.tex", "w") as file:
        file.write(latex(text, Path(stem).name))


def printed(table: Table) -> Printed:
    """Return a table as it is printed; numbers are aligned to the right."""
    columns = []
    for name, values in table.frame.items():
        printer = table.formatters.get(name, str)
        texts = [MISSING if pd.isna(value) else printer(value) for value in values]
        bold = map(bool, table.marked[name]) if name in table.marked else [False] * len(texts)
        above = [table.raised[name]] if name in table.raised else []
        columns.append(zip(texts, bold, *above, strict=True))
    numeric = [*map(pd.api.types.is_numeric_dtype, table.frame.dtypes)]
    cells = [[*row] for row in zip(*columns, strict=True)]
    return Printed([*map(str, table.frame)], cells, numeric, table.caption, table.note)


def at_cutoff(table: pd.DataFrame, cutoff: int) -> pd.DataFrame:
    """Return the rows at a cut-off, and those of whole lists, which have none.

    The table has the column cutoff, and its rows are about a metric, or about metric_a and
    metric_b; rows at the cut-off take precedence over the same of whole lists.
    """
    metrics = [name for name in ("metric", "metric_a", "metric_b") if name in table]
    named = [{*names} for names in table[metrics].itertuples(index=False, name=None)]
    datasets = table["dataset"] if "dataset" in table else [""] * len(table)
    keys = [(dataset, *sorted(names)) for dataset, names in zip(datasets, named, strict=True)]
    at = (table["cutoff"] == cutoff).to_numpy()
    taken = {key for key, own in zip(keys, at, strict=True) if own}
    other = np.array([key not in taken for key in keys], dtype=bool)  # of no rows, too
    return table[at | (table["cutoff"].isna().to_numpy() & other)]


def _with_raised(table: Table) -> pd.DataFrame:
    """Return the raw values, each superscript in the column next to its value's."""
    columns = {}
    for name, values in table.frame.items():
        columns[name] = values
        if name in table.raised:
            columns[f"{name} beats"] = [*table.raised[name]]
    return pd.DataFrame(columns)


def nothing(what: str, cutoff: int) -> NothingToShowError:
    """Return the error for results that have no rows at a cut-off."""
    return NothingToShowError(f"no {what} to show: expected rows at cut-off {cutoff}, found none.")


def by_dataset(
    table: pd.DataFrame, titles: Mapping[str, str]
) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the title and the rows of each dataset of a table, in the order of the titles."""
    for dataset, title in titles.items():
        own = table[table["dataset"] == dataset]
        if len(own):
            yield title, own


def spread(table: pd.DataFrame, keys: Sequence[str], columns: str, values: str) -> pd.DataFrame:
    """Return a row for each dataset and its keys, in order of appearance, a column for each value.

    The value is that of `columns`, and `values` are in the cells.
    """
    index = ["dataset", *keys]
    wide = table.pivot(index=index, columns=columns, values=values)
    first = pd.MultiIndex.from_frame(table[index].drop_duplicates())
    return wide.reindex(index=first).reset_index()


def stacked(
    table: pd.DataFrame, columns: Mapping[str, str], titles: Mapping[str, str]
) -> pd.DataFrame:
    """Return columns of all datasets, under their heads, with the titles of the datasets first."""
    parts = []
    for title, own in by_dataset(table, titles):
        part = own[[*columns]].rename(columns=columns)
        part.insert(0, "Dataset", title)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def name_of(metric: str, cutoff: float | None) -> str:
    """Return a metric for readers, without a cut-off where a table has none."""
    return label(metric, None if pd.isna(cutoff) else cutoff)


def told(rows: pd.DataFrame, column: str = "metric") -> pd.DataFrame:
    """Return the rows of the metric that sentences about a dataset use: nDCG, or the first."""
    metric = FIRST if (rows[column] == FIRST).any() else rows[column].iloc[0]
    return rows[rows[column] == metric]


def named(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return pairs of metrics with the column name, the readers' name of the first."""
    return pairs.assign(name=[*map(name_of, pairs["metric_a"], pairs["cutoff"])])


def tenth(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the level that is next to 10%."""
    level = min(rows["level"].unique(), key=lambda level: abs(level - 10))
    return rows[rows["level"] == level]


def shown(table: pd.DataFrame, cutoff: int, what: str = "") -> pd.DataFrame:
    """Return the rows at a cut-off, or of whole lists, in the catalogue's order of metrics.

    With the column measure, its name for readers. If there are none, and `what` says of what, that
    is NothingToShowError.
    """
    rows = at_cutoff(table, cutoff)
    if what and rows.empty:
        raise nothing(what, cutoff)
    names = [*map(name_of, rows["metric"], rows["cutoff"])]
    place = {name: i for i, name in enumerate(ordered(rows["metric"]))}
    rows = rows.assign(measure=names)
    return rows.sort_values("metric", key=lambda metric: metric.map(place), kind="stable")


def answered_at(
    cutoff: int,
    asked: Iterable[tuple[str, pd.DataFrame | None, Callable[[pd.DataFrame], str]]],
    titles: Mapping[str, str],
    caption: str,
) -> Table:
    """Return answers of each dataset's rows at a cut-off, or of whole lists.

    `asked` are a question; a table by dataset, metric and cutoff, or None, which leaves it out; and
    what makes the answer of a dataset's rows.
    """
    said = []
    for question, table, answer in asked:
        if table is not None:
            rows = shown(table, cutoff) if "metric" in table else at_cutoff(table, cutoff)
            said += [(title, question, answer(own)) for title, own in by_dataset(rows, titles)]
    return answered(said, titles, caption)


def answered(
    said: Iterable[tuple[str, str, str]], titles: Mapping[str, str], caption: str
) -> Table:
    """Return answers by dataset and question, in the order of the datasets' titles."""
    frame = pd.DataFrame(said, columns=ANSWERS)
    frame["Answer"] = frame["Answer"].map(plain)
    place = {title: i for i, title in enumerate(titles.values())}
    frame = frame.sort_values("Dataset", key=lambda names: names.map(place), kind="stable")
    return Table(frame.reset_index(drop=True), caption)
