"""What a colleague would do next: at most three steps, none that the data already answer."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from rankassay.advice.cutoffs import USUAL
from rankassay.advice.given import AS_GIVEN
from rankassay.advice.settings import PROFILE
from rankassay.advice.words_names import real, unshortened
from rankassay.advice.words_next import sentence

Found = Mapping[str, Any]
Step = dict[str, Any]

MOST = 3  # more are a list, not advice
JUDGES, ITEMS = 500, 20  # users and random items of a truth: 10,000 judgements, as large as Coat's
ASKED = {"-m": "metrics", "--cutoffs": "cutoffs"}  # options that leave out other measures
PLAUSIBLE = 100  # times the users: beyond, a number of users is no advice


def steps(found: Found) -> list[Step]:
    """Return what to do next, the most urgent first.

    Parameters
    ----------
    found : mapping
        As `Findings.to_dict` returns it, with or without `next`.

    Returns
    -------
    list of dict
        Each with kind, text, command (what to type, or None) and the numbers and runs of the text.
    """
    weights = found["data"]["weights"]
    name = unshortened([own["system"] for own in found["systems"]])
    every = [{"command": None} | step for step in _steps(found)][:MOST]
    return [step | {"text": sentence(step, weights, name)} for step in every]


def _steps(found: Found) -> Iterator[Step]:
    """Yield what there is to do, the most urgent first."""
    why = {key for entry in found["recommendation"] for key in entry["why"]}
    if "no-relevant" in why:
        yield {"kind": "threshold", "threshold": found["data"]["threshold"]} | _option("threshold")
        return
    if "no-hits" in why:
        yield {"kind": "lists"}
        return
    if not found["pairs"]:
        yield {"kind": "second"}
    yield from _identical(found)
    yield from _of_first(found)
    if {"no-candidates", "not-simulated"} & why:
        yield from _other_measures(found)
    if not found["data"]["train"]:
        few = "few-systems" in why
        yield {"kind": "train", "systems": few} | _option("train")
    yield from _evaluate(found)
    yield from _users(found)
    if "unknown-known" in why:
        yield {"kind": "known"}
    elif found["pairs"] and not _has_truth(found):
        yield {"kind": "truth", "users": JUDGES, "items": ITEMS} | _option("truth")


def _other_measures(found: Found) -> Iterator[Step]:
    """Yield what there is to do where none of the measures can be recommended."""
    asked = [option for option, name in ASKED.items() if found["settings"][name]]
    if found["data"]["depth"] < USUAL[0]:
        yield {"kind": "longer", "depth": USUAL[0]}
    elif asked:
        yield {"kind": "measures", "options": asked}


def _option(name: str) -> Step:
    return {"command": f"--{name} {name.upper()}"}


def _identical(found: Found) -> Iterator[Step]:
    """Yield the first two runs with the same hits, and how many other pairs have the same."""
    alike = [own for own in found["pairs"] if own["identical"]]
    for own in alike[:1]:
        runs = {"better": own["better"], "worse": own["worse"]}
        yield {"kind": "identical"} | runs | {"others": len(alike) - 1}


def _of_first(found: Found) -> Iterator[Step]:
    """Yield what may be claimed of the first two runs, if not all."""
    first = {own["system"] for own in found["systems"][:2]}
    own = next((p for p in found["pairs"] if {p["better"], p["worse"]} == first), None)
    if own is None or own["stands"] or own["identical"]:
        return
    runs = {"better": own["better"], "worse": own["worse"]}
    if not own["significant"]:
        yield {"kind": "claim"} | runs | _to_settle(own, found["data"]["relevant_users"])
    elif not own["agree"]:
        for against, sign in sorted(own["signs"].items(), key=lambda each: each[1]):
            if sign != 1:
                yield {"kind": "disputed", "against": against, "sign": sign} | runs
                return
    elif (real(own["stands_to"]) or 0.0) >= 1:
        yield {"kind": "bounded", "gamma": own["stands_to"]} | runs


def _to_settle(pair: Found, users: int) -> Step:
    """Return the users that it takes to find a difference, as large as it is, with 80% power.

    There is no number for differences that would take a hundred times the users, and none for what
    more users would not change.
    """
    needed = real(pair["needed"])
    step: Step = {"difference": real(pair["difference"]), "users": None}
    if needed is not None and users < needed <= PLAUSIBLE * users:
        step["users"] = _rounded(needed)
    return step


def _rounded(number: float) -> int:
    """Return a number of users with two digits, rounded up.

    >>> _rounded(1234.0), _rounded(87.2)
    (1300, 88)
    """
    unit = 10 ** max(0, math.floor(math.log10(number)) - 1)
    return math.ceil(number / unit) * unit


def _evaluate(found: Found) -> Iterator[Step]:
    """Yield how to compute a measure that has parameters, as it is not named on the screen."""
    for entry in found["recommendation"]:
        if entry["measure"] and "(" in entry["measure"]:
            step = {"kind": "evaluate", "measure": entry["measure"], "needs": entry["needs"]}
            measure = f'rankassay evaluate QRELS RUN -m "{entry["measure"]}"'
            yield step | {"command": " ".join([measure, *_as_judged(found, entry)])}
            return


def _as_judged(found: Found, entry: Found) -> Iterator[str]:
    """Yield the options of `evaluate` with which it gives the numbers of the answer."""
    own, profile = found["data"], found["settings"]["profile"]
    if own["relevant_users"] < own["users"]:
        yield "--without-relevant nan"
    if (own["threshold_reason"] or AS_GIVEN).startswith(AS_GIVEN):
        yield f"--threshold {own['threshold']:g}"
    if profile != PROFILE:
        yield f"--profile {profile}"
    if entry["needs"]:
        yield "--train TRAIN" if entry["needs"] == "train" else "--propensities FILE"


def _users(found: Found) -> Iterator[Step]:
    """Yield the users that it takes, where few pairs are significant."""
    significant = [own for own in found["pairs"] if own["significant"]]
    if 2 * len(significant) >= len(found["pairs"]):
        return
    for own in found["trust"]:
        needed = real(own.get("needed"))
        if own["kind"] == "users" and needed is not None and needed > own["users"]:
            yield {key: own[key] for key in ("users", "target", "needed")} | {"kind": "users"}


def _has_truth(found: Found) -> bool:
    """Whether a truth or outcomes were given: some measure has an agreement with them."""
    keys = ("truth_liked", "truth_new", "outcomes")
    return any(row[key] is not None for row in found["measures"] for key in keys)
