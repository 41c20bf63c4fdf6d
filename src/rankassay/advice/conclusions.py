"""Conclusions: which differences between the user's runs one may write, and how runs are ranked.

A difference may be written if it is significant, and of the same sign, under every measure of the
rule (`rankassay.advice.rule`), corrected for all pairs of runs. The conventional measure has no
veto: where it reverses a pair, that is said. Means, tests, intervals and Γ are of the same users:
those who have a value.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from rankassay.advice.findings import PAIRS, SYSTEMS
from rankassay.advice.given import Given, Settings, values
from rankassay.advice.rule import Rule, first_places
from rankassay.metrics.aggregate import aggregate, confidence_interval
from rankassay.metrics.names import direction
from rankassay.statistics import sensitivity
from rankassay.statistics.orders import settled_known
from rankassay.statistics.paired import better_first, corrected_for, intervals, scaled
from rankassay.statistics.significance import blocks_of_pairs, permuted
from rankassay.types import Floats, Integers

LIKED = "P(denominator='judged_nan')"  # of a user's judged items in a list that has any


def pairs(given: Given, rule: Rule, settings: Settings) -> pd.DataFrame:
    """Return the findings on each pair of the user's runs (`PAIRS`), those of the best run first.

        p = P(max over pairs |sum_u s_u d_u| / sqrt(sum_u d_u^2) >= that of the pair)

    over random signs s_u. No rows for a single run, or where no judged item is relevant.
    """
    names = [*given.systems]
    if len(names) < 2 or not given.judgements.relevant.any():
        return pd.DataFrame(columns=[*PAIRS])
    measure, usual = rule.measure, rule.conventional
    measures = [*dict.fromkeys((measure, *rule.written, usual))]
    x, exponent = scaled(values(given, measures, settings))
    first = measures.index(measure)
    means = direction(measure) * settled_known(aggregate(x[:, :, first]), len(x))
    a, b = better_first(means)
    tested = _tested(x, measures, a, b, settings)
    own, other = tested[measure], measures.index(usual)
    permuting = settings.permutations, settings.seed
    between = intervals(x[:, :, first], a, b, *permuting, settings.confidence)
    # Where runs order the same judged items, as candidates, judged-only ones tell nothing.
    told = [name for name in rule.written if _differ(x[:, :, measures.index(name)])]
    signs = pd.DataFrame({name: tested[name]["sign"] for name in told}, index=range(len(a)))
    better, worse = (np.array(names, dtype=object)[some] for some in (a, b))
    table = pd.DataFrame(
        {
            "better": better,
            "worse": worse,
            "difference": np.ldexp(own["difference"], exponent[first]),
            "low": np.ldexp(between.low, exponent[first]),
            "high": np.ldexp(between.high, exponent[first]),
            "p": own["p"],
            "correction": own["correction"],
            "significant": own["p"] < settings.alpha,
            "signs": signs.to_dict("records"),
            "written": (signs == 1).all(axis=1) & bool(told),
            "conventional_difference": np.ldexp(tested[usual]["difference"], exponent[other]),
            "conventional_p": tested[usual]["p"],
            "conventional_sign": tested[usual]["sign"],
            "identical": given.identical[a, b],
        }
    )
    return table.join(_gammas(given, rule, table, settings))[[*PAIRS]]


def _differ(x: Floats) -> bool:
    """Return whether any user has different values by two systems."""
    return bool(((x != x[:, :1]) & ~(np.isnan(x) & np.isnan(x[:, :1]))).any())


def of_different(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs without those of identical runs, between which no metric finds a difference.

    `pairs` are as `pairs` returns them.
    """
    return pairs[~pairs["identical"].astype(bool)]


def _tested(
    x: Floats, measures: Sequence[str], a: Integers, b: Integers, settings: Settings
) -> dict[str, dict[str, Any]]:
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


def _gammas(given: Given, rule: Rule, table: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return up to which Γ each pair that may be written stands; empty for the others."""
    found = pd.DataFrame(index=table.index, columns=["gamma", "stands_to"], dtype=np.float64)
    written = table[table["written"]]
    if not len(written):
        return found
    systems = {name: given.judged[name] for name in given.systems}
    evaluation = {"measures": [rule.measure], "profile": settings.profile}
    evaluation |= {"without_relevant": settings.without_relevant}
    of = given.judgements, given.item, systems, evaluation
    only = [*zip(written["better"], written["worse"], strict=True)]
    tested = sensitivity.pairs(*of, gamma=settings.gamma, only=only)
    own = tested.set_index(["leader", "other"])
    for place, row in written.iterrows():
        if (key := (row["better"], row["worse"])) in own.index:
            found.loc[place] = own.loc[key, ["gamma", "stands_to"]].to_numpy(np.float64)
    return found


def systems(given: Given, rule: Rule, pairs: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the user's runs (`SYSTEMS`) from best to worst under the measure, then references.

    A run without any value is last and has no place.
    """
    compared = given.compared
    x, exponent = scaled(values(given, [rule.measure, rule.conventional], settings, compared))
    own = x[:, :, 0]
    low, high = confidence_interval(own, level=settings.confidence, seed=settings.seed)
    means, usual = aggregate(x).T
    won = pairs[pairs["written"].astype(bool)]
    found, liked = seen(given)
    table = pd.DataFrame(
        {
            "system": [*compared],
            "reference": [name not in given.systems for name in compared],
            "mean": np.ldexp(means, exponent[0]),
            "low": np.ldexp(low, exponent[0]),
            "high": np.ldexp(high, exponent[0]),
            "beats": [[*won["worse"][won["better"] == name]] for name in compared],
            "conventional": np.ldexp(usual, exponent[1]),
            "found": found,
            "liked": liked,
            "better": direction(rule.measure) * settled_known(means, len(x)),
        }
    )
    table["place"] = _places(table["better"], table["reference"])
    by_usual = pd.Series(direction(rule.conventional) * settled_known(usual, len(x)))
    table["conventional_place"] = _places(by_usual, table["reference"])
    order = np.lexsort((-table["better"], table["reference"]))  # stable, and NaN last
    return table.iloc[order].reset_index(drop=True)[[*SYSTEMS]]


def _places(better: pd.Series, reference: pd.Series) -> pd.Series:
    """Return the places of the user's runs, from 1; equal ones share theirs."""
    return better.where(~reference).rank(ascending=False, method="min").astype("Int64")


def seen(given: Given) -> tuple[Floats, Floats]:
    """Return by system which share of its first ten places users judged, and liked of these.

    Of the users with a relevant item, all lists together; NaN where nothing is found.
    """
    places = first_places(given.depth)
    counted = given.judgements.n_relevant[given.judgements.row] > 0
    users = max(int((given.judgements.n_relevant > 0).sum()), 1)
    found, liked = [], []
    for own in given.compared.values():
        first = (own.ranks > 0) & (own.ranks <= places) & counted
        found.append(first.sum() / (places * users))
        hits = (first & given.judgements.relevant).sum()
        liked.append(hits / first.sum() if first.any() else np.nan)
    return np.array(found), np.array(liked)


def _found(given: Given, name: str, places: int) -> Floats:
    """Return how many of a user's first places are judged, as `seen` counts; NaN as there."""
    ranks, n_relevant = given.compared[name].ranks, given.judgements.n_relevant
    first = given.judgements.row[(ranks > 0) & (ranks <= places)]
    return np.where(n_relevant > 0, np.bincount(first, minlength=len(n_relevant)), np.nan)


def because(
    given: Given, systems: pd.DataFrame, rule: Rule, settings: Settings
) -> dict[str, Any] | None:
    """Return how the first run differs from the conventional first one, or from the second.

    By what they find, judged items among the first ten, and by how much of it is liked, of the
    users in whose lists both find something: the sign of each difference where its permutation test
    is significant, else 0. None for one run, and where only likes are known.
    """
    own = systems[~systems["reference"].astype(bool)]
    if len(own) < 2 or not given.negative or pd.isna(own["place"].iloc[1]):
        return None
    first = own["system"].iloc[0]
    usual = own.sort_values("conventional_place", kind="stable")["system"].iloc[0]
    second = usual if usual != first else own["system"].iloc[1]
    places = first_places(given.depth)
    liked = values(given, [f"{LIKED}@{places}"], settings, [first, second])
    found = np.stack([_found(given, name, places) for name in (first, second)], axis=1)
    x, _ = scaled(np.concatenate([found[:, :, None], liked], axis=2))
    result = permuted(x, settings.permutations, settings.seed)
    signs = {}
    for m, name in enumerate(("found", "liked")):
        d = x[:, 0, m] - x[:, 1, m]
        d = d[~np.isnan(d)]
        significant = len(d) and result.p_values[m, 0, 1] < settings.alpha
        signs[name] = int(np.sign(aggregate(d))) if significant else 0
    return {"first": first, "second": second, "usual": usual == second} | signs
