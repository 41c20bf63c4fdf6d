"""The study of definitions: analysis, other libraries, table and figures."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.drawing import style
from rankassay.errors import RankassayError
from rankassay.metrics.profiles import PROFILES, Profile
from rankassay.studies.definitions import discrepancies as definitions
from rankassay.studies.definitions import figures, peers, tables

EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": None, "aggregate": "mean"}
METRICS = ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP", "F1"]
TITLES = {"made-up": "Made up (synthetic)"}


def rankings(lists, test):
    """Return the rankings that hold these lists; a user with an empty one has none."""
    depth = max(map(len, lists))
    items = np.full((len(lists), depth), -1, dtype=np.int32)
    for user, own in enumerate(lists):
        items[user, : len(own)] = own
    place = [{item: k for k, item in enumerate(own, start=1)} for own in lists]
    row = np.repeat(np.arange(test.shape[0]), np.diff(test.indptr))
    ranks = [place[u].get(int(i), 0) for u, i in zip(row, test.indices, strict=True)]
    length = np.array([len(own) for own in lists], dtype=np.int32)
    n_items = np.full(len(lists), test.shape[1], dtype=np.int32)
    return Rankings(items, np.array(ranks, dtype=np.int32), length, n_items)


def matrix(ratings, n_items):
    """Return a test matrix from a {item: rating} for each user."""
    dense = np.zeros((len(ratings), n_items), dtype=np.float32)
    for user, own in enumerate(ratings):
        dense[user, list(own)] = list(own.values())
    return sp.csr_matrix(dense)


@pytest.fixture(scope="module")
def by_hand():
    """Return AP@2 of two systems and two users.

    User 0 has four relevant items and user 1 one. "Both" finds two relevant items for user 0 at
    places 1 and 2, and none for user 1; "One" finds one for each, at place 1 and at place 2.
    """
    test = matrix([{0: 5, 1: 5, 2: 4, 3: 4}, {0: 5, 1: 2}], 8)
    systems = {
        "Both": rankings([[0, 1], [6, 7]], test),
        "One": rankings([[2, 6], [7, 0]], test),
    }
    table = definitions.discrepancies(test, systems, EVALUATION, ["AP"], [2], peers=[])
    return table.set_index(["source", "system"])


def test_the_denominators_of_average_precision(by_hand):
    expected = {
        ("paper", "Both"): (2 / 4 + 0) / 2,
        ("paper", "One"): (1 / 4 + 1 / 2) / 2,
        ("rendle", "Both"): (2 / 2 + 0) / 2,  # min(n, R) is 2 for user 0
        ("rendle", "One"): (1 / 2 + 1 / 2) / 2,
        ("blog", "Both"): (2 / 2 + 0) / 2,  # of the items found
        ("blog", "One"): (1 / 1 + 1 / 2) / 2,
    }
    for key, value in expected.items():
        assert by_hand.loc[key, "value"] == pytest.approx(value, abs=1e-15)


def test_where_and_how_the_sources_differ(by_hand):
    assert (by_hand.loc["trec", ["max_difference", "differing", "left_out"]] == 0).all(axis=None)
    assert by_hand.loc[("blog", "One"), "max_difference"] == pytest.approx(3 / 4)
    assert list(by_hand.loc["rendle", "differing"]) == [1, 1]
    assert list(by_hand.loc["paper", "place"]) == [2, 1]
    assert list(by_hand.loc["rendle", "place"]) == [1, 1]
    assert set(by_hand.loc["as-run", "same_as"]) == {"paper"}
    assert set(by_hand.loc["blog", "same_as"]) == {"blog"}
    assert list(by_hand.loc["blog", "tau"]) == [1, 1]
    assert by_hand.loc["rendle", "tau"].isna().all()  # all systems tie


def test_the_reason_names_the_choices_that_differ(by_hand):
    assert set(by_hand.loc["trec", "reason"]) == {"same definition"}
    assert set(by_hand.loc["blog", "reason"]) == {
        "denominator: hits instead of relevant; without_relevant: nan instead of value"
    }
    assert set(by_hand.loc["rendle", "definition"]) == {"AP(denominator='min_cutoff')@2"}


def test_pairs_of_systems_in_opposite_order_are_counted():
    reference = np.array([0.4, 0.3, 0.2, 0.1])
    tau, pairs = definitions.changes_of_order(np.array([0.3, 0.4, 0.1, 0.1 + 1e-15]), reference)
    assert pairs == 1  # the last two tie but for the noise of sums
    assert tau == pytest.approx((4 - 1) / np.sqrt(6 * 5))


@pytest.fixture(scope="module")
def cases():
    """Return random ratings with halves, and lists, some of them short; user 3 has no list."""
    rng = np.random.default_rng(3)
    n_users, n_items = 40, 60
    ratings = [
        dict.fromkeys(rng.choice(n_items, 12, replace=False).tolist(), 0) for _ in range(n_users)
    ]
    for user, own in enumerate(ratings):
        levels = [0.5, 1, 3.5] if user == 5 else [4, 5] if user == 6 else [1, 2.5, 3.5, 4, 4.5, 5]
        own |= {item: rng.choice(levels) for item in own}
    test = matrix(ratings, n_items)
    systems = {}
    for name in ("A", "B", "C"):
        lists = [rng.permutation(n_items)[: rng.integers(5, 31)].tolist() for _ in ratings]
        lists[0] = rng.permutation(n_items)[:30].tolist()
        lists[3] = []
        systems[name] = rankings(lists, test)
    return test, systems


@pytest.fixture(scope="module")
def table(cases):
    return definitions.discrepancies(*cases, EVALUATION, METRICS, [5, 20], peers=["pytrec_eval"])


def test_pytrec_eval_equals_the_profile_trec(cases):
    evaluation = EVALUATION | {"profile": "trec"}
    metrics = [metric for metric in METRICS if metric != "F1"]
    table = definitions.discrepancies(*cases, evaluation, metrics, [5, 20], peers=["pytrec_eval"])
    own = table[table.source == "pytrec_eval"]
    assert own.max_difference.max() <= 1e-12
    assert set(own.left_out) == {1}  # the user without a list
    assert set(own.reason) == {"without_list: nan instead of value"}


def test_nothing_that_pytrec_eval_does_is_unexplained(table):
    own = table[table.source == "pytrec_eval"]
    assert (own.unexplained == 0).all()
    assert (own[own.metric == "F1"].reason.str.startswith("denominator: listed instead")).all()
    assert own.version.str.match(r"\d").all()


@pytest.mark.parametrize("name", ["ranx", "ir_measures"])
def test_nothing_that_an_optional_library_does_is_unexplained(cases, name):
    if peers.PEERS[name].version is None:
        pytest.skip(f"{name} is not installed")
    table = definitions.discrepancies(*cases, EVALUATION, METRICS, [5, 20], peers=[name])
    own = table[(table.source == name) & table.system.notna()]
    assert (own.unexplained == 0).all()
    assert own[~own.metric.isin(["nDCG", "Bpref", "infAP", "F1"])].max_difference.max() <= 1e-12


def test_users_without_relevant_items_leave_the_blogs_means(cases, table):
    own = table[(table.source == "blog") & (table.metric == "P")]
    assert set(own.left_out) == {(cases[0].toarray().max(axis=1) < 4).sum()}
    assert (own.max_difference == 0).all()


def test_the_values_of_the_reference_are_those_of_its_profile(cases):
    evaluation = EVALUATION | {"profile": "rendle", "without_relevant": "value"}
    table = definitions.discrepancies(*cases, evaluation, ["AP"], [5], peers=[])
    assert table.source.iloc[0] == "rendle"
    assert "without_relevant" not in table[table.source == "paper"].reason.iloc[0]
    assert "min_cutoff" in table[table.source == "paper"].reason.iloc[0]


def test_what_a_library_does_otherwise_is_called_unexplained(cases, monkeypatch):
    wrong = peers.Peer(
        lambda qrels, run, level, names: {m: dict.fromkeys(run, 0.5) for m in names},
        ("pytrec-eval-terrier",),
        {"P": "P"},
        Profile("", {"P": {"denominator": "listed"}}),
    )
    monkeypatch.setitem(peers.PEERS, "pytrec_eval", wrong)
    table = definitions.discrepancies(*cases, EVALUATION, ["P", "R"], [5], peers=["pytrec_eval"])
    own = table[table.source == "pytrec_eval"].set_index("metric")
    assert "users differ otherwise, unexplained" in own.loc["P", "reason"].iloc[0]
    assert own.loc["R", "reason"] == definitions.NO_METRIC


def test_libraries_that_are_not_installed_are_listed(cases, monkeypatch, caplog):
    missing = peers.Peer(lambda *_: {}, ("no-such-package",), {}, PROFILES["paper"])
    monkeypatch.setitem(peers.PEERS, "ranx", missing)
    monkeypatch.setitem(peers.PEERS, "ir_measures", missing)
    table = definitions.discrepancies(*cases, EVALUATION, ["P"], [5], peers=None)
    assert list(table[table.source == "ranx"].reason) == ["not installed"]
    assert "ranx: not installed" in caplog.text
    shown = tables.discrepancies(table.assign(dataset="made-up"), 5, TITLES)
    assert "ranx: not installed" in shown.note
    with pytest.raises(
        RankassayError, match="'ranx' is not installed; pip install no-such-package"
    ):
        peers.choose(["ranx"])
    with pytest.raises(RankassayError, match="unknown peer 'rank'; did you mean 'ranx'"):
        peers.choose(["rank"])
    assert list(peers.choose(["pytrec_eval"])) == ["pytrec_eval"]


def test_ratings_become_whole_numbers_and_keep_their_level():
    qrels, level = peers.judgements(matrix([{1: 3.5, 2: 4}], 3), 4)
    assert (qrels, level) == ({"000000000": {"1": 7, "2": 8}}, 8)
    qrels, level = peers.judgements(matrix([{1: 3, 2: 4}], 3), 3.5)
    assert (qrels, level) == ({"000000000": {"1": 3, "2": 4}}, 4)
    assert peers.judgements(matrix([{1: 1, 2: 0}], 3), 1e-5)[1] == 1
    with pytest.raises(RankassayError, match="whole ratings only"):
        peers.judgements(matrix([{1: 2**0.5, 2: 4}], 3), 4)


@pytest.mark.parametrize("name", peers.PEERS)
def test_levels_below_zero_are_those_that_libraries_bear(name):
    if peers.PEERS[name].version is None:
        pytest.skip(f"{name} is not installed")
    rng = np.random.default_rng(5)
    ratings = [
        {int(i): int(rng.integers(-5, 6)) or 1 for i in rng.permutation(30)[:9]} for _ in range(40)
    ]
    ratings[0] = {1: -2, 2: -5}  # a process would end here
    ratings[7] = {3: -1}
    test = matrix(ratings, 30)
    systems = {"A": rankings([rng.permutation(30)[:20].tolist() for _ in ratings], test)}
    table = definitions.discrepancies(
        test, systems, EVALUATION | {"threshold": 3}, METRICS, [5, 20], peers=[name]
    )
    own = table[(table.source == name) & table.value.notna()]
    assert len(own)
    assert (own.unexplained == 0).all()


@pytest.mark.parametrize(("rating", "threshold"), [(2**0.5, 4), (1e9, 4), (1, -1), (1, 0)])
def test_libraries_that_do_not_bear_the_levels_are_left_out(rating, threshold, caplog):
    test = matrix([{1: rating, 2: 4}], 3)
    evaluation = EVALUATION | {"threshold": threshold}
    table = definitions.discrepancies(
        test, {"A": rankings([[2, 1]], test)}, evaluation, ["P"], [2], peers=["pytrec_eval"]
    )
    (reason,) = table[table.source == "pytrec_eval"].reason
    assert reason.startswith("other libraries take")
    assert caplog.messages[-1] == f"{reason}: the libraries are left out"


def test_lists_are_handed_over_in_their_order_and_cut():
    test = matrix([{0: 5}, {0: 5}, {0: 5}], 6)
    run = peers.as_run(rankings([[4, 0, 2], [], [1]], test), np.arange(3, dtype=np.int32))
    assert run == {"000000000": {"4": 3.0, "0": 2.0, "2": 1.0}, "000000002": {"1": 3.0}}
    assert peers.cut(run, 2) == {"000000000": {"4": 3.0, "0": 2.0}, "000000002": {"1": 3.0}}


def test_the_table_has_a_row_for_each_distinct_definition(table):
    shown = tables.discrepancies(table.assign(dataset="made-up"), 20, TITLES)
    frame = shown.frame
    precision = frame[frame.Metric == "P@20"]
    assert list(precision.Sources.str.split(",").str[0]) == ["paper", "as-run", "blog"] + [
        name for name in precision.Sources if name.startswith("pytrec_eval")
    ]
    first = frame.groupby("Metric", sort=False).first()
    assert set(first.Why) == {"the reference"}
    assert (frame["Pairs reversed"].gt(0).fillna(False) == shown.marked["τ"]).all()
    with pytest.raises(RankassayError, match="cut-off 7"):
        tables.discrepancies(table.assign(dataset="made-up"), 7, TITLES)


@pytest.mark.parametrize("draw", [figures.values, figures.places])
@pytest.mark.parametrize("n_metrics", [1, 3, 8])
def test_the_figures_show_every_system_and_cut_nothing_off(table, draw, n_metrics, tmp_path):
    chosen = table[table.metric.isin(METRICS[:n_metrics])].assign(dataset="made-up")
    # One metric that a source does not have.
    gone = (chosen.source == "pytrec_eval") & (chosen.metric == "P")
    columns = ["value", "place", "tau", "reordered", "system"]
    chosen.loc[gone, columns] = np.nan
    panels = [{"dataset": "made-up", "title": "Made up (synthetic)", "cutoff": 20}]
    figure = draw(chosen, panels)
    drawn = [axes for axes in figure.axes if axes.get_title(loc="left")]
    assert len(drawn) == n_metrics
    for axes in drawn:
        assert len(axes.get_yticks()) == chosen[~gone].source.nunique()
        assert len([line for line in axes.lines if line.get_linestyle() == "-"]) == 3
    assert "no such metric" in [text.get_text() for text in drawn[0].texts] or n_metrics == 1
    style.lay_out(figure)
    box = figure.get_tightbbox()
    assert min(box.x0, box.y0) >= 0
    assert (box.x1, box.y1) <= tuple(figure.get_size_inches())
    if n_metrics == 1:
        for stem in ("a", "b"):
            style.save(draw(chosen, panels), tmp_path / stem)
        assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_a_table_read_back_is_the_same(table, tmp_path):
    from rankassay.artifacts.tables import read_table, write_table

    write_table(table, tmp_path / "t.csv")
    again = read_table(tmp_path / "t.csv")
    assert list(again.columns) == list(table.columns)
    pd.testing.assert_series_equal(again.value, table.value)
