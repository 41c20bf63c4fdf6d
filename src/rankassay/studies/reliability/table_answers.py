"""The table of answers: the study's findings on each dataset, in sentences."""

from collections.abc import Callable, Mapping

import pandas as pd

from rankassay.answers.words import of_enough
from rankassay.declared.correlations import CORRELATIONS
from rankassay.drawing.table import Table, answered, by_dataset, shown, told
from rankassay.errors import number_of
from rankassay.studies.reliability.words import users_needed
from rankassay.studies.reliability.words_audit import sentences
from rankassay.studies.reliability.words_effects import sentence

HALVES = ("tau_b", "tau_ap")


def answers(
    split_half: pd.DataFrame | None,
    required_users: pd.DataFrame | None,
    effect_sizes: pd.DataFrame | None,
    type_errors: pd.DataFrame | None,
    cutoff: int,
    titles: Mapping[str, str],
) -> Table:
    """Return the findings on each dataset under one metric, nDCG or else the first one.

    Only the answer about tests takes all metrics, between which it depends on the metric.
    """
    asked: list[tuple[str, pd.DataFrame | None, Callable[[pd.DataFrame, str], str]]] = [
        ("Would other users give the same ranking?", split_half, of_enough(_halves)),
        ("How many users does it take to detect a difference?", required_users, _needed),
        ("Which differences are too small to matter?", effect_sizes, _small),
        ("Which significance test errs?", type_errors, _tests),
    ]
    said = [
        (title, question, answer(own, title))
        for question, table, answer in asked
        if table is not None
        for title, own in by_dataset(shown(table, cutoff), titles)
    ]
    return answered(said, titles, "How much is luck, in short.")


def _halves(rows: pd.DataFrame, title: str) -> str:
    """Return how far the largest two sets of users agree."""
    rows = told(rows)
    largest = rows[(rows["against"] == "half") & (rows["users"] == rows["users"].max())]
    found = largest[largest["coefficient"].isin(HALVES)].dropna(subset="mean")
    row = largest.iloc[0]
    two = f"two random sets of {number_of(row['users'], 'user')}"
    if found.empty:
        return f"Unknown: {two} tie all systems under {row['measure']}."
    said = [
        f"{CORRELATIONS[own.coefficient].symbol} = {own.average:.3f} ({own.low:.3f} to "
        f"{own.high:.3f})"
        for own in found.rename(columns={"mean": "average"}).itertuples()
    ]
    first, *more = said
    also = "".join(f" They agree with {other}." for other in more)
    return (
        f"T{two[1:]} agree on the ranking under {row['measure']} with {first}.{also} Each number "
        f"is the mean and the range of the middle 95% over {row['repetitions']:,} random divisions "
        "of the users."
    )


def _needed(rows: pd.DataFrame, title: str) -> str:
    """Return the users that the smallest difference takes in one test, in percent if configured."""
    single = told(rows).query("tests == 1")
    percent = single.dropna(subset="percent")
    by = "percent" if len(percent) else "difference"
    row = (percent if len(percent) else single).sort_values(by).iloc[0]
    return users_needed(row, row["measure"])


def _small(rows: pd.DataFrame, title: str) -> str:
    return sentence(told(rows).iloc[0])


def _tests(rows: pd.DataFrame, title: str) -> str:
    return " ".join(sentences(rows, title))
