"""Sensitivity to selection: how unequally judged items may count until two systems reverse.

Ratings are missing not at random, and no test set shows which ones represent many others that were
not observed. Without a truth there is still an answer to "how much selection would it take?" (the
bound Γ of Rosenbaum, Observational Studies, 2002, chapter 4, here of weights instead of odds).

Let d_ui = g_A(u, i) - g_B(u, i) over the judged items that systems A and B list, where g is what an
item adds to a linear measure, and A the leader. A hit adds to it; where a measure is centred, an
item that is judged and not liked takes from it. Let every user-item pair have one weight, which
counts for both systems, in [1/Γ, Γ], so that two weights differ by Γ² at most.

- Free by item and user: with D+ and D- the sums over (u, i) of the positive and the negative parts
  of d_ui, the least sum of weighted differences is D+/Γ - Γ D-, which is 0 at ::

      γ = sqrt(D+ / D-)

  Items that both systems list cancel in P, and leave the difference of their gains in DCG.
- One weight an item: the same with d_i = sum_u d_ui, whose parts are no larger, so that the least Γ
  is never below that of the free form.
- Along popularity: `rankassay.statistics.sensitivity_pairs.popularity_exponents`.

D- = 0: no weights reverse the pair, γ is infinite. D+ = D-: the pair is tied, γ = 1. Both 0: the
systems gain the same by each item, γ is undefined (NaN). Users without such items change no γ; they
stay in n.

A pair is significant at Γ if the leader is significantly better under all weights that are free by
item and user: the p-value at Γ is the largest of Student's paired t-tests, two-sided, of the users'
weighted sums, and 1 where some weights end the lead. It bounds that of one weight an item.
The weights that are worst for the mean need not have the largest p: see
`rankassay.statistics.sensitivity_pairs`.

P and DCG are sums of weights of places; of nDCG and recall, each user's denominator is held fixed,
though it, too, has items that were not observed, and so is the user's share of liked items p_u of
measures that are centred. Of measures that weigh by propensities (IPS, SNIPS, Stratified), Γ bounds
by how much these are wrong. Other measures (RR, AP, bpref, weighted ones without propensities, and
judged-only ones, whose denominators are of lists) have no Γ: precision at the same cut-off, or of
whole lists at the depth of these, replaces them.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from rankassay.metrics.catalogue import weighs
from rankassay.metrics.evaluate import Measure, drops_without_relevant, groups_of, resolve
from rankassay.metrics.judged import Judged
from rankassay.metrics.judgements import WHOLE_LIST, Judgements
from rankassay.metrics.precision_recall import JUDGED_ONLY
from rankassay.metrics.totals import Total
from rankassay.statistics.sensitivity_pairs import (
    ALPHA,
    ROWS,
    of_items,
    of_pairs,
    p_values,
    popularity_exponents,
    whole_gains,
)
from rankassay.types import Booleans, Floats, Integers

# Bounds of weights at which pairs are tested, in addition to 1, and the one that sentences are
# about: the smallest of them at which at most 5% of the significant pairs had the wrong sign in
# simulated worlds, and at most 10% in any kind of them. None of the four keeps to that where
# systems that predict ratings compete, so that it is the greatest. The table is
# `reference/gamma.csv` of `rankassay.studies.validity`, the rule
# `rankassay.studies.validity.kinds_summary.default_gamma`.
GAMMAS = (1.5, 2.0, 3.0, 4.0)
DEFAULT_GAMMA = 4.0
LINEAR = ("P", "CP", "R", "DCG", "nDCG", "IPS", "SNIPS", "Stratified")


def linear(measure: str, profile: str, propensities: bool = True) -> bool:
    """Return whether a measure is a sum of gains of judged items, over a fixed denominator.

    Without `propensities`, those that weigh by these are not.

    >>> linear("nDCG@10", "paper"), linear("RR@10", "paper"), linear("IPS(gain='P')@10", "paper")
    (True, False, True)
    """
    parsed = Measure.parse(measure)
    if parsed.metric not in LINEAR or (weighs(parsed.name) and not propensities):
        return False
    _, given = resolve(parsed.metric, parsed.parameters, profile)
    if given.get("gain") == "AUC":  # it counts items that nobody judged, too
        return False
    return given.get("ideal") != "retrieved" and given.get("denominator") not in JUDGED_ONLY


def counted_by(measure: str, profile: str, depth: int, propensities: bool = True) -> str:
    """Return the linear measure by whose gains a measure is judged: itself, or precision.

    `propensities` says whether there are any.

    >>> counted_by("nDCG@10", "paper", 100), counted_by("AP@10", "paper", 100)
    ('nDCG@10', 'P@10')
    >>> counted_by("AP", "paper", 100), counted_by("Recall@5", "paper", 100)
    ('P@100', 'R@5')
    """
    parsed = Measure.parse(measure)
    own = linear(measure, profile, propensities)
    return str(parsed) if own else f"P@{parsed.cutoff or depth}"


def pairs(
    judgements: Judgements,
    item: Integers,
    systems: Mapping[str, Judged],
    evaluation: Mapping[str, Any],
    number: Integers | None = None,
    gamma: float | None = None,
    only: Collection[tuple[str, str]] | None = None,
) -> pd.DataFrame:
    """Return how much selection it takes to reverse each pair of systems, measure by measure.

    `number` are the training ratings of each item, without which `exponent` is empty; `gamma` is
    the Γ of `p_default`, or else `DEFAULT_GAMMA`; and `only` names the pairs that have rows, in
    either order.

    A row for each measure and pair, those of the winner first. Columns metric, cutoff, measure
    (whose gains are weighted: itself, or P), leader and other (by the mean of that measure; of
    tied systems the first one leads), difference (of the means), hits_leader and hits_other
    (the user-item pairs by which either gains more than the other), gamma and gamma_item (the
    least Γ that reverses the pair, free and one weight an item), exponent (of popularity),
    p_value (at Γ = 1), p_default (at `gamma`; the largest p under any weights), stands_to (the
    greatest of 1, `GAMMAS` and `gamma` at which the pair is significant under all weights; 0
    for none), default (that `gamma`) and identical (whether both list the judged items alike,
    so that no measure finds a difference).
    """
    default = DEFAULT_GAMMA if gamma is None else gamma
    profile, names = evaluation["profile"], [*systems]
    depth = _depth(systems.values())
    dropped = drops_without_relevant(profile, evaluation["without_relevant"])
    has_value = (judgements.n_relevant > 0) | (not dropped)
    users = int(has_value.sum())
    measures = [*dict.fromkeys(map(Measure.parse, evaluation["measures"]))]
    known = judgements.propensity is not None
    by = [counted_by(str(measure), profile, depth, known) for measure in measures]
    counted = [*dict.fromkeys(by)]
    wanted = _wanted(names, only)
    found = {}
    for measure, hits, c in _hits(counted, [*systems.values()], profile, has_value):
        sums = Sums.of(hits, c, judgements.start, item, number, wanted, default)
        found[measure] = sums.table(names, users)
    rows = [
        found[own].assign(metric=parsed.name, cutoff=parsed.cutoff, measure=own)
        for parsed, own in zip(measures, by, strict=True)
    ]
    table = pd.concat(rows, ignore_index=True)
    listed = {
        name: np.where(own.lists.ranks > depth, 0, own.lists.ranks).tobytes()
        for name, own in systems.items()
    }
    sides = zip(table["leader"], table["other"], strict=True)
    table["identical"] = np.array([listed[a] == listed[b] for a, b in sides], dtype=bool)
    return table[[*COLUMNS]].astype({"cutoff": "Int64"})


COLUMNS = (
    *("metric", "cutoff", "measure", "leader", "other", "difference", "hits_leader", "hits_other"),
    *("gamma", "gamma_item", "exponent", "p_value", "p_default", "stands_to", "default"),
    "identical",
)


def _wanted(names: Sequence[str], only: Collection[tuple[str, str]] | None) -> Booleans:
    """Return which pairs have rows, bool (n_systems, n_systems)."""
    wanted = np.full((len(names), len(names)), only is None)
    place = {name: s for s, name in enumerate(names)}
    for one, other in only or ():
        wanted[place[one], place[other]] = wanted[place[other], place[one]] = True
    return wanted


def _depth(systems: Collection[Judged]) -> int:
    """Return where the lists are cut, or else the length of the longest one."""
    depth = min((own.depth for own in systems), default=WHOLE_LIST)
    longest = max((int(own.lists.length.max(initial=1)) for own in systems), default=1)
    return longest if depth == WHOLE_LIST else depth


@dataclass(frozen=True)
class Hits:
    """Gains of the listed items of all systems under a metric at some cut-offs."""

    start: Integers  # where each user's entries begin, (n_systems, n_users)
    bounds: Integers  # how many stand in the first n places, (n_cutoffs, n_systems, n_users)
    judgement: Integers  # indices of the judged items, int32 (n_entries,)
    contribution: Floats  # (n_entries,)
    divisor: Floats  # of contributions, (n_cutoffs, n_systems or 1, n_users or 1)
    places: Floats  # the final divisor of all sums, so that hits are whole numbers, (n_cutoffs,)

    @classmethod
    def of(cls, totals: Sequence[Total], has_value: Booleans) -> Self:
        """Return the entries of the systems' sums, one system after the other.

        Users without a value, bool (n_users,), have none.
        """
        cutoffs = totals[0].cutoffs
        entries = [total.entries for total in totals]
        before = np.cumsum([0, *(len(own.rank) for own in entries)])
        start = np.array([b + own.start[:-1] for b, own in zip(before, entries, strict=False)])
        bounds = np.array([own.bounds(cutoffs) for own in entries]).transpose(2, 0, 1) * has_value
        contribution = [
            np.broadcast_to(total.contribution, total.entries.rank.shape) for total in totals
        ]
        divisor = [np.broadcast_to(t.divisor, (len(t.divisor), len(cutoffs))).T for t in totals]
        if all(np.array_equal(own, divisor[0]) for own in divisor):  # of judgements, not of lists
            divisor = divisor[:1]
        divisor, places = np.stack(divisor, axis=1), np.ones(len(cutoffs))
        if divisor.shape[1:] == (1, 1):  # of the cut-off alone
            places = np.where(divisor == 0, 1.0, divisor)[:, 0, 0]
            divisor = np.ones_like(divisor)
        judgement = np.concatenate([own.judgement for own in entries])
        contribution = np.concatenate(contribution)
        return cls(start, np.ascontiguousarray(bounds), judgement, contribution, divisor, places)


def _hits(
    measures: Sequence[str], systems: Sequence[Judged], profile: str, has_value: Booleans
) -> Iterator[tuple[str, Hits, int]]:
    """Yield linear measures, the systems' gains under them, and the place of their cut-off.

    Measures of one metric share the entries; those of one metric are held at a time.
    """
    for metric, parameters, columns, cutoffs in groups_of(tuple(measures)):
        function, given = resolve(metric, parameters, profile)
        hits = Hits.of([function(own, cutoffs, **given) for own in systems], has_value)
        for c, measure in enumerate(np.array(measures)[columns]):
            yield str(measure), hits, c


@dataclass(frozen=True)
class Sums:
    """Gains of pairs of systems under one measure, (n_pairs,) each, those of the best system first.

    Of tied ones, whose totals are made equal, the one that is given first leads.
    """

    leader: Integers
    other: Integers
    unit: float  # what a whole number of gains is worth
    lead: Floats  # the difference of totals, in units, as all sums that follow
    sums: Mapping[str, Floats]  # of each of `ROWS`
    less_by_item: Floats  # the sum of the negative parts of d_i
    exponent: Floats
    default: float  # the Γ of `p_default`
    spread: Mapping[float, Floats]  # the largest ones at each Γ

    @classmethod
    def of(
        cls,
        hits: Hits,
        c: int,
        first: Integers,
        item: Integers,
        number: Integers | None,
        wanted: Booleans,
        default: float,
    ) -> Self:
        """Return the sums of the gains in the first places of the cut-off `c`.

        `first` is where each user's judgements begin, `wanted` which pairs there are; for the
        others see `pairs`.
        """
        bound, gains = hits.bounds[c], np.empty(len(hits.contribution))
        start, judgement = hits.start, hits.judgement
        given = bound, hits.contribution, hits.divisor[c]
        unit, totals = whole_gains(start, *given, gains)
        totals = _level(totals[None], len(gains))[0]
        order = np.argsort(-totals, kind="stable")
        totals = totals[order]
        start, bound = start[order], bound[order]
        a, b = np.triu_indices(len(order), k=1)
        some = wanted[order[a], order[b]]
        a, b, levels = a[some], b[some], sorted({1.0, *GAMMAS, default})
        sums, spread = of_pairs(start, bound, judgement, first, gains, a, b, np.array(levels))
        sums, lead = dict(zip(ROWS, sums, strict=True)), totals[a] - totals[b]
        n_items = 1 + int(item.max(initial=-1)) if number is None else len(number)
        by_item = of_items(start, bound, judgement, item, gains, n_items)
        less = np.minimum(_less_by_item(_level(by_item, len(gains)))[some], sums["minus"])
        exponent = np.full(len(less), np.nan)
        if number is not None:
            differs = sums["plus"] > 0
            exponent[differs] = popularity_exponents(by_item, number)[some][differs]
            exponent[differs & (lead == 0)] = 0.0
        at = dict(zip(levels, spread, strict=True))
        unit /= hits.places[c]
        return cls(order[a], order[b], unit, lead, sums, less, exponent, default, at)

    def table(self, names: Sequence[str], users: int) -> pd.DataFrame:
        """Return the columns of `pairs` except those of the measure."""
        ends = self.lead <= 0  # of tied systems the sums may differ by rounding
        p = {gamma: np.where(ends, 1.0, p_values(users, own)) for gamma, own in self.spread.items()}
        significant = np.array([own < ALPHA for own in p.values()])
        count = np.logical_and.accumulate(significant).sum(axis=0)
        ordered, minus = np.array(names, dtype=object), self.sums["minus"]
        return pd.DataFrame(
            {
                "leader": ordered[self.leader],
                "other": ordered[self.other],
                "difference": self.lead * self.unit / max(users, 1),
                "hits_leader": self.sums["hits_leader"].astype(np.int64),
                "hits_other": self.sums["hits_other"].astype(np.int64),
                "gamma": least_gamma(self.lead + minus, minus),
                "gamma_item": least_gamma(self.lead + self.less_by_item, self.less_by_item),
                "exponent": self.exponent,
                "p_value": p[1.0],
                "p_default": p[self.default],
                "stands_to": np.array([0.0, *p])[count],
                "default": self.default,
            }
        )


def _level(values: Floats, rounding: float) -> Floats:
    """Return values (n_rows, n_systems), made equal where those of a row differ by rounding alone.

    A gain is off by one unit at most: thirds of three users may not add up to a whole one.
    """
    order = np.argsort(-values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    lower = np.diff(ordered, axis=1, prepend=np.inf) < -rounding
    first = np.maximum.accumulate(np.where(lower, np.arange(values.shape[1]), 0), axis=1)
    level = np.empty_like(values)
    np.put_along_axis(level, order, np.take_along_axis(ordered, first, axis=1), axis=1)
    return level


def _less_by_item(by_item: Floats) -> Floats:
    """Return the sums over items of the other system's surplus of gain, (n_pairs,)."""
    gains = np.ascontiguousarray(by_item.T)
    rest = [np.maximum(gains[a + 1 :] - own, 0).sum(axis=1) for a, own in enumerate(gains)]
    return np.concatenate(rest)


def least_gamma(plus: Floats, minus: Floats) -> Floats:
    """Return the least Γ at which weights reverse a pair, sqrt(plus / minus); see this module.

    `plus` and `minus`, float64 (n_pairs,), are the sums of the positive and of the negative parts.
    """
    none = np.where(plus > 0, np.inf, np.nan)
    return np.sqrt(np.divide(plus, minus, out=none, where=minus > 0))


def winners(table: pd.DataFrame) -> pd.DataFrame:
    """Return how much selection it takes to change the winner, of a table of `pairs`.

    Columns metric, cutoff, measure, leader (the winner), gamma and rival, gamma_item and
    rival_item (the least Γ over the rivals, and the first of those who have it; empty where
    none can draw level), hits and hits_rival (of the pair with the rival, see `pairs`; where γ
    is infinite, the fewest of any such pair, and none), same (how many rivals gain what the
    winner gains, hit by hit), pairs (of systems that are not identical), standing (how many of
    these are significant up to the default Γ) and default (that Γ).
    """
    rows = []
    for (metric, cutoff), own in table.groupby(["metric", "cutoff"], sort=False, dropna=False):
        [leader] = {*own["leader"]} - {*own["other"]}
        rivals = own[own["leader"] == leader]
        free, by_item = (_nearest(rivals, name) for name in ("gamma", "gamma_item"))
        nearest = rivals[rivals["gamma"].isin([free[0]])]
        if np.isfinite(free[0]):
            nearest = nearest[:1]
        rows.append(
            {"metric": metric, "cutoff": cutoff, "measure": own["measure"].iloc[0]}
            | {"leader": leader, "gamma": free[0], "rival": free[1]}
            | {"gamma_item": by_item[0], "rival_item": by_item[1]}
            | {
                "hits": int(nearest["hits_leader"].min()),
                "hits_rival": int(nearest["hits_other"].max()),
                "same": int(rivals["gamma"].isna().sum()),
            }
            | {"pairs": int((~own["identical"].astype(bool)).sum())}
            | {"standing": int((own["stands_to"] >= own["default"]).sum())}
            | {"default": own["default"].iloc[0]}
        )
    return pd.DataFrame(rows, columns=WINNERS).astype({"cutoff": "Int64"})


WINNERS = [
    *("metric", "cutoff", "measure", "leader", "gamma", "rival", "gamma_item", "rival_item"),
    *("hits", "hits_rival", "same", "pairs", "standing", "default"),
]


def _nearest(rivals: pd.DataFrame, name: str) -> tuple[float, Any]:
    """Return the least Γ over the rivals, and the rival; none if it is infinite or undefined."""
    least = rivals[name].min()  # of those that are defined
    if not np.isfinite(least):
        return least, ""
    return least, rivals.loc[rivals[name].idxmin(), "other"]
