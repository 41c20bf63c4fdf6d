"""The study's findings in sentences: the table of answers, and the audit of tests."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from rankassay.answers.words import of_enough
from rankassay.declared.correlations import CORRELATIONS
from rankassay.drawing.table import Table, answered, by_dataset, name_of, shown, told
from rankassay.errors import number_of
from rankassay.studies.reliability.type_errors import CELL, CONTROL, SIMULATION, binomial_interval
from rankassay.studies.reliability.words import of_effects, users_needed

IN_SENTENCES = {
    **{"t": "the t-test", "wilcoxon": "Wilcoxon's test", "sign": "the sign test"},
    **{"bootstrap": "the bootstrap test", "permutation": "the permutation test"},
}


def sentences(table: pd.DataFrame, title: str) -> list[str]:
    """Return the false-positive rates in simulations on a dataset, a sentence a test.

    By level, the tests are those with a rate above it, by intervals that hold for all rates of that
    level at once (Bonferroni). A sentence gives the lowest and the highest rate of the test, the
    95% interval of the highest and what the test rejects there in the control (see
    `paired_simulation.exchanged_pairs`): where that is above the level, by its own interval, the
    simulation itself rejects too often, and the rate may be too high. Where no test is above the
    level, one sentence gives the highest rate of all with its interval, which is wide where trials
    are few.

    Parameters
    ----------
    table : pandas.DataFrame
        What `type_errors.run` returns of one dataset.
    title : str
        The dataset, for readers.
    """
    nulls = table[(table["delta"] == 0) & (table["error"] == "I")]
    control = nulls.loc[nulls["null"] == CONTROL, [*CELL, "rate", "low"]]
    rows = nulls[nulls["null"] == SIMULATION].merge(control, on=CELL, suffixes=("", "_control"))
    rows = rows.sort_values("rate", ascending=False, kind="stable")
    said = []
    for alpha, own in rows.groupby("alpha"):
        level = f"α = {f'{alpha:g}'.removeprefix('0')}"
        sure = 1 - 0.05 / len(own)
        counts = zip((own["rate"] * own["trials"]).round().astype(int), own["trials"], strict=True)
        low = np.array([binomial_interval(count, trials, sure)[0] for count, trials in counts])
        above = own[low > alpha].drop_duplicates("test")
        if above.empty:
            most = next(own.itertuples())
            said.append(
                f"No test has a false-positive rate above {level} on {title} by more than chance "
                f"explains. The highest is {_percent(most.rate)} ({IN_SENTENCES[most.test]}, "
                f"{_where(most)}; {_interval(most)})."
            )
        for most in above.itertuples():
            rates = own[own["test"] == most.test]
            least = next(rates.iloc[::-1].itertuples())
            rate = f"{_percent(most.rate)} ({_where(most)}; {_interval(most)})"
            verb, low = "is", ""
            if len(rates) > 1:
                verb, low = "reaches", f" The lowest is {_percent(least.rate)} ({_where(least)})."
            there = f"Simulated exchangeable systems give {_percent(most.rate_control)} there"
            if most.low_control > alpha:
                which = "the highest rate" if len(rates) > 1 else "the rate"
                there = f"{there}, so {which} may be too high"
            said.append(
                f"The false-positive rate of {IN_SENTENCES[most.test]} at {level} on {title} "
                f"{verb} {rate}. {there}.{low}"
            )
    return said


def _interval(row: Any) -> str:
    return f"95% interval {_percent(row.low)} to {_percent(row.high)}"


def _where(row: Any) -> str:
    """Return the metric and the users of a row, for readers."""
    return f"{name_of(row.metric, row.cutoff)} with {number_of(row.users, 'user')}"


def _percent(share: float) -> str:
    """Return a share in percent, with digits that tell it from a level near it.

    >>> _percent(0.0524), _percent(0.0048), _percent(1)
    ('5.24%', '0.48%', '100%')
    """
    return f"{100 * share:.3g}%"


ORDERS = ("tau_b", "tau_ap")


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
    found = largest[largest["coefficient"].isin(ORDERS)].dropna(subset="mean")
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
    return of_effects(told(rows).iloc[0])


def _tests(rows: pd.DataFrame, title: str) -> str:
    return " ".join(sentences(rows, title))
