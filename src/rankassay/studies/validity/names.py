"""Names of yardsticks, of biases and kinds of worlds, and of measures."""

from rankassay.metrics.names import CONDENSED
from rankassay.metrics.parameters import readers_name

LIKED, NEW, OWN = "liked", "new", "own"
AS_PUBLISHED, COMPLETE = "as published", "complete"


HALVES = ("choose", "report")
ALL = "all"  # kinds, together
MEAN_RANK, ALWAYS = "mean rank", "nDCG@10"  # strategies besides the criteria
JUDGED = "P(denominator='judged')"
WEIGHED, NORMALISED = "IPS(gain='P')", "SNIPS"  # by 1 / popularity
# Of ratings, with a strength each; see `rankassay.studies.validity.worlds`.
BIASES = ("item-independent", "popularity-driven", "relevance-driven", "mixed")
# Kinds of worlds that are reported, but not in the summary over kinds.
APART = ("only-liked", "liking", "no-predictors", "all-ratings")
# What distinguishes each kind of `rankassay.studies.validity.kinds.KIND`.
KINDS = {
    "base": "base",
    "alike": "personalised systems only, close to each other",
    "suits": "users come across what suits them",
    "niche-fans": "niche items are rated by those who like them",
    "popular-fans": "popular items are rated by those who like them",
    "deployed": "a deployed recommender chose what is seen",
    "many": "many ratings a user",
    "mostly-liked": "mostly liked items are rated",
    "unequal": "users differ in how much liking drives rating",
    "only-liked": "only liked items are rated",
    "liking": "liked items are rated four times as often",
    "no-predictors": "no system predicts ratings",
    "all-ratings": "all systems learn from all ratings, liked or not",
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
    """Return the readers' name of a measure.

    >>> measure_name("P(denominator='judged')", 50), measure_name("condensed P", 10)
    ('P@50 of judged items', 'condensed P@10')
    """
    plain = metric.removeprefix(CONDENSED)
    return metric[: len(metric) - len(plain)] + readers_name(f"{plain}@{cutoff:g}")


def kind_name(kind: str) -> str:
    """Return what distinguishes a kind of worlds.

    >>> kind_name("many"), kind_name("all")
    ('Many ratings a user', 'All together')
    """
    if kind == ALL:
        return "All together"
    text = KINDS[kind]
    return text[:1].upper() + text[1:]
