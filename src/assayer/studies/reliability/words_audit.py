"""What the audit of tests says of true null hypotheses, in sentences."""

from typing import Any

import numpy as np
import pandas as pd

from assayer.drawing.measures import name_of
from assayer.errors import number_of
from assayer.studies.reliability.names_audit import IN_SENTENCES
from assayer.studies.reliability.test_audit import CONTROL, SIMULATION, binomial_interval
from assayer.studies.reliability.type_errors import CELL


def sentences(table: pd.DataFrame, title: str) -> list[str]:
    """Return what simulations say about true null hypotheses on a dataset, a sentence a level.

    A sentence names the tests with a rate above the level, by intervals that hold for all rates of
    that level at once (Bonferroni): the highest rate of each, with what the test rejects there in
    the control (see `paired_simulation.exchanged_pairs`). Where there are none,
    it gives the highest rate of all with its interval, which is wide where trials are few.

    Parameters
    ----------
    table : pandas.DataFrame
        What `type_errors.run` returns of one dataset.
    title : str
        The dataset, for readers.
    """
    nulls = table[(table["delta"] == 0) & (table["error"] == "I")]
    control = nulls.loc[nulls["null"] == CONTROL, [*CELL, "rate"]]
    rows = nulls[nulls["null"] == SIMULATION].merge(control, on=CELL, suffixes=("", "_control"))
    rows = rows.sort_values("rate", ascending=False, kind="stable")
    several = rows["test"].value_counts() > rows["alpha"].nunique()
    said = []
    for alpha, own in rows.groupby("alpha"):
        start = f"On {title}, of true null hypotheses at {f'{alpha:g}'.removeprefix('0')},"
        sure = 1 - 0.05 / len(own)
        counts = zip((own["rate"] * own["trials"]).round().astype(int), own["trials"], strict=True)
        low = np.array([binomial_interval(count, trials, sure)[0] for count, trials in counts])
        above = own[low > alpha].drop_duplicates("test")
        if above.empty:
            most = next(own.itertuples())
            interval = f"95 % interval {_percent(most.low)} to {_percent(most.high)}"
            said.append(
                f"{start} no test rejects more than chance explains: at most "
                f"{_percent(most.rate)} ({IN_SENTENCES[most.test]}, {_where(most)}; {interval})."
            )
            continue
        tests = []
        for row in above.itertuples():
            rejects = f"rejects {'up to ' if several[row.test] else ''}{_percent(row.rate)}"
            control = f"{_percent(row.rate_control)} where systems are exchangeable"
            tests.append(f"{IN_SENTENCES[row.test]} {rejects} ({_where(row)}; {control})")
        said.append(f"{start} {', '.join(tests)}.")
    return said


def _where(row: Any) -> str:
    """Return the metric and the users of a row, for readers."""
    return f"by {name_of(row.metric, row.cutoff)} with {number_of(row.users, 'user')}"


def _percent(share: float) -> str:
    """Return a share in percent, with digits that tell it from a level near it.

    >>> _percent(0.0524), _percent(0.0048), _percent(1)
    ('5.24%', '0.48%', '100%')
    """
    return f"{100 * share:.3g}%"
