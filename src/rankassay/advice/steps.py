"""What a colleague would do next: at most three steps, none that the data already answer."""

from collections.abc import Iterator, Mapping
from typing import Any

from rankassay.advice import sentences
from rankassay.advice.given import AS_GIVEN
from rankassay.advice.settings import PROFILE
from rankassay.advice.words_names import measure, unshortened
from rankassay.drawing.sentences import fill

Found = Mapping[str, Any]
Step = dict[str, Any]

MOST = 3  # more are a list, not advice
JUDGES, ITEMS = 500, 20  # users and random items of a truth: 10,000 judgements, as large as Coat's


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
    name = unshortened([own["system"] for own in found["systems"]])
    every = [{"command": None} | step for step in _steps(found)][:MOST]
    return [step | {"text": _sentence(step, found, name)} for step in every]


def _sentence(step: Step, found: Found, name: Mapping[str, str]) -> str:
    """Return what to do in a step."""
    shown = {
        key: name[str(value)] if key in ("better", "worse") else value
        for key, value in step.items()
    }
    if "against" in shown:
        shown["against"] = [measure(own, found["data"]["weights"]) for own in shown["against"]]
    kind = step["kind"]
    if kind == "identical" and step["others"]:
        kind = "identical-more"
    return fill(sentences.NEXT[kind], shown)


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
    if not found["data"]["train"]:
        yield {"kind": "train"} | _option("train")
    yield from _evaluate(found)
    if "unknown-known" in why:
        yield {"kind": "known"}
    elif found["pairs"] and not _has_truth(found):
        yield {"kind": "truth", "users": JUDGES, "items": ITEMS} | _option("truth")


def _option(name: str) -> Step:
    return {"command": f"--{name} {name.upper()}"}


def _identical(found: Found) -> Iterator[Step]:
    """Yield the first two runs with the same hits, and how many other pairs have the same."""
    alike = [own for own in found["pairs"] if own["identical"]]
    for own in alike[:1]:
        runs = {"better": own["better"], "worse": own["worse"]}
        yield {"kind": "identical"} | runs | {"others": len(alike) - 1}


def _of_first(found: Found) -> Iterator[Step]:
    """Yield that the first run is not to be claimed better than the second, where it is not."""
    first = {own["system"] for own in found["systems"][:2]}
    own = next((p for p in found["pairs"] if {p["better"], p["worse"]} == first), None)
    if own is None or own["identical"]:
        return
    runs = {"better": own["better"], "worse": own["worse"]}
    if not own["significant"]:
        yield {"kind": "claim"} | runs
        return
    against = [name for name, sign in own["signs"].items() if sign != 1]
    if against:
        yield {"kind": "disputed", "against": against} | runs


def _evaluate(found: Found) -> Iterator[Step]:
    """Yield how to compute a measure that has parameters, as it is not named on the screen."""
    for entry in found["recommendation"]:
        if entry["measure"] and "(" in entry["measure"]:
            step = {"kind": "evaluate", "measure": entry["measure"], "needs": entry["needs"]}
            own = measure(entry["measure"], found["data"]["weights"])
            name = f'rankassay evaluate QRELS RUN -m "{own}"'
            yield step | {"command": " ".join([name, *_as_judged(found, entry)])}
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


def _has_truth(found: Found) -> bool:
    """Whether a truth or outcomes were given: some measure has an agreement with them."""
    keys = ("truth_liked", "truth_new", "outcomes")
    return any(row[key] is not None for row in found["measures"] for key in keys)
