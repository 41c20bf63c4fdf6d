"""Times and sizes that pages quote follow from the tables of benchmarks/README.md."""

import re
from pathlib import Path

import pytest
from pages import read

ROOT = Path(__file__).parents[3]
BENCHMARKS = ROOT / "benchmarks/README.md"
WORDS = {"four": 4.0, "eight": 8.0}


def cell(section, *labels, column):
    """Return the number in a row of the first table of a section that has the row.

    The labels are those that its first cells begin with; an empty cell has the one above it.
    """
    text = BENCHMARKS.read_text(encoding="utf-8")
    below = re.split(rf"^#+ {re.escape(section)}$", text, flags=re.MULTILINE)
    assert len(below) == 2, section
    above = [""] * 9
    for line in re.split(r"^#", below[1], flags=re.MULTILINE)[0].splitlines():
        if not line.startswith("|"):
            continue
        cells = [found.strip() for found in line.strip("|").split("|")]
        above = [own or former for own, former in zip(cells, above, strict=False)]
        if all(own.startswith(label) for own, label in zip(above, labels, strict=False)):
            return number(cells[column])
    raise AssertionError(f"no row {labels} below {section}")


def said(page, sentence):
    """Return the numbers that a sentence says, each with the size of its last digit."""
    text = " ".join(read(ROOT / page).split())
    found = re.findall(sentence, text)
    assert len(found) == 1, (page, sentence, found)
    return [found[0]] if isinstance(found[0], str) else [*found[0]]


def number(text):
    if ":" in text:  # minutes and seconds
        minutes, seconds = text.split(":")
        return 60 * float(minutes) + float(seconds)
    return WORDS.get(text) or float(text.replace(",", "").removesuffix("%"))


def nearest(text, value):
    """Return whether a number is the nearest one of as many digits to a value."""
    _, _, decimals = text.partition(".")
    last = 10.0 ** -len(decimals)
    return abs(number(text) - value) <= last / 2 + 1e-9


def whole_at_25m():
    section = "The sizes of MovieLens 10M and 25M"
    total = cell(section, "MovieLens 25M", column=6)
    before = cell(section, "HT, before its products", column=1)
    now = cell(section, "HT now", column=1)
    (again,) = said(
        "benchmarks/README.md", r"HT takes ([\d,]+) CPU seconds at 25M's size, in a run"
    )
    assert number(again) == now
    return total - before + now, now


def quotes():
    """Yield a page, a sentence, and what its numbers should be."""
    arrays, frames = ("Metrics", "arrays or dicts"), ("Metrics", "frames")
    yield (
        "docs/faq.md",
        r"for 6,040 users take (\d+) ms of CPU time from arrays and (\d+) ms from frames, (\d+) "
        r"and (\d+) times less than pytrec_eval",
        [
            1000 * cell(*arrays, "rankassay", column=2),
            1000 * cell(*frames, "rankassay", column=2),
            cell(*arrays, "pytrec_eval", column=3),
            cell(*frames, "pytrec_eval", column=3),
        ],
    )
    yield (
        "docs/faq.md",
        r"210 pairs of 21 systems by 77 measures take (\d+) seconds on one core",
        [cell("Permutation tests", "ours, 16,170 tests", column=1)],
    )
    judge = ("The answer in one command",)
    large, many = (*judge, "21 runs of 6,040"), (*judge, "`--many`: 5 runs of 100,000")
    yield (
        "docs/faq.md",
        r"takes (\d+) CPU seconds and ([\d.]+) GB for 21 runs .* and (\d+) and ([\d.]+) GB for 5 "
        r"runs of 100,000 users",
        [
            cell(*large, column=2),
            cell(*large, column=3) / 1000,
            cell(*many, column=2),
            cell(*many, column=3) / 1000,
        ],
    )
    beer = "The whole study at a size"
    ht, everything = (cell(beer, row, column=4) for row in ("HT", "all jobs"))
    yield "benchmarks/README.md", r"HT is ([\d.]+)% of the total \(target", [100 * ht / everything]
    whole, ht_at_25m = whole_at_25m()
    yield (
        "benchmarks/README.md",
        r"the whole is then ([\d,]+), of which it is (\d+)%",
        [whole, 100 * ht_at_25m / whole],
    )
    yield (
        "docs/cluster.md",
        r"\| HT \| [\d.]+ \| ([\d.]+) \| (\d+) \|",
        [ht / 60, ht_at_25m / 60],
    )
    ours = cell("Resampling", "ours", column=1)
    rows = ("pytrec_eval", "pytrec_eval, the same cut-offs", "floor: bytes", "floor: divisions")
    others = [cell("Resampling", row, column=1) / ours for row in rows]
    yield (
        "benchmarks/README.md",
        r"\| ours \| [\d.]+ \| ([\d.]+) \| 1 \| \| pytrec_eval \| [\d,]+ \| \d+ \| (\d+) \| "
        r"\| pytrec_eval, the same cut-offs \| [\d,]+ \| \d+ \| ([\d,]+) \| "
        r"\| floor: bytes \| [\d.]+ \| [\d.]+ \| ([\d.]+) \| "
        r"\| floor: divisions \| [\d.]+ \| [\d.]+ \| ([\d.]+) \|",
        [1000 * ours / 19_971, *others],
    )
    (minutes,) = said("benchmarks/README.md", r"took [\d.]+ and ([\d.]+) minutes earlier that day")
    yield (
        "docs/reproduce.md",
        r"\| the same, all studies but `protocols` \|.* (\w+) in slow hours",
        [number(minutes)],
    )
    yield from overview()


def overview():
    """Yield the rows of the table that the page begins with."""

    def row(section, what, expected):
        first = f"{section} " if section else ""  # as the row above
        cells = rf"\| {first}\| {what} \| [^|]+ \| ([\d.]+)[^|]* \|"
        return "benchmarks/README.md", cells, [expected]

    beyond = "Metrics beyond accuracy"
    many = cell("A first call", "evaluate, 6,040 users", column=1)
    similar = cell(beyond, "Serendipity(expected", column=1)
    yield row("", "lists of 6,040 users, nothing compiled", many)
    yield row(
        "Resampling", "the sparsity study of MovieLens 1M", cell("Resampling", "ours", column=1)
    )
    yield row("Metrics", "beside [^|]*arrays", cell("Metrics", "arrays", "pytrec_eval", column=3))
    yield row("", "the same, from frames", cell("Metrics", "frames", "pytrec_eval", column=3))
    yield row(beyond, "serendipity, [^|]*", similar)
    yield row("", "intra-list diversity, [^|]*", cell(beyond, "ILD(by=", column=1))
    size = "The sizes of MovieLens 10M and 25M"
    for name in ("10M", "25M"):
        whole = cell(size, f"MovieLens {name}", column=5)
        yield row("", f"the size of MovieLens {name}", whole)
    demo = cell("The demo", "the process that plans", column=1)
    yield "benchmarks/README.md", r"nothing compiled \| 2 minutes \| (\d+:\d+) \|", [demo]


@pytest.mark.parametrize(("page", "sentence", "expected"), [*quotes()])
def test_what_is_quoted_follows_from_the_tables(page, sentence, expected):
    for text, value in zip(said(page, sentence), expected, strict=True):
        assert nearest(text, value), (text, value)


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [("8", 8.2, 8.6), ("1.4", 1.44, 1.46), ("four", 4.4, 4.6)],
)
def test_numbers_are_near_up_to_their_last_digit(text, near, far):
    assert nearest(text, near)
    assert not nearest(text, far)
