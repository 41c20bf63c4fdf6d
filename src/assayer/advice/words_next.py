"""What to do next, in words: a sentence for each kind of step."""

from collections.abc import Callable, Mapping
from typing import Any

from assayer.advice.passages import Entry, Passage
from assayer.advice.words_names import at_most, decimal, digits_for, measure, percent
from assayer.errors import number_of

Step = Mapping[str, Any]
Name = Mapping[str, str]


def passage(found: Mapping[str, Any], name: Name) -> Passage | None:
    """Return what to do next; None for nothing."""
    weights = found["data"]["weights"]
    entries = [Entry("", sentence(own, weights, name), own["command"]) for own in found["next"]]
    return Passage("next", "NEXT", entries=tuple(entries)) if entries else None


def sentence(step: Step, weights: str, name: Name) -> str:
    """Return what to do in a step; `name` has what each run is called."""
    return STEPS[step["kind"]](step, weights, name)


def _runs(step: Step, name: Name) -> tuple[str, str]:
    return name[str(step["better"])], name[str(step["worse"])]


def _claim(step: Step, weights: str, name: Name) -> str:
    better, worse = _runs(step, name)
    text = f"Do not claim {better} over {worse}"
    difference, users = step["difference"], step["users"]
    if users is None:
        return f"{text}: the difference is not significant."
    shown = decimal(difference, digits_for(difference))
    return f"{text}: it takes about {number_of(users, 'user')} to settle {shown}."


def _bounded(step: Step, weights: str, name: Name) -> str:
    better, worse = _runs(step, name)
    gamma = at_most(step["gamma"])
    upto = "without bias (Γ = 1)" if gamma == "1" else f"up to Γ = {gamma}"
    return f"Say that {better} over {worse} is significant only {upto}."


def _disputed(step: Step, weights: str, name: Name) -> str:
    better, worse = _runs(step, name)
    shows = "shows the opposite" if step["sign"] < 0 else "does not show it"
    against = measure(step["against"], weights)
    return f"Where you claim {better} over {worse}, say that {against} {shows}."


def _identical(step: Step, weights: str, name: Name) -> str:
    better, worse = _runs(step, name)
    others = step["others"]
    more = f", and {others} other {'pairs' if others > 1 else 'pair'}" if others else ""
    return (
        f"Check {better} and {worse}{more}: they list the judged items alike, and no metric finds "
        "a difference."
    )


def _evaluate(step: Step, weights: str, name: Name) -> str:
    return "Compute the recommended measure."


def _train(step: Step, weights: str, name: Name) -> str:
    if step["systems"]:
        return "Give training ratings; fitted reference systems let measures be compared."
    return "Give training ratings, by which measures can be weighed."


def _longer(step: Step, weights: str, name: Name) -> str:
    return f"Give lists of {step['depth']} items or more: nothing is simulated for shorter ones."


def _measures(step: Step, weights: str, name: Name) -> str:
    return f"Leave out {' and '.join(step['options'])}: none of these measures can be recommended."


def _known(step: Step, weights: str, name: Name) -> str:
    return "Add to the truth which items the users had known before (column known)."


def _truth(step: Step, weights: str, name: Name) -> str:
    return (
        f"If {step['users']:,} users can judge {step['items']} random items each, give their "
        "judgements: they show which ranking is right."
    )


def _users(step: Step, weights: str, name: Name) -> str:
    return (
        f"Test {step['needed']:,.0f} users instead of {step['users']:,} if a difference of "
        f"{percent(step['target'])} matters to you."
    )


def _second(step: Step, weights: str, name: Name) -> str:
    return "Give a second run: one alone cannot be ranked."


def _threshold(step: Step, weights: str, name: Name) -> str:
    return f"Lower the threshold: no judged item is rated {step['threshold']:g} or higher."


def _lists(step: Step, weights: str, name: Name) -> str:
    return "Check the ids of items: no run lists a relevant item."


STEPS: dict[str, Callable[[Step, str, Name], str]] = {
    "threshold": _threshold,
    "lists": _lists,
    "second": _second,
    "identical": _identical,
    "claim": _claim,
    "disputed": _disputed,
    "bounded": _bounded,
    "train": _train,
    "evaluate": _evaluate,
    "users": _users,
    "truth": _truth,
    "longer": _longer,
    "measures": _measures,
    "known": _known,
}
