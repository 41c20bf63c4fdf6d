"""Conclusions: which differences between the user's runs hold, and how the runs are ranked.

A conclusion is the sign of a difference between two runs. It stands if it is significant, and the
same, under every defensible measure, and if it is significant at the default Γ, up to which weights
of hits may differ (`rankassay.statistics.sensitivity`). Means, tests, intervals and Γ are of the
same users: those who have a value.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from rankassay.advice.findings import PAIRS, SYSTEMS
from rankassay.advice.given import Given
from rankassay.advice.settings import Settings
from rankassay.advice.unjudged import undetermined
from rankassay.metrics.aggregate import aggregate, confidence_interval
from rankassay.metrics.evaluate import measure_values
from rankassay.metrics.names import direction
from rankassay.statistics import sensitivity
from rankassay.statistics.orders import settled_known
from rankassay.statistics.paired import better_first, corrected_for, scaled
from rankassay.statistics.significance import blocks_of_pairs, permuted
from rankassay.statistics.simultaneous import intervals
from rankassay.types import Floats, Integers


def values(
    given: Given, measures: Sequence[str], settings: Settings, systems: Iterable[str] | None = None
) -> Floats:
    """Return every measure for every user and system, float64 (n_users, n_systems, n_measures).

    Of the user's runs, or of the systems that are named.
    """
    names = [*(given.systems if systems is None else systems)]
    found = np.empty((given.judgements.n_users, len(names), len(measures)))
    how = measures, settings.profile, settings.without_relevant
    for s, name in enumerate(names):
        found[:, s] = measure_values(given.judged[name], *how)
    return found


def selection(given: Given, measure: str, settings: Settings) -> pd.DataFrame:
    """Return how much selection it takes to reverse each pair of the user's runs.

    See `rankassay.statistics.sensitivity.pairs` for the columns; precision replaces a measure that
    has no Γ, which the column measure says.
    """
    systems = {name: given.judged[name] for name in given.systems}
    evaluation = {
        "measures": [measure],
        "profile": settings.profile,
        "without_relevant": settings.without_relevant,
    }
    of = given.judgements, given.item, systems, evaluation
    return sensitivity.pairs(*of, gamma=settings.gamma)


def pairs(
    given: Given,
    measure: str,
    defensible: Sequence[str],
    conventional: str,
    settings: Settings,
) -> pd.DataFrame:
    """Return the findings on each pair of the user's runs, those of the best run first.

    ::

        p = P(max over pairs |sum_u s_u d_u| / sqrt(sum_u d_u^2) >= that of the pair)

    over signs s_u that are drawn at random (`rankassay.statistics.permutation`).

    Parameters
    ----------
    measure, conventional : str
        The recommended measure, and the one that is reported with it.
    defensible : sequence of str
        The measures that a conclusion has to stand up to, in addition to these two.

    Returns
    -------
    DataFrame
        The columns of `rankassay.advice.findings.PAIRS`; no rows for a single run.
    """
    names = [*given.systems]
    if len(names) < 2:
        return pd.DataFrame(columns=[*PAIRS])
    measures = [*dict.fromkeys((measure, conventional, *defensible))]
    x, exponent = scaled(values(given, measures, settings))
    a, b = better_first(direction(measure) * settled_known(aggregate(x[:, :, 0]), len(x)))
    tested = _tested(x, measures, a, b, settings)
    signs = pd.DataFrame({name: own["sign"] for name, own in tested.items()})
    own, usual, other = tested[measure], tested[conventional], measures.index(conventional)
    permuting = settings.permutations, settings.seed
    between = intervals(x[:, :, 0], a, b, *permuting, settings.confidence)
    better, worse = (np.array(names, dtype=object)[some] for some in (a, b))
    table = pd.DataFrame(
        {
            "better": better,
            "worse": worse,
            "difference": np.ldexp(own["difference"], exponent[0]),
            "low": np.ldexp(between.low, exponent[0]),
            "high": np.ldexp(between.high, exponent[0]),
            "p": own["p"],
            "correction": own["correction"],
            "significant": own["p"] < settings.alpha,
            "needed": between.needed,
            "conventional_difference": np.ldexp(usual["difference"], exponent[other]),
            "conventional_p": usual["p"],
            "signs": signs.to_dict("records"),
            "agree": (signs == 1).all(axis=1),
        }
    )
    table = table.join(_gammas(selection(given, measure, settings), better, worse))
    table["stands"] = table["agree"] & (table["stands_to"] >= settings.gamma)
    table["undetermined"] = undetermined(given, measure, settings)[a, b]
    table["identical"] = given.identical[a, b]
    return table[[*PAIRS]]


def of_different(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs without those of identical runs, between which no metric finds a difference.

    `pairs` are as `pairs` returns them.
    """
    return pairs[~pairs["identical"].astype(bool)]


def _tested(
    x: Floats, measures: Sequence[str], a: Integers, b: Integers, settings: Settings
) -> dict[str, dict]:
    """Return by measure the difference, corrected p-value and significant sign of each pair.

    `x` are the values, float64 (n_users, n_systems, n_measures); `a` and `b` the systems of each
    pair. The sign is 1 where a is significantly better than b.
    """
    result = permuted(x, settings.permutations, settings.seed)
    found = {}
    for m, name in enumerate(measures):
        difference = np.concatenate(
            [
                aggregate(x[:, a[some], m] - x[:, b[some], m])
                for some in blocks_of_pairs(len(x), len(a))
            ]
        )
        together = None if result.adjusted is None else result.adjusted[m, a, b]
        p, correction = corrected_for(result.p_values[m, a, b], together, "max-t")
        sign = np.where(p < settings.alpha, np.sign(direction(name) * difference), 0)
        found[name] = {"difference": difference, "p": p, "correction": correction}
        found[name]["sign"] = sign.astype(np.int64)
    return found


def _gammas(table: pd.DataFrame, better: Sequence[str], worse: Sequence[str]) -> pd.DataFrame:
    """Return columns gamma, stands_to and gamma_measure of each pair, from `selection`.

    Where precision replaces it, and ranks the two the other way, they are reversed without weights:
    1.
    """
    numbers = zip(table["gamma"], table["stands_to"], strict=True)
    own = dict(zip(zip(table["leader"], table["other"], strict=True), numbers, strict=True))
    rows = []
    for a, b in zip(better, worse, strict=True):
        reverse = np.nan if (a, b) in own or np.isnan(own[b, a][0]) else 1.0
        rows.append(own.get((a, b), (reverse, 0.0)))
    found = pd.DataFrame(rows, columns=["gamma", "stands_to"])
    return found.assign(gamma_measure=table["measure"].iloc[0])


def systems(
    given: Given,
    measure: str,
    conventional: str,
    pairs: pd.DataFrame,
    settings: Settings,
    references: bool = False,
) -> pd.DataFrame:
    """Return the user's runs from best to worst under the recommended measure.

    Parameters
    ----------
    pairs : DataFrame
        As `pairs` returns it.
    references : bool
        Whether the reference systems follow; they have no place, and no run beats them.

    Returns
    -------
    DataFrame
        The columns of `rankassay.advice.findings.SYSTEMS`. A run without any value is last and has
        no place.
    """
    compared = given.compared if references else given.systems
    x, exponent = scaled(values(given, [measure, conventional], settings, compared))
    own = x[:, :, 0]
    low, high = confidence_interval(own, level=settings.confidence, seed=settings.seed)
    means, usual = aggregate(x).T
    won = pairs[pairs["significant"].astype(bool)]
    better = direction(measure) * settled_known(means, len(x))
    table = pd.DataFrame(
        {
            "system": [*compared],
            "reference": [name not in given.systems for name in compared],
            "mean": np.ldexp(means, exponent[0]),
            "low": np.ldexp(low, exponent[0]),
            "high": np.ldexp(high, exponent[0]),
            "beats": [[*won["worse"][won["better"] == name]] for name in compared],
            "conventional": np.ldexp(usual, exponent[1]),
            "better": better,
        }
    )
    ranked = table["better"].where(~table["reference"])
    table["place"] = ranked.rank(ascending=False, method="min").astype("Int64")
    order = np.lexsort((-better, table["reference"]))  # stable, and NaN last
    return table.iloc[order].reset_index(drop=True)[[*SYSTEMS]]
