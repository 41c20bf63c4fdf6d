"""The definitions that results were made with, as values and as sentences."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import pandas as pd

from rankassay import __version__
from rankassay.data.frames import Qrels, Tied
from rankassay.data.listed import sentences
from rankassay.drawing.sentences import fill
from rankassay.errors import RankassayError, listed, number_of
from rankassay.metrics.aggregate import FLOOR
from rankassay.metrics.evaluate import Measure, drops_without_relevant, resolve
from rankassay.metrics.profiles import PROFILES
from rankassay.types import Integers

ATTRIBUTE = "definitions"  # of the `attrs` of frames and series

FIRST = {
    "item": "the one with the smaller id comes first",
    "trec": "the one with the larger id comes first, ids compared as text, as in trec_eval",
    "input": "the one that the run names first comes first",
}
OVER = {
    "expected": "the mean over all orders of items with equal scores",
    "worst": "the least value of any order of items with equal scores",
    "best": "the greatest value of any order of items with equal scores",
}
ORDERED = {
    "score": "Lists are ordered by their scores.",
    "rank": "Lists are ordered by their ranks, as they have no scores.",
    None: "The lists came in order, without scores.",
}
TOLD = (
    "; rankassay.ties says what their order could change, as do --ties worst and --ties best of "
    "the command evaluate"
)
DESCRIBED = (
    "rankassay.evaluate, compare, beyond, preferences, bounds, ties, robustness or sensitivity"
)


class Defined(Protocol):
    """What has its definitions, as `rankassay.api.comparison.Comparison`."""

    @property
    def definitions(self) -> dict[str, Any]:
        """The definitions as plain values."""


def definitions(
    metrics: Sequence[str], profile: str, without_relevant: str | None, **choices: Any
) -> dict[str, Any]:
    """Return the definitions as plain values, with all values of profiles and defaults.

    The keys are rankassay, the version; profile; metrics, which has by each name the metric, its
    cut-off (None is the whole list) and all its parameters; without_relevant; and `choices`. One
    of these is counted: by the name of each run, what `counted` returns, if it was.
    """
    dropped = drops_without_relevant(profile, without_relevant)
    return {
        "rankassay": __version__,
        "profile": profile,
        "metrics": {name: _defined(name, profile) for name in metrics},
        "without_relevant": "nan" if dropped else "value",
    } | choices


def defined(
    table: pd.DataFrame,
    qrels: Qrels,
    metrics: Sequence[str],
    profile: str,
    without_relevant: str | None,
    **choices: Any,
) -> pd.DataFrame:
    """Return a table with its definitions, where who was counted does not belong to them."""
    own = {"threshold": qrels.judgements.threshold, "scale": qrels.scale, "counted": {}} | choices
    table.attrs[ATTRIBUTE] = definitions(metrics, profile, without_relevant, **own)
    return table


def counted(
    names: Sequence[str],
    n_users: int,
    without_list: int,
    n_values: Integers,
    tied: Tied | None,
    **more: int | None,
) -> dict[str, Any]:
    """Return the numbers of users, values and ties of one run, as plain values.

    The keys are users, how many were counted; without_list, how many of them have none; values, by
    metric how many have a value; tied_users, tied_items, listed and ordered_by (score or rank) of
    `tied`, which are None for the pipeline's lists; and `more`, some of without_relevant, how many
    users have no relevant item; longest, the length of the longest list; and places, the first ones
    of which ties are counted, None for all.
    """
    values = dict(zip(names, map(int, n_values), strict=True))
    ties = {
        "tied_users": tied and tied.users,
        "tied_items": tied and tied.items,
        "listed": tied and tied.listed,
        "ordered_by": tied and tied.by,
    }
    return {"users": n_users, "without_list": without_list, "values": values} | ties | more


def _defined(name: str, profile: str) -> dict[str, Any]:
    """Return the definition of a metric's name under a profile."""
    measure = Measure.parse(name)
    _, given = resolve(measure.metric, measure.parameters, profile)
    return {"metric": measure.metric, "cutoff": measure.cutoff} | given


def describe(result: pd.Series | pd.DataFrame | Defined) -> str:
    """Return the definitions that a result was made with in sentences, one to a line.

    Parameters
    ----------
    result : Series, DataFrame or Comparison
        Of `rankassay.evaluate`, `rankassay.compare`, `rankassay.beyond`, `rankassay.preferences`,
        `rankassay.bounds`, `rankassay.ties`, `rankassay.robustness` or `rankassay.sensitivity`; the
        last four say nothing of who was counted. The same as plain values is in its
        `attrs["definitions"]`, or `definitions` of a comparison.

    Returns
    -------
    str
        The version and the profile; each metric with its cut-off and all its parameters; what is
        relevant; who was counted, and how many of them have no list, no relevant item, or no value
        by a metric; where lists end, if a metric looks further; whether scores or ranks order the
        lists; which of items with equal scores comes first, and how many such items the places that
        are read have; and what else was chosen.

    Examples
    --------
    >>> import rankassay
    >>> qrels = {"ann": {"film": 5, "book": 2}, "bob": {"song": 4}}
    >>> run = {"ann": {"book": 0.9, "film": 0.9}}
    >>> print(rankassay.describe(rankassay.evaluate(qrels, run, "P@1")))
    Computed by rankassay ... with the profile paper.
    P@1 is P with cut-off 1 and denominator='cutoff'.
    Items rated 4 or higher are relevant, the default for ratings of 1 to 5 stars.
    Listed items without a judgement are not relevant.
    Each number is the mean over users.
    Users without relevant items get the formula's value, mostly 0.
    2 users with judgements count, 1 of them without a list.
    Lists are ordered by their scores.
    Among items with equal scores, the one with the larger id comes first, ids compared as text, \
as in trec_eval.
    1 of 1 listed items in the first place share their score with another one, in the lists of 1 \
user; rankassay.ties says what their order could change, as do --ties worst and --ties best of the \
command evaluate.
    """
    said = _definitions(result)
    try:
        return "\n".join(_sentences(said))
    except (LookupError, TypeError, ValueError, AttributeError):  # others wrote them
        raise _lost(result) from None


def _sentences(said: Mapping[str, Any]) -> list[str]:
    lines = [_by(said), *_metrics(said.get("metrics", {}))]
    lines += [*_kind(said), *_relevance(said), *_numbers(said)]
    lines += [*_tests(said), *_whole(said), *sentences(said.get("not_candidates"))]
    lines += [*_counted(said), *_ends(said), *_ties(said)]
    return lines


def _definitions(result) -> Mapping[str, Any]:
    """Return the definitions of a result; raises RankassayError where there are none."""
    if not isinstance(result, pd.Series | pd.DataFrame):
        if isinstance(said := getattr(result, ATTRIBUTE, None), Mapping):
            return said
        found = type(result).__name__
        raise RankassayError(f"result: expected one of {DESCRIBED}, found an object of {found}.")
    said = result.attrs.get(ATTRIBUTE)
    if not isinstance(said, Mapping) or not {"rankassay", "counted"} <= {*said}:
        raise _lost(result)
    return said


def _lost(result) -> RankassayError:
    return RankassayError(
        f"result: expected one of {DESCRIBED} with attrs['{ATTRIBUTE}'], found a "
        f"{type(result).__name__} without; other functions give none, and some operations of "
        "pandas lose them, so describe a result of these as it was returned."
    )


def _by(said: Mapping[str, Any]) -> str:
    profile = f" with the profile {said['profile']}" if "profile" in said else ""
    return f"Computed by rankassay {said['rankassay']}{profile}."


def _metrics(metrics: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the definition of each metric's name."""
    lines = []
    for name, own in metrics.items():
        given = {key: value for key, value in own.items() if key not in ("metric", "cutoff")}
        parts = [f"{key}={value!r}" for key, value in given.items()]
        of = "" if own["metric"] == name else f"{own['metric']}, "
        line = f"{name} is {of}computed on the whole list"
        if own["cutoff"] is not None:
            line, parts = f"{name} is {own['metric']}", [f"cut-off {own['cutoff']}", *parts]
        lines.append(f"{line} with {listed(parts)}." if parts else f"{line}.")
    return lines


def _kind(said: Mapping[str, Any]) -> list[str]:
    if "kind" not in said:
        return []
    cut = "whole" if said["cutoff"] is None else f"cut to {number_of(said['cutoff'], 'item')}"
    ordered = "The runs are in order by {order}."
    if said["order"] is None:
        ordered = "p-values: {n_permutations} permutations, seed {seed}."
    both = "Users prefer one of two lists by {kind}; lists are {cut}.", ordered
    return [fill(line, said, cut=cut) for line in both]


def relevant_from(result: pd.DataFrame) -> str:
    """Return the sentence of `describe` on which items are relevant."""
    return _relevant(result.attrs[ATTRIBUTE])


def _relevant(said: Mapping[str, Any]) -> str:
    """Return which items are relevant, and of which scale the threshold is the usual one, if so."""
    why = f", the default for {said['scale']}" if said.get("scale") else ""
    return f"Items rated {said['threshold']:g} or higher are relevant{why}."


def _relevance(said: Mapping[str, Any]) -> list[str]:
    """Return which items are relevant, and how unjudged items are treated."""
    lines = []
    if said.get("threshold") is not None:
        lines.append(_relevant(said))
    if "unjudged" in said:
        condensed = said["unjudged"] == "condensed"
        what = "were taken out of the lists" if condensed else "are not relevant"
        unjudged = condensed and PROFILES[said["profile"]].negative == "unjudged"
        below = " or rated below 0" if unjudged else ""
        lines.append(f"Listed items without a judgement{below} {what}.")
    if said.get("depth") is not None:
        lines.append(f"Lists were cut to {number_of(said['depth'], 'item')} before anything else.")
    return lines


def _numbers(said: Mapping[str, Any]) -> list[str]:
    """Return what each number is, and the value of users without relevant items."""
    lines = []
    if "aggregate" in said:
        how = said["aggregate"]
        mean = how if how in (None, "mean", "median") else f"{how} mean"
        lines.append(f"Each number is {f'the {mean} over users' if mean else 'of one user'}.")
        if how in ("geometric", "harmonic"):
            lines.append(f"A user's value counts as {FLOOR:g} at least, as a single 0 makes it 0.")
    if said.get("confidence") is not None:
        lines.append(
            f"Intervals of the level {said['confidence']:g} are of resampled users, seed "
            f"{said['seed']}."
        )
    if "without_relevant" in said:
        dropped = said["without_relevant"] == "nan"
        what = "are undefined, and do not count" if dropped else "get the formula's value, mostly 0"
        lines.append(f"Users without relevant items {what}.")
    return lines


def _tests(said: Mapping[str, Any]) -> list[str]:
    """Return how pairs of runs were compared."""
    if "test" not in said:
        return []
    drawn = said["test"] in ("permutation", "bootstrap")
    lines = [
        "p-values are those of the {test} test of paired users, two-sided"
        f"{' with {n_permutations} draws, seed {seed}' if drawn else ''}; correction for the "
        "number of pairs: {correction}.",
        "Pairs whose corrected p-value is below {alpha:g} are called significant.",
    ]
    if said["equivalence"] is not None:
        lines.append("Differences below {equivalence} count as equal.")
    return [fill(line, said) for line in lines]


def _whole(said: Mapping[str, Any]) -> list[str]:
    """Return the data on items and users that metrics beyond accuracy read."""
    if "catalogue" not in said:
        return []
    own = said["catalogue"]
    lines = ["The catalogue has {ratings:n training rating}, {users:n user} and {items:n item}."]
    if own["aspects"] is not None:
        lines.append("Items show {aspects:n aspect}.")
    for kind in ("item", "user"):
        if own[f"{kind}_groups"] is not None:
            lines.append(f"The groups of {kind}s are {{{kind}_groups}}.")
    return [fill(line, own) for line in lines]


def _counted(said: Mapping[str, Any]) -> list[str]:
    """Return how many users count by each run, and have a value by each metric."""
    who = {"judged": " with judgements", "listed": " with judgements and a list"}
    who = who.get(said.get("users"), "")
    lines = []
    for own in said["counted"].values():
        line = "{users:n user}{who} {users:counts|count}"
        if own["without_list"]:
            line += ", {without_list} of them without a list"
        if own.get("without_relevant"):
            line += ", {without_relevant} of them without a relevant item"
        without = {m: n for m, n in own.get("values", {}).items() if n < own["users"]}
        if without:
            line += ", and fewer have a value: {some}"
        some = [f"{n or 'none'} under {metric}" for metric, n in without.items()]
        lines.append(fill(f"{line}.", own, who=who, some=some))
    return _by_run([*said["counted"]], lines)


def _ends(said: Mapping[str, Any]) -> list[str]:
    """Return where lists end, if a metric looks further than one of them, or all were cut there."""
    runs = {run: own["longest"] for run, own in said["counted"].items() if "longest" in own}
    cutoffs = [own["cutoff"] for own in said.get("metrics", {}).values()] or [said["cutoff"]]
    first, last = min(runs.values(), default=0), max(runs.values(), default=0)
    depth = said.get("depth") or said.get("cutoff")
    beyond = any(cutoff and first < min(cutoff, depth or cutoff) for cutoff in cutoffs)
    whole = depth in (None, first) and first < last and (depth or None in cutoffs)
    if not runs or not (beyond or whole):
        return []
    lines = [f"The longest list has {number_of(end, 'item')}." for end in runs.values()]
    return _by_run([*runs], lines)


def _ties(said: Mapping[str, Any]) -> list[str]:
    """Return what orders the lists, how ties were broken, and how many there are."""
    runs, every, ties = [*said["counted"]], said["counted"].values(), said["ties"]
    lines = _by_run(runs, [ORDERED[own["ordered_by"]] for own in every])
    if ties in OVER:
        lines.append(f"Each value is {OVER[ties]}.")
    elif ties is not None:
        lines.append(f"Among items with equal scores, {FIRST[ties]}.")
    return lines + _by_run(runs, [_tied(own, said) for own in every])


def _tied(own: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    if own["tied_items"] is None:
        return "It is unknown whether items had equal scores."
    # Ties across the last of these places decide what is read.
    places = own.get("places")
    where = "first place" if places == 1 else f"first {places} places"
    items = "listed items" if places is None else f"listed items in the {where}"
    if not own["tied_items"]:
        return f"No {items} of a user have equal scores."
    more = TOLD if "aggregate" in said else ""
    text = (
        "{tied_items} of {listed} {items} share their {ordered_by} with another one, in the lists "
        "of {tied_users:n user}{more}."
    )
    return fill(text, own, items=items, more=more)


def _by_run(runs: list[str], lines: list[str]) -> list[str]:
    """Return the lines with the runs they are about; one if they say the same of all."""
    if len({*lines}) == 1:
        return lines[:1]
    return [f"Run {run}: {line}" for run, line in zip(runs, lines, strict=True)]
