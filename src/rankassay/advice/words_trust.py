"""How far to trust it and what to do next, in words."""

from collections.abc import Mapping
from typing import Any

from rankassay.advice import words_conclusions
from rankassay.advice.passages import Entry, Passage
from rankassay.advice.words_names import at_most, decimal, measure, percent, real, tau
from rankassay.advice.words_report import of_pairs
from rankassay.answers.words import ROBUST
from rankassay.drawing.sentences import fill
from rankassay.errors import listed, number_of

Found = Mapping[str, Any]
Name = Mapping[str, str]
HEAD = "How far to trust it"
LABELS = {
    "few": "few systems",
    "missing": "missing judgements",
    "bias": "bias",
    "popularity": "popular items",
    "unjudged": "unjudged items",
    "users": "users",
    "alike": "similar datasets",
}
ORDERED = {
    "sparsity": "robustness to sparsity",
    "popularity": "robustness to popularity bias",
    "power": "discriminative power",
}


def passage(found: Found, name: Name) -> Passage | None:
    """Return how far to trust the answer; None where nothing can be said."""
    told = _kinds_in_verdict(found)
    entries = [
        Entry(LABELS[own["kind"]], SAID[own["kind"]](own, found, name))
        for own in found["trust"]
        if own["kind"] not in told
    ]
    return Passage("trust", HEAD, entries=tuple(entries)) if entries else None


def _kinds_in_verdict(found: Found) -> set[str]:
    """Return the kinds of entries that are in the verdict already."""
    entries = found["recommendation"]
    told = {own["criterion"] for entry in entries for own in entry["weak"]} & {"popularity"}
    few = {key for entry in entries for key in entry["why"]} & {"few-systems", "one-run"}
    return told | ({"few"} if few else set())


def _few(own: Found, found: Found, name: Name) -> str:
    return fill(
        "{systems:words system} {systems:makes|make} {pairs:words pair}: too few to compare "
        "measures by them",
        own,
    )


def _missing(own: Found, found: Found, name: Name) -> str:
    interval = ""
    if real(own["low"]) is not None:
        interval = f" ({tau(own['low'])} to {tau(own['high'])})"
    start = "robust" if own["robust"] else "not robust"
    value = tau(own["tau"], None if own["robust"] else ROBUST)
    fitted = " (with reference systems)" if own.get("references") else ""
    removed = percent(1 - real(own["kept"]) / 100).replace("50%", "half")
    return f"{start}: τ {value}{interval} when {removed} are removed{fitted}"


def _bias(own: Found, found: Found, name: Name) -> str:
    leader, gamma = name[str(own["leader"])], real(own["gamma"])
    under = measure(own["measure"], found["data"]["weights"])
    if gamma is None:
        return f"no Γ under {under}: no run has another hit than {leader}"
    if own["rival"] is None or gamma == float("inf"):
        return f"no weights of hits put another run before {leader} under {under}"
    rival = name[str(own["rival"])]
    if own.get("reversed"):
        return f"under {under}, which Γ is about, {rival} is first: the bias decides who leads"
    if gamma <= 1:
        return f"{leader} and {rival} are tied under {under}: any bias decides which is first"
    of = "" if own["measure"] == words_conclusions.ranked_by(found) else f" ({under})"
    text = f"{rival} can lead beyond Γ = {at_most(gamma)}{of}"
    ratio = real(own["simulated_ratio_95"])
    return text if ratio is None else f"{text}; 5% of simulated pairs exceed {ratio:.2g}"


def _popularity(own: Found, found: Found, name: Name) -> str:
    kept = percent(real(own["percentage"]) / 100)
    return f"{of_pairs(own)} when only the {kept} least popular items count"


def _unjudged(own: Found, found: Found, name: Name) -> str:
    left = f"{percent(1 - real(own['judged_share']))} of the listed"
    if not own["pairs"]:
        return left
    pairs, some = number_of(own["pairs"], "pair"), own["undetermined"]
    said = f"{some:,} of {pairs} at most" if some else "no pair"
    if some == own["pairs"]:
        said = "the pair" if some == 1 else f"up to all {pairs}"
    return f"{left}; judging them could reverse {said}"


def _users(own: Found, found: Found, name: Name) -> str:
    power = percent(own["power"])
    if real(own["detectable"]) is None:  # of a mean that may be near 0, a share says nothing
        difference, of = (
            decimal(own["difference"]),
            measure(own["measure"], found["data"]["weights"]),
        )
        best = next(decimal(row["mean"]) for row in found["systems"] if not row["reference"])
        return f"you detect {difference} in {of}; the best run has {best} (power {power})"
    text = f"you detect {percent(own['detectable'])} of the best mean (power {power})"
    needed = real(own["needed"])
    if needed is None:
        return text
    return f"{text}; {percent(own['target'])} takes {number_of(needed, 'user')}"


def _alike(own: Found, found: Found, name: Name) -> str:
    """Say which metrics ranked first on the datasets of the atlas that are like the user's."""
    said = [
        f"{measure('{metric}@{cutoff}'.format_map(one), 'none')} in {ORDERED[one['criterion']]} "
        f"on {one['first']} of {one['datasets']}".removesuffix(" on 1 of 1")
        for one in own["leaders"]
    ]
    said[0] = said[0].replace(" in ", " ranked first in ", 1)
    return f"on {listed(own['titles'])}: {listed(said)}"


SAID = {
    "few": _few,
    "missing": _missing,
    "bias": _bias,
    "popularity": _popularity,
    "unjudged": _unjudged,
    "users": _users,
    "alike": _alike,
}
