"""The pages that say how many sentences of the paper hold agree with the one table of them."""

import re
from collections import Counter
from pathlib import Path

import pages
import pytest

DOCS = Path(__file__).parents[3] / "docs"
ANSWERS = ("holds", "inconclusive", "does not hold")
QUESTIONS = {  # a column of the table, and the row of the page that counts it
    "reproduced?": 0,
    "calibrated reproduced?": 1,
    "general?": 2,
    "calibrated general?": 3,
    "general over datasets?": 4,
}


def page(name):
    return pages.read(DOCS / name)


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def table_after(text, heading):
    """Return the first table below a heading: its columns, and its rows as lists of cells."""
    lines = text[text.index(heading) :].splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        rows.append(cells(line))
    return rows[0], rows[2:]


@pytest.fixture(scope="module")
def verdicts():
    """Return the verdicts of each sentence by column, from the table in the reference."""
    names, rows = table_after(page("reference/claims.md"), "## Sentences of the paper")
    at = names.index("calibrated: number")
    names = [*names[: at + 1], *(f"calibrated {name}" for name in names[at + 1 :])]
    assert len({row[0] for row in rows}) == len(rows) == 23
    plain = [[cell.strip("*✗ ") for cell in row] for row in rows]
    return [dict(zip(names, row, strict=True)) for row in plain]


def tally(verdicts, column):
    counts = Counter(row[column] for row in verdicts)
    return [counts[answer] for answer in ANSWERS]


def test_the_page_of_claims_counts_what_the_table_says(verdicts):
    _, rows = table_after(page("claims.md"), "## What was found")
    for column, at in QUESTIONS.items():
        assert [int(cell) for cell in rows[at][2:]] == tally(verdicts, column), column
    text = page("claims.md")
    blind, fitted = tally(verdicts, "reproduced?"), tally(verdicts, "calibrated reproduced?")
    said = re.search(r"\*\*(\d+) of the (\d+) sentences .*?(\d+) are inconclusive, and (\d+)", text)
    assert [*map(int, said.groups())] == [blind[0], 23, blind[1], blind[2]]
    assert f"published means, {fitted[0]} are reproduced" in text
    # Each sentence stands once, under its verdict.
    heads = {"Reproduced:": 0, "Failed findings:": 2, "Inconclusive:": 1}
    for head, place in heads.items():
        part = text[text.index(f"**{head}") :].split("\n\n")[1]
        listed = {re.sub(r" \(Calibrated: .*\)$", "", one[2:]) for one in part.splitlines()}
        own = {row["sentence of the paper"] for row in verdicts}
        assert listed == {
            row["sentence of the paper"] for row in verdicts if row["reproduced?"] == ANSWERS[place]
        }
        assert listed <= own


def test_the_page_of_findings_says_the_same_total(verdicts):
    [said] = re.findall(r"(\d+) of its 23 sentences are reproduced", page("findings.md"))
    assert int(said) == tally(verdicts, "reproduced?")[0]


def test_the_atlas_gives_each_sentence_the_verdict_of_the_table(verdicts):
    names, rows = table_after(page("reference/atlas.md"), "## Findings")
    names = names[: names.index("holds as measured") + 1]  # behind it the systems' usual settings
    found = {row[0].removesuffix(" †"): dict(zip(names, row, strict=False)) for row in rows}
    asked = [row for row in verdicts if row["general over datasets?"] in ANSWERS]
    assert len(asked) == 20
    for row in asked:
        own = found[row["sentence of the paper"]]
        assert own["general?"] == row["general over datasets?"]
        assert own["without one source"] == row["without one source"]
    counts = Counter(row["general?"] for row in found.values())
    text = page("atlas.md")
    finding = text[text.index("**Of the") :].split("\n\n")[0]
    assert f"Of the {len(found)} sentences" in finding
    assert f"{counts['holds']} hold" in finding
    assert f"{counts['inconclusive']} are inconclusive" in finding
    [across] = re.findall(r"(\d+) of 20 sentences hold", page("findings.md"))
    assert int(across) == tally(verdicts, "general over datasets?")[0]
