"""The rows behind the answer: measures and runs as tables, and what to trust with its rows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rankassay.advice import sentences
from rankassay.advice.passages import Entry, Passage
from rankassay.advice.words_names import (
    at_most,
    decimal,
    digits_for,
    namer,
    p_value,
    percent,
    real,
    reported,
    tau,
)
from rankassay.advice.words_writing import reason
from rankassay.drawing.sentences import fill
from rankassay.drawing.table import MISSING
from rankassay.drawing.text import Cell, Printed, plain
from rankassay.errors import number_of
from rankassay.statistics.sensitivity import GAMMAS

Found = Mapping[str, Any]
CORRECTIONS = {"max-t": "max-T", "holm": "Holm's method"}
COLUMNS = {
    "truth_liked": "Truth, liked",
    "truth_new": "Truth, new",
    "outcomes": "Outcomes",
    "tau_mixed": "Simulated, mixed",
    "tau_close": "close",
    "tau_sweep": "one method",
    "alike": "Your runs",
    "reversed": "Pairs reversed",
}
DIGITS, OF_MEANS = 3, 4  # behind the point
UNSHOWN = ("kind", "rows", "limits", "warnings")
FEW = 20  # rows of the evidence of one line
HEAD = "How far to trust it"
LABELS = {"missing": "missing judgements", "bias": "bias", "unjudged": "unjudged items"}


def systems(found: Found) -> Printed:
    """Return the runs from best to worst, with their means, intervals and whom they beat."""
    number, name = numbers(found), namer(found)
    first, usual = reported(found)
    level = f"{100 * found['settings']['confidence']:g}% interval"
    heads = ["", "Run", name(first), level, *([name(usual)] if usual else [])]
    cells: list[list[Cell]] = []
    for own in (row for row in found["systems"] if not row["reference"]):
        beats = ranges(number[other] for other in own["beats"] or () if other in number)
        mean: Cell = (shown(own["mean"], OF_MEANS), own["place"] == 1, beats)
        between: Cell = (interval(own["low"], own["high"], OF_MEANS), False)
        row: list[Cell] = [(str(number[own["system"]]), False), (own["system"], False)]
        row += [mean, between, *([(shown(own["conventional"], OF_MEANS), False)] if usual else [])]
        cells.append(row)
    return Printed(
        heads,
        cells,
        [True, False, *[True] * (len(heads) - 2)],
        f"The runs under {name(first)}, the best first.",
        f"Raised: the numbers of the runs that one may write it is better than ({_tested(found)}). "
        "Interval: over users.",
    )


def _tested(found: Found) -> str:
    """Return how the pairs of runs were tested."""
    by = " and ".join(dict.fromkeys(CORRECTIONS[own["correction"]] for own in found["pairs"]))
    corrected = f"corrected for all pairs by {by}, " if by else ""
    return f"paired permutation test, {corrected}p < {found['settings']['alpha']:g}"


def measures(found: Found) -> Printed:
    """Return the measures by all that is known of any."""
    rows, name = found["measures"], namer(found)
    known = [key for key in COLUMNS if any(own[key] is not None for own in rows)]
    advised = {advice["measure"] for advice in found["recommendation"]}
    cells = [
        [
            (name(own["measure"]), own["measure"] in advised),
            *((shown(own[key], 0 if key == "reversed" else 2), False) for key in known),
        ]
        for own in rows
    ]
    return Printed(
        ["Measure", *(COLUMNS[key] for key in known)],
        cells,
        [False, *[True] * len(known)],
        "The measures; the recommended one is bold.",
        "Mean τ with the true order of systems in simulated worlds, by set of systems; τ of your "
        "runs with their order by the recommended measure, and with a truth that was given.",
    )


def numbers(found: Found) -> dict[str, int]:
    """Return the numbers by which tables name the runs, from 1 for the best."""
    return {own["system"]: i for i, own in enumerate(found["systems"], 1)}


def shown(value: float | str | None, digits: int) -> str:
    """Return a number with some digits behind the point, without a zero before it.

    >>> shown(0.712, 2), shown(None, 2), shown("Infinity", 1)
    ('.71', '–', '∞')
    """
    if value is None:
        return MISSING
    return value.replace("Infinity", "∞") if isinstance(value, str) else decimal(value, digits)


def interval(low: float | None, high: float | None, digits: int) -> str:
    """Return an interval, or nothing where it is unknown.

    >>> interval(0.61, 0.7, 2), interval(None, None, 2)
    ('.61 to .70', '')
    """
    unknown = low is None or high is None
    return "" if unknown else f"{shown(low, digits)} to {shown(high, digits)}"


def ranges(places: Iterable[int]) -> str:
    """Return whole numbers in their order, three or more that follow one another as a range.

    >>> ranges([4, 2, 3, 7, 8])
    '2–4, 7, 8'
    """
    parts: list[list[int]] = []
    for place in sorted(places):
        if parts and parts[-1][-1] == place - 1:
            parts[-1].append(place)
        else:
            parts.append([place])
    return ", ".join(
        f"{part[0]}–{part[-1]}" if len(part) > 2 else ", ".join(map(str, part)) for part in parts
    )


def explain(found: Found) -> list[str]:
    """Return the tables behind the answer, as lines: first measures and runs, then line by line."""
    parts = [("measures", plain(measures(found)))]
    if found["systems"]:
        parts.append(("runs", plain(systems(found))))
    parts.append(
        (
            "checks",
            _records(
                [
                    {"of": "your data"} | _numbers(found["checks"]),
                    {"of": "1 of 40 simulated are below"} | found["checks"]["limits"],
                ]
            )
            if "limits" in found["checks"]
            else "",
        )
    )
    parts.append(("simulated", _simulated(found)))
    for own in found["trust"]:
        parts.append(
            (
                f"{LABELS[own['kind']]}: {SAID[own['kind']](own)}",
                _records([_numbers(own), *own["rows"]]),
            )
        )
    settings = [[name, _shown(value)] for name, value in found["settings"].items()]
    parts.append(("settings", _table(("setting", "value"), settings)))
    parts.append(("notes", "\n".join(f"- {note}" for note in found["notes"])))
    return [line for head, text in parts if text for line in _part(head, text)]


def _simulated(found: Found) -> str:
    """Return what simulations say of the two measures, and of the pairs that are written."""
    own, rows = found["simulated"], []
    for name in ("measure", "conventional"):
        for of, truths in own.get(name, {}).items():
            for truth, numbers in truths.items():
                rows.append({"of": name, "systems": of, "truth": truth} | dict(numbers))
    pairs = [
        {"pairs": of, "class": name} | dict(numbers)
        for of in ("writing", "usual")
        for name, numbers in own.get(of, {}).items()
    ]
    return _records([*rows, *pairs]) if rows or pairs else ""


def pairs(found: Found) -> list[str]:
    """Return all pairs of runs as lines: their differences, and why one may not write them."""
    heads = ("better", "worse", "difference", "interval", "p", "stands to", "you may write it")
    rows = []
    for own in found["pairs"]:
        digits = digits_for(own["difference"])
        between = interval(own["low"], own["high"], digits)
        stands = real(own["stands_to"])
        rows.append(
            [
                str(own["better"]),
                str(own["worse"]),
                shown(own["difference"], digits),
                between,
                p_value(own["p"]).removeprefix("p ").removeprefix("= "),
                f"Γ = {at_most(stands)}" if stands else MISSING,
                "yes" if own["written"] else reason(found, own),
            ]
        )
    return _table(heads, rows).splitlines() if rows else ["no pairs: one run has none"]


def _part(head: str, text: str) -> list[str]:
    name, colon, said = head.partition(":")  # of a sentence, τ and Γ stay what they are
    return [f"{name.upper()}{colon}{said}", "", *text.rstrip().splitlines(), ""]


def _numbers(entry: Found) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in UNSHOWN}


def _records(rows: Sequence[Found]) -> str:
    """Return records as tables, one for each set of columns, with the first rows of each."""
    groups: dict[tuple[str, ...], list[Found]] = {}
    for row in rows:
        groups.setdefault(tuple(row), []).append(row)
    said = []
    for columns, own in groups.items():
        text = _table(columns, ([_shown(row[key]) for key in columns] for row in own[:FEW]))
        more = f"and {len(own) - FEW:,} more rows: --json\n" if len(own) > FEW else ""
        said.append(f"{text}{more}")
    return "\n".join(said)


def _table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    heads = [*heads]
    return plain(Printed.plain(heads, [*rows], [False] * len(heads)))


def _shown(value: object) -> str:
    if value is None:
        return MISSING
    if isinstance(value, float):
        return decimal(value, digits_for(value)) if value % 1 else f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_shown(own)}" for key, own in value.items())
    return str(value)


def trust(found: Found) -> Passage | None:
    """Return how far to trust the answer; None where nothing can be said.

    What is true of all data, as that unjudged items could reverse pairs, is among the evidence.
    """
    said = {"missing": missing, "bias": bias}
    entries = [
        Entry(LABELS[own["kind"]], said[own["kind"]](own))
        for own in found["trust"]
        if own["kind"] in said
    ]
    return Passage("trust", HEAD, entries=tuple(entries)) if entries else None


def missing(own: Found) -> str:
    """Return how well a ranking by half of the judgements agrees, as a clause."""
    interval = ""
    if real(own["low"]) is not None:
        interval = f" ({tau(own['low'])} to {tau(own['high'])})"
    fitted = " (with reference systems)" if own["references"] else ""
    return fill(sentences.MISSING, tau=tau(own["tau"]), interval=interval, fitted=fitted)


def bias(own: Found) -> str:
    """Return up to which Γ the pairs that may be written stand, as a clause.

    Γ = 1 is without bias, to which all of them stand.
    """
    n, least, most = own["pairs"], real(own["least"]) or 1.0, real(own["most"]) or 1.0
    if most <= 1:
        gamma = at_most(min(*GAMMAS, own["gamma"]))
        return fill(sentences.BIAS_NONE, pairs=n, gamma=gamma)
    if least > 1:
        every = {1: "the pair", 2: "both pairs"}.get(n, f"all {n:,} pairs")
        shown = {"some": every, "standing": n, "gamma": at_most(least)}
        more = 0 < own["standing"] < n
        best = {"standing": own["standing"], "gamma": at_most(own["gamma"])}
        return fill(sentences.BIAS, shown, more=fill(sentences.BIAS_MORE, best) if more else "")
    standing = sum((real(row["stands_to"]) or 0.0) >= most for row in own["rows"])
    shown = {"some": f"{standing:,} of {n:,} pairs", "standing": standing, "gamma": at_most(most)}
    return fill(sentences.BIAS, shown, more="")


def unjudged(own: Found) -> str:
    """Return how much of the lists is not judged, as a clause."""
    share = percent(1 - real(own["judged_share"]))
    some = f"{own['undetermined']:,} of {number_of(own['pairs'], 'pair')}"
    return fill(sentences.UNJUDGED, share=share, some=some)


SAID = {"missing": missing, "bias": bias, "unjudged": unjudged}
