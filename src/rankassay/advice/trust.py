"""How far to trust a ranking of the user's runs: one entry for each thing that could change it.

An entry has its kind, the numbers of its line (`rankassay.advice.findings.TRUST`), and the rows
that they come from. All are of the recommended measure, and of the user's runs and the users who
have a value, as the conclusions are (`rankassay.advice.conclusions`). An entry without a finding is
left out.

Lists say where judged items stand, and not which items fill the other places. An item that two runs
list counts for both, which the bounds of each run on its own do not know: so what unjudged items
could reverse are the most pairs.
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rankassay.advice.conclusions import of_different
from rankassay.advice.findings import plainly, records
from rankassay.advice.given import Counted, Given, Settings
from rankassay.answers.findings import ROBUST
from rankassay.declared.columns import CORRELATION
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.bounds import METRICS, ROUNDING, measure_bounds
from rankassay.metrics.evaluate import Measure, resolve
from rankassay.metrics.judgements import Lists
from rankassay.metrics.precision_recall import JUDGED_ONLY
from rankassay.statistics.draws import Draws
from rankassay.statistics.incomplete import against_whole, mean_of_defined, random_parts
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.replicated import interval
from rankassay.types import Booleans, Floats

Entry = dict[str, Any]
# Systems, of whose order a correlation says something: three make three pairs.
ENOUGH_TO_COMPARE = 6
KEPT = 50  # percent of the judgements
HALVES = 50  # random ones: of three, tau differs by .4 from seed to seed on sparse data


class Ranges(NamedTuple):
    """The least and the greatest mean of each run, float64 (n_runs,), and of which measure."""

    measure: str
    least: Floats
    greatest: Floats


def bounded_by(measure: str, profile: str, depth: int) -> str:
    """Return the measure whose bounds are taken: itself, or precision at its cut-off.

    Judged-only precision has the value of precision once all listed items are judged, as a share of
    the items that are listed.

    >>> bounded_by("nDCG@10", "paper", 100), bounded_by("SNIPS@10", "paper", 100)
    ('nDCG@10', 'P@10')
    >>> bounded_by("P(denominator='judged')@50", "paper", 100)
    "P(denominator='listed')@50"
    """
    parsed = Measure.parse(measure)
    cutoff = parsed.cutoff or depth
    given = resolve(parsed.metric, parsed.parameters, profile)[1]
    if given.get("denominator") in JUDGED_ONLY:
        return f"P(denominator='listed')@{cutoff}"
    return str(parsed) if parsed.metric in METRICS else f"P@{cutoff}"


def ranges(given: Given, measure: str, settings: Settings) -> Ranges:
    """Return the least and the greatest mean of each of the user's runs over all judgements.

    See `rankassay.metrics.bounds.measure_bounds`; items beyond the lists are not relevant.
    """
    depth = max(given.depth, 1)
    by = bounded_by(measure, settings.profile, depth)
    how = [by], settings.profile, settings.without_relevant, "none", depth
    found = [measure_bounds(given.judgements, own, *how) for own in given.systems.values()]
    least = np.array([aggregate(own.least)[0] for own in found])
    greatest = np.array([aggregate(own.greatest)[0] for own in found])
    return Ranges(by, least, greatest)


def undetermined(given: Given, measure: str, settings: Settings) -> Booleans:
    """Return whether some judgements would put the column's run before the row's.

    bool (n_runs, n_runs), from the `ranges`: at most these. Ends that differ by rounding alone are
    the same.
    """
    _, least, greatest = ranges(given, measure, settings)
    margin = greatest[None, :] - least[:, None]
    return margin > ROUNDING * np.maximum(np.abs(greatest)[None, :], np.abs(least)[:, None])


def judged_share(given: Given, systems: Collection[Lists], cutoff: int) -> float:
    """Return which share of the items in the first places are judged; NaN if none is listed.

    Of all systems together, over the users with a relevant item.
    """
    counted = given.judgements.n_relevant > 0
    known = counted[given.judgements.row]
    judged = [((own.ranks > 0) & (own.ranks <= cutoff) & known).sum() for own in systems]
    listed = [np.minimum(own.length, cutoff)[counted].sum() for own in systems]
    return float(sum(judged) / sum(listed)) if sum(listed) else np.nan


def entries(given: Given, pairs: pd.DataFrame, measure: str, settings: Settings) -> list[Entry]:
    """Return the entries of trust in the order in which they are read.

    `pairs` are those of `rankassay.advice.conclusions.pairs`.
    """
    if not given.judgements.relevant.any():
        return []
    found = [
        missing(given, measure, settings),
        bias(pairs, measure, settings),
        unjudged(given, measure, pairs, settings),
    ]
    return [entry for entry in found if entry is not None]


def missing(given: Given, measure: str, settings: Settings) -> Entry | None:
    """Return how well the ranking by a random half of the judgements agrees with that by all.

    A part agrees with the whole more than with other judgements as many. With fewer than
    `ENOUGH_TO_COMPARE` runs the reference systems are ranked with them, if these make enough.
    """
    systems = given.systems if len(given.systems) >= ENOUGH_TO_COMPARE else given.compared
    if len(systems) < ENOUGH_TO_COMPARE:
        return None
    evaluation: Mapping[str, Any] = {
        "measures": [measure],
        "profile": settings.profile,
        "without_relevant": settings.without_relevant,
        "aggregate": "mean",
    }
    judged = [given.judged[name] for name in systems]
    whole = Counted.of(TestSet(given.judgements, given.item, judged, evaluation))
    parts = random_parts(given.judgements.start, [KEPT], HALVES, settings.seed)
    draws = Draws.of(given.judgements.n_users, settings.resamples, settings.seed)
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


def bias(pairs: pd.DataFrame, measure: str, settings: Settings) -> Entry | None:
    """Return how many of the pairs that may be written stand up to Γ, and the range of theirs."""
    written = pairs[pairs["written"].astype(bool)]
    if not len(written):
        return None
    stands = written["stands_to"].astype(np.float64)
    columns = ["better", "worse", "gamma", "stands_to"]
    return {
        "kind": "bias",
        "measure": measure,
        "pairs": len(written),
        "least": float(stands.min()),
        "most": float(stands.max()),
        "standing": int((stands >= settings.gamma).sum()),
        "gamma": settings.gamma,
        "rows": records(written.sort_values("stands_to", kind="stable")[columns]),
    }


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
    place = {name: n for n, name in enumerate(given.systems)}
    different = of_different(pairs)
    may = undetermined(given, measure, settings)
    ends = zip(different["better"], different["worse"], strict=True)
    return {
        "kind": "unjudged",
        "measure": measure,
        "bounds_of": bounded_by(measure, settings.profile, depth),
        **together,
        "pairs": len(different),
        "undetermined": sum(bool(may[place[a], place[b]]) for a, b in ends),
        "rows": [plainly({"run": name} | shares(own)) for name, own in given.systems.items()],
    }
