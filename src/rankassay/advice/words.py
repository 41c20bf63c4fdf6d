"""The answer in words: its passages, which the screen, the page and the card lay out."""

from collections.abc import Iterator, Mapping
from typing import Any

from rankassay.advice import sentences, words_evidence, words_writing
from rankassay.advice.passages import Entry, Passage, laid_out
from rankassay.advice.rule import ENOUGH_TO_EXCLUDE, INFORMATIVE
from rankassay.advice.words_names import (
    decimal,
    defined,
    measure,
    median,
    percent,
    real,
    reported,
    several,
    shortened,
    tau,
    unshortened,
)
from rankassay.drawing.sentences import count, fill
from rankassay.types import HEIGHT, WIDTH

Found = Mapping[str, Any]
LONGEST = 24  # characters of a run's name on the screen
FOR = {"liked": "for liked items", "new": "for items new to the user", None: ""}
TRUTHS = {
    "liked": "your truth of liked items",
    "new": "your truth of new items",
    "outcomes": "your outcomes",
}
SHOWN = 3  # measures that are named with one reason
NO_REPORT = ("no-relevant", "no-hits", "no-agreement")  # no measure is of use


def passages(found: Found, limit: int | None = None, width: int = 10 * WIDTH) -> list[Passage]:
    """Return the parts of the answer, of `Findings.to_dict`, in their order.

    Names of runs longer than `limit` are cut where they remain distinct; `width` is how many
    characters the list of the pairs that may be written may have.
    """
    runs = [own["system"] for own in found["systems"]]
    name = unshortened(runs) if limit is None else shortened(runs, limit)
    every = [
        data(found, name),
        words_writing.runs(found, name),
        *verdicts(found),
        *words_writing.passages(found, name, width),
        words_evidence.trust(found),
        _next(found),
    ]
    return [own for own in every if own is not None]


def screen(
    found: Found, width: int = WIDTH, height: int = HEIGHT, colour: bool = False
) -> list[str]:
    """Return the answer as lines of one screen, at most `height` of `width` characters.

    What does not fit is left out whole, the least important first: see
    `rankassay.advice.passages`. With `colour`, verdicts are bold and evidence is dim.
    """
    return laid_out(passages(found, LONGEST, 2 * (width - 12)), width, height, colour)


def data(found: Found, name: Mapping[str, str]) -> Passage:
    """Return the data in one sentence, and warnings about them."""
    own = found["data"]
    relevant = ""
    if own["relevant_users"]:
        fewer = own["relevant_users"] < own["users"]
        some = f"{own['relevant_users']:,} with a relevant item, " if fewer else ""
        judged = f"medians: {median(own['judged_median'])} judged"
        numbers = {"some": some, "judged": judged, "relevant": median(own["relevant_median"])}
        relevant = fill(sentences.WITH_RELEVANT, numbers)
    same = sum(pair["identical"] for pair in found["pairs"])
    text = fill(
        sentences.DATA,
        own,
        synthetic="Synthetic data: " if own["synthetic"] else "",
        relevant=relevant,
        alike=fill(" ({n:n pair} with the same hits)", n=same) if same else "",
        longest=f" (the longest {own['longest']:,})" if own["longest"] > own["depth"] else "",
        train="" if own["train"] else ", no training ratings",
    )
    warned = [*own.get("warnings", ()), *_warned(found, name)]
    return Passage("data", "", text, tuple(warned))


def _warned(found: Found, name: Mapping[str, str]) -> Iterator[str]:
    """Yield what decides the order of the runs and should not, a sentence each."""
    first, _ = reported(found)
    for own in found["checks"].get("warnings", ()):
        shown = dict(own) | {"measure": measure(first, found["data"]["weights"])}
        if "tau" in own:
            shown["tau"] = tau(own["tau"])
        if "runs" in own:
            shown["runs"] = [name[run] for run in own["runs"]]
            if len(shown["runs"]) > SHOWN:
                rest = len(shown["runs"]) - SHOWN + 1
                shown["runs"] = [*shown["runs"][: SHOWN - 1], f"{rest} more runs"]
        yield fill(sentences.WARNINGS[own["kind"]], shown)


def verdicts(found: Found) -> Iterator[Passage]:
    """Yield what to report or why there is no answer, for each yardstick, then what to avoid."""
    for entry in found["recommendation"]:
        if entry["verdict"] == "cannot tell":
            yield _cannot_tell(found, entry)
        if not {*NO_REPORT} & {*entry["why"]}:
            yield _report(found, entry)
    yield from _avoid(found)


def _head(word: str, entry: Found) -> str:
    return f"{word} {FOR[entry['yardstick']]}".rstrip()


def _cannot_tell(found: Found, entry: Found) -> Passage:
    """Return that there is no recommendation, and why."""
    which = next((sentences.WHICH[key] for key in entry["why"] if key in sentences.WHICH), None)
    why = ", and ".join(_reason(found, entry, key) for key in entry["why"])
    text = fill(sentences.CANNOT, which=which or sentences.WHICH[""], why=why)
    return Passage("cannot tell", _head("CANNOT TELL", entry), text)


def _reason(found: Found, entry: Found, key: str) -> str:
    """Return why there is no recommendation, as a clause."""
    own, checks = found["data"], found["checks"]
    differ = []
    if key == "out-of-range":
        t, share, limits = checks["t"], checks["share"], checks["limits"]
        if t < limits["t"]:
            shown = decimal(t, 1) if t >= 0.05 else "0"
            ends = {"t": shown, "limit": decimal(limits["t"], 1)}
            differ.append(fill(sentences.DIFFER["t"], ends))
        if share < limits["share"]:
            ends = {"share": percent(share), "limit": percent(limits["share"])}
            differ.append(fill(sentences.DIFFER["share"], ends))
    return fill(
        sentences.WHY[key],
        threshold=f"{own['threshold']:g}",
        informative=own["informative"],
        enough=INFORMATIVE,
        differ=" and ".join(differ),
        truth=_agreement(found, entry) if key == "no-agreement" else "",
    )


def _agreement(found: Found, entry: Found) -> str:
    """Return the truth that no measure agrees with, and the range of correlations with it."""
    for by in _truths(entry):
        values = [own for row in found["measures"] if (own := real(row[_column(by)])) is not None]
        if values:
            return f"{TRUTHS[by]} (τ {_range(values)})"
    return "a truth that ranks all runs alike"


def _column(by: str) -> str:
    return by if by == "outcomes" else f"truth_{by}"


def _truths(entry: Found) -> list[str]:
    """Return the truths that an entry is about, that of its yardstick first."""
    return [*TRUTHS] if entry["yardstick"] is None else [entry["yardstick"], "outcomes"]


def _range(taus: list[float]) -> str:
    """Return the least and the greatest of some correlations, once if they are printed alike."""
    return " to ".join(dict.fromkeys((tau(min(taus)), tau(max(taus)))))


def _report(found: Found, entry: Found) -> Passage:
    """Return the measure to report, and what is known of it."""
    weights, usual = found["data"]["weights"], entry["conventional"]
    own, head = entry["measure"], _head("REPORT", entry)
    shown = {"conventional": defined(usual, weights)}
    if own is None:
        few = "few-informative" in entry["why"]
        form = sentences.UNTIL if few else sentences.FOUND_ONLY[found["data"]["negative"]]
        return Passage("report", head, fill(form, shown))
    form = sentences.REPORT_ONE if usual == own else sentences.REPORT
    text = fill(form, shown, measure=defined(own, weights))
    said = [_true(found, entry), *_simulated(found, entry), *_unweighed(found, entry)]
    said.append(_rank_agreement(entry))
    return Passage("report", head, text, tuple(filter(None, said)))


def _unweighed(found: Found, entry: Found) -> Iterator[str]:
    """Yield why the measure has no weights."""
    for key in entry["unweighed"]:
        users = found["data"]["train"].get("users", 0)
        yield fill(sentences.UNWEIGHED[key], train=users)


def _simulated(found: Found, entry: Found) -> Iterator[str]:
    """Yield what the measure is worth in simulations, and whether the data are known to be so."""
    own = found["simulated"]  # of the first entry's measure
    another = entry["measure"] != found["recommendation"][0]["measure"]
    if not own or not own["measure"] or another:
        return
    of, usual, truth = own["measure"], own["conventional"], "P@10"
    numbers = {"users": own["users"], "usual_mixed": "", "usual_close": ""}
    numbers |= {of_set: tau(of[of_set][truth]["tau"]) for of_set in ("mixed", "close")}
    if usual and entry["conventional"] != entry["measure"]:
        named = measure(entry["conventional"], found["data"]["weights"])
        forms = {"mixed": sentences.SIMULATED_USUAL, "close": sentences.SIMULATED_CLOSE}
        for of_set, form in forms.items():
            against = tau(usual[of_set][truth]["tau"])
            numbers[f"usual_{of_set}"] = fill(form, conventional=named, tau=against)
    form = sentences.SIMULATED
    if "limits" not in found["checks"]:  # in one, as a screen may have room for the second alone
        form += f" {sentences.NOT_FITTED if found['data']['train'] else sentences.NOT_CHECKED}"
    yield fill(form, numbers)


def _true(found: Found, entry: Found) -> str:
    """Return how the measure and the usual one agree with a truth or outcomes, if there are any."""
    weights, usual = found["data"]["weights"], entry["conventional"]
    rows = {own["measure"]: own for own in found["measures"]}
    own, other = rows.get(entry["measure"], {}), rows.get(usual, {})
    truths = {truth["by"]: (truth["systems"], truth["used"]) for truth in entry["truths"]}
    said = []
    for by in _truths(entry):
        column = _column(by)
        if real(own.get(column)) is None or by not in truths:
            continue
        systems, used = truths[by]
        too_few = systems < ENOUGH_TO_EXCLUDE
        few = f"; {count(systems, 'system')} are too few to choose by" if too_few else ""
        ends = [tau(own[f"{column}{end}"]) for end in ("_low", "_high")]
        text = f"with {TRUTHS[by]}: {tau(own[column])} ({ends[0]} to {ends[1]}"
        if usual != entry["measure"] and real(other.get(column)) is not None:
            out = by in (other["excluded"] or "").split(", ")
            worse = ", significantly below the best" if out else ""
            if used and real(other[column]) > real(own[column]):
                worse = ", not significantly more"
            text += f"; {measure(usual, weights)} {tau(other[column])}{worse}"
        said.append(f"{text}{few})")
    return fill(sentences.AGREES, truths="; ".join(said)) if said else ""


def _rank_agreement(entry: Found) -> str:
    """Return how well the two measures agree in the ranking of the user's runs."""
    own = entry["alike"]
    if not own or not own["pairs"]:
        return ""
    if own["reversed"] == 0:
        return sentences.ALIKE
    if own["pairs"] == 1:
        return sentences.OPPOSITE
    return fill(sentences.REVERSED, dict(own) | {"tau": tau(own["tau"])})


def _avoid(found: Found) -> Iterator[Passage]:
    """Yield the measures that a truth excludes, those of one truth together."""
    weights = found["data"]["weights"]
    groups: dict[str, dict[str, Found]] = {}
    for entry in found["recommendation"]:
        for own in entry["avoid"]:
            groups.setdefault(own["by"], {}).setdefault(own["measure"], own)
    said = []
    for by, named in groups.items():
        rows = [*named.values()]
        ends = f"{tau(rows[0]['best_low'])} to {tau(rows[0]['best_high'])}"
        best = f"{measure(rows[0]['best_measure'], weights)} {tau(rows[0]['best'])}, {ends}"
        taus = _range([own["tau"] for own in rows[:SHOWN]])
        names = several([measure(own["measure"], weights) for own in rows], SHOWN)
        shown = {"measures": names, "truth": TRUTHS[by], "taus": taus, "best": best}
        said.append(fill(sentences.AVOID, shown))
    if said:
        yield Passage("avoid", "AVOID", said[0], tuple(said[1:]))


def _next(found: Found) -> Passage | None:
    """Return what to do next; None for nothing."""
    entries = [Entry("", own["text"], own["command"]) for own in found["next"]]
    return Passage("next", "NEXT", entries=tuple(entries)) if entries else None
