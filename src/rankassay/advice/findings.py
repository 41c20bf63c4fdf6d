"""What advice consists of: tables, and entries that a screen, a page or a report put into words."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from rankassay.types import Shown

SCHEMA = "rankassay.advice/1"


@dataclass(frozen=True, repr=False)
class Findings(Shown):
    """The findings; see `to_dict` for the form in which they are stored and shown.

    Attributes
    ----------
    data : dict
        users (with judgements), relevant_users (those with a relevant item), runs, references (how
        many reference systems), depth (of the lists that all runs have), cutoff (the default one
        that follows the data: `rankassay.advice.cutoffs`), longest, relevant_median
        and judged_median (per user with a relevant item), judged_share (of the items listed in the
        first `depth` places, all runs together), judged_share_by_run, threshold, threshold_reason,
        negative (whether anything irrelevant was judged), weights (see `Given`), train (see
        `Given`), dataset, synthetic and warnings (sentences that the answer has to begin with).
    settings : dict
        seed, alpha, confidence, gamma, permutations, resamples, levels, samples, percentages,
        metrics (asked for; null for the default), cutoffs and yardstick.
    recommendation : list of dict
        One entry, or one for each yardstick where these decide otherwise. Keys: verdict ("report"
        or "cannot tell"), yardstick ("liked", "new" or null), measure (in a form that
        `rankassay.evaluate` takes), needs ("train", "propensities" or null: what its weights come
        from), reason and, where the verdict is "cannot tell", why (keys that words have sentences
        for), conventional (the measure next to it), tied (measures whose worst loss does not differ
        significantly), avoid (list of measure, reason, and the numbers of the reason: see `AVOID`),
        weak (what the measure is bad at: list of criterion and numbers, see `WEAK`), truths (list
        of by, systems: that it orders, and used: whether it may exclude measures), exposures (the
        kinds of simulated worlds), size (of the simulated data that is nearest), tau_low and
        tau_high (the least and greatest mean tau with the truth over the kinds, of the measure),
        conventional_tau_low and conventional_tau_high, worst_loss with worst_loss_low and
        worst_loss_high, worst_kind, and alike (tau, pairs and reversed: how the two rank the
        user's runs).
    measures : DataFrame
        One row a measure; see `MEASURES`.
    systems : DataFrame
        The user's runs from best to worst under the recommended measure; see `SYSTEMS`.
    pairs : DataFrame
        One row a pair of the user's runs; see `PAIRS`.
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
    measures: pd.DataFrame
    systems: pd.DataFrame
    pairs: pd.DataFrame
    trust: list[dict[str, Any]]
    next: list[dict[str, Any]]
    notes: list[str] = field(default_factory=list)

    def to_dict(self, version: str) -> dict[str, Any]:
        """Return all of it as values for JSON: NaN is null, infinity is the text "Infinity"."""
        tables = {name: records(getattr(self, name)) for name in ("measures", "systems", "pairs")}
        parts = ("data", "settings", "recommendation", "trust", "next", "notes")
        plain = {name: plainly(getattr(self, name)) for name in parts}
        return {"schema": SCHEMA, "version": version, **plain, **tables}


# One row a measure, those asked for first in their order.
MEASURES = {
    "measure": "in a form that `rankassay.evaluate` takes",
    "metric": "its metric",
    "cutoff": "its cut-off, empty without",
    "form": "plain, judged or weighed",
    "candidate": "whether it may be recommended",
    "why_not": "why it may not: a key of words",
    "simulated": "whether the table of worlds has it, at the nearest size of data",
    "validity": "mean tau with the truth in simulated worlds, over the kinds",
    "validity_low": "its 95 % interval over worlds",
    "validity_high": "",
    "tau_least": "the least mean tau of any kind",
    "tau_most": "the greatest",
    "worst_loss": "tau lost against the best measure of a kind, in the worst kind",
    "worst_loss_low": "its 95 % interval over worlds",
    "worst_loss_high": "",
    "worst_kind": "the kind",
    "taus": "mean tau with the truth by kind of simulated worlds: a dict, empty if not simulated",
    "defensible": "whether conclusions have to stand up to it",
    "sparsity": "mean tau with the whole when judgements are removed at random",
    "sparsity_low": "its 95 % interval over users",
    "sparsity_high": "",
    "popularity": "mean tau with the whole without the most popular items",
    "popularity_low": "",
    "popularity_high": "",
    "power": "discriminative power: the sum of the p-values of the pairs, lower is better",
    "power_low": "",
    "power_high": "",
    "significant": "the pairs of all compared systems with a corrected p-value below alpha",
    "pairs": "how many pairs of different systems there are",
    "without": "share of users without a value, or without a judged item in the list",
    "repeats": "whether it gives all users the values of the next lower cut-off",
    "alike": "tau of the user's runs with the conventional measure",
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
    "reference": "whether it is a reference system (these come last, if asked for)",
    "mean": "under the recommended measure",
    "low": "its 95 % interval over users",
    "high": "",
    "place": "1 for the best mean; equal means share it",
    "beats": "the runs that it is significantly better than: a list of names",
    "conventional": "the mean under the conventional measure",
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
    "needed": "the users with whom the test finds the difference with 80% power, if it is as large",
    "conventional_difference": "of the same two under the conventional measure",
    "conventional_p": "its corrected p-value",
    "signs": "by each defensible measure 1, 0 (not significant) or -1: a dict by measure",
    "agree": "whether the sign is the same and significant under every defensible measure",
    "gamma": "the least Gamma at which weights of hits reverse it; see statistics.sensitivity",
    "gamma_measure": "by whose hits: the measure, or P where it has no Gamma of its own",
    "stands_to": "the greatest tested Gamma up to which it is significant",
    "stands": "whether it stands: agree, and significant at the default Gamma",
    "undetermined": "whether judging the unjudged items could reverse it",
    "identical": "whether both runs list the judged items alike; no other count of pairs has it",
}


# The numbers of each reason to avoid a measure.
AVOID = {
    # pairs of runs, without the most popular items; conventional: reversed under that measure
    "popularity": ("reversed", "pairs", "conventional"),
    "worst-loss": ("worst_loss", "kind"),  # in simulations
    # by: liked, new or outcomes
    "truth": ("by", "tau", "best_measure", "best", "best_low", "best_high"),
}

# The numbers of each thing that the recommended measure is bad at.
WEAK = {
    "worst-kind": ("kind", "worst_loss"),  # in simulations
    "sparsity": ("tau", "best", "best_measure"),
    "popularity": ("reversed", "pairs"),  # pairs of the user's runs
    "power": ("significant", "conventional", "pairs"),  # pairs, by it and by the conventional one
    "without": ("share",),  # of lists: none of their first items is judged
}

# The numbers of each entry of trust.
TRUST = {
    "few": ("systems", "pairs"),
    # kept: percent of judgements; systems: that are ranked, with this number of references
    "missing": ("measure", "kept", "tau", "low", "high", "robust", "systems", "references"),
    # rival null: none can; reversed: it leads already under the measure, which stands in; the ratio
    # of weights in simulations is of hits in the first ten places
    "bias": ("measure", "leader", "rival", "gamma", "simulated_ratio_95", "reversed"),
    # percentage: of the items, that are kept; significant: of the pairs reversed
    "popularity": ("measure", "reversed", "pairs", "percentage", "significant"),
    # judged_share: of all places that lists have in common; bounds_of: by which measure's bounds
    "unjudged": ("measure", "judged_share", "pairs", "undetermined", "bounds_of"),
    # detectable and target: shares of the best mean, null for a measure with values below 0
    "users": ("measure", "users", "detectable", "difference", "power", "target", "needed"),
    # datasets of the atlas that are near; leaders: by criterion, at the cut-off
    "alike": ("datasets", "titles", "cutoff", "leaders"),
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
