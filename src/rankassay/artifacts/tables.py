"""Tables and their files, which are CSV: numbers and names come back as they were."""

import csv
import re
import warnings
from collections.abc import Callable, Mapping
from typing import IO, Any

import pandas as pd

from rankassay.artifacts.files import Pathlike, atomic, reading
from rankassay.errors import RankassayError

# How a number is read as the float64 that is nearest to it: pandas before 3 needs the option.
EXACT = {"float_precision": "round_trip"} if pd.__version__ < "3" else {}
# Columns of names and ids, which are text even where they all look like numbers: of systems that
# are called 01, 1 and 1e0, one would be left. A checksum can look like a number, too.
TEXTS = (
    *("system", "system_a", "system_b", "recommender", "algorithm", "dataset", "study", "id"),
    *("metric", "metric_a", "metric_b", "measure", "user", "item", "sha256", "statistic", "test"),
    *("source", "version", "definition", "definition_a", "definition_b", "profile", "aggregate"),
    *("left_out", "beats", "equivalence", "winner", "second", "reference_winner"),
)
# What a spreadsheet computes rather than shows, and what it shows as a number.
FORMULA = re.compile(r"'*[=+\-@\t\r＝＋－＠].", re.DOTALL)
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s?%?", re.ASCII | re.IGNORECASE)


def write_table(table: pd.DataFrame, path: Pathlike) -> None:
    """Write a table as CSV, floats with as many digits as bring the same float64 back."""
    text = table.to_csv(index=False, lineterminator="\n")
    if "\r" in text:  # in a field that nothing quotes it would end the line
        text = table.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    with atomic(path, "w") as file:
        file.write(text)


def quoted(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table that can be opened in a spreadsheet: no text or name in it is a formula.

    An apostrophe before it makes it a text; `unquoted` takes it away again.
    """
    return _with_texts(table, lambda text: f"'{text}" if _is_formula(text) else text)


def unquoted(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of which `quoted` is the given one."""
    return _with_texts(
        table, lambda text: text[1:] if text[0] == "'" and _is_formula(text) else text
    )


def _with_texts(table: pd.DataFrame, change: Callable[[str], str]) -> pd.DataFrame:
    """Return a table whose texts are changed, and the names of its columns."""
    columns = {
        _changed(name, change): values
        if pd.api.types.is_numeric_dtype(values)
        else [_changed(value, change) for value in values]
        for name, values in table.items()
    }
    return pd.DataFrame(columns, index=table.index)


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    return change(value) if isinstance(value, str) and value else value


def _is_formula(text: str) -> bool:
    return FORMULA.match(text) is not None and NUMBER.fullmatch(text) is None


def read_table(path: Pathlike) -> pd.DataFrame:
    """Read a table that `write_table` wrote; raises RankassayError if it was altered since."""
    with reading(path, "a table"):
        return parsed(path)


def read_tables(paths: Mapping[str, Pathlike], kind: str = "dataset") -> pd.DataFrame:
    """Read the tables of several datasets, or protocols, as one with their names in `kind`.

    A table that has such a column, because it is about several, keeps it.
    """
    tables = {name: read_table(path) for name, path in paths.items()}
    return pd.concat(
        table if kind in table else table.assign(**{kind: name}) for name, table in tables.items()
    )


def parsed(source: Pathlike | IO[str]) -> pd.DataFrame:
    """Return a table from its text: only empty fields are missing values, and `TEXTS` are text."""
    kinds = dict.fromkeys(TEXTS, "str")
    form = EXACT | {"dtype": kinds, "index_col": False}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # of rows cut to the header
            return pd.read_csv(source, keep_default_na=False, na_values=[""], **form)
    except pd.errors.ParserWarning:
        message = "expected rows with as many fields as names, found some with more."
        raise RankassayError(message) from None
