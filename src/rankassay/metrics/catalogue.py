"""The catalogue of metrics: the kinds that there are, and look-ups of any metric's properties.

Nothing here imports a metric: planning a run reads the entries, and compiled code takes seconds.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from rankassay.lookup import find
from rankassay.metrics.entries import (
    BEYOND_METRICS,
    DIVERSITY_METRICS,
    METRICS,
    PREFERENCES,
    WEIGHTS,
)
from rankassay.metrics.metric import ANY, Metric


@dataclass(frozen=True, eq=False)
class Kind:
    """The metrics whose functions take the same input, and how messages speak of them."""

    metrics: Mapping[str, Metric]
    called: str  # what one of them is
    form: str  # how one is written, an example


RANKING = Kind(METRICS, "metric", "nDCG@10")
DIVERSITY = Kind(DIVERSITY_METRICS, "diversity metric", "NRBP(beta=0.8)")
BEYOND = Kind(BEYOND_METRICS, "metric beyond accuracy", "EPC")
PREFERENCE = Kind(PREFERENCES, "preference", "RPP")

EVERY = METRICS | DIVERSITY_METRICS | BEYOND_METRICS
# By all the names that results have, in the order in which they are shown.
KNOWN = {
    shown: metric
    for name, metric in EVERY.items()
    for shown in (name, *(f"{name}({parameters})" for parameters in metric.variants))
}
OWN = Metric("", ANY)  # the properties that a user's own metric is taken to have


@cache
def entry(measure: str) -> Metric:
    """Return the entry of a measure with its parameters, by the catalogue's name of its metric.

    A metric that is not in the catalogue is taken for one of the user's own.

    >>> entry("Entropy@10").bounds, entry("Entropy(base=None)@10").bounds
    ((0.0, inf), (0.0, 1.0))
    >>> [entry(f"UserGroups(compared='{how}')").lower_is_better for how in ("difference", "worst")]
    [True, False]
    """
    found = EVERY.get(bare(measure), OWN)
    for when in found.when:
        if when.holds(measure):
            changes = when.changes.items()
            own = {k: new(getattr(found, k)) if callable(new) else new for k, new in changes}
            found = replace(found, **own)
    return found


def metric(name: str) -> str:
    """Return "module:function" for a metric: a name in the catalogue, or the user's own function.

    The latter is written as "module:function" already.
    """
    return name if ":" in name else find("metric", name, EVERY | PREFERENCES).function


def bare(measure: str) -> str:
    """Return the name of a measure's metric, without parameters and cut-off.

    >>> bare("nDCG(gain='exp')@10")
    'nDCG'
    """
    return re.match(r"\s*([^(@\s]*)", measure)[1]


def weighs(measure: str) -> bool:
    """Return whether a measure needs the propensities of the judged ratings.

    >>> weighs("SNIPS(gain='R')@10"), weighs("R@10")
    (True, False)
    >>> weighs("IPS(power=0.5)@10"), weighs("IPS(power=0)@10")
    (True, False)
    """
    return WEIGHTS in entry(measure).needs


def label(name: str, cutoff: float | None = None) -> str:
    """Return a metric's name for readers, with its cut-off if that is given.

    The module of a user's own metric is omitted.

    >>> label("AP"), label("AP", 10), label("mine:hits")
    ('MAP', 'MAP@10', 'hits')
    """
    text = (name in KNOWN and KNOWN[name].label) or re.sub(r"^[\w.]+:", "", name)
    return text if cutoff is None else f"{text}@{cutoff:g}"


def ordered(names: Iterable[str]) -> list[str]:
    """Return the distinct names, those of the catalogue first, in its order."""
    given = set(names)
    first = [name for name in KNOWN if name in given]
    return first + sorted(given.difference(first))
