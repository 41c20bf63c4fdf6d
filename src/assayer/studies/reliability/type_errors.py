"""How often do significance tests err? Measured on a dataset, and beside published rates.

Urbano, Lima and Hanjalic, SIGIR 2019; see `assayer.statistics.test_audit`.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from assayer.artifacts.arrays import Scores
from assayer.errors import AssayerError
from assayer.metrics.catalogue import label
from assayer.seeds import derive
from assayer.statistics.paired_simulation import distinct
from assayer.statistics.test_audit import CONTROL, EXCHANGE, SIMULATION, rates
from assayer.statistics.test_sets import names_of

CELL = ["metric", "cutoff", "users", "delta", "alpha", "test", "error"]
COLUMNS = ["metric", "cutoff", "users", "systems", "null", "delta", "alpha", "test", "trials"]
COLUMNS += ["error", "rate", "low", "high"]
ALPHA = 0.05  # of the published rates
NAMES = {
    **{"t": "the t-test", "wilcoxon": "Wilcoxon's test", "sign": "the sign test"},
    **{"bootstrap": "the bootstrap test", "permutation": "the permutation test"},
}


def run(
    scores: Scores,
    metrics: Sequence[str] | None,
    audited_cutoffs: Sequence[int],
    users: Sequence[int] | None,
    deltas: Sequence[float],
    alphas: Sequence[float],
    trials: int,
    samples: int,
    lowest: float,
    tie: float,
    correction: bool,
    seed: int,
) -> pd.DataFrame:
    """Return the rates of errors of five tests; the settings are those of `TypeErrors`.

    A metric takes the users who have a value by all systems. One by which fewer than two users or
    two different systems are left has no rows.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, users (of a trial), systems (that take part), null (how data were
        made: exchange, simulation or control; simulation where delta is not 0), delta, alpha, test,
        trials, error ("I", "II" or "III"), rate, low and high (95 %).
    """
    frames = []
    names = names_of(scores.measures)
    cutoffs = [cutoff for _, cutoff in names if cutoff]
    audited = [cutoff for cutoff in cutoffs if cutoff in audited_cutoffs] or cutoffs[:1]
    for m, (metric, cutoff) in enumerate(names):
        if (metrics and metric not in metrics) or (cutoff and cutoff not in audited):
            continue
        values = scores.values[:, :, m]
        values = values[~np.isnan(values).any(axis=1)]
        if len(values) < 2:
            continue
        values = np.ascontiguousarray(values[:, distinct(values, lowest)])
        if values.shape[1] < 2:
            continue
        same = {"metric": metric, "cutoff": cutoff, "systems": values.shape[1], "trials": trials}
        ways = [(null, 0.0) for null in (EXCHANGE, SIMULATION, CONTROL)]
        ways += [(SIMULATION, delta) for delta in deltas]
        own = derive(seed, str(scores.measures[m]))
        for n in users or [len(values)]:
            for null, delta in ways:
                found = rates(values, n, delta, null, alphas, trials, own, samples, tie, correction)
                made = {"users": n, "null": null, "delta": delta}
                frames.append(pd.DataFrame(found).assign(**same, **made))
    if not frames:
        raise AssayerError(
            "reliability/type-errors: expected a metric by which two users have values of two "
            f"different systems; found none among {len(names)}."
        )
    return pd.concat(frames, ignore_index=True)[COLUMNS]


def published(
    type_errors: pd.DataFrame, published: pd.DataFrame, datasets: Sequence[str]
) -> pd.DataFrame:
    """Return the simulated rates of several tracks as one, beside the published rates.

    ::

        rate = sum_c w_c r_c,    standard error = sqrt(sum_c w_c^2 r_c (1 - r_c) / T_c)

    with T_c the trials of track c and w_c its share of all systems: the paper draws a track
    with probability by its number of runs.

    Parameters
    ----------
    type_errors : pandas.DataFrame
        What `run` returns, with the dataset.
    published : pandas.DataFrame
        Columns metric, cutoff, users, delta, test, error, published; at alpha .05.
    datasets : sequence of str
        The tracks. A cell that one of them lacks has no row.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, users, delta, alpha, test, error, rate, standard_error, published,
        deviation (rate - published).
    """
    rows = type_errors[type_errors["dataset"].isin(datasets)]
    rows = rows[(rows["null"] == SIMULATION) & np.isclose(rows["alpha"], ALPHA)]
    parts = []
    for key, own in rows.groupby(CELL, sort=False, dropna=False):
        if set(own["dataset"]) != set(datasets):
            continue
        weight = (own["systems"] / own["systems"].sum()).to_numpy()
        rate = own["rate"].to_numpy()
        variance = (weight**2 * rate * (1 - rate) / own["trials"]).sum()
        cell = dict(zip(CELL, key, strict=True))
        parts.append(cell | {"rate": weight @ rate, "standard_error": np.sqrt(variance)})
    if not parts:
        return pd.DataFrame(columns=[*CELL, "rate", "standard_error", "published", "deviation"])
    measured = pd.DataFrame(parts).astype({"cutoff": "float64"}).round({"delta": 9})
    known = published.astype({"cutoff": "float64", "delta": "float64"}).round({"delta": 9})
    joined = measured.merge(known, on=[name for name in CELL if name != "alpha"])
    return joined.assign(deviation=joined["rate"] - joined["published"])


def sentences(table: pd.DataFrame, title: str) -> list[str]:
    """Return what simulations say about true null hypotheses on a dataset, a sentence a metric.

    A sentence names the tests whose intervals lie above the level, with what they reject in the
    control (see `assayer.statistics.paired_simulation.exchanged_pairs`); where there are none, it
    says that.

    Parameters
    ----------
    table : pandas.DataFrame
        What `run` returns of one dataset.
    title : str
        The dataset, for readers.
    """
    nulls = table[(table["delta"] == 0) & (table["error"] == "I")]
    said = []
    keys = ["metric", "cutoff", "users", "alpha"]
    for (metric, cutoff, users, alpha), own in nulls.groupby(keys, sort=False, dropna=False):
        name = label(metric, None if pd.isna(cutoff) else cutoff)
        rows = own[own["null"] == SIMULATION]
        start, among = f"On {title}, by {name}", f"with {users:,} users"
        above = rows[rows["low"] > alpha].sort_values("rate", ascending=False, kind="stable")
        level = f"{alpha:g}".removeprefix("0")
        if above.empty:
            said.append(
                f"{start}, no test rejects a true null hypothesis more often than it says, at "
                f"{level} {among}."
            )
            continue
        control = own[own["null"] == CONTROL].set_index("test")["rate"]
        tests = ", ".join(
            f"{NAMES[row.test]} rejects {row.rate:.0%} ({control[row.test]:.0%} where systems are "
            "exchangeable)"
            for row in above.itertuples()
        )
        said.append(f"{start}, of true null hypotheses at {level} {among}, {tests}.")
    return said
