"""Made-up advice, in the form of `Findings.to_dict`: one example, changed as a test needs it."""

import itertools

from rankassay.advice.findings import MEASURES as COLUMNS
from rankassay.advice.findings import SCHEMA

NAMES = ("slim", "wrmf", "puresvd", "rm2", "item-knn", "popularity")
MEASURE = "IPS(centred=True, gain='DCG', power=0.5)@50"  # what is recommended
JUDGED, SMOOTHED = "P(denominator='judged')@50", "P(denominator='smoothed')@20"
USUAL = "nDCG(gain='binary')@10"
WRITTEN = (MEASURE, JUDGED, SMOOTHED)


def example(names=NAMES, stands=None, **changes):
    """Return advice on some runs; `changes` replace parts of it, dictionaries key by key.

    `stands` says of a pair of places, from 0, whether one may write it; the default is that of
    those at least two places apart one may.
    """
    stands = stands or (lambda better, worse: worse - better > 1)
    pairs = [_pair(names, *of, stands) for of in itertools.combinations(range(len(names)), 2)]
    found = {
        "schema": SCHEMA,
        "version": "0.1.0",
        "data": _data(names),
        "settings": SETTINGS | {},
        "recommendation": [recommendation(pairs=len(pairs))],
        "simulated": SIMULATED | {},
        "checks": {"t": 9.5, "share": 0.6, "limits": {"t": 1.5, "share": 0.25}, "warnings": []},
        "measures": [dict(row) for row in MEASURES],
        "systems": [_system(names, place, pairs) for place in range(len(names))],
        "pairs": pairs,
        "because": {"first": names[0], "second": names[1], "usual": False, "found": -1, "liked": 1}
        if len(names) > 1
        else {},
        "trust": _trust(names, pairs),
        "next": [],
        "notes": ["Users without a relevant item take no part."],
    }
    for part, own in changes.items():
        found[part] = found[part] | own if isinstance(found[part], dict) else own
    return found


def recommendation(pairs=15, **changes):
    """Return one entry of `recommendation`."""
    tau = 1 - 2 * min(2, pairs) / pairs if pairs else None
    return {
        "verdict": "report",
        "yardstick": None,
        "measure": MEASURE,
        "needs": "train",
        "why": [],
        "unweighed": [],
        "by": None,
        "conventional": USUAL,
        "written": [*WRITTEN],
        "avoid": [],
        "truths": [{"by": by, "systems": 6, "used": True} for by in ("liked", "new", "outcomes")],
        "alike": {"tau": tau, "pairs": pairs, "reversed": min(2, pairs)},
    } | changes


def cannot(*why, measure=None, **changes):
    """Return an entry that recommends nothing, or a measure under which nothing is written."""
    alone = {"alike": {}, "needs": None} if measure is None else {}
    told = {"verdict": "cannot tell", "why": [*why], "written": [], "measure": measure}
    return recommendation(**(told | alone | changes))


SETTINGS = {
    "seed": 0,
    "alpha": 0.05,
    "confidence": 0.95,
    "gamma": 4.0,
    "permutations": 5000,
    "resamples": 200,
    "metrics": None,
    "cutoffs": None,
    "yardstick": None,
    "profile": "paper",
    "without_relevant": "nan",
}


def _simulated(tau):
    """Return what is known of a measure, by set of systems and truth."""
    ends = {"low": tau - 0.1, "high": tau + 0.1, "left_out": tau - 0.05}
    return {
        of: {truth: {"tau": tau - less} | ends for truth in ("P@10", "nDCG@10")}
        for of, less in (("mixed", 0.0), ("close", 0.04), ("sweep", 0.02))
    }


SIMULATED = {
    "users": 453,
    "measure": _simulated(0.73),
    "conventional": _simulated(0.5),
    "writing": {
        "personalised": {"decided": 0.31, "wrong": 0.012, "worst": 0.03},
        "baseline": {"decided": 0.52, "wrong": 0.07, "worst": 0.1},
    },
    "usual": {
        "personalised": {"decided": 0.45, "wrong": 0.12, "worst": 0.2},
        "baseline": {"decided": 0.7, "wrong": 0.18, "worst": 0.3},
    },
}


def _data(names):
    return {
        "users": 943,
        "relevant_users": 940,
        "informative": 900,
        "runs": len(names),
        "references": 0,
        "depth": 100,
        "cutoff": 10,
        "longest": 100,
        "relevant_median": 9.0,
        "judged_median": 17.0,
        "judged_share": 0.12,
        "judged_share_by_run": {name: 0.12 for name in names},
        "threshold": 4.0,
        "threshold_reason": "1 to 5 stars",
        "negative": True,
        "weights": "popularity",
        "train": {"ratings": 80000, "users": 943, "items": 1600},
        "dataset": None,
        "synthetic": False,
    }


def _system(names, place, pairs):
    mean = 0.712 - 0.006 * place
    return {
        "system": names[place],
        "reference": False,
        "mean": mean,
        "low": mean - 0.01,
        "high": mean + 0.01,
        "place": place + 1,
        "beats": [p["worse"] for p in pairs if p["better"] == names[place] and p["written"]],
        "conventional": mean / 2,
        "conventional_place": place + 1,
        "found": 0.3 - 0.02 * place,
        "liked": 0.8 - 0.01 * place,
    }


def reference(name="Random", mean=0.01):
    """Return a reference system as a row of `systems`."""
    ends = {"mean": mean, "low": mean - 0.01, "high": mean + 0.01, "place": None}
    own = {"system": f"reference: {name}", "reference": True, "conventional_place": None}
    return _system(NAMES, 0, ()) | own | ends | {"conventional": mean}


def _pair(names, better, worse, stands):
    difference, stand = 0.006 * (worse - better), bool(stands(better, worse))
    return {
        "better": names[better],
        "worse": names[worse],
        "difference": difference,
        "low": difference - (0.005 if stand else 0.01),
        "high": difference + 0.01,
        "p": 0.0003 if stand else 0.21,
        "correction": "max-t",
        "significant": stand,
        "signs": dict.fromkeys(WRITTEN, int(stand)),
        "written": stand,
        "conventional_difference": difference / 2,
        "conventional_p": 0.0004 if stand else 0.3,
        "conventional_sign": int(stand),
        "gamma": 6.1 if stand else None,
        "stands_to": (4.0 if worse - better > 2 else 2.0) if stand else None,
        "identical": False,
    }


def _measure(measure, metric, cutoff, **own):
    known = {"tau_mixed": 0.5, "tau_close": 0.46, "tau_sweep": 0.48, "alike": 0.87, "reversed": 2}
    empty = dict.fromkeys(COLUMNS) | {"measure": measure, "metric": metric, "cutoff": cutoff}
    return empty | known | own


MEASURES = (
    _measure(MEASURE, "IPS", 50, tau_mixed=0.73, tau_close=0.69, alike=1.0, reversed=0),
    _measure(USUAL, "nDCG", 10),
    _measure(JUDGED, "P", 50),
    _measure(SMOOTHED, "P", 20),
    _measure("R@100", "R", 100, tau_mixed=0.29),
    _measure("AP@100", "AP", 100, tau_mixed=None, tau_close=None, tau_sweep=None),
    _measure("P@10", "P", 10, alike=None),
)


def _trust(names, pairs):
    written = [own for own in pairs if own["written"]]
    stands = [own["stands_to"] for own in written]
    bias = {
        "kind": "bias",
        "measure": MEASURE,
        "pairs": len(written),
        "least": min(stands, default=None),
        "most": max(stands, default=None),
        "standing": sum(own >= SETTINGS["gamma"] for own in stands),
        "gamma": SETTINGS["gamma"],
        "rows": [
            {key: own[key] for key in ("better", "worse", "gamma", "stands_to")} for own in written
        ],
    }
    return [
        {
            "kind": "missing",
            "measure": MEASURE,
            "kept": 50,
            "tau": 0.98,
            "low": 0.95,
            "high": 1.0,
            "robust": True,
            "systems": len(names),
            "references": 0,
            "rows": [{"sample": 1, "kept": 50, "tau": 0.98}],
        },
        *([bias] if written else []),
        {
            "kind": "unjudged",
            "measure": MEASURE,
            "bounds_of": "P(denominator='listed')@50",
            "judged_share": 0.12,
            "judged_share_at_cutoff": 0.2,
            "pairs": len(pairs),
            "undetermined": len(pairs) - len(written),
            "rows": [{"run": names[0], "judged_share": 0.12, "judged_share_at_cutoff": 0.2}],
        },
    ]
