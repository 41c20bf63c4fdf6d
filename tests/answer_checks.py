"""What holds of every answer, invented or found: its size, and no contradiction with its fields."""

import re

from rankassay.advice import words
from rankassay.advice.words_names import measure
from rankassay.types import HEIGHT, WIDTH


def check(found):
    """Raise AssertionError for an answer that is too long, or that contradicts its fields."""
    lines = words.screen(found)
    assert 0 < len(lines) <= HEIGHT
    assert max(map(len, lines)) <= WIDTH
    assert all(map(str.isprintable, lines))
    parts = words.passages(found)
    assert parts[0].kind == "data"
    assert {"report", "cannot tell"} & {own.kind for own in parts}
    _check_avoided(found, parts)
    _check_pairs(found, parts)


def _check_avoided(found, parts):
    """What is reported, or conventional, is not avoided: in the fields, and in words."""
    weights = found["data"]["weights"]
    for entry in found["recommendation"]:
        kept = {entry["measure"], entry["conventional"]} - {None}
        assert not kept & {own["measure"] for own in entry["avoid"]}
        if len(found["recommendation"]) == 1:
            for own in parts:
                for said in (own.text, *own.sentences) if own.kind == "avoid" else ():
                    names = {*re.split(", | and ", said.partition(":")[0])}
                    assert not names & {measure(name, weights) for name in kept}


def _check_pairs(found, parts):
    """The pairs that stand and those that depend add up to all."""
    pairs = found["pairs"]
    stand = sum(own["stands"] for own in pairs)
    assert all(own["agree"] and own["significant"] for own in pairs if own["stands"])
    if len(pairs) <= 3:
        return
    alike = sum(own["identical"] for own in pairs)
    [own] = [part for part in parts if part.kind == "conclusions"]
    pairs = [own for own in pairs if not own["identical"]]
    noun = "pair" if len(pairs) == 1 else "pairs"
    assert own.text == (f"{stand:,} of {len(pairs):,} {noun}" if stand else "none")
    [rest] = [t for t in own.sentences if t.startswith(("The other", "All pairs"))] or [""]
    assert bool(rest) == (stand < len(pairs))
    several = f"Another {alike:,} pairs are of runs with the same hits."
    one = "Another pair is of runs with the same hits."
    same = [several if alike > 1 else one] if alike and pairs else []
    assert [t for t in own.sentences if t.endswith("of runs with the same hits.")] == same
    assert ("All runs have the same hits." in own.sentences) == (not pairs)
    counts = [int(n.replace(",", "")) for n in re.findall(r"[\d,]*\d", rest)]
    left = len(pairs) - stand
    if rest.startswith("The other one "):
        assert left == 1
    elif rest.startswith("All pairs"):
        assert stand == 0
        assert sum(counts) in (0, left)
    elif rest:
        assert counts[0] == left
        assert sum(counts[1:]) in (0, left)
