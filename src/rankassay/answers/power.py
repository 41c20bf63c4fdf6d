"""The table of discriminative power, of metrics or of preferences."""

from collections.abc import Callable, Mapping

import pandas as pd

from rankassay.answers import identical
from rankassay.drawing.table import Table, stacked

DIGITS = "{:.2f}".format


def power(
    rows: pd.DataFrame,
    titles: Mapping[str, str],
    kind: str,
    caption: str,
    drawn: str,
    said: str,
    more: Mapping[str, str],
    formats: Mapping[str, Callable] | None = None,
) -> Table:
    """Return the sum of the p-values of all pairs of systems, a row for each measure.

    Parameters
    ----------
    rows : DataFrame
        With the columns of `rankassay.statistics.discriminative_power.summed_up`, measure and those
        of `more`.
    titles : mapping
        The names of the datasets for readers.
    kind : str
        What a measure is.
    caption, drawn, said : str
        What the table shows, how many permutations there were, and what further columns mean.
    more : mapping
        The heads of further columns, by their names.
    formats : mapping or None
        How these are written, by their heads.
    """
    known = rows["low"].notna().any()
    heads = {"measure": kind, "pairs": "Pairs", "dp": "DP"}
    heads |= {"low": "from", "high": "to"} if known else {}
    heads |= {"significant_05": "p < .05", "significant_01": "p < .01"} | dict(more)
    interval = ", with its interval of 95 % over resampled users" if known else ""
    return Table(
        stacked(rows, identical.with_all(rows, heads), titles),
        caption,
        dict.fromkeys(["DP", identical.ALL_PAIRS, "from", "to"], DIGITS) | dict(formats or {}),
        note="Two-sided paired permutation tests, in which users swap their lists between two "
        f"systems. {drawn} No p-value is corrected for the number of pairs. DP: the sum of the "
        f"p-values{interval}; lower is better. {said}{identical.note(rows, titles)}",
    )
