"""How often do significance tests err? Measured on a dataset, and compared with published rates.

Urbano, Lima and Hanjalic, SIGIR 2019; see `rankassay.studies.reliability.error_rates`.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Scores
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import label
from rankassay.metrics.names import direction
from rankassay.seeds import derive
from rankassay.statistics.judged_systems import names_of
from rankassay.studies.reliability.error_rates import CONTROL, EXCHANGE, SIMULATION, Trials, rates
from rankassay.studies.reliability.paired_simulation import Observed, distinct

CELL = ["metric", "cutoff", "users", "delta", "alpha", "test", "error"]
COLUMNS = ["metric", "cutoff", "users", "systems", "null", "delta", "alpha", "test", "trials"]
COLUMNS += ["error", "rate", "low", "high"]
ALPHA = 0.05  # of the published rates
LOWEST = 0.1  # the share of systems, the worst by their means, that take no part


def run(
    scores: Scores,
    evaluation: Mapping[str, Sequence[int]],
    audited_cutoffs: Sequence[int],
    users: Sequence[int] | None,
    deltas: Sequence[float],
    alphas: Sequence[float],
    trials: int,
    samples: int,
    tie: float,
    seed: int,
) -> pd.DataFrame:
    """Return the rates of errors of five tests.

    A metric takes the users who have a value by all systems. One by which fewer than two users or
    two different systems are left has no rows. The `cutoffs` of `evaluation` are those of the run,
    of which the scores may be a part.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, users (of a trial), systems (that take part), null (how data were
        made: exchange, simulation or control; simulation where delta is not 0), delta, alpha, test,
        trials, error ("I", "II" or "III"), rate, low and high (95 %; NaN where no system can be
        better than another by delta).
    """
    frames = []
    tests = Trials(alphas, trials, samples, tie)
    columns = zip(names_of(scores.measures), scores.columns(), strict=True)
    cutoffs = evaluation["cutoffs"]
    audited = [cutoff for cutoff in cutoffs if cutoff in audited_cutoffs] or cutoffs[:1]
    for m, ((metric, cutoff), values) in enumerate(columns):
        if cutoff and cutoff not in audited:
            continue
        x = values[~np.isnan(values).any(axis=1)]
        if len(x) < 2:
            continue
        better = direction(metric)
        observed = Observed(np.ascontiguousarray(x[:, distinct(x, LOWEST, better)]))
        n_systems = observed.values.shape[1]
        if n_systems < 2:
            continue
        same = {"metric": metric, "cutoff": cutoff, "systems": n_systems, "trials": trials}
        ways = [(null, 0.0) for null in (EXCHANGE, SIMULATION, CONTROL)]
        ways += [(SIMULATION, delta) for delta in deltas]
        own = derive(seed, str(scores.measures[m]))
        for n in users or [len(x)]:
            for null, delta in ways:
                made = {"users": n, "null": null, "delta": delta}
                found = rates(observed, n, delta, null, tests, own, better)
                frames.append(pd.DataFrame(found).assign(**same, **made))
    if not frames:
        return pd.DataFrame(columns=COLUMNS)
    return pd.concat(frames, ignore_index=True)[COLUMNS]


def published(
    type_errors: pd.DataFrame, published: pd.DataFrame, datasets: Sequence[str]
) -> pd.DataFrame:
    """Return the simulated rates of several tracks as one, with the published rates.

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
        The tracks. A cell that one of them lacks has no row; it is an error if there is none.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, users, delta, alpha, test, error, rate, standard_error, published,
        deviation (rate - published).
    """
    rows = type_errors[type_errors["dataset"].isin(datasets)]
    rows = rows[(rows["null"] == SIMULATION) & np.isclose(rows["alpha"], ALPHA)]
    rows = rows.dropna(subset="rate")
    parts = []
    for key, own in rows.groupby(CELL, sort=False, dropna=False):
        if set(own["dataset"]) != set(datasets):
            continue
        weight = (own["systems"] / own["systems"].sum()).to_numpy()
        rate = own["rate"].to_numpy()
        variance = (weight**2 * rate * (1 - rate) / own["trials"]).sum()
        cell = dict(zip(CELL, key, strict=True))
        parts.append(cell | {"rate": weight @ rate, "standard_error": np.sqrt(variance)})
    measured = pd.DataFrame(parts, columns=[*CELL, "rate", "standard_error"])
    measured = measured.astype({"cutoff": "float64"}).round({"delta": 9})
    known = published.astype({"cutoff": "float64", "delta": "float64"}).round({"delta": 9})
    joined = measured.merge(known, on=[name for name in CELL if name != "alpha"])
    if joined.empty:
        raise _nothing_published(known)
    return joined.assign(deviation=joined["rate"] - joined["published"])


def _nothing_published(known: pd.DataFrame) -> RankassayError:
    """Return the error for rates of which none was published."""
    sizes = ", ".join(map(str, sorted(known["users"].unique())))
    measures = known[["metric", "cutoff"]].drop_duplicates().itertuples(index=False)
    names = ", ".join(label(name, None if np.isnan(k) else int(k)) for name, k in measures)
    return RankassayError(
        f"reliability/type-errors-published: expected rates by one of {names} at alpha .05 with "
        f"one of {sizes} users on each track, found none; set type-errors so (config/trec.yaml, "
        "config/trec-web.yaml), or type-errors-published to null."
    )
