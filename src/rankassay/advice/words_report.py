"""The verdict in words: the data, which measure to report, which to avoid, what cannot be told."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rankassay.advice.passages import Passage
from rankassay.advice.words_names import (
    defined,
    kind,
    measure,
    median,
    percent,
    real,
    several,
    tau,
)
from rankassay.advice.words_tables import WHY_NOT
from rankassay.drawing.sentences import NUMBERS, count, fill
from rankassay.errors import number_of
from rankassay.metrics.evaluate import Measure

Found = Mapping[str, Any]
FOR = {"liked": "for liked items", "new": "for items new to the user", None: ""}
TRUTHS = {
    "truth_liked": "your truth of liked items",
    "truth_new": "your truth of new items",
    "outcomes": "your outcomes",
}
BY = {"liked": "truth_liked", "new": "truth_new", "outcomes": "outcomes"}
# Why there is no recommendation, by the key that `advice` gives; the texts take the numbers of the
# data.
WHY = {
    "one-run": "one run leaves nothing to rank",
    "few-systems": "{runs} make {pairs:words pair}; it takes {enough} systems",
    "no-relevant": "no judged item is relevant (rated at least {threshold})",
    "no-hits": "no run lists a relevant item",
    "no-candidates": "no measure can be chosen ({obstacles})",
    "not-simulated": "none of these measures was simulated",
    "size": "no simulated data are as small as yours",
    "no-difference": "all runs rank the judged items alike",
    "unknown-known": "the truth does not say which items the users knew before",
    "no-agreement": "no measure agrees significantly with {truth}",
}
NO_REPORT = (
    "no-relevant",
    "no-hits",
    "no-candidates",
    "no-agreement",
)  # reasons for which no measure is of use
SHOWN = 3  # measures that are named with one reason
ENOUGH = 6  # compared systems from which on measures are compared by them


def data(found: Found) -> Passage:
    """Return the data in one sentence, and warnings about them."""
    own = found["data"]
    users = number_of(own["users"], "user")
    if own["relevant_users"]:
        some = own["relevant_users"] < own["users"]
        with_ = f"{own['relevant_users']:,} with relevant items, " if some else "relevant items: "
        users += f" ({with_}median {median(own['relevant_median'])})"
    lists = f"lists of {own['depth']:,}"
    if own["longest"] > own["depth"]:
        lists += f" (the longest {own['longest']:,})"
    alike = sum(pair["identical"] for pair in found["pairs"])
    same = f" ({number_of(alike, 'pair')} with the same hits)" if alike else ""
    parts = [users, f"{number_of(own['runs'], 'run')}{same}", lists]
    if real(own["judged_share"]) is not None:  # of users with a relevant item, if there are any
        parts.append(f"{percent(own['judged_share'])} of the listed items judged")
    if not own["train"]:
        parts.append("no training ratings")
    start = "Synthetic data: " if own["synthetic"] else ""
    text = f"{start}{', '.join(parts)}"
    if own["references"]:
        fitted = number_of(own["references"], "reference system", ("helps", "help"))
        text += f"; {fitted} compare measures"
    warned = [*own.get("warnings", ()), *_not_considered(found)]
    return Passage("data", "", f"{text}.", tuple(warned))


def _not_considered(found: Found) -> Iterator[str]:
    """Yield which of the measures asked for cannot be recommended, a sentence for each reason."""
    if not found["settings"]["metrics"] or not any(own["candidate"] for own in found["measures"]):
        return  # none was asked for, or the verdict says it of all
    names: dict[str, list[str]] = {}
    for own in found["measures"]:
        if own["why_not"] not in (None, "repeats", "no-relevant", "not-asked"):
            names.setdefault(own["why_not"], []).append(own["measure"])
    for key, group in names.items():
        named = several([measure(own, found["data"]["weights"]) for own in group], SHOWN)
        text = "{named} {group:is|are} not considered: {why}."
        yield fill(text, named=named, group=group, why=WHY_NOT.get(key, key))


def verdicts(found: Found) -> Iterator[Passage]:
    """Yield what to report or why there is no answer, for each yardstick, then what to avoid."""
    for entry in found["recommendation"]:
        if entry["verdict"] == "cannot tell":
            yield _cannot_tell(found, entry)
        if not {*NO_REPORT} & {*entry["why"]}:
            yield from _report(found, entry)
    yield from _avoid(found)


def _head(word: str, entry: Found) -> str:
    return f"{word} {FOR[entry['yardstick']]}".rstrip()


def _cannot_tell(found: Found, entry: Found) -> Passage:
    """Return that there is no recommendation, and why."""
    simulated = "from your data " if entry["measure"] else ""
    why = ", and ".join(reason(found, entry, key) for key in entry["why"])
    text = f"{simulated}which measure to trust{f': {why}' if why else ''}."
    return Passage("cannot tell", _head("CANNOT TELL", entry), text)


def reason(found: Found, entry: Found, key: str) -> str:
    """Return why there is no recommendation, as a clause."""
    own = found["data"]
    systems = own["runs"] + own["references"]
    numbers = {
        "runs": count(systems, "system" if own["references"] else "run"),
        "pairs": systems * (systems - 1) // 2,
        "enough": NUMBERS[ENOUGH],
        "threshold": f"{own['threshold']:g}",
        "obstacles": "; ".join(_obstacles(found)[:2]),
        "truth": _agreement(found, entry) if key == "no-agreement" else "",
    }
    return fill(WHY[key], numbers)


def _obstacles(found: Found) -> list[str]:
    """Return why measures are not recommended, the first ones of the table first."""
    keys = dict.fromkeys(own["why_not"] for own in found["measures"] if own["why_not"])
    keys.pop("not-asked", None)  # that would be of no measure that was asked for
    return [WHY_NOT.get(key, key) for key in keys]


def _agreement(found: Found, entry: Found) -> str:
    """Return the truth that no measure agrees with, and the range of correlations with it."""
    for column in _truths(entry):
        values = [own for row in found["measures"] if (own := real(row[column])) is not None]
        if values:
            return f"{TRUTHS[column]} (τ {_range(values)})"
    return "a truth that ranks all runs alike"


def _truths(entry: Found) -> tuple[str, ...]:
    """Return the columns of the truths that an entry is about, that of its yardstick first."""
    if entry["yardstick"] is None:
        return tuple(TRUTHS)
    return (f"truth_{entry['yardstick']}", "outcomes")


def _report(found: Found, entry: Found) -> Iterator[Passage]:
    """Yield the measure to report: the reason, its weakness, and how far the usual one differs."""
    weights, usual = found["data"]["weights"], entry["conventional"]
    own = entry["measure"]
    if own is None:
        if usual is not None:
            until = "until more is known" if found["data"]["relevant_users"] else ""
            text = f"{defined(usual, weights)} {until}".rstrip()
            yield Passage("report", _head("REPORT", entry), f"{text}.")
        return
    text = defined(own, weights)
    if usual not in (None, own):
        text += f", and {defined(usual, weights)} next to it"
    true = _true(found, entry)
    alone = sum(bool(row["candidate"]) for row in found["measures"]) == 1
    asked = bool(found["settings"]["metrics"])
    simulated = _simulated(entry, weights, bool(true), asked, alone)
    why = f"{true} {simulated}".strip()
    said = [why, _weakness(entry["weak"], entry, weights)]
    said += [_rank_agreement(entry), _tied(entry, weights)]
    yield Passage("report", _head("REPORT", entry), text, tuple(filter(None, said)))


def _simulated(entry: Found, weights: str, briefly: bool, asked: bool, alone: bool) -> str:
    """Return the measure's results in simulations, as a sentence that says so.

    `asked` is whether it was chosen among the measures that the user named, and `alone` whether it
    is the only one that could be chosen.
    """
    low, high = entry["tau_low"], entry["tau_high"]
    if real(low) is None or real(high) is None:
        return ""
    usual, other = entry["conventional"], ""
    least, most = entry["conventional_tau_low"], entry["conventional_tau_high"]
    if usual not in (None, entry["measure"]) and real(least) is not None:
        other = f"; {measure(usual, weights)} {tau(least)} to {tau(most)}"
    kinds = number_of(len(entry["exposures"]), "kind")
    if briefly:
        return f"In simulations of {kinds} of bias: τ {tau(low)} to {tau(high)} by kind{other}."
    true = f"Kendall's τ with the true ranking {tau(low)} to {tau(high)} by kind{other}"
    if alone:
        return f"In simulations of {kinds} of bias, not on your data: {true}."
    among = "Among those asked for, it" if asked else "It"
    return (
        f"{among} depends least on what users happened to see, in simulations of {kinds} of bias "
        f"(not your data). The simulated τ with the true ranking: {tau(low)} to {tau(high)} by "
        f"kind{other}."
    )


def _true(found: Found, entry: Found) -> str:
    """Return how the measure and the usual one agree with a truth or outcomes, if there are any."""
    weights, usual = found["data"]["weights"], entry["conventional"]
    rows = {own["measure"]: own for own in found["measures"]}
    own, other = rows.get(entry["measure"], {}), rows.get(usual, {})
    truths = {truth["by"]: (truth["systems"], truth["used"]) for truth in entry["truths"]}
    said = []
    for column in _truths(entry):
        if real(own.get(column)) is None:
            continue
        systems, used = truths[column.removeprefix("truth_")]
        few = f"; {count(systems, 'system')} are too few to choose by" if systems < ENOUGH else ""
        ends = [tau(own[f"{column}{end}"]) for end in ("_low", "_high")]
        text = f"with {TRUTHS[column]}: {tau(own[column])} ({ends[0]} to {ends[1]}"
        if usual != entry["measure"] and real(other.get(column)) is not None:
            out = column.removeprefix("truth_") in (other["excluded"] or "").split(", ")
            worse = ", significantly below the best" if out else ""
            if used and real(other[column]) > real(own[column]):
                worse = ", not significantly more"
            text += f"; {measure(usual, weights)} {tau(other[column])}{worse}"
        said.append(f"{text}{few})")
    return f"Its Kendall's τ {'; '.join(said)}." if said else ""


def _weakness(weak: Sequence[Found], entry: Found, weights: str) -> str:
    """Return the first two weaknesses of the measure."""
    told = [own for own in weak if own.get("pairs", 1)][:2]
    said = [WEAKNESS[own["criterion"]](own, entry, weights) for own in told]
    text = "Its {said:weakness|weaknesses}: {both}." if said else ""
    return fill(text, said=said, both="; ".join(said))


def _weak_kind(own: Found, entry: Found, weights: str) -> str:
    lost = tau(own["worst_loss"])
    return f"it loses τ {lost} to the best measure in simulations where {kind(own['kind'])}"


def _weak_sparsity(own: Found, entry: Found, weights: str) -> str:
    best = f"{measure(own['best_measure'], weights)} {tau(own['best'])}"
    return f"less robust to missing judgements (mean τ {tau(own['tau'])}, {best})"


def _weak_popularity(own: Found, entry: Found, weights: str) -> str:
    return f"{of_pairs(own)} without the most popular items"


def _weak_power(own: Found, entry: Found, weights: str) -> str:
    usual = measure(entry["conventional"], weights)
    of = f"{own['significant']:,} of {number_of(own['pairs'], 'pair')}"
    fitted = " with reference systems" if own["pairs"] > entry["alike"]["pairs"] else ""
    return f"it finds {of} significant{fitted} (corrected), {usual} {own['conventional']:,}"


def _weak_without(own: Found, entry: Found, weights: str) -> str:
    cutoff = Measure.parse(entry["measure"]).cutoff
    among = f" among the first {cutoff:,}" if cutoff else ""
    return f"{percent(own['share'])} of the lists have no judged item{among}"


WEAKNESS = {
    "worst-kind": _weak_kind,
    "sparsity": _weak_sparsity,
    "popularity": _weak_popularity,
    "power": _weak_power,
    "without": _weak_without,
}


def of_pairs(own: Found) -> str:
    """Return how many pairs of runs reverse, as a clause."""
    if own["pairs"] == 1:
        return "the two runs reverse" if own["reversed"] else "the two runs stay in order"
    return fill("{reversed:,} of {pairs:n pair} of runs {reversed:reverses|reverse}", own)


def _rank_agreement(entry: Found) -> str:
    """Return how well the two measures agree in the ranking of the user's runs."""
    own = entry["alike"]
    if entry["conventional"] in (None, entry["measure"]) or not own or not own["pairs"]:
        return ""
    if own["reversed"] == 0:
        return "The two rank your runs alike."
    if own["pairs"] == 1:
        return "The two rank your runs in opposite order."
    of = f"{own['reversed']:,} of {number_of(own['pairs'], 'pair')}"
    return f"The two rank your runs alike but for {of} (τ {tau(own['tau'])})."


def _tied(entry: Found, weights: str) -> str:
    """Name the measures that simulations do not show to be worse."""
    if not entry["tied"]:
        return ""
    names = several([measure(own, weights) for own in entry["tied"]], 2)
    return fill(
        "{names} {tied:is|are} not significantly worse in the simulations.", entry, names=names
    )


def _avoid(found: Found) -> Iterator[Passage]:
    """Yield the measures to avoid, those with one reason together."""
    weights = found["data"]["weights"]
    avoided: dict[str, Found] = {}
    for entry in found["recommendation"]:
        for own in entry["avoid"]:
            if own.get("pairs", 1):
                avoided.setdefault(own["measure"], own | {"usual": entry["conventional"]})
    groups: dict[tuple, list[Found]] = {}
    for own in avoided.values():
        groups.setdefault((own["reason"], own.get("by")), []).append(own)
    said = [AVOID[name](own, weights) for (name, _), own in groups.items()]
    if said:
        yield Passage("avoid", "AVOID", said[0], tuple(said[1:]))


def _named(group: Sequence[Found], weights: str) -> str:
    return several([measure(own["measure"], weights) for own in group], SHOWN)


def _avoid_popular(group: Sequence[Found], weights: str) -> str:
    numbers = [own["reversed"] for own in group[:SHOWN]]
    low, high = min(numbers), max(numbers)
    counts = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    pairs = number_of(group[0]["pairs"], "pair")
    reverse = "reverses" if high == 1 else "reverse"
    return (
        f"{_named(group, weights)}: {counts} of {pairs} of runs {reverse} without the most "
        f"popular items ({measure(group[0]['usual'], weights)}: {group[0]['conventional']:,})."
    )


def _avoid_loss(group: Sequence[Found], weights: str) -> str:
    worst = max(group, key=lambda own: real(own["worst_loss"]) or 0.0)
    loses = "loses" if len(group) == 1 else "lose up to"
    return (
        f"{_named(group, weights)}: {loses} τ {tau(worst['worst_loss'])} to the best measure in "
        f"simulations where {kind(worst['kind'])}."
    )


def _avoid_truth(group: Sequence[Found], weights: str) -> str:
    worst, by = group[0], TRUTHS[BY[group[0]["by"]]]
    best = measure(worst["best_measure"], weights)
    best = f"{best} {tau(worst['best'])}, {tau(worst['best_low'])} to {tau(worst['best_high'])}"
    taus = _range([own["tau"] for own in group[:SHOWN]])
    return (
        f"{_named(group, weights)}: significantly worse than the best by {by} (τ {taus}; {best})."
    )


def _range(taus: Sequence[float]) -> str:
    """Return the least and the greatest of some correlations, once if they are printed alike."""
    return " to ".join(dict.fromkeys((tau(min(taus)), tau(max(taus)))))


AVOID = {"popularity": _avoid_popular, "worst-loss": _avoid_loss, "truth": _avoid_truth}
