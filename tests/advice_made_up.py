"""Made-up advice, in the form of `Findings.to_dict`: one example, changed as a test needs it."""

import itertools

NAMES = ("slim", "wrmf", "puresvd", "rm2", "item-knn", "popularity")
JUDGED, USUAL = "P(denominator='judged')@50", "nDCG@10"
KINDS = ("base", "suits", "niche-fans", "popular-fans", "deployed")
DEFENSIBLE = (JUDGED, USUAL, "P(denominator='judged')@20")


def example(names=NAMES, stands=None, **changes):
    """Return advice on some runs; `changes` replace parts of it, dictionaries key by key.

    `stands` says of a pair of places, from 0, whether its conclusion stands; the default is that
    those at least two places apart do.
    """
    stands = stands or (lambda better, worse: worse - better > 1)
    pairs = [_pair(names, *of, stands) for of in itertools.combinations(range(len(names)), 2)]
    found = {
        "schema": "rankassay.advice/1",
        "version": "0.1.0",
        "data": _data(names),
        "settings": SETTINGS | {},
        "recommendation": [recommendation(pairs=len(pairs))],
        "measures": [dict(row) for row in MEASURES],
        "systems": [_system(names, place, pairs) for place in range(len(names))],
        "pairs": pairs,
        "trust": _trust(names, pairs),
        "next": [],
        "notes": ["Users without a relevant item take no part."],
    }
    for part, own in changes.items():
        found[part] = found[part] | own if isinstance(found[part], dict) else own
    return found


def recommendation(pairs=15, **changes):
    """Return one entry of `recommendation`."""
    return {
        "verdict": "report",
        "yardstick": None,
        "measure": JUDGED,
        "needs": None,
        "reason": "worst-loss",
        "why": [],
        "conventional": USUAL,
        "tied": ["P(denominator='judged')@20"],
        "avoid": [
            {"measure": "R@100", "reason": "popularity", "reversed": min(4, pairs), "pairs": pairs}
            | {"conventional": min(2, pairs)},
            {"measure": "AP@100", "reason": "worst-loss", "worst_loss": 0.31, "kind": "deployed"},
        ],
        "weak": [{"criterion": "popularity", "reversed": min(2, pairs), "pairs": pairs}],
        "truths": [{"by": by, "systems": 6, "used": True} for by in ("liked", "new", "outcomes")],
        "exposures": [*KINDS],
        "size": {"users": 500, "items": 400, "relevant": 6},
        "tau_low": 0.5,
        "tau_high": 0.73,
        "conventional_tau_low": 0.35,
        "conventional_tau_high": 0.62,
        "worst_loss": 0.08,
        "worst_loss_low": 0.05,
        "worst_loss_high": 0.11,
        "worst_kind": "deployed",
        "alike": {"tau": 1 - 2 * min(2, pairs) / pairs if pairs else None, "pairs": pairs}
        | {"reversed": min(2, pairs)},
    } | changes


SETTINGS = {
    "seed": 0,
    "alpha": 0.05,
    "confidence": 0.95,
    "gamma": 4.0,
    "permutations": 10000,
    "resamples": 200,
    "levels": [80, 60, 40, 20],
    "samples": 5,
    "percentages": [95, 90, 85, 80],
    "metrics": None,
    "cutoffs": None,
    "yardstick": None,
    "profile": "paper",
}


def _data(names):
    return {
        "users": 943,
        "relevant_users": 940,
        "runs": len(names),
        "references": 0,
        "depth": 100,
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
    beats = [p["worse"] for p in pairs if p["better"] == names[place] and p["significant"]]
    return {
        "system": names[place],
        "reference": False,
        "mean": mean,
        "low": mean - 0.01,
        "high": mean + 0.01,
        "place": place + 1,
        "beats": beats,
        "conventional": mean / 2,
    }


def _pair(names, better, worse, stands):
    difference, stand = 0.006 * (worse - better), stands(better, worse)
    return {
        "better": names[better],
        "worse": names[worse],
        "difference": difference,
        "low": difference - (0.005 if stand else 0.01),
        "high": difference + 0.01,
        "p": 0.0003 if stand else 0.21,
        "significant": stand,
        "correction": "max-t",
        "needed": 600.0 if stand else 2500.0 / (worse - better) ** 2,
        "conventional_difference": difference / 2,
        "conventional_p": 0.0004 if stand else 0.3,
        "signs": {measure: int(stand) for measure in DEFENSIBLE},
        "agree": stand,
        "gamma": 6.1 if stand else 1.4,
        "gamma_measure": "P@50",
        "stands_to": 4.0 if stand else 0.0,
        "stands": stand,
        "undetermined": not stand,
        "identical": False,
    }


def _measure(measure, metric, cutoff, form, **own):
    empty = dict.fromkeys(
        f"{name}{end}"
        for name in ("truth_liked", "truth_new", "outcomes")
        for end in ("", "_low", "_high")
    )
    usual = {
        "measure": measure,
        "metric": metric,
        "cutoff": cutoff,
        "form": form,
        "candidate": True,
        "why_not": None,
        "simulated": True,
        "validity": 0.52,
        "validity_low": 0.48,
        "validity_high": 0.56,
        "tau_least": 0.35,
        "tau_most": 0.62,
        "worst_loss": 0.2,
        "worst_loss_low": 0.16,
        "worst_loss_high": 0.25,
        "worst_kind": "niche-fans",
        "defensible": measure in DEFENSIBLE,
        "sparsity": 0.97,
        "sparsity_low": 0.95,
        "sparsity_high": 0.98,
        "popularity": 0.73,
        "popularity_low": 0.65,
        "popularity_high": 0.8,
        "power": 0.6,
        "power_low": 0.4,
        "power_high": 0.9,
        "significant": 11,
        "pairs": 15,
        "without": 0.02,
        "repeats": False,
        "alike": 0.87,
        "reversed": 2,
        "excluded": None,
    }
    return usual | empty | own


MEASURES = (
    _measure(JUDGED, "P", 50, "judged", validity=0.63, worst_loss=0.08, worst_kind="deployed"),
    _measure("P(denominator='judged')@20", "P", 20, "judged", validity=0.62, worst_loss=0.09),
    _measure(USUAL, "nDCG", 10, "plain", alike=1.0, reversed=0),
    _measure("P@10", "P", 10, "plain"),
    _measure("R@100", "R", 100, "plain", popularity=0.46, worst_loss=0.29),
    _measure("AP@100", "AP", 100, "plain", popularity=0.6, worst_loss=0.31),
    _measure("IPS(gain='P')@10", "IPS", 10, "weighed", worst_loss=0.22),
)


def _trust(names, pairs):
    few = [{"kind": "few", "systems": len(names), "pairs": len(pairs), "rows": []}]
    leader, rival = (*names, None)[:2]
    undetermined = sum(p["undetermined"] for p in pairs)
    return (few if len(names) < 6 else []) + [
        {
            "kind": "missing",
            "measure": JUDGED,
            "kept": 50,
            "tau": 0.98,
            "low": 0.95,
            "high": 1.0,
            "robust": True,
            "systems": len(names),
            "references": 0,
            "rows": [{"sample": 1, "kept": 50, "tau": 0.98}],
        },
        {
            "kind": "bias",
            "measure": "P@50",
            "leader": leader,
            "rival": rival,
            "gamma": 1.9,
            "simulated_ratio_95": 3.2,
            "reversed": False,
            "rows": [],
        },
        {
            "kind": "unjudged",
            "measure": JUDGED,
            "judged_share": 0.12,
            "pairs": len(pairs),
            "undetermined": undetermined,
            "bounds_of": "P(denominator='listed')@50",
            "rows": [],
        },
        {
            "kind": "users",
            "measure": JUDGED,
            "users": 940,
            "detectable": 0.011,
            "difference": 0.008,
            "power": 0.8,
            "target": 0.01,
            "needed": 1140,
            "rows": [],
        },
    ]
