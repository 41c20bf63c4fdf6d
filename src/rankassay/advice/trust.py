"""How far to trust a ranking of the user's runs: one entry for each thing that could change it.

An entry has its kind, the numbers of its line (`rankassay.advice.findings.TRUST`), and the rows
that they come from. All are of the recommended measure, and of the user's runs and the users who
have a value, as the conclusions are (`rankassay.advice.conclusions`). An entry without a finding is
left out.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from rankassay.advice import alike
from rankassay.advice.conclusions import of_different, selection, values
from rankassay.advice.criteria import ENOUGH_TO_COMPARE, Counted
from rankassay.advice.findings import plainly, records
from rankassay.advice.given import Given
from rankassay.advice.settings import Settings
from rankassay.advice.unjudged import bounded_by, judged_share
from rankassay.answers.words import ROBUST
from rankassay.artifacts.tables import parsed
from rankassay.declared.columns import CORRELATION
from rankassay.metrics.evaluate import Measure, drops_without_relevant
from rankassay.metrics.judgements import Lists
from rankassay.metrics.names import direction
from rankassay.statistics.draws import Draws
from rankassay.statistics.incomplete import (
    against_whole,
    mean_of_defined,
    random_parts,
    unpopular_parts,
)
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.paired import scaled
from rankassay.statistics.power_analysis import Pairs, detectable, required
from rankassay.statistics.replicated import interval
from rankassay.statistics.sensitivity import winners
from rankassay.statistics.valuation import UsersValues
from rankassay.types import Booleans

Entry = dict[str, Any]

KEPT = 50  # percent of the judgements
HALVES = 50  # random ones: of three, tau differs by .4 from seed to seed on sparse data
POWER = 0.8
TARGETS = (0.05, 0.01)  # differences that matter, as shares of the better mean
GAMMA_TABLE = "studies/validity/reference/gamma.csv"  # of simulated worlds
ALL_WORLDS = {"kind": "all", "half": "all"}


def entries(
    given: Given,
    measures: pd.DataFrame,
    pairs: pd.DataFrame,
    recommendation: Mapping[str, Any],
    settings: Settings,
) -> list[Entry]:
    """Return the entries of trust in the order in which they are read.

    Parameters
    ----------
    measures, pairs : DataFrame
        See `rankassay.advice.findings`.
    recommendation : mapping
        Of which the measure is read.
    """
    measure = recommendation["measure"]
    found = [
        few(given),
        missing(given, measure, settings),
        bias(given, measure, pairs, settings),
        popularity(given, measure, pairs, settings),
        unjudged(given, measure, pairs, settings),
        users(given, measure, settings),
        alike.entry(given),
    ]
    return [entry for entry in found if entry is not None]


def few(given: Given) -> Entry | None:
    """Return how few systems there are, reference systems included, and pairs of them."""
    n = len(given.compared)
    if n >= ENOUGH_TO_COMPARE:
        return None
    return {"kind": "few", "systems": n, "pairs": math.comb(n, 2), "rows": []}


def missing(given: Given, measure: str, settings: Settings) -> Entry | None:
    """Return how well the ranking agrees when half of the judgements are removed at random.

    tau is the mean over random halves of Kendall's tau-b with the ranking on all judgements, and
    its interval that of other users (`rankassay.statistics.replicated.interval`). With fewer than
    `ENOUGH_TO_COMPARE` runs the reference systems are ranked with them, if these make enough.
    """
    systems = given.systems if len(given.systems) >= ENOUGH_TO_COMPARE else given.compared
    if len(systems) < ENOUGH_TO_COMPARE:
        return None
    whole = _test_set(given, [measure], settings, systems)
    seed, samples = settings.seed, max(settings.samples, HALVES)
    parts = random_parts(given.judgements.start, [KEPT], samples, seed)
    draws = Draws.of(given.judgements.n_users, settings.resamples, seed)
    taus = against_whole(whole, parts, draws)[KEPT][:, :, 0]
    tau, *replicates = mean_of_defined(taus)
    if np.isnan(tau):
        return None
    low, high = interval(tau, np.array(replicates), settings.confidence, CORRELATION.bounds)
    rows = [{"sample": n, "kept": KEPT, "tau": own} for n, own in enumerate(taus[:, 0], start=1)]
    return {
        "kind": "missing",
        "measure": measure,
        "kept": KEPT,
        "tau": float(tau),
        "low": float(low),
        "high": float(high),
        "robust": bool(tau >= ROBUST),
        "systems": len(systems),
        "references": len(systems) - len(given.systems),
        "rows": records(pd.DataFrame(rows)),
    }


def bias(given: Given, measure: str, pairs: pd.DataFrame, settings: Settings) -> Entry | None:
    """Return at which Γ the leader changes, and to whom.

    Γ bounds the weights of hits (`rankassay.statistics.sensitivity`). To compare it with, there is
    the 95th percentile, over the pairs of systems in simulated worlds, of the true ratio of
    weights. Where precision replaces the measure, and already has another leader, Γ is 1.
    """
    if not len(pairs):
        return None
    leader = pairs["better"].iloc[0]
    own = pairs[pairs["better"] == leader]
    if own["gamma"].isna().all():  # all have the same hits
        return None
    [first] = winners(selection(given, measure, settings)).to_dict("records")
    gamma, rival = first["gamma"], None if first["rival"] == "" else first["rival"]
    if first["leader"] != leader:
        gamma, rival = 1.0, first["leader"]
    nearest = own.sort_values("gamma", kind="stable").rename(columns={"worse": "rival"})
    columns = ["rival", "gamma", "stands_to", "stands"]
    return {
        "kind": "bias",
        "measure": first["measure"],
        "leader": leader,
        "rival": rival,
        "gamma": float(gamma),
        "reversed": first["leader"] != leader,
        "simulated_ratio_95": simulated_ratio(),
        "rows": records(nearest[columns]),
    }


def simulated_ratio(percent: int = 95) -> float:
    """Return a percentile of the true ratio of weights over pairs of systems in simulated worlds.

    The ratio is on the scale of Γ; see `rankassay.studies.validity.kinds_worlds.pairs`.
    """
    # Not by the name of the study's package: to import it takes all studies.
    with files("rankassay").joinpath(GAMMA_TABLE).open(encoding="utf-8") as source:
        table = parsed(source)
    own = table[(table[[*ALL_WORLDS]] == pd.Series(ALL_WORLDS)).all(axis=1)]
    return float(own[f"ratio_{percent}"].iloc[0])


def popularity(given: Given, measure: str, pairs: pd.DataFrame, settings: Settings) -> Entry | None:
    """Return how many pairs of the user's runs reverse without the most popular items.

    And how many of these are significantly different on all items.
    """
    if not len(pairs):
        return None
    [reverse] = without_popular(given, [measure], settings)
    found = {
        frozenset(pair)
        for pair, own in zip(combinations(given.systems, 2), reverse, strict=True)
        if own
    }
    known = [*zip(pairs["better"], pairs["worse"], strict=True)]
    reversed_ = pairs.loc[[frozenset(pair) in found for pair in known]]
    if not len(reversed_):
        return None
    different = of_different(pairs)
    return {
        "kind": "popularity",
        "measure": measure,
        "reversed": len(reversed_),
        "pairs": len(different),
        "percentage": min(settings.percentages),
        "significant": int(reversed_["significant"].sum()),
        "rows": records(reversed_[["better", "worse", "p", "significant"]]),
    }


def without_popular(given: Given, measures: Sequence[str], settings: Settings) -> Booleans:
    """Return which pairs of the user's runs reverse without the most popular items, by measure.

    bool (n_measures, n_pairs), pairs in the order of `itertools.combinations`. The least of the
    settings' percentages of the items are kept, the least popular ones by training ratings, or by
    judgements where there are none. A pair that is tied on either side does not reverse.
    """
    number = np.bincount(given.item) if given.popularity is None else given.popularity
    least = min(settings.percentages)
    [[keep]] = unpopular_parts(given.item, number, [least], "items").values()
    whole = _test_set(given, measures, settings, given.systems)
    a, b = np.triu_indices(len(given.systems), k=1)
    before, after = (np.sign(own[0][:, a] - own[0][:, b]) for own in map(whole.means, (None, keep)))
    return before * after < 0


def unjudged(given: Given, measure: str, pairs: pd.DataFrame, settings: Settings) -> Entry | None:
    """Return how many of the listed items are judged, and how many pairs the others could reverse.

    At most that many, for lists do not say which unjudged items two runs both have.
    """
    depth = max(given.depth, 1)
    cutoff = Measure.parse(measure).cutoff or depth

    def shares(*systems: Lists) -> dict[str, float]:
        at = {"judged_share": depth, "judged_share_at_cutoff": cutoff}
        return {name: judged_share(given, systems, place) for name, place in at.items()}

    together = shares(*given.systems.values())
    if not together["judged_share"] < 1:  # all are, or nothing is listed
        return None
    different = of_different(pairs)
    return {
        "kind": "unjudged",
        "measure": measure,
        "bounds_of": bounded_by(measure, settings.profile, depth),
        **together,
        "pairs": len(different),
        "undetermined": int(different["undetermined"].sum()),
        "rows": [plainly({"run": name} | shares(own)) for name, own in given.systems.items()],
    }


def users(given: Given, measure: str, settings: Settings) -> Entry | None:
    """Return which difference these users detect, and how many others take.

    By Student's paired t of one pair, as `rankassay plan` does: the pair is the one in the middle
    of those whose users differ, and differences are shares of its better mean. `target` is the
    greatest of `TARGETS` that is not detected, and null where all are. Where values are below 0,
    and a mean so may be near 0, there are no shares: `difference` is absolute.
    """
    if len(given.systems) < 2:
        return None
    x, exponent = scaled(values(given, [measure], settings))
    shares = not (x < 0).any()
    # A difference of 100 % is the better mean itself, in standard deviations.
    sought = (100, None) if shares else (None, 1.0)
    pair = Pairs.of(x[:, :, 0], direction(measure)).chosen(*sought, "median")
    if pair is None or len(pair.differences) < 2:
        return None
    effect = detectable(len(pair.differences), settings.alpha, POWER)
    least = effect / pair.effect if shares else None
    targets = TARGETS if shares else ()
    needed = {t: required(t * pair.effect, settings.alpha, POWER) for t in targets}
    target = next((t for t in targets if t < least), None)
    row = pair.row([*given.systems], "run")
    rows = [
        {"target": t, "needed": n, "run_a": row["run_a"], "run_b": row["run_b"]}
        for t, n in needed.items()
    ]
    return {
        "kind": "users",
        "measure": measure,
        "users": len(pair.differences),
        "detectable": least,
        "difference": float(np.ldexp(effect * pair.sd, exponent[0])),
        "power": POWER,
        "target": target,
        "needed": None if target is None else needed[target],
        "rows": records(pd.DataFrame(rows)),
    }


def _test_set(
    given: Given, measures: Sequence[str], settings: Settings, systems: Iterable[str]
) -> UsersValues:
    """Return the judgements and some systems, of which parts can be taken."""
    profile, choice = settings.profile, settings.without_relevant
    dropped = drops_without_relevant(profile, choice)
    evaluation = {
        "measures": [*measures],
        "profile": profile,
        "without_relevant": "value" if dropped else choice,
        "aggregate": "mean",
    }
    judged = [given.judged[name] for name in systems]
    whole = TestSet(given.judgements, given.item, judged, evaluation)
    return Counted(whole) if dropped else whole
