"""What advice consists of: tables, and entries that a screen, a page or a report put into words."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from rankassay.advice.simulated import SETS
from rankassay.types import Shown

SCHEMA = "rankassay.advice/2"


@dataclass(frozen=True, repr=False)
class Findings(Shown):
    """The findings; see `to_dict` for the form in which they are stored and shown.

    Attributes
    ----------
    data : dict
        users (with judgements), relevant_users (those with a relevant item), informative (those by
        whom runs can differ), runs, references (how many reference systems), depth (of the lists
        that all runs have), cutoff (the default one that follows the data:
        `rankassay.advice.cutoffs`), longest, relevant_median and judged_median (per user with a
        relevant item), judged_share (of the items listed in the first `depth` places, all runs
        together), judged_share_by_run, threshold, threshold_reason, negative (whether anything
        irrelevant was judged), weights (see `Given`), train (see `Given`), dataset, synthetic and
        warnings (sentences that the answer has to begin with).
    settings : dict
        seed, alpha, confidence, gamma, permutations, resamples, metrics (asked for; null for the
        default), cutoffs and yardstick.
    recommendation : list of dict
        One entry, or one for each yardstick where these decide otherwise. Keys: verdict ("report"
        or "cannot tell"), yardstick ("liked", "new" or null), measure (in a form that
        `rankassay.evaluate` takes), needs ("train", "propensities" or null: what its weights come
        from), why (where the verdict is "cannot tell": keys that words have sentences for),
        unweighed (why it has no weights, likewise), by (the truth that chose it, or null),
        conventional (the measure next to it), written (the measures under which a difference has
        to be significant before one writes of it), avoid (list of measure, by, tau, best_measure,
        best, best_low, best_high: what a truth excludes), truths (list of by, systems: that it
        orders, and used: whether it may exclude measures), and alike (tau, pairs and reversed: how
        the two rank the user's runs).
    simulated : dict
        What is known of such data from simulations, empty where these are not like them: users, and
        measure, conventional (by set of systems and truth: tau, low, high, left_out) and writing,
        usual (by class of pairs: decided, wrong, worst; usual only where nDCG@10 with binary gain
        is the conventional measure). `rankassay.advice.simulated` has their meaning.
    checks : dict
        t, share and their limits (`rankassay.advice.simulated.Range`); empty without reference
        systems. And warnings: list of kind and numbers.
    measures : DataFrame
        One row a measure: measure, metric, cutoff, tau_mixed, tau_close and tau_sweep (with the
        truth in simulations, by set of systems), alike (tau of the runs with the recommended
        measure), reversed (pairs of runs in the other order), truth_liked, truth_new and outcomes
        (tau with what was given; each also with _low and _high) and excluded (by what truth).
    systems : DataFrame
        The user's runs from best to worst under the recommended measure, and the reference systems:
        system, reference (whether it is one), mean with low and high (95 % interval) and place,
        beats (runs that one may write it is better than), conventional (the mean under that
        measure) and conventional_place, found (share of its first ten places with a judged item)
        and liked (share of these that the user likes).
    pairs : DataFrame
        One row a pair of the user's runs: better, worse, difference of their means with low and
        high (95 % interval for all pairs at once), p (corrected) and correction (max-t or holm),
        significant, signs (by measure of the rule: 1, 0 for not significant, or -1), written
        (whether one may write it), conventional_difference, conventional_p and conventional_sign,
        gamma (of written pairs: the least Gamma at which weights reverse it), stands_to (the
        greatest tested Gamma up to which it is significant) and identical.
    because : dict
        first, second (runs), usual (whether the second is the conventional first), found and liked
        (signs of the significant differences); empty where nothing can be said.
    trust : list of dict
        How far to trust it, one entry a line: kind, the numbers of the line (see `TRUST`), and rows
        (records, its evidence).
    next : list of dict
        What to do: kind, text, command (or null) and the numbers.
    notes : list of str
        What was assumed about the input.
    """

    data: Mapping[str, Any]
    settings: Mapping[str, Any]
    recommendation: list[dict[str, Any]]
    simulated: Mapping[str, Any]
    checks: Mapping[str, Any]
    measures: pd.DataFrame
    systems: pd.DataFrame
    pairs: pd.DataFrame
    because: Mapping[str, Any]
    trust: list[dict[str, Any]]
    next: list[dict[str, Any]]
    notes: list[str] = field(default_factory=list)

    def to_dict(self, version: str) -> dict[str, Any]:
        """Return all of it as values for JSON: NaN is null, infinity is the text "Infinity"."""
        tables = {name: records(getattr(self, name)) for name in ("measures", "systems", "pairs")}
        parts = ("data", "settings", "recommendation", "simulated", "checks", "because")
        parts += ("trust", "next", "notes")
        plain = {name: plainly(getattr(self, name)) for name in parts}
        return {"schema": SCHEMA, "version": version, **plain, **tables}


# One row a measure, the recommended one first.
MEASURES = {
    "measure": "in a form that `rankassay.evaluate` takes",
    "metric": "its metric",
    "cutoff": "its cut-off, empty without",
    **{f"tau_{name}": f"tau with the truth in simulations, {name} systems" for name in SETS},
    "alike": "tau of the user's runs with the recommended measure",
    "reversed": "pairs of the user's runs that it orders the other way",
    "truth_liked": "tau with the truth given, of liked items",
    "truth_liked_low": "",
    "truth_liked_high": "",
    "truth_new": "of liked items that are new to the user",
    "truth_new_low": "",
    "truth_new_high": "",
    "outcomes": "tau with the outcomes given",
    "outcomes_low": "",
    "outcomes_high": "",
    "excluded": "by what truth it is significantly worse than the best; empty if by none",
}

SYSTEMS = {
    "system": "the run",
    "reference": "whether it is a reference system, which follow the runs",
    "mean": "under the recommended measure",
    "low": "its 95 % interval over users",
    "high": "",
    "place": "1 for the best mean; equal means share it",
    "beats": "the runs that one may write it is better than: a list of names",
    "conventional": "the mean under the conventional measure",
    "conventional_place": "its place by that",
    "found": "the share of its first ten places with an item that the user judged",
    "liked": "the share of these that the user likes",
}

PAIRS = {
    "better": "the run with the higher mean under the recommended measure",
    "worse": "the other",
    "difference": "of the means",
    "low": "its 95 % interval, which holds for all pairs at once, as p does",
    "high": "",
    "p": "corrected p-value (paired permutation test, max-T over all pairs)",
    "correction": "max-t, or holm where the two differ in which users have a value",
    "significant": "whether p is below alpha",
    "signs": "by each measure of the rule 1, 0 (not significant) or -1: a dict by measure",
    "written": "whether one may write it: significant and alike under all of these, if there are",
    "conventional_difference": "of the same two under the conventional measure",
    "conventional_p": "its corrected p-value",
    "conventional_sign": "1, 0 (not significant) or -1",
    "gamma": "of pairs that may be written: the least Gamma at which weights reverse it",
    "stands_to": "the greatest tested Gamma up to which it is significant for all weights",
    "identical": "whether both runs list the judged items alike; no other count of pairs has it",
}

# The numbers of each entry of trust.
TRUST = {
    # kept: percent of judgements; systems: that are ranked, with this number of references
    "missing": ("measure", "kept", "tau", "low", "high", "robust", "systems", "references"),
    # of the pairs that may be written: the fewest and most that hold, at each tested Gamma
    "bias": ("measure", "pairs", "least", "most", "standing", "gamma"),
    # judged_share: of all places that lists have in common; bounds_of: by which measure's bounds
    "unjudged": ("measure", "judged_share", "pairs", "undetermined", "bounds_of"),
}


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table as values for JSON."""
    return [plainly(row) for row in frame.to_dict("records")]


def plainly(value: Any) -> Any:
    """Return a value as one for JSON.

    >>> plainly({"a": np.float64("nan"), "b": [np.int64(2), np.inf], "c": pd.NA})
    {'a': None, 'b': [2, 'Infinity'], 'c': None}
    """
    if isinstance(value, Mapping):
        return {str(name): plainly(own) for name, own in value.items()}
    if isinstance(value, list | tuple | set | np.ndarray):
        return [plainly(own) for own in value]
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    return value
