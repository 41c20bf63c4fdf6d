"""Judgements that are a truth, and outcomes of systems, in the forms that people have them in."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from rankassay.data.frames import Rows, once
from rankassay.data.ids import ids, shown
from rankassay.data.inputs import opened
from rankassay.data.numbers import Numbers, column_of
from rankassay.data.sources import QrelsSource, is_dictionary, rows_of, table_of
from rankassay.errors import RankassayError, number_of, written
from rankassay.types import Booleans, Floats

TRUTH, OUTCOMES = "the truth", "the outcomes"

OutcomeSource = pd.DataFrame | pd.Series | Mapping[str, object] | str | os.PathLike[str]


@dataclass(frozen=True)
class TruthRows:
    """Judgements, one row each, and their description."""

    rows: Rows
    known: Booleans | None = None  # bool (n_rows,): whether the user had known the item
    inclusion: Floats | None = None  # float64 (n_rows,): the probability that the pair was judged


def truth_rows(source: QrelsSource) -> TruthRows:
    """Read judgements, and of frames and files with names also the columns known and inclusion."""
    table = table_of(opened(source), TRUTH, "truth")
    if table is None:
        return TruthRows(once(rows_of(source, TRUTH, "rating")))
    frame, place = table
    rows = once(Rows.of_frame(frame, TRUTH, "rating"))
    known = _flags(frame["known"], place) if "known" in frame else None
    return TruthRows(
        rows, known, _shares(frame["inclusion"], place) if "inclusion" in frame else None
    )


def outcome_rows(source: OutcomeSource) -> pd.DataFrame:
    """Read outcomes of systems in any form: float64 columns value and error, by system."""
    source = opened(source)
    if isinstance(source, pd.Series):
        source = pd.DataFrame({"system": column_of(source.index), "value": source.array})
    elif is_dictionary(source):
        source = pd.DataFrame(
            {"system": column_of([*source]), "value": column_of([*source.values()])}
        )
    table = table_of(source, OUTCOMES, "outcome")
    if table is None or not {"system", "value"} <= {*table[0]}:
        found = ", ".join(map(str, table[0])) if table else type(source).__name__
        raise RankassayError(
            f"{OUTCOMES}: expected the columns system and value, and error if there is one, found "
            f"{found}; rename them."
        )
    frame, place = table
    code, systems = ids(OUTCOMES, "system", frame["system"])
    numbers = {
        name: Numbers.of(OUTCOMES, name, frame[name]).floats
        for name in ("value", "error")
        if name in frame
    }
    value, error = numbers["value"], numbers.get("error", np.full(len(code), np.nan))
    if (wrong := (code < 0) | ~np.isfinite(value)).any():
        row = int(np.argmax(wrong))
        raise RankassayError(
            f"{place(row)}: expected a system and its outcome, a finite number, found none; "
            "correct it."
        )
    if (wrong := (error < 0) | np.isinf(error)).any():
        row = int(np.argmax(wrong))
        raise RankassayError(
            f"{place(row)}: expected a standard error of at least 0, found {error[row]:g} of "
            f"{shown(systems, code[row])}; correct it."
        )
    if len(systems) < len(code):
        row = int(np.argmax(pd.Series(code).duplicated()))
        raise RankassayError(
            f"{place(row)}: expected each system once, found {shown(systems, code[row])} again; "
            "give one outcome of each."
        )
    names = pd.Index([written(name) for name in systems], name="system")
    return pd.DataFrame({"value": value, "error": error}, index=names)


def _flags(column: pd.Series, place: Callable[[int], str]) -> Booleans:
    """Return flags; a blank is none, and flags of a part would make others of the rest."""
    column = column.astype(object).map(
        lambda own: int(own) if isinstance(own, bool | np.bool_) else own
    )
    found = Numbers.of(TRUTH, "known", column_of(column.tolist())).floats
    if (wrong := ~np.isin(found, (0, 1))).any():
        row = int(np.argmax(wrong))
        missing = "no flag" if np.isnan(found[row]) else f"{found[row]:g}"
        raise RankassayError(
            f"{place(row)}: expected 1 for an item that the user had known, or 0, as known of each "
            f"judgement, found {missing} ({number_of(wrong.sum(), 'row')} in all); correct them, "
            "or leave the column out."
        )
    return found == 1


def _shares(column: pd.Series, place: Callable[[int], str]) -> Floats:
    """Return probabilities; an item that could not be drawn can have no judgement."""
    found = Numbers.of(TRUTH, "inclusion", column).floats
    if (wrong := ~((found > 0) & (found <= 1))).any():
        row = int(np.argmax(wrong))
        raise RankassayError(
            f"{place(row)}: expected a probability above 0 and at most 1 as inclusion of each "
            f"judgement, found {found[row]:g} ({number_of(wrong.sum(), 'row')} in all); correct "
            "them, or leave the column out."
        )
    return found
