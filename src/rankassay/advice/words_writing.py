"""Which differences one may write, which not, and why the first run is first, in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rankassay.advice import sentences
from rankassay.advice.passages import Passage
from rankassay.advice.rule import first_places
from rankassay.advice.words_names import (
    RANDOM,
    decimal,
    digits_for,
    measure,
    p_value,
    percent,
    real,
    reported,
    several,
)
from rankassay.drawing.sentences import fill

Found = Mapping[str, Any]
Name = Mapping[str, str]
NAMED = 2  # of the runs that one is better than
REVERSED = 2  # pairs that the conventional measure ranks the other way, by name
NOT = 2  # pairs that one may not write, by name
FIRST, MOST = 3, 4  # runs in the table: the first of many, and all of few


def runs(found: Found, name: Name) -> Passage | None:
    """Return the runs as rows: places and means by both measures, what they find and is liked."""
    first = found["recommendation"][0]
    usual, weights = first["conventional"], found["data"]["weights"]
    own = [row for row in found["systems"] if not row["reference"]]
    if not own or real(own[0]["conventional"]) is None:
        return None
    some = own if len(own) <= MOST else [*own[:FIRST], own[-1]]
    some += [row for row in found["systems"] if row["reference"] and row["system"] == RANDOM]
    both = first["measure"] not in (None, usual)
    head = ["", "", measure(usual, weights)]
    head += [measure(first["measure"], weights)] if both else []
    negative = found["data"]["negative"]
    head += [f"found in {first_places(found['data']['depth'])}"]
    head += ["liked of these"] * negative
    rows = [tuple(head)]
    digits = _digits(some, "mean"), _digits(some, "conventional")
    for row in some:
        place = "" if row["reference"] else str(own.index(row) + 1)
        cells = [place, "(Random)" if row["reference"] else name[str(row["system"])]]
        cells.append(_placed(row["conventional"], digits[1], row["conventional_place"]))
        if both:
            cells.append(_placed(row["mean"], digits[0], row["place"], row))
        cells.append(percent(row["found"]))
        cells += [percent(row["liked"]) if real(row["liked"]) is not None else ""] * negative
        rows.append(tuple(cells))
    return Passage("runs", "", rows=tuple(rows))


def _digits(rows: Sequence[Found], key: str) -> int:
    """Return how many decimals show the differences of the rows."""
    known = [value for row in rows if (value := real(row[key])) is not None]
    spread = max(known, default=0.0) - min(known, default=0.0)
    return min(digits_for(spread / 10), 5) if spread else 3


def _placed(value: Any, digits: int, place: Any, row: Found | None = None) -> str:
    """Return a mean, half the width of its interval, and its place."""
    if real(value) is None:
        return "undefined"
    half = ""
    if row is not None and real(row["low"]) is not None:
        half = f" ±{decimal((row['high'] - row['low']) / 2, digits)}"
    return f"{decimal(value, digits)}{half}  {'' if place is None else place:>2}"


def passages(found: Found, name: Name, width: int) -> Iterator[Passage]:
    """Yield what one may write, what not, and why the first run is first.

    `name` has what each run is called, and `width` how many characters the list of pairs may have.
    """
    every = found["pairs"]
    entry = found["recommendation"][0]
    if not every:
        own = [row for row in found["systems"] if not row["reference"]]
        if own and real(own[0]["conventional"]) is not None:
            yield Passage("one", "YOUR RUN", _one(found, own[0], name))
        return
    if entry["verdict"] == "cannot tell":
        return
    written = [own for own in every if own["written"]]
    text = f"{_listed(written, name, width)}." if written else _nothing(found, entry)
    said = [_wrong(found, entry), _usual_reverses(found, written, name)] if written else []
    yield Passage("write", "YOU MAY WRITE", text, tuple(filter(None, said)))
    not_written = [*_not_written(found, name)]
    if not_written:
        left = sum(not own["written"] for own in every) - len(not_written)
        more = [fill(sentences.MORE, n=left)] if left else []
        yield Passage("not", "DO NOT WRITE", f"{'; '.join([*not_written, *more])}.")
    if because := _because(found, name):
        yield Passage("because", "BECAUSE", because)


def _nothing(found: Found, entry: Found) -> str:
    """Return that no difference may be written, as a clause."""
    named = [measure(name, found["data"]["weights"]) for name in entry["written"]]
    under = fill(sentences.UNDER_ALL, measures=named) if len(named) > 1 else ""
    return fill(sentences.WRITE_NONE, pairs=len(found["pairs"]), under=under)


def _listed(written: Sequence[Found], name: Name, width: int) -> str:
    """Return the pairs that may be written, by the better or the worse run, as far as they fit."""
    groups = min((_grouped(written, name, by) for by in ("better", "worse")), key=len)
    said, shown = "", 0
    for own, count in groups:
        left = len(written) - shown - count
        tail = f"; {fill(sentences.MORE, n=left)}" if left else ""
        if said and len(f"{said}; {own}{tail}") > width:
            return f"{said}; {fill(sentences.MORE, n=len(written) - shown)}"
        said, shown = f"{said}; {own}" if said else own, shown + count
    return said


def _grouped(written: Sequence[Found], name: Name, by: str) -> list[tuple[str, int]]:
    """Return the pairs whose better runs beat the same ones, or whose worse ones lose to the same.

    Each group with how many pairs it has.
    """
    other = "worse" if by == "better" else "better"
    found: dict[str, list[str]] = {}
    for own in written:
        found.setdefault(name[str(own[by])], []).append(name[str(own[other])])
    alike: dict[tuple[str, ...], list[str]] = {}
    for one, others in found.items():
        alike.setdefault(tuple(others), []).append(one)
    said = []
    for others, ones in alike.items():
        sides = (ones, others) if by == "better" else (others, ones)
        said.append((" > ".join(map(_some_of, sides)), len(ones) * len(others)))
    return said


def _some_of(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def _wrong(found: Found, entry: Found) -> str:
    """Return how many of such pairs are wrong in simulations, as a sentence."""
    own = found["simulated"]
    if not own.get("writing"):
        return ""
    named = measure(entry["conventional"], found["data"]["weights"])
    shares = {name: percent(row["wrong"]) for name, row in own["writing"].items()}
    usual = {name: percent(row["wrong"]) for name, row in own.get("usual", {}).items()}
    forms = {"personalised": sentences.WRONG_USUAL, "baseline": sentences.WRONG_BASELINE}
    against = {
        f"usual_{name}": fill(form, wrong=usual[name], conventional=named) if usual else ""
        for name, form in forms.items()
    }
    return fill(sentences.WRONG, shares, **against)


def _usual_reverses(found: Found, written: Sequence[Found], name: Name) -> str:
    """Return which of the pairs the conventional measure ranks the other way, or nothing."""
    usual = found["recommendation"][0]["conventional"]
    other = [own for own in written if (real(own["conventional_difference"]) or 0.0) < 0]
    if not other or usual == found["recommendation"][0]["measure"]:
        return ""
    pairs = [f"{name[str(own['better'])]} > {name[str(own['worse'])]}" for own in other]
    of, shown = measure(usual, found["data"]["weights"]), several(pairs, REVERSED)
    return fill(sentences.USUAL_REVERSES, conventional=of, n=f"{len(other):,}", pairs=shown)


def _not_written(found: Found, name: Name) -> Iterator[str]:
    """Yield pairs that one may not write with the reason, those of neighbours in the order first.

    No more than a few; a pair whose runs differ most in place would surprise nobody.
    """
    place = {own["system"]: n for n, own in enumerate(found["systems"])}
    left = [own for own in found["pairs"] if not own["written"]]
    left.sort(key=lambda own: (place[own["worse"]] - place[own["better"]], place[own["better"]]))
    for own in left[:NOT]:
        shown = {key: name[str(own[key])] for key in ("better", "worse")}
        why = reason(found, own)
        why += f" ({numbers(own)})" if why == sentences.NOT_SIGNIFICANT else ""
        yield fill(sentences.CLAIMED, shown, why=why)


def reason(found: Found, own: Found) -> str:
    """Return why a pair may not be written, as a clause."""
    if own["identical"]:
        return sentences.SAME
    if not own["significant"]:
        return sentences.NOT_SIGNIFICANT
    weights = found["data"]["weights"]
    no = [measure(of, weights) for of, sign in own["signs"].items() if sign != 1]
    yes = [measure(of, weights) for of, sign in own["signs"].items() if sign == 1]
    if not no:
        return sentences.NO_MEASURE
    if len(yes) == 1 and len(no) > 1:
        return fill(sentences.ONLY_UNDER, measures=yes)
    return fill(sentences.NOT_UNDER, measures=no)


def numbers(own: Found) -> str:
    """Return the difference of two runs with its interval, or its p-value where there is none."""
    difference, low, high = (real(own[key]) for key in ("difference", "low", "high"))
    if difference is None:
        return "undefined"
    if low is None or high is None:
        return f"{decimal(difference, digits_for(difference))}, {p_value(own['p'])}"
    # Digits that the interval does not know say nothing.
    digits = digits_for((high - low) / 4)
    return f"{decimal(difference, digits)}, {decimal(low, digits)} to {decimal(high, digits)}"


def _because(found: Found, name: Name) -> str:
    """Return why the first run is first: what it finds, and how much of it is liked."""
    own = found["because"]
    if not own or own["found"] == own["liked"] == 0:
        return ""
    rows = {row["system"]: row for row in found["systems"]}
    first, second = rows[own["first"]], rows[own["second"]]
    if real(first["liked"]) is None or real(second["liked"]) is None:
        return ""
    shown = {"first": name[str(own["first"])], "second": name[str(own["second"])]}
    for key, row in (("first", first), ("second", second)):
        shown |= {f"{key}_{of}": percent(row[of]) for of in ("found", "liked")}
    shown |= {"found": sentences.FINDS[own["found"]], "liked": sentences.LIKES[own["liked"]]}
    shown["joined"] = "And" if own["found"] == own["liked"] else "But"
    return fill(sentences.BECAUSE, shown)


def _one(found: Found, own: Found, name: Name) -> str:
    """Return the value of a single run, as a sentence."""
    interval = ""
    if real(own["low"]) is not None:
        interval = f" ({decimal(own['low'])} to {decimal(own['high'])})"
    shown = {"run": name[str(own["system"])], "mean": decimal(own["mean"]), "interval": interval}
    of = measure(reported(found)[0], found["data"]["weights"])
    return fill(sentences.ONE_RUN, shown, measure=of)
