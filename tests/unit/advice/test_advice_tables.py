"""Advice as tables to print and as a figure: each number is one of the advice."""

import re

import numpy as np
import pytest
from advice_made_up import MEASURES, NAMES, USUAL, cannot, example, recommendation, reference

from rankassay.advice import figure, findings, words_evidence
from rankassay.advice.words_names import measure
from rankassay.drawing.text import latex, markdown
from rankassay.errors import NothingToShowError


def test_runs_are_printed_with_means_intervals_and_whom_they_beat():
    found = example()
    printed = words_evidence.systems(found)
    assert printed.names[2:] == ["CDCG@50 by 1/√popularity", "95% interval", "nDCG@10 (binary)"]
    assert [row[1][0] for row in printed.cells] == [*NAMES]
    assert printed.cells[0][2] == (".7120", True, "3–6")
    assert printed.cells[1][2:] == [
        (".7060", False, "4–6"),
        (".6960 to .7160", False),
        (".3530", False),
    ]
    assert printed.cells[5][2] == (".6820", False, "")
    assert all(len(row) == len(printed.names) == len(printed.numeric) for row in printed.cells)
    assert "by max-T, p < 0.05" in printed.note
    assert "\\textsuperscript{3--6}" in latex(printed, "runs")
    assert "<sup>3–6</sup>" in markdown(printed)


def test_the_conventional_measure_has_no_column_of_its_own_where_it_is_the_recommended_one():
    usual = [recommendation(measure=USUAL)]
    expected = ["nDCG@10 (binary)", "95% interval"]
    assert words_evidence.systems(example(recommendation=usual)).names[2:] == expected


@pytest.mark.parametrize("table", ["MEASURES", "SYSTEMS", "PAIRS"])
def test_the_reference_names_every_column_of_the_tables(table):
    said = set(re.findall(r"\w+", findings.Findings.__doc__))
    columns = {name.removesuffix("_low").removesuffix("_high") for name in getattr(findings, table)}
    assert columns <= said


def test_without_any_measure_the_runs_are_still_named():
    found = example(recommendation=[cannot("no-hits")])
    found["systems"] = [
        own | dict.fromkeys(["mean", "low", "high", "place", "conventional"]) | {"beats": None}
        for own in found["systems"]
    ]
    printed = words_evidence.systems(found)
    assert printed.names[2:] == ["nDCG@10 (binary)", "95% interval"]
    assert [row[2] for row in printed.cells] == [("–", False, "")] * len(NAMES)


def test_equal_means_are_bold_together():
    found = example()
    found["systems"][1] |= {"place": 1, "mean": found["systems"][0]["mean"]}
    assert [row[2][1] for row in words_evidence.systems(found).cells] == [True, True, *[False] * 4]


def test_measures_are_printed_by_what_is_known_of_any():
    printed = words_evidence.measures(example())
    simulated = ["Simulated, mixed", "close", "one method"]
    assert printed.names == ["Measure", *simulated, "Your runs", "Pairs reversed"]
    assert [row[0][0] for row in printed.cells] == [measure(own["measure"]) for own in MEASURES]
    assert [row[0][1] for row in printed.cells] == [True, *[False] * 6]
    assert [cell[0] for cell in printed.cells[0][1:]] == [".73", ".69", ".48", "1.00", "0"]
    none = dict.fromkeys(words_evidence.COLUMNS)
    assert words_evidence.measures(example(measures=[own | none for own in MEASURES])).names == [
        "Measure"
    ]


@pytest.mark.parametrize("places", [(), (1,), (1, 2), (3, 1, 2), (1, 2, 4, 6, 7, 8, 10)])
def test_ranges_name_each_number_once(places):
    text = words_evidence.ranges(places)
    found = []
    for part in filter(None, text.split(", ")):
        first, _, last = part.partition("–")
        found += range(int(first), int(last or first) + 1)
    assert found == sorted(places)


def drawn(found):
    """Return the lines from place to place, the dots and bars by place, and the groups."""
    left, right = figure.slopes(found).axes
    ends = [(line.get_xdata(), line.get_ydata(), line.get_color()) for line in left.lines]
    slopes = [(*map(int, y), colour) for x, y, colour in ends if tuple(x) == figure.SLOPES]
    groups = [(y[0] + 0.25, y[1] - 0.25) for x, y, _ in ends if tuple(x) != figure.SLOPES]
    dots = [line.get_xydata()[0] for line in right.lines if line.get_marker() == "o"]
    bars = [line.get_xdata() for line in right.lines if line.get_linewidth() == 1.6]
    return slopes, [tuple(map(float, own)) for own in dots], bars, groups


def test_the_figure_joins_the_places_by_both_measures_and_has_the_means():
    found = example()
    for own, place in zip(found["systems"], (2, 1, 3, 6, 5, 4), strict=True):
        own["conventional_place"] = place
    slopes, dots, bars, _ = drawn(found)
    up, down, same = figure.BLUE, figure.VERMILION, figure.SAME
    expected = [(1, 0, up), (0, 1, down), (2, 2, same), (5, 3, up), (4, 4, same), (3, 5, down)]
    assert slopes == expected
    np.testing.assert_allclose(dots, [(own["mean"], n) for n, own in enumerate(found["systems"])])
    np.testing.assert_allclose(bars, [(own["low"], own["high"]) for own in found["systems"]])
    left, right = figure.slopes(found).axes
    by_usual = [found["systems"][n]["system"] for n in (1, 0, 2, 5, 4, 3)]
    assert [label.get_text() for label in left.get_yticklabels()] == by_usual
    assert left.texts[0].get_text() == "nDCG@10 (binary)"
    assert right.get_xlabel() == "CDCG@50 by 1/√popularity"
    assert left.get_ylim()[0] > left.get_ylim()[1]  # the best stands on top


def test_a_bar_is_along_runs_of_which_one_may_write_no_difference():
    assert drawn(example())[3] == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert drawn(example(stands=lambda better, worse: better < 3 <= worse))[3] == [(0, 2), (3, 5)]
    assert drawn(example(stands=lambda better, worse: (better, worse) == (1, 2)))[3] == (
        [(0, 1), (2, 5)]
    )
    assert drawn(example(stands=lambda better, worse: False))[3] == [(0, 5)]
    assert drawn(example(stands=lambda better, worse: True))[3] == []


def test_random_is_marked_and_takes_no_place():
    found = example()
    found["systems"] += [reference(), reference("EASE", 0.7)]
    slopes, dots, _, _ = drawn(found)
    assert len(slopes) == len(dots) == len(NAMES)
    _, right = figure.slopes(found).axes
    assert [text.get_text() for text in right.texts] == ["Random"]


def test_the_figure_has_the_first_of_many_runs_and_names_that_fit():
    names = [f"experiment-2024-large-model-seed-{n}" for n in range(60)]
    left, _ = figure.slopes(example(names)).axes
    labels = [label.get_text() for label in left.get_yticklabels()]
    assert len({*labels}) == figure.MOST
    assert max(map(len, labels)) <= figure.LONGEST


@pytest.mark.slow
def test_the_same_advice_gives_the_same_figure():
    from rankassay.report.shelf import text_of

    first, second = (text_of(figure.slopes(example())) for _ in range(2))
    assert first == second
    assert re.match("<svg", first)


def test_of_one_run_and_of_runs_without_a_mean_there_is_no_figure():
    none = example()
    none["systems"] = [own | {"mean": None} for own in none["systems"]]
    for found in (example(["a"]), none):
        with pytest.raises(NothingToShowError, match="expected two runs with a mean"):
            figure.slopes(found)
