"""What measures and kinds of worlds are called in figures and tables."""

from assayer.metrics.catalogue import label
from assayer.studies.validity.kinds import KIND
from assayer.studies.validity.kinds_summary import ALL
from assayer.studies.validity.kinds_worlds import CONDENSED, JUDGED, NORMALISED, WEIGHED

NAMES = {
    JUDGED: "judged-only P@{}",
    "P(denominator='judged_nan')": "judged-only P@{} (lists without a judged item excluded)",
    WEIGHED: "P@{} by 1/popularity",
    NORMALISED: "Recall@{} by 1/popularity",
    "nDCG(gain='binary')": "nDCG@{} (binary)",
    "FP(denominator='nonrelevant')": "anti-recall@{}",
}
# What figures and tables show: the usual measures, and the candidates that may do better.
SHOWN = (
    ("P", 10),
    ("nDCG", 10),
    ("condensed P", 10),
    ("FP", 10),
    ("Bpref", 100),
    (JUDGED, 50),
    (WEIGHED, 10),
    (WEIGHED, 50),
)


def measure_name(metric: str, cutoff: int) -> str:
    """Return what readers call a measure.

    >>> measure_name("P(denominator='judged')", 50), measure_name("condensed P", 10)
    ('judged-only P@50', 'condensed P@10')
    """
    if metric in NAMES:
        return NAMES[metric].format(cutoff)
    plain = metric.removeprefix(CONDENSED)
    return metric[: len(metric) - len(plain)] + label(plain, cutoff)


def kind_name(kind: str) -> str:
    """Return what distinguishes a kind of worlds.

    >>> kind_name("many"), kind_name("all")
    ('Many ratings a user', 'All together')
    """
    if kind == ALL:
        return "All together"
    text = KIND[kind].label
    return text[:1].upper() + text[1:]
