"""The figures: what is drawn, that nothing is hidden, and that files are reproducible."""

import functools
import itertools
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from each import each
from matplotlib.collections import FillBetweenPolyCollection, LineCollection

from rankassay.drawing import correlation, incomplete, layout, style
from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.metrics.catalogue import label
from rankassay.studies import FIGURES

pytestmark = pytest.mark.slow

DATASETS = {f"d{i}": f"Dataset {i}" + " (synthetic)" * (i > 2) for i in range(7)}
METRICS = ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"]
CUTOFFS = [5, 10, 50, 100]


def cross(**columns):
    return pd.DataFrame(itertools.product(*columns.values()), columns=list(columns))


def made_up(x, values):
    table = cross(dataset=DATASETS, metric=METRICS, cutoff=CUTOFFS, **{x: values})
    rng = np.random.default_rng(1)
    return table.assign(tau=rng.uniform(-0.3, 1, len(table)))


SPARSITY = made_up("level", range(100, 0, -10)).assign(
    low=lambda t: t.tau - 0.1, high=lambda t: np.minimum(1, t.tau + 0.1)
)
POPULARITY = made_up("percentage", range(100, 79, -2))
P_VALUES = made_up("pair", range(60)).assign(p_value=lambda t: t.tau.clip(0) ** 8, identical=False)
BETWEEN_CUTOFFS = cross(dataset=DATASETS, metric=METRICS, cutoff_a=CUTOFFS, cutoff_b=CUTOFFS)
BETWEEN_CUTOFFS["tau"] = 1 - (BETWEEN_CUTOFFS.cutoff_a - BETWEEN_CUTOFFS.cutoff_b).abs() / 200
BETWEEN_METRICS = cross(dataset=DATASETS, cutoff=CUTOFFS, metric_a=METRICS, metric_b=METRICS)
BETWEEN_METRICS["tau"] = np.where(BETWEEN_METRICS.metric_a == BETWEEN_METRICS.metric_b, 1, 0.9)

HEAT_MAPS = {
    "figure-1": (correlation.cutoff_correlation, BETWEEN_CUTOFFS, True),
    "figure-5": (correlation.metric_correlation, BETWEEN_METRICS, False),
}
LINES = {
    "figure-2": (incomplete.sparsity, SPARSITY, True),
    "figure-3": (incomplete.popularity, POPULARITY, True),
    "figure-4": (incomplete.p_values, P_VALUES, True),
    "figure-6": (incomplete.sparsity, SPARSITY, False),
    "figure-7": (incomplete.popularity, POPULARITY, False),
    "figure-8": (incomplete.p_values, P_VALUES, False),
}


def panels(n, by_metric):
    names = list(DATASETS.items())[:n]
    extra = {"metric": "nDCG"} if by_metric else {}
    return [{"dataset": name, "title": title, "cutoff": 100, **extra} for name, title in names]


@functools.cache
def made(name, n):
    """Return a figure of some panels, which tests look at and leave as it is."""
    draw, table, by_metric = (LINES | HEAT_MAPS)[name]
    return draw(table, panels(n, by_metric))


def drawn(figure):
    """Return the axes of the panels: those with a title."""
    return [axes for axes in figure.axes if axes.get_title()]


def legend_labels(figure):
    legends = figure.legends + [a.get_legend() for a in figure.axes if a.get_legend()]
    assert len(legends) == 1
    return [text.get_text() for text in legends[0].get_texts()]


@pytest.mark.parametrize("n", [1, 7])
@pytest.mark.parametrize("name", HEAT_MAPS)
def test_heat_maps_show_every_value_below_the_diagonal(name, n):
    _, _, by_metric = HEAT_MAPS[name]
    figure = made(name, n)
    assert len(drawn(figure)) == n
    assert len(figure.axes) == n + 1  # the scale of colours
    size = len(CUTOFFS) if by_metric else len(METRICS)
    for axes in drawn(figure):
        assert len([t for t in axes.texts if t.get_text()]) == size * (size + 1) // 2


@pytest.mark.parametrize("n", [1, 7])
@pytest.mark.parametrize("name", LINES)
def test_lines_have_a_legend_and_no_point_is_hidden(name, n):
    _, _, by_metric = LINES[name]
    figure = made(name, n)
    labels = [f"@{c}" for c in CUTOFFS] if by_metric else [*map(label, METRICS)]
    assert legend_labels(figure) == labels
    assert len(drawn(figure)) == n
    for axes in drawn(figure):
        lines = [line for line in axes.lines if line.get_label() in labels]
        assert len(lines) == len(labels)
        (left, right), (low, high) = sorted(axes.get_xlim()), axes.get_ylim()
        for line in lines:
            x, y = line.get_data()
            assert ((left < np.asarray(x)) & (np.asarray(x) < right)).all()
            assert ((low < y) & (y < high)).all()


@pytest.mark.parametrize("name", [*LINES, *HEAT_MAPS])
def test_nothing_is_cut_off(name):
    for n in (1, 7):
        figure = made(name, n)
        style.lay_out(figure)
        box = figure.get_tightbbox()  # inches; of what is drawn
        width, height = figure.get_size_inches()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= width
        assert box.y1 <= height


@pytest.mark.parametrize("name", ["figure-1", "figure-6"])
def test_the_same_table_gives_the_same_bytes(name, tmp_path):
    draw, table, by_metric = (LINES | HEAT_MAPS)[name]
    for stem in ("a", "b"):
        style.save(draw(table, panels(1, by_metric)), tmp_path / stem)
    for kind in ("pdf", "svg", "png"):
        content = (tmp_path / f"a.{kind}").read_bytes()
        assert content == (tmp_path / f"b.{kind}").read_bytes()
        assert b"Matplotlib" not in content[:2000]
    assert len(list(tmp_path.glob("[!.]*"))) == 6


def test_each_correlation_has_panels_of_its_own():
    one = SPARSITY.assign(correlation="tau_b")
    both = pd.concat([one, one.assign(correlation="spearman", tau=SPARSITY.tau / 2)])
    shown = drawn(incomplete.sparsity(both, panels(1, False)))
    names = ["Kendall's τ", "Spearman's ρ"]
    assert [axes.get_title() for axes in shown] == [f"Dataset 0, {name}" for name in names]
    assert {axes.get_ylabel() for axes in shown} == {"Rank correlation", ""}
    first, second = (axes.get_lines()[0].get_ydata() for axes in shown)
    np.testing.assert_allclose(second, first / 2)
    assert len(drawn(incomplete.sparsity(one, panels(1, False)))) == 1


def test_the_sparsity_axis_runs_from_all_to_few():
    axes = drawn(incomplete.sparsity(SPARSITY, panels(1, False)))[0]
    left, right = axes.get_xlim()
    assert left > 100 > 10 > right


def spans(axes):
    """Return the intervals of a panel, by the place they stand at."""
    return [
        (segment[0][0], *sorted(segment[:, 1]))
        for lines in axes.collections
        if isinstance(lines, LineCollection)
        for segment in lines.get_segments()
    ]


def test_bands_are_drawn_only_where_there_are_few_lines():
    three = SPARSITY[SPARSITY.metric.isin(METRICS[:3])]
    few = drawn(incomplete.sparsity(three, panels(1, False)))[0]
    assert [isinstance(band, FillBetweenPolyCollection) for band in few.collections] == [True] * 3
    some = drawn(incomplete.sparsity(SPARSITY, panels(1, False)))[0]
    rows = SPARSITY[(SPARSITY.dataset == "d0") & (SPARSITY.cutoff == 100)]
    found = spans(some)
    levels = sorted({level for level, _, _ in found})
    assert len(found) == len(METRICS) * len(levels)
    assert levels[0] == 10  # the fewest that are kept
    assert min(np.diff(levels)) >= incomplete.BETWEEN * (100 - 10)
    true = {(row.level, round(row.low, 9), round(row.high, 9)) for row in rows.itertuples()}
    assert {(x, round(low, 9), round(high, 9)) for x, low, high in found} <= true
    doubled = pd.concat([SPARSITY, SPARSITY.assign(cutoff=SPARSITY.cutoff + 1)])
    many = drawn(incomplete.sparsity(doubled, panels(1, True)))[0]
    assert not many.collections


@pytest.mark.parametrize("draw", [incomplete.sparsity, incomplete.popularity])
def test_panels_that_are_compared_have_one_scale(draw):
    table = SPARSITY if draw is incomplete.sparsity else POPULARITY
    table = table.assign(tau=table.tau.where(table.dataset == "d0", 0.9))
    limits = {axes.get_ylim() for axes in drawn(draw(table, panels(3, False)))}
    assert len(limits) == 1


def test_cells_of_large_heat_maps_have_room_for_their_numbers():
    names = [f"metric-{i:02d}" for i in range(14)]
    table = cross(dataset=["d0"], cutoff=[100], metric_a=names, metric_b=names).assign(tau=0.75)
    figure = correlation.metric_correlation(table, panels(1, False))
    style.lay_out(figure)
    axes = drawn(figure)[0]
    width = axes.get_window_extent().width / len(names)
    renderer = figure.canvas.get_renderer()
    texts = [text for text in axes.texts if text.get_text()]
    assert max(text.get_window_extent(renderer).width for text in texts) < 0.8 * width


@pytest.mark.parametrize("n", [1, 2])
def test_large_heat_maps_leave_no_column_empty(n):
    cutoffs = range(5, 60, 5)
    table = cross(dataset=[*DATASETS][:n], metric=["nDCG"], cutoff_a=cutoffs, cutoff_b=cutoffs)
    figure = correlation.cutoff_correlation(table.assign(tau=0.9), panels(n, True))
    style.lay_out(figure)
    taken = figure.get_tightbbox().width
    assert taken > 0.85 * figure.get_figwidth()


def test_gaps_leave_every_remaining_point_visible():
    table = POPULARITY.copy()
    table.loc[table.percentage.between(82, 85), "tau"] = np.nan
    axes = drawn(incomplete.popularity(table, panels(1, True)))[0]
    for line in axes.lines:
        if line.get_label().startswith("@"):
            assert line.get_markevery()[1] == 1


def test_undefined_correlations_are_marked_with_a_dash():
    table = BETWEEN_METRICS.copy()
    table.loc[(table.metric_a == "Bpref") | (table.metric_b == "Bpref"), "tau"] = np.nan
    axes = drawn(correlation.metric_correlation(table, panels(1, False)))[0]
    assert [t.get_text() for t in axes.texts].count("–") == len(METRICS)


@pytest.mark.parametrize("n_pairs", [1, 36])
def test_few_systems_or_no_p_values_can_be_drawn(n_pairs):
    table = P_VALUES[P_VALUES.pair < n_pairs]
    for p_value in (table.p_value, np.nan, 0.0):
        figure = incomplete.p_values(table.assign(p_value=p_value), panels(1, False))
        assert len(legend_labels(figure)) == len(METRICS)


def test_p_values_decrease_and_end_where_all_are_trivial():
    table = P_VALUES[P_VALUES.pair < 40].assign(p_value=lambda t: 1.0 * (t.pair < 17))
    axes = drawn(incomplete.p_values(table, panels(1, True)))[0]
    for line in axes.lines:
        if line.get_label().startswith("@"):
            assert list(line.get_ydata()) == [1.0] * 17 + [0.0]
            assert list(line.get_xdata()) == list(range(1, 19))
    # Identical systems have p = 1 under every metric, which says nothing of it.
    table["identical"] = table.pair < 4
    figure = incomplete.p_values(table, panels(1, True))
    of = [line for line in drawn(figure)[0].lines if line.get_label().startswith("@")]
    assert {tuple(line.get_ydata()) for line in of} == {(1.0,) * 13 + (0.0,)}
    assert "(of 36)" in drawn(figure)[0].get_xlabel()


def test_one_cutoff_and_two_metrics_are_enough():
    one = [dict(panel, dataset="d0") for panel in panels(1, True)]
    figures = [
        correlation.cutoff_correlation(BETWEEN_CUTOFFS.query("cutoff_a == cutoff_b == 5"), one),
        correlation.metric_correlation(
            BETWEEN_METRICS.query("metric_a in ['P', 'RR'] and metric_b in ['P', 'RR']"),
            panels(1, False),
        ),
        incomplete.sparsity(SPARSITY.query("cutoff == 5"), one),
        incomplete.sparsity(SPARSITY.query("level == 100"), one),
    ]
    assert [len(drawn(figure)) for figure in figures] == [1, 1, 1, 1]


def test_cutoffs_have_distinct_looks():
    looks = style.cutoffs([100, 5, *range(10, 100, 10)])
    assert list(looks) == [5, *range(10, 101, 10)]
    assert len({look.colour for look in looks.values()}) == 11
    assert len({look.marker for look in looks.values()}) == 11


def test_a_panel_without_rows_is_an_error_that_names_it():
    with pytest.raises(RankassayError, match="dataset nowhere, cutoff 100"):
        layout.of_panel(SPARSITY, {"dataset": "nowhere", "title": "", "cutoff": 100})
    with pytest.raises(RankassayError, match="one panel"):
        layout.Grid(0)


def test_headings_stay_within_the_figure():
    figure = layout.blank((4, 2), layout="constrained")
    figure.add_subplot()
    layout.heading(figure, "A dataset with a name of many words " * 4, fontsize=8)
    style.lay_out(figure)
    box = figure._suptitle.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.width
    assert "\n" in figure._suptitle.get_text()


def test_a_dollar_in_a_name_is_a_dollar(tmp_path):
    @style.style()
    def draw():
        figure = layout.blank((4, 2), layout="constrained")
        figure.add_subplot().set_yticks([0, 1], [r"$\foo$", "$a_1$"])
        return figure

    style.save(draw(), tmp_path / "figure")
    assert [text.get_parse_math() for text in draw().axes[0].get_yticklabels()] == [False, False]


@each("path", sorted(FIGURES))
def test_no_figure_asks_for_mathematics(path):
    """Names are drawn as they are: what is between two dollars would be drawn with them."""
    module = load(FIGURES[path].function).__module__
    source = Path(sys.modules[module].__file__).read_text(encoding="utf-8")
    log_axes = source.count('scale("log")')
    assert "$" not in source
    assert log_axes <= source.count("set_major_formatter") + source.count("minorticks_off")


def test_long_titles_are_wrapped():
    title = layout.title({"title": "word " * 20, "metric": "AP"})
    assert title.startswith("MAP · word")
    assert max(map(len, title.split("\n"))) <= 36


@pytest.mark.parametrize(
    ("tau", "text"),
    [(1, "1"), (0.996, "1.0"), (0.95, ".95"), (-0.5, "−.50"), (-0.001, ".00"), (np.nan, "–")],
)
def test_short_numbers(tau, text):
    assert correlation.short(tau) == text


def test_metrics_of_whole_lists_are_drawn_beside_a_cutoff_and_named_where_they_are_alone():
    whole = P_VALUES["metric"].isin(["AP", "RR"])
    table = P_VALUES[~whole | (P_VALUES["cutoff"] == 5)]
    table = table.assign(cutoff=table["cutoff"].mask(whole).astype(float))
    lines = layout.of_panel(table, panels(1, False)[0])
    assert set(lines) == {*METRICS}
    assert len(lines["AP"]) == 60
    figure = incomplete.p_values(table, [panels(1, True)[0] | {"metric": "AP"}])
    assert legend_labels(figure) == ["whole lists"]
