"""Which measures compete to be recommended, at which cut-offs, and why others do not.

Nothing here depends on a system's score: only on the lengths of lists, on how many judgements users
have, and on further data.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from rankassay.advice.cutoffs import USUAL, can_be_filled
from rankassay.advice.given import Given
from rankassay.metrics.catalogue import is_cut, weighs
from rankassay.metrics.evaluate import Measure, grid, resolve
from rankassay.metrics.precision import JUDGED_ONLY
from rankassay.studies.validity.words_kinds import (
    CORRECTED,
    CORRECTED_ROOT,
    CORRECTED_WEIGHED,
    JUDGED,
    NORMALISED,
    ROOT,
    WEIGHED,
)

# The seven of Valcarce et al., RecSys 2018.
PAPER = ("P", "R", "AP", "nDCG", "RR", "Bpref", "infAP")
WITH_WEIGHTS = (WEIGHED, ROOT, NORMALISED, CORRECTED_WEIGHED, CORRECTED_ROOT)
CUTOFFS = (5, *range(10, 101, 10))
CONVENTIONAL, PLACES = "nDCG", 10  # what most papers report
FORMS = ("plain", "judged", "weighed")
WHY_NOT = {
    "not-asked": "others were asked for",
    "no-relevant": "nothing that was judged is relevant",
    "weights": "it divides by propensities, and none are known",
    "deeper-than-lists": "its cut-off is deeper than the shortest lists",
    "cannot-fill": "unfilled places count as misses, and most users have fewer relevant items",
    "positive-only": "nothing irrelevant was judged, so that all that is judged is a hit",
    "positive-counts": "numbers of likes tell how good an item is as well as how often it is seen, "
    "so that weights of 1/popularity undo both",
    "repeats": "it gives all users the values of the next lower cut-off",
}
COLUMNS = ("measure", "metric", "cutoff", "form", "candidate", "why_not")
MISSES = ("cutoff", "listed")  # denominators of P that count unfilled places as misses


def candidates(
    given: Given,
    asked: Sequence[str] | None = None,
    cutoffs: Sequence[int] | None = None,
    profile: str = "paper",
) -> pd.DataFrame:
    """Return the measures, and which of them may be recommended.

    Parameters
    ----------
    given : Given
    asked : sequence of str or None
        Measures, or metrics that are taken at the cut-offs. None takes the seven metrics of the
        study, judged-only and centred precision and, with propensities, those that are
        weighted by them.
    cutoffs : sequence of int or None
        None takes those of the study as far as the lists go, or their length below the first.
    profile : str
        The definitions, as in `rankassay.evaluate`.

    Returns
    -------
    DataFrame
        One row a measure: measure (as `Measure` writes it), metric, cutoff (Int64, empty without),
        form (one of `FORMS`), candidate (bool) and why_not (a key of `WHY_NOT`, None for
        candidates). What repeats the next lower cut-off is not known here; see
        `rankassay.advice.criteria`.
    """
    rows = []
    named = _named(given, asked, cutoffs)
    for measure in map(Measure.parse, measures_of(given, asked, cutoffs)):
        # Of metrics that were asked for, the conventional measure may be none.
        others = asked is not None and str(measure) not in named
        why_not = "not-asked" if others else _why_not(measure, given, profile)
        head = (str(measure), measure.metric, measure.cutoff, form(measure))
        rows.append((*head, why_not is None, why_not))
    table = pd.DataFrame(rows, columns=[*COLUMNS])
    return table.astype({"cutoff": "Int64", "candidate": bool, "why_not": object})


def measures_of(
    given: Given, asked: Sequence[str] | None, cutoffs: Sequence[int] | None
) -> list[str]:
    """Return the measures that are looked at, each once, the conventional one among them."""
    found = _named(given, asked, cutoffs)
    usual = conventional(given, asked, _reached(given, cutoffs))
    return [*dict.fromkeys(found if usual in found else [usual, *found])]


def _reached(given: Given, cutoffs: Sequence[int] | None) -> Sequence[int]:
    """Return the cut-offs, by default those of the study as far as the lists go."""
    if cutoffs is not None:
        return cutoffs
    return [cutoff for cutoff in CUTOFFS if cutoff <= given.depth] or [max(given.depth, 1)]


def _named(given: Given, asked: Sequence[str] | None, cutoffs: Sequence[int] | None) -> list[str]:
    """Return the measures that are asked for, or those of the study."""
    cutoffs = _reached(given, cutoffs)
    if asked is None:
        others = [JUDGED, CORRECTED, *(WITH_WEIGHTS if given.weights != "none" else ())]
        found = grid(PAPER, cutoffs) + grid(others, usual_of(cutoffs))
    else:
        found = []
        for name in asked:
            measure = Measure.parse(name)
            several = measure.cutoff is None and is_cut(name)
            found += grid([measure.name], cutoffs) if several else [name]
    return [str(Measure.parse(measure)) for measure in found]


def usual_of(cutoffs: Sequence[int]) -> list[int]:
    """Return the cut-offs that are usual, or all where none is.

    At others nothing is simulated: a study of cut-offs shows them for its metrics.
    """
    return [cutoff for cutoff in cutoffs if cutoff in USUAL] or [*cutoffs]


def conventional(
    given: Given, asked: Sequence[str] | None = None, cutoffs: Sequence[int] | None = None
) -> str:
    """Return the measure that is reported next to the recommended one.

    The first of those asked for that can be computed and that lists are long enough for, or else
    nDCG: at 10, or at the deepest cut-off below that there is, or else at the first.
    """
    reached = [cutoff for cutoff in cutoffs or USUAL if cutoff <= given.depth]
    usual = [cutoff for cutoff in reached if cutoff <= PLACES] or reached[:1]
    place = max(usual, default=max(given.depth, 1))
    for name in asked or ():
        measure = Measure.parse(name)
        if form(measure) == "weighed" and given.weights == "none":
            continue
        if measure.cutoff is None and is_cut(name):
            return f"{measure.name}@{place}"
        if measure.cutoff is None or measure.cutoff <= given.depth:
            return str(measure)
    return f"{CONVENTIONAL}@{place}"


def form(measure: Measure) -> str:
    """Return one of `FORMS`: whether a measure counts judged items alone, or weighs hits.

    >>> form(Measure.parse("P(denominator='judged')@10")), form(Measure.parse("SNIPS@10"))
    ('judged', 'weighed')
    >>> form(Measure.parse("CDCG@20")), form(Measure.parse("CDCG@20 by 1/√popularity"))
    ('judged', 'weighed')
    """
    if weighs(measure.name):
        return "weighed"
    given = dict(measure.parameters)
    judged_only = given.get("denominator") in JUDGED_ONLY or given.get("centred")
    return "judged" if judged_only or measure.metric == CORRECTED else "plain"


def _why_not(measure: Measure, given: Given, profile: str) -> str | None:
    """Return the first reason of `WHY_NOT` that keeps a measure from being recommended."""
    counts, cutoff, kind = given.judgements.n_relevant, measure.cutoff, form(measure)
    if not counts.any():
        return "no-relevant"
    if kind == "weighed" and given.weights == "none":
        return "weights"
    if cutoff is not None and cutoff > given.depth:
        return "deeper-than-lists"
    if _counts_unfilled(measure, profile) and not _most_can_fill(counts, cutoff or given.depth):
        return "cannot-fill"
    if given.negative:
        return None
    if kind == "judged" or dict(measure.parameters).get("centred"):
        return "positive-only"
    whole = given.weights == "popularity" and weighs_wholly(measure)
    return "positive-counts" if whole else None


def weighs_wholly(measure: Measure) -> bool:
    """Whether a measure divides by propensities as they are, not by a root of them.

    >>> weighs_wholly(Measure.parse("SNIPS@10")), weighs_wholly(Measure.parse("IPS(power=0.5)@10"))
    (True, False)
    """
    return form(measure) == "weighed" and dict(measure.parameters).get("power", 1) == 1


def _counts_unfilled(measure: Measure, profile: str) -> bool:
    """Whether a place without a relevant item lowers a value even if none is left for it."""
    if measure.metric not in ("P", "F", "F1"):
        return False
    _, parameters = resolve(measure.metric, measure.parameters, profile)
    return parameters["denominator"] in MISSES


def _most_can_fill(counts: np.ndarray, cutoff: int) -> bool:
    """Whether most users can fill the places, or these are so few that there is no choice."""
    return cutoff <= USUAL[0] or can_be_filled(counts, cutoff)
