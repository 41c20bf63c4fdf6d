"""Figure and tables of agreement with a sampled truth: the numbers are those of the analysis."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from made_up import evaluation, study
from scipy.sparse import csr_matrix
from settings_of import settings_of

from rankassay.artifacts.arrays import Truth
from rankassay.drawing.table import printed
from rankassay.studies.validity import agreement, diagnostics, figures, tables
from rankassay.studies.validity.figures import agreement as drawn
from rankassay.studies.validity.rows import reference

PANELS = [{"dataset": "mine", "title": "Mine", "cutoff": 10}]
TITLES = {"mine": "Mine"}


@pytest.fixture(scope="module")
def found():
    """Return the tables of agreement and of diagnostics, of a dataset with flags."""
    train, test, rankings = study()
    rng = np.random.default_rng(11)
    judged = np.where(rng.random(train.shape) < 0.4, rng.integers(1, 6, train.shape), 0)
    truth = csr_matrix(judged.astype(np.float32))
    truth = Truth.of(truth, known=rng.random(truth.nnz) < 0.4, scale=(1, 5))
    told = evaluation(["P@5", "P@10", "nDCG@10"]) | {"recommenders": {}}
    settings = settings_of("validity/agreement", yardstick_cutoffs=[5, 10], resamples=40)
    known = test.astype(np.float64)
    known.data[:] = 0.5
    named = SimpleNamespace(item_ids=np.arange(test.shape[1]))
    inputs = (train, test, truth, rankings, named, known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agreement, "UNBIASED", ("SNIPS",))
        whole = agreement.run(*inputs, told, 0, **settings)
    own = settings_of("validity/diagnostics")
    diagnosed = diagnostics.run(train, test, truth, rankings, told, 0, **own)
    return whole.table.assign(dataset="mine"), diagnosed.assign(dataset="mine")


def test_the_reference_is_p_at_the_cutoff_by_the_first_estimator(found):
    rows = reference(found[0], 10)
    assert {*rows["yardstick"]} == {"liked", "new"}
    assert {*rows["utility"]} == {"P"}
    assert {*rows["yardstick_cutoff"]} == {10}
    assert {*rows["estimator"]} == {"HT"}
    assert {*reference(found[0], 6)["yardstick_cutoff"]} == {5}  # the nearest that there is
    assert not rows.duplicated(["yardstick", "metric", "cutoff", "candidates"]).any()


def test_dots_and_intervals_are_those_of_the_reference(found):
    figure = drawn(found[0], PANELS)
    rows = reference(found[0], 10)
    rows = rows[(rows["candidates"] == "all items") & (rows["cutoff"] == 10)]
    assert len(figure.axes) == 2
    for axes, (_, own) in zip(figure.axes, rows.groupby("yardstick", sort=False), strict=True):
        dots = np.sort(axes.lines[-1].get_xdata().astype(float))
        np.testing.assert_allclose(dots, np.sort(own["tau"]))
        ends = sorted(tuple(line[:, 0]) for line in axes.collections[0].get_segments())
        known = own[["low", "high"]].dropna()
        np.testing.assert_allclose(
            [line for line in ends if not np.isnan(line[0])], sorted(known.to_numpy().tolist())
        )
    labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert sorted(labels) == ["P", "SNIPS", "nDCG"]


def test_figures_of_simulated_worlds_say_so_and_show_the_one_truth_in_the_looks_of_its_legend():
    rows = [
        {"bias": "mixed", "strength": strength, "metric": metric, "tau": 0.5, "low": 0.4}
        | {"popularity_observed": 2 + n, "popularity_true": 5, "power": 3, "high": 0.6}
        for n, metric in enumerate(("P", "nDCG"))
        for strength in (0, 1)
    ]
    rows = pd.DataFrame(rows).assign(dataset="w", cutoff=10, yardstick="liked")
    rows = rows.assign(candidates="all items")
    for draw in (figures.worlds, figures.worlds_estimators, figures.popularity, figures.power):
        figure = draw(rows, [{"dataset": "w", "title": "W", "cutoff": 10}])
        assert "Simulated worlds" in figure.get_suptitle()
        if draw is figures.popularity:
            lines = {line.get_color() for axes in figure.axes for line in axes.lines[1::2]}
            assert lines == {figure.legends[0].get_lines()[-1].get_color()}


def test_tables_show_the_reference_every_yardstick_and_all_diagnostics(found):
    frame, diagnosed = found
    table = tables.agreement(frame, 10, TITLES)
    rows = reference(frame[frame["cutoff"] == 10], 10)
    assert table.frame["τ"].tolist() == rows["tau"].tolist()
    shown = table.frame["95 % interval"].str.count(" to ") == 1
    assert shown.tolist() == rows["low"].notna().tolist()  # a metric that ties all has none
    # Of each dataset by its own estimator.
    published = frame.assign(dataset="other")[frame["estimator"] == "as published"]
    for both in ([published, frame], [frame, published]):
        every = tables.agreement(pd.concat(both), 10, TITLES | {"other": "Other"}).frame
        taus = every.loc[every["Dataset"] == "Mine", "τ"]
        assert taus.tolist() == rows["tau"].tolist()
        assert len(every) == 2 * len(rows)
    by = tables.yardsticks(frame, 10, TITLES).frame
    # Two cut-offs of two yardsticks: three utilities, and four more estimates of P.
    assert len(by) == 2 * 2 * (3 + 4)
    plain = frame[(frame["estimator"] == "plain") & (frame["yardstick"] == "new")]
    plain = plain[(plain["yardstick_cutoff"] == 5) & (plain["candidates"] == "all items")]
    plain = plain[plain["cutoff"] == 10]
    row = by[(by["Estimator"] == "plain") & (by["Yardstick"] == "new") & (by["At"] == 5)].iloc[0]
    assert row["τ, median"] == plain["tau"].median()
    assert row["Highest"] == plain["tau"].max()
    shown = tables.diagnostics(diagnosed, TITLES)
    assert len(shown.frame) == len(diagnosed)
    assert not pd.isna(shown.frame["Diagnostic"]).any()
    for each in (table, shown, tables.yardsticks(frame, 10, TITLES)):
        assert all(len(row) == len(each.frame.columns) for row in printed(each).cells)


def test_the_reference_is_the_first_utility_only_where_p_is_none():
    names = ["yardstick", "utility", "estimator", "yardstick_cutoff"]
    judged = pd.DataFrame(
        [
            ("liked", "nDCG", "b", 10),
            ("liked", "P", "a", 5),
            ("new", "P", "a", 20),
            ("liked", "P", "b", 10),
            ("own", "P", "b", 10),
            ("own", "nDCG", "c", 50),
        ],
        columns=names,
    )
    assert reference(judged, 5).index.tolist() == [1, 4, 5]
    assert reference(judged, 13).index.tolist() == [2, 4, 5]
    assert reference(judged.drop(index=[1, 2]), 5).index.tolist() == [3, 4, 5]
    assert reference(judged.drop(index=[1, 2, 3]), 5).index.tolist() == [0, 4, 5]
    # Both neighbours of a cut-off in the middle; what only has truths of its own has only these.
    assert reference(judged.assign(yardstick_cutoff=[10, 10, 20, 0, 0, 0]), 15).index.tolist() == [
        *(1, 2, 4, 5)
    ]
    assert reference(judged[4:], 10).index.tolist() == [4, 5]
