"""What judging the unjudged items could change about the order of the user's runs.

Lists say where judged items stand, and not which items fill the other places. An item that two runs
list counts for both, which the bounds of each run on its own do not know: so these are the most
pairs that could be reversed.
"""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from rankassay.advice.given import Given
from rankassay.advice.settings import Settings
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.bounds import METRICS, measure_bounds
from rankassay.metrics.evaluate import Measure, resolve
from rankassay.metrics.judgements import Lists
from rankassay.metrics.precision_recall import JUDGED_ONLY
from rankassay.statistics.ranges import ROUNDING
from rankassay.types import Booleans, Floats


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
