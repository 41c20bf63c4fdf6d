"""The table of answers: the study's findings on each dataset, in sentences."""

from collections.abc import Callable, Mapping

import pandas as pd

from assayer.answers.words import of_enough
from assayer.declared.correlations import CORRELATIONS
from assayer.drawing.answers import answered
from assayer.drawing.measures import shown, told
from assayer.drawing.table import Table, by_dataset
from assayer.errors import listed, number_of
from assayer.studies.reliability.words import users_needed
from assayer.studies.reliability.words_audit import sentences
from assayer.studies.reliability.words_effects import sentence

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
        ("Would other users order the systems alike?", split_half, of_enough(_halves)),
        ("How many users does it take to tell systems apart?", required_users, _needed),
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
        return f"Under {row['measure']}, {two} tie all systems."
    said = listed(
        [
            f"{CORRELATIONS[own.coefficient].symbol} = {own.average:.3f} "
            f"({own.low:.3f} to {own.high:.3f})"
            for own in found.rename(columns={"mean": "average"}).itertuples()
        ]
    )
    return (
        f"Under {row['measure']}, the rankings by {two} agree with {said}: the mean of "
        f"{row['repetitions']:,} random divisions of the users and the range of the middle 95%."
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
