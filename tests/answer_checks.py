"""What holds of every answer, invented or found: its size, and no contradiction with its fields."""

import re

from rankassay.advice import words
from rankassay.advice.words_names import measure
from rankassay.metrics.evaluate import Measure
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
    _check_names(found)
    _check_avoided(found, parts)
    _check_pairs(found, {own.kind: own for own in parts})


def _check_names(found):
    """The names that are printed are names of the measures, as `-m` takes them."""
    for entry in found["recommendation"]:
        every = [entry["measure"], entry["conventional"], *entry["written"]]
        for name in filter(None, every):
            printed = measure(name, found["data"]["weights"])
            assert str(Measure.parse(printed)) == str(Measure.parse(name))


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


def counted(listed):
    """Return how many pairs a list of those that may be written is about."""
    rest = re.search(r"; and ([\d,]+) more pairs?: --pairs$", listed)
    n = int(rest[1].replace(",", "")) if rest else 0
    for group in (listed[: rest.start()] if rest else listed).split("; "):
        sides = []
        for side in group.split(" > "):
            more = re.search(r" and ([\d,]+) more$", side)
            names = side[: more.start()] if more else side
            sides.append(len(names.split(", ")) + (int(more[1].replace(",", "")) if more else 0))
        n += sides[0] * sides[1]
    return n


def _check_pairs(found, parts):
    """The pairs that may be written and those that may not add up to all."""
    pairs, first = found["pairs"], found["recommendation"][0]
    written = [own for own in pairs if own["written"]]
    for own in pairs:
        every = own["signs"].values()
        assert own["written"] == (bool(own["signs"]) and all(sign == 1 for sign in every))
        assert not own["written"] or (own["significant"] and not own["identical"])
        assert own["identical"] or not own["written"] or first["written"] == [*own["signs"]]
    by_run = {own["better"]: 0 for own in pairs} | {own["system"]: 0 for own in found["systems"]}
    for own in written:
        by_run[own["better"]] += 1
    assert {row["system"]: len(row["beats"]) for row in found["systems"]} == by_run
    if first["verdict"] == "cannot tell" or not pairs:
        assert not written
        assert not {"write", "not", "because"} & {*parts}
        assert "bias" not in {own["kind"] for own in found["trust"]}
        return
    said = parts["write"].text.removesuffix(".")
    if not written:
        assert said.startswith("nothing: ")
    elif not any(mark in own["system"] for own in found["systems"] for mark in ",>;"):
        assert counted(said) == len(written)
    assert ("not" in parts) == (len(written) < len(pairs))
    if "not" in parts:
        claims = parts["not"].text.removesuffix(".")
        rest = re.search(r"and ([\d,]+) more pairs?: --pairs$", claims)
        told = len(re.findall(": (?:not |only |the same hits)", claims))
        if not any(":" in own["system"] for own in found["systems"]):
            left = int(rest[1].replace(",", "")) if rest else 0
            assert told + left == len(pairs) - len(written)
    bias = [own for own in found["trust"] if own["kind"] == "bias"]
    assert all(own["pairs"] == len(written) for own in bias)
