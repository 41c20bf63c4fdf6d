"""Can the truth be trusted? Checks of the assumptions on judgements of random items.

No metric is said to disagree with a truth without these: where an assumption fails, a warning says
so.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp
import scipy.special

from rankassay.artifacts.arrays import Rankings, Truth
from rankassay.data.truth import shared
from rankassay.errors import number_of
from rankassay.statistics.incomplete import popularity
from rankassay.statistics.replicated import LEVEL
from rankassay.studies.validity.yardsticks import Estimates, Sample, is_complete, sample
from rankassay.types import Booleans, Floats, Integers

Row = dict[str, object]

Z = float(scipy.special.ndtri((1 + LEVEL) / 2))
QUINTILES = 5
# In 95% of sound samples at least, none of the fifths is as far from 1.
Z_OF_ALL = float(scipy.special.ndtri(1 - (1 - LEVEL) / 2 / QUINTILES))
# Weighted judgements of a fifth of the items represent this share of its candidates too few or too
# many: a system whose whole list is of these items gains or loses as much, more than what mostly
# separates systems.
OFF = 0.1
# Effective judgements of a system's lists below which a share of .5 has a standard error above .05.
FEWEST = 100
# Odds of liking, known over unknown, above which (or below its inverse) weights by item alone are
# biased by more than .05 in worlds like that of `benchmarks/truth.py`.
ODDS = 1.5


def run(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    truth: Truth,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    *,
    yardstick_cutoffs: Sequence[int],
    inclusion: str,
) -> pd.DataFrame:
    """Describe the judgements that are the truth, and test their assumptions.

    All is about users with test ratings who judged items, and about the candidates of their lists;
    with the first places of a list, those down to the deepest of the cut-offs are meant.

    Returns
    -------
    DataFrame
        Columns diagnostic, group, value, low, high and warning (a sentence, or empty), with

        - inclusion, by popularity in training (1 to 5: fifths of the items, the last the most
          popular): the share of the candidates that is in the truth, with Wilson's interval
        - weighed, likewise: the sum of the judgements' weights over the number of candidates, which
          is 1 on average where the weights are right, and its normal interval
        - set-aside, of known and unknown pairs: of the judged candidates those that are in the
          truth (the others are test ratings)
        - odds-ratio: of liking, of known against unknown pairs of the same item, by Mantel and
          Haenszel, with the interval of Robins, Breslow and Greenland; empty without flags
        - judged-per-list, by system: the mean number of judged items in the first places
        - effective-sample-size, by system, (sum w)^2 / sum w^2 of these judgements
        - shared: ratings that are in the truth and observed (all; they bias no truth that holds
          every candidate), that were excluded from the observed ratings for it (test), and of the
          truth (training).
    """
    own = sample(train, test, truth, evaluation["threshold"], inclusion)
    estimates = Estimates.of(own, rankings, train.shape[1], seed)
    out = np.bincount(train[own.users].indices, minlength=train.shape[1])
    rows = [*by_popularity(own, popularity(train), out), *_set_aside(own, test, truth)]
    rows.append(_odds(own, str(truth.design)))
    rows += listed(own, estimates.ranks, [*rankings], max(yardstick_cutoffs))
    rows += _shared(train, test, truth, is_complete(own, train))
    columns = ["diagnostic", "group", "value", "low", "high", "warning"]
    return pd.DataFrame(rows, columns=columns).fillna({"warning": ""})


def by_popularity(own: Sample, number: Integers, out: Integers) -> list[Row]:
    """Return inclusion by popularity, as it is and weighed.

    `number` are the training ratings of each item, int64 (n_items,), and `out` those of the
    sample's users, whose candidates these items are not.
    """
    rank = np.argsort(np.argsort(number, kind="stable"), kind="stable")
    fifth = rank * QUINTILES // len(rank)
    candidates = np.bincount(fifth, len(own.users) - out, minlength=QUINTILES)
    judged, weighed, squares = (
        np.bincount(fifth[own.item], values, minlength=QUINTILES)
        for values in (np.ones(len(own.item)), own.weight, own.weight**2)
    )
    some = np.where(candidates > 0, candidates, np.nan)  # a share of nothing is undefined
    rows: list[Row] = []
    for q in range(QUINTILES):
        low, high = wilson(judged[q], candidates[q])
        ends = {"low": low, "high": high}
        share = judged[q] / some[q]
        rows.append({"diagnostic": "inclusion", "group": str(q + 1), "value": share} | ends)
    for q in range(QUINTILES):
        value, half = weighed[q] / some[q], Z * np.sqrt(squares[q]) / some[q]
        sound = Z * np.sqrt(squares.sum() / weighed.sum() / some[q])  # where 1 is right
        far = abs(value - 1) > max(OFF, max(half, sound) * Z_OF_ALL / Z)
        warning = (
            f"The judged items are not a random part: in fifth {q + 1} of the items by popularity, "
            f"the weighed judgements stand for {value:.2f} of the candidates, not 1."
        )
        row = {"diagnostic": "weighed", "group": str(q + 1), "value": value}
        row |= {"low": value - half, "high": value + half}
        rows.append(row | {"warning": warning if far else ""})
    return rows


def _set_aside(own: Sample, test: sp.csr_matrix, truth: Truth) -> list[Row]:
    """Return the shares of judged candidates in the truth, of known and of unknown ones."""
    if own.known is None or float(truth.aside) == 1:
        return []
    tested = int(np.diff(test.indptr)[own.users].sum())
    known, unknown = int(own.known.sum()), int((~own.known).sum())
    rows: list[Row] = []
    for group, number, of in (("known", known, known + tested), ("unknown", unknown, unknown)):
        low, high = wilson(number, of)
        share = number / of if of else np.nan
        row = {"diagnostic": "set-aside", "group": group, "value": share, "low": low, "high": high}
        rows.append(row)
    return rows


def _odds(own: Sample, design: str) -> Row:
    """Return the odds ratio of liking and knowing within items."""
    if own.known is None:
        return {"diagnostic": "odds-ratio", "group": "all"}
    liked = own.rating >= own.threshold
    value, low, high = mantel_haenszel(own.item, liked, own.known)
    row = {"diagnostic": "odds-ratio", "group": "all", "value": value, "low": low, "high": high}
    far = (low > 1 and value > ODDS) or (high < 1 and value < 1 / ODDS)
    warning = (
        f"Users like what they know {'more' if value > 1 else 'less'} than other users like the "
        f"same item unknown (odds ratio {value:.1f}): a truth without the judgements that train is "
        "biased, even with weights by item; set a part of them aside (truth.design: set-aside)."
    )
    return row | {"warning": warning if far and design == "as-published" else ""}


def listed(own: Sample, ranks: Sequence[Integers], names: Sequence[str], cutoff: int) -> list[Row]:
    """Return how much of the first places is judged, by system."""
    rows: list[Row] = []
    sizes = {}
    n_users = len(own.users)
    for name, of in zip(names, ranks, strict=True):
        first = (of > 0) & (of <= cutoff)
        judged = np.bincount(own.row[first], minlength=n_users)
        half = Z * judged.std(ddof=1) / np.sqrt(n_users) if n_users > 1 else np.nan
        mean = judged.mean()
        row = {"diagnostic": "judged-per-list", "group": name, "value": mean}
        rows.append(row | {"low": mean - half, "high": mean + half})
        sizes[name] = effective(own.weight[first])
    few = {name: size for name, size in sizes.items() if size < FEWEST}
    least = min(sizes, key=sizes.__getitem__)
    warning = (
        f"The true values of {number_of(len(few), 'system')} of {len(sizes)} rest on fewer than "
        f"{FEWEST} effective judgements (fewest: {sizes[least]:.0f}, {least})."
    )
    for name, size in sizes.items():
        said = warning if few and name == least else ""
        row = {"diagnostic": "effective-sample-size", "group": name, "value": size}
        rows.append(row | {"warning": said})
    return rows


def _shared(train: sp.csr_matrix, test: sp.csr_matrix, truth: Truth, complete: bool) -> list[Row]:
    """Return how many ratings the truth has in common with what is observed."""
    both = complete or truth.design == "as-published"
    tested, trained = (int(shared(truth.matrix, part).sum()) for part in (test, train))
    counts = {"all": tested if both else 0, "test": 0 if both else tested}
    warning = (
        f"{number_of(counts['all'], 'observed test rating', ('is', 'are'))} a part of the truth, "
        "so that the two sides agree too well; set a part of the judgements aside (truth.design: "
        "set-aside)."
    )
    return [
        {"diagnostic": "shared", "group": group, "value": float(value)}
        | {"warning": warning if group == "all" and value and not complete else ""}
        for group, value in (counts | {"training": trained}).items()
    ]


def wilson(number: float, of: float) -> tuple[float, float]:
    """Return Wilson's interval of a share at 95 %; NaN of nothing.

    ::

        (p + z^2 / 2n -+ z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n)

    References
    ----------
    Wilson, JASA 22, 1927.
    """
    if not of:
        return np.nan, np.nan
    p, over = number / of, Z**2 / of
    half = np.sqrt(over * p * (1 - p) + over**2 / 4)
    return (p + over / 2 - half) / (1 + over), (p + over / 2 + half) / (1 + over)


def mantel_haenszel(
    stratum: Integers, success: Booleans, exposed: Booleans
) -> tuple[float, float, float]:
    """Return the common odds ratio over strata, with its interval at 95 %; NaN where it has none.

    ::

        OR = R / S,  R = sum_i R_i = sum_i a_i d_i / n_i,  S = sum_i S_i = sum_i b_i c_i / n_i
        var log OR = sum P_i R_i / 2 R^2 + sum (P_i S_i + Q_i R_i) / 2 R S + sum Q_i S_i / 2 S^2

    with a_i and b_i the successes and failures of the exposed in stratum i, c_i and d_i those of
    the others, P_i = (a_i + d_i) / n_i and Q_i = (b_i + c_i) / n_i.

    References
    ----------
    Mantel and Haenszel, J. Natl. Cancer Inst. 22, 1959; the variance: Robins, Breslow and
    Greenland, Biometrics 42, 1986, equation (3).
    """
    n_strata = int(stratum.max(initial=-1)) + 1
    a, b, c, d = (
        np.bincount(stratum[cell], minlength=n_strata).astype(np.float64)
        for cell in (success & exposed, ~success & exposed, success & ~exposed, ~success & ~exposed)
    )
    n = np.maximum(a + b + c + d, 1)
    r, s, p, q = a * d / n, b * c / n, (a + d) / n, (b + c) / n
    above, below = r.sum(), s.sum()
    if above == 0 or below == 0:
        return np.nan, np.nan, np.nan
    variance = (p * r).sum() / (2 * above**2) + (q * s).sum() / (2 * below**2)
    variance += (p * s + q * r).sum() / (2 * above * below)
    value, half = above / below, np.exp(Z * np.sqrt(variance))
    return float(value), float(value / half), float(value * half)


def effective(weight: Floats) -> float:
    """Return the effective sample size (sum w)^2 / sum w^2 (Kish, 1965); 0 of none."""
    return float(weight.sum() ** 2 / (weight**2).sum()) if len(weight) else 0.0
