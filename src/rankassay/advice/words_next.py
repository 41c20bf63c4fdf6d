"""What to do next, in words: a sentence for each kind of step."""

from collections.abc import Callable, Mapping
from typing import Any

from rankassay.advice.passages import Entry, Passage
from rankassay.advice.words_names import at_most, decimal, digits_for, measure, percent
from rankassay.drawing.sentences import fill

Step = Mapping[str, Any]
Name = Mapping[str, str]

CLAIM = "Do not claim {better} over {worse}"
DISPUTED = "Where you claim {better} over {worse}, say that {against}"
ALIKE = "they list the judged items alike, and no metric finds a difference."
STEPS = {
    "threshold": "Lower the threshold: no judged item is rated {threshold:g} or higher.",
    "lists": "Check the ids of items: no run lists a relevant item.",
    "second": "Give a second run: one alone cannot be ranked.",
    "identical": "Check {better} and {worse}: " + ALIKE,
    "claim": CLAIM + ": it takes about {users:n user} to settle {difference}.",
    "disputed": DISPUTED + " does not show it.",
    "bounded": "Say that {better} over {worse} is significant only up to Γ = {gamma}.",
    "train": "Give training ratings, by which measures can be weighed.",
    "evaluate": "Compute the recommended measure.",
    "users": (
        "Test {needed:,.0f} users instead of {users:,} if a difference of {target} matters to you."
    ),
    "truth": (
        "If {users:,} users can judge {items} random items each, give their judgements: they show "
        "which ranking is right."
    ),
    "longer": "Give lists of {depth} items or more: nothing is simulated for shorter ones.",
    "measures": "Leave out {options}: none of these measures can be recommended.",
    "known": "Add to the truth which items the users had known before (column known).",
}
# Other sentences of a step, by the condition under which they are shown.
INSTEAD: dict[str, tuple[Callable[[Step], bool], str]] = {
    "identical": (
        lambda step: step["others"] > 0,
        "Check {better} and {worse}, and {others} other {others:pair|pairs}: " + ALIKE,
    ),
    "claim": (lambda step: step["users"] is None, CLAIM + ": the difference is not significant."),
    "disputed": (lambda step: step["sign"] < 0, DISPUTED + " shows the opposite."),
    "bounded": (
        lambda step: step["gamma"] == "1",
        "Say that {better} over {worse} is significant only without bias (Γ = 1).",
    ),
    "train": (
        lambda step: step["systems"],
        "Give training ratings; fitted reference systems let measures be compared.",
    ),
}
SHOWN: dict[str, Callable[[Any], str]] = {
    "difference": lambda value: decimal(value, digits_for(value)),
    "gamma": at_most,
    "target": percent,
}


def passage(found: Mapping[str, Any], name: Name) -> Passage | None:
    """Return what to do next; None for nothing."""
    weights = found["data"]["weights"]
    entries = [Entry("", sentence(own, weights, name), own["command"]) for own in found["next"]]
    return Passage("next", "NEXT", entries=tuple(entries)) if entries else None


def sentence(step: Step, weights: str, name: Name) -> str:
    """Return what to do in a step; `name` has what each run is called."""
    how = SHOWN | {"against": lambda of: measure(of, weights)}
    how |= dict.fromkeys(("better", "worse"), lambda run: name[str(run)])
    shown = {
        key: how[key](value) if key in how and value is not None else value
        for key, value in step.items()
    }
    holds, instead = INSTEAD.get(step["kind"], (None, ""))
    return fill(instead if holds and holds(shown) else STEPS[step["kind"]], shown)
