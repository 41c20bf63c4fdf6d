"""Names of the columns in tables of advice, and the labels of a measure next to its name."""

from dataclasses import dataclass

# Why a measure may not be recommended; see `rankassay.advice.candidates`.
WHY_NOT = {
    "deeper-than-lists": "deeper than the shortest lists",
    "cannot-fill": "most users have fewer relevant items",
    "positive-only": "nothing irrelevant was judged",
    "positive-counts": "likes are no measure of exposure",
    "repeats": "as at the next lower cut-off",
    "weights": "no propensities",
    "no-relevant": "no relevant item was judged",
    "not-asked": "others were asked for",
}
YARDSTICKS = {"liked": "liked items", "new": "items new to the user"}


@dataclass(frozen=True)
class Criterion:
    """The names of a criterion of measures.

    Attributes
    ----------
    head, short, unit : str
        In a page, in print, and what its values are.
    reach : tuple of str
        The columns with the ends of a range beyond the interval.
    falling : bool
        Whether lower is better.
    """

    head: str
    short: str
    unit: str
    reach: tuple[str, ...] = ()
    falling: bool = False


CRITERIA = {
    "truth_liked": Criterion("Your truth, liked items", "Truth, liked", "τ"),
    "truth_new": Criterion("Your truth, new items", "Truth, new", "τ"),
    "outcomes": Criterion("Your outcomes", "Outcomes", "τ"),
    "validity": Criterion(
        "Validity in simulations", "Validity", "τ with the truth", ("tau_least", "tau_most")
    ),
    "worst_loss": Criterion("Worst loss in simulations", "Worst loss", "τ lost", falling=True),
    "sparsity": Criterion("Sparsity", "Sparsity", "τ without some judgements"),
    "popularity": Criterion("Popularity", "Popularity", "τ without popular items"),
    "power": Criterion("Power", "DP", "sum of p-values", falling=True),
}
