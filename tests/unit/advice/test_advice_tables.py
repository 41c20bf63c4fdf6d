"""Advice as tables to print and as a figure: each number is one of the advice."""

import itertools
import re

import numpy as np
import pytest
from advice_made_up import MEASURES, NAMES, example, recommendation

from rankassay.advice import figure, table
from rankassay.advice.words_names import measure
from rankassay.advice.words_tables import CRITERIA
from rankassay.drawing.text import latex, markdown
from rankassay.errors import NothingToShowError
from rankassay.report import advice_tables


def test_runs_are_printed_with_means_intervals_and_whom_they_beat():
    found = example()
    printed = table.systems(found)
    assert printed.names == ["", "Run", "P@50 of judged items", "95% interval", "nDCG@10"]
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
    usual = [recommendation(measure="nDCG@10")]
    assert table.systems(example(recommendation=usual)).names[2:] == ["nDCG@10", "95% interval"]


def test_without_any_measure_the_runs_are_still_named():
    nothing = [recommendation(measure=None, conventional=None)]
    found = example(recommendation=nothing)
    found["systems"] = [
        own | dict.fromkeys(["mean", "low", "high", "place", "conventional"]) | {"beats": None}
        for own in found["systems"]
    ]
    printed = table.systems(found)
    assert printed.names[2] == "Mean"
    assert [row[2] for row in printed.cells] == [("–", False, "")] * len(NAMES)


def test_equal_means_are_bold_together():
    found = example()
    found["systems"][1] |= {"place": 1, "mean": found["systems"][0]["mean"]}
    assert [row[2][1] for row in table.systems(found).cells] == [True, True, *[False] * 4]


def test_measures_are_printed_by_what_is_known_of_any():
    printed = table.measures(example())
    assert printed.names == ["Measure", "Validity", "Worst loss", "Sparsity", "Popularity", "DP"]
    assert [row[0][0] for row in printed.cells] == [measure(own["measure"]) for own in MEASURES]
    assert [row[0][1] for row in printed.cells] == [True, *[False] * 6]
    assert [cell[0] for cell in printed.cells[0][1:]] == [".630", ".080", ".970", ".730", "0.60"]
    none = dict.fromkeys(CRITERIA)
    assert table.measures(example(measures=[own | none for own in MEASURES])).names == ["Measure"]


@pytest.mark.parametrize("places", [(), (1,), (1, 2), (3, 1, 2), (1, 2, 4, 6, 7, 8, 10)])
def test_ranges_name_each_number_once(places):
    text = table.ranges(places)
    found = []
    for part in filter(None, text.split(", ")):
        first, _, last = part.partition("–")
        found += range(int(first), int(last or first) + 1)
    assert found == sorted(places)


def test_measures_stand_by_their_merit():
    found = example(measures=[*reversed([dict(row) for row in MEASURES])])
    found["measures"][0]["candidate"] = False
    order = [own["measure"] for own in table.by_merit(found)]
    assert order[:2] == ["P(denominator='judged')@50", "nDCG@10"]
    assert order[-1] == found["measures"][0]["measure"]
    losses = [own["worst_loss"] for own in table.by_merit(found)[2:-1]]
    assert losses == sorted(losses)


def test_the_figure_has_a_panel_for_each_criterion_and_a_dot_for_each_measure():
    found = example()
    drawn = figure.measures(found)
    titles = [axes.get_title() for axes in drawn.axes]
    assert titles == ["Validity", "Worst loss", "Sparsity", "Popularity", "DP"]
    order = table.by_merit(found)
    for axes, key in zip(
        drawn.axes, ["validity", "worst_loss", "sparsity", "popularity", "power"], strict=True
    ):
        dots = [line.get_xydata()[0] for line in axes.lines if line.get_marker() in ("o", "s")]
        np.testing.assert_allclose([x for x, _ in dots], [own[key] for own in order])
        assert [y for _, y in dots] == [*range(len(order))]
        left, right = axes.get_xlim()
        assert (left > right) == CRITERIA[key].falling
        bars = [line.get_xdata() for line in axes.lines if line.get_linewidth() == 1.6]
        ends = [[own.get(f"{key}_low"), own.get(f"{key}_high")] for own in order]
        np.testing.assert_array_equal(np.array(bars, float), np.array(ends, float))
    labels = drawn.axes[0].get_yticklabels()
    assert [label.get_text() for label in labels] == [measure(own["measure"]) for own in order]
    assert [label.get_fontweight() for label in labels] == ["bold", "bold", *["normal"] * 5]
    legend = [text.get_text() for text in drawn.legends[0].get_texts()]
    assert legend == ["recommended", "conventional", "others"]


def test_better_is_further_right_in_figures_and_on_the_page_under_every_criterion():
    """Correlations are better where they are higher, losses and sums of p-values where lower."""
    losses = {"worst_loss", "power"}
    assert {key for key, own in CRITERIA.items() if own.falling} == losses
    rows = [
        dict(own) | {key: number - 5 * (key in losses) for key in CRITERIA}
        for own, number in zip(MEASURES, (0.1, 0.9, 0.3, 0.2, 0.5, 0.4, 0.6), strict=True)
    ]
    rows = [
        own
        | {key: abs(own[key]) for key in losses}
        | {f"{key}{end}": None for key in CRITERIA for end in ("_low", "_high")}
        | dict.fromkeys(("tau_least", "tau_most"))
        for own in rows
    ]
    found = example(measures=rows)
    best = measure(rows[1]["measure"])
    page = advice_tables.measures(found)
    for column, key in enumerate(CRITERIA):
        at = {
            row.name: float(re.search('cx="([^"]+)"', row.cells[column].plot)[1])
            for row in page.rows
        }
        assert max(at, key=at.get) == best, key
        ends = page.columns[1 + column].ends
        numbers = [own[key] for own in rows]
        assert ends[0] == table.shown((max if key in losses else min)(numbers), 2)
        assert ends[1] == table.shown((min if key in losses else max)(numbers), 2)
    order = [measure(own["measure"]) for own in table.by_merit(found)]
    for axes in figure.measures(found).axes:
        left, right = axes.get_xlim()
        dots = [line.get_xdata()[0] for line in axes.lines if line.get_marker() in ("o", "s")]
        places = [(x - left) / (right - left) for x in dots]
        assert order[int(np.argmax(places))] == best


@pytest.mark.slow
def test_the_figure_has_no_overlapping_axis_labels():
    full = {f"{key}{end}": 0.3 for key in CRITERIA for end in ("", "_low", "_high")}
    drawn = figure.measures(example(measures=[own | full | {"validity": 0.4} for own in MEASURES]))
    drawn.canvas.draw()
    boxes = [axes.xaxis.label.get_window_extent() for axes in drawn.axes]
    assert len(boxes) == len(CRITERIA)
    assert all(left.x1 < right.x0 for left, right in itertools.pairwise(boxes))


@pytest.mark.slow
def test_the_same_advice_gives_the_same_figure(tmp_path):
    from rankassay.report.pictures import text_of

    first, second = (text_of(figure.measures(example())) for _ in range(2))
    assert first == second
    assert re.match("<svg", first)


def test_of_nothing_known_there_is_no_figure():
    with pytest.raises(NothingToShowError, match="expected measures of which something is known"):
        figure.measures(example(measures=[own | dict.fromkeys(CRITERIA) for own in MEASURES]))
    one = example(measures=[MEASURES[0] | dict.fromkeys(CRITERIA) | {"validity": 0.5}])
    assert [axes.get_title() for axes in figure.measures(one).axes] == ["Validity"]
