"""How often do significance tests err? Measured where the truth is known, next to published rates.

Urbano, Lima and Hanjalic, SIGIR 2019: type I, significant though the means are equal; type II, not
significant though they differ by delta; type III, significant in the wrong direction.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
from scipy.special import betaincinv

from rankassay.artifacts.arrays import Scores
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import label
from rankassay.metrics.names import direction
from rankassay.seeds import derive, generator
from rankassay.statistics import paired_tests
from rankassay.statistics.judged_systems import names_of
from rankassay.studies.reliability.paired_simulation import (
    Observed,
    alternatives,
    distinct,
    exchanged_pairs,
    levels,
    pairs,
    quantiles,
    shifted,
)
from rankassay.types import Booleans, Floats, Integers

NEAREST = 10  # rivals of a baseline
CONTROLS = 200  # exchanged pairs from which the control simulates
TESTS = ("t", "wilcoxon", "sign", "bootstrap", "permutation")
TRIED = 2**23  # users of the trials that are simulated at a time; one trial at least
# The ways to simulate a true null hypothesis.
EXCHANGE, SIMULATION, CONTROL = "exchange", "simulation", "control"


@dataclass(frozen=True)
class Trials:
    """How often and how data are tested."""

    alphas: Sequence[float]
    number: int
    samples: int  # of the bootstrap and of permutations
    tie: float  # see `paired_tests.sign`

    def p_values(self, d: Floats, seed: int) -> Iterator[tuple[str, Floats]]:
        """Yield the name of each test and its p-values of differences (n_users, n_trials)."""
        yield "t", paired_tests.t(d)
        yield "wilcoxon", paired_tests.signed_rank(d, correction=True)  # as R
        yield "sign", paired_tests.sign(d, self.tie)
        yield "bootstrap", paired_tests.bootstrap(d, self.samples, seed)
        yield "permutation", paired_tests.permutation(d, self.samples, seed)


def exchanged(values: Floats, n: int, trials: int, seed: int) -> Floats:
    """Return differences under the permutation null, float64 (n, trials).

    A trial exchanges the labels of two systems at random within each user, which makes the null
    hypothesis true. For another number of users than there are, they are drawn with replacement.
    """
    rng = generator(seed, "exchanged-labels")
    first, second = pairs(values.shape[1], trials, rng)
    user = np.arange(n)[:, None]
    if n != len(values):
        user = rng.integers(0, len(values), (n, trials))
    sign = np.where(rng.random((n, trials)) < 0.5, -1.0, 1.0)
    return sign * (values[user, second] - values[user, first])


def simulated(observed: Observed, n: int, trials: int, seed: int) -> Floats:
    """Return differences of simulated users, second minus first, whose means are equal in truth.

    Both systems of a trial have the margin of the first; see `paired_simulation`. Further
    parameters and the result are those of `exchanged`.
    """
    rng = generator(seed, SIMULATION)
    first, second = pairs(observed.values.shape[1], trials, rng)
    return _simulated(observed, first, second, n, rng)


def controlled(values: Floats, n: int, trials: int, seed: int) -> Floats:
    """Return `simulated` differences from `exchanged_pairs`, of which each trial takes a pair."""
    rng = generator(seed, CONTROL)
    observed = Observed(exchanged_pairs(values, min(trials, CONTROLS), rng))
    first = 2 * rng.integers(0, observed.values.shape[1] // 2, trials)
    return _simulated(observed, first, first + 1, n, rng)


def _simulated(
    observed: Observed, first: Integers, second: Integers, n: int, rng: np.random.Generator
) -> Floats:
    """Return differences of simulated users of pairs of systems, float64 (n, n_trials)."""
    u, v = levels(observed, first, second, n, rng)
    return quantiles(observed.margins, first, v) - quantiles(observed.margins, first, u)


def simulated_difference(
    observed: Observed, delta: float, direction: int = 1
) -> Callable[[int, int, int], Floats] | None:
    """Return a simulation of users for whom the second system is better by delta in truth.

    It is a function of the users of a trial, the trials and the seed, which returns the
    differences. None where no system can be better than another by delta; see `alternatives`. Where
    the direction is -1, lower values are better.
    """
    own = observed.margins
    baseline, rival, exponent = alternatives(own, delta, NEAREST, direction)
    if not len(baseline):
        return None

    def draw(n: int, trials: int, seed: int) -> Floats:
        rng = generator(seed, "simulated-difference", round(1e9 * delta))
        chosen = rng.integers(0, len(baseline), trials)
        u, v = levels(observed, baseline[chosen], rival[chosen], n, rng)
        better = quantiles(own, rival[chosen], shifted(v, exponent[chosen]))
        return direction * (better - quantiles(own, baseline[chosen], u))

    return draw


def way(
    observed: Observed, delta: float, null: str, direction: int = 1
) -> Callable[[int, int, int], Floats] | None:
    """Return the simulation of data, a function of the users of a trial, the trials and the seed.

    None where no system can be better than another by delta; the parameters are those of `rates`.
    """
    if delta:
        return simulated_difference(observed, delta, direction)
    if null == SIMULATION:
        return partial(simulated, observed)
    return partial(exchanged if null == EXCHANGE else controlled, observed.values)


def errors(d: Floats, p: Floats, alpha: float, delta: float) -> dict[str, Booleans]:
    """Return which trials err, by the type of the error, where the mean is delta >= 0 in truth.

    A test rejects where p <= alpha.
    """
    rejected = p <= alpha
    if delta == 0:
        return {"I": rejected}
    return {"II": ~rejected, "III": rejected & (d.sum(axis=0) < 0)}


def rates(
    observed: Observed,
    n: int,
    delta: float,
    null: str,
    trials: Trials,
    seed: int,
    direction: int = 1,
) -> list[dict[str, object]]:
    """Return the error rates of all tests on data simulated in one way, which `null` names.

    Rows have alpha, test, error, rate, low and high (95 %, Clopper-Pearson); the last three are NaN
    where no system can be better than another by delta. The direction is -1 where lower is better.
    """
    cells = product(TESTS, trials.alphas, ("II", "III") if delta else ("I",))
    draw = way(observed, delta, null, direction)
    if draw is None:
        nothing = dict.fromkeys(["rate", "low", "high"], np.nan)
        return [{"alpha": a, "test": test, "error": e} | nothing for test, a, e in cells]
    count = dict.fromkeys(cells, 0)
    for block, own in enumerate(_blocks(trials.number, n, len(observed.values), null)):
        # The first block has the draws that all trials have where there is no other one.
        drawn = derive(seed, "trials", block) if block else seed
        d = draw(n, own, drawn)
        for test, p in trials.p_values(d, derive(drawn, "tests")):
            for alpha in trials.alphas:
                for error, wrong in errors(d, p, alpha, delta).items():
                    count[test, alpha, error] += int(wrong.sum())
    rows: list[dict[str, object]] = []
    for (test, alpha, error), wrong in count.items():
        low, high = binomial_interval(wrong, trials.number)
        row = {"alpha": alpha, "test": test, "error": error, "rate": wrong / trials.number}
        rows.append(row | {"low": low, "high": high})
    return rows


def _blocks(trials: int, n: int, n_users: int, null: str) -> Iterator[int]:
    """Yield the numbers of trials of n users that are simulated at a time, of `TRIED` users in all.

    A control makes pairs of systems for all users, too, one for each of the first trials.
    """
    size = max(1, TRIED // n)
    if null == CONTROL and n_users * min(size, trials, CONTROLS) > TRIED:
        size = min(size, max(1, TRIED // n_users))
    for first in range(0, trials, size):
        yield min(size, trials - first)


def binomial_interval(count: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact interval of a share (Clopper and Pearson, Biometrika 26, 1934).

    >>> [round(end, 4) for end in binomial_interval(5, 100)]
    [0.0164, 0.1128]
    """
    tail = (1 - level) / 2
    low = betaincinv(count, n - count + 1, tail) if count else 0.0
    high = betaincinv(count + 1, n - count, 1 - tail) if count < n else 1.0
    return float(low), float(high)


CELL = ["metric", "cutoff", "users", "delta", "alpha", "test", "error"]
COLUMNS = ["metric", "cutoff", "users", "systems", "null", "delta", "alpha", "test", "trials"]
COLUMNS += ["error", "rate", "low", "high"]
ALPHA = 0.05  # of the published rates
LOWEST = 0.1  # the share of systems, the worst by their means, that take no part


def type_errors(
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


def type_errors_published(
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
        What `type_errors` returns, with the dataset.
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
