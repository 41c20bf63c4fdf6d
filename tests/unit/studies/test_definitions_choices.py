"""Definitions against one another: conclusions, labels, reciprocal ranks, the example."""

from pathlib import Path

import made_up
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats

from rankassay.artifacts.arrays import Rankings
from rankassay.artifacts.tables import read_table
from rankassay.claims import lists as claim_lists
from rankassay.config.check import validate
from rankassay.errors import RankassayError
from rankassay.studies.definitions import choices as of_choices
from rankassay.studies.definitions import examples as of_example
from rankassay.studies.definitions import figures, tables
from rankassay.studies.definitions.claims import claims as judged_by
from rankassay.studies.definitions.claims import constructed_claims

ROOT = Path(__file__).parents[3]
EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": None, "aggregate": "mean"}
AP = {"AP": [{"denominator": "relevant"}, {"denominator": "listed"}]}
RELEVANT, LISTED = "AP(denominator='relevant')", "AP(denominator='listed')"
PANELS = [{"dataset": "made-up", "title": "Made up (synthetic)", "cutoff": 2}]
OF_RR = made_up.evaluation(["RR@5"])
N = 40  # users of each kind
N_EMPTY = 20


def two_systems():
    """Return a test matrix and two systems that the denominators of AP order oppositely.

    Half of the users have four relevant items, of which "Many" lists two at once: 1/2 of all
    relevant items, all of the list. The others have one, which "One" lists first: all of the
    relevant items, 1/2 of the list. Some users have a rating below the threshold only.
    """
    ratings = [{0: 5, 1: 5, 2: 5, 3: 5}] * N + [{0: 5}] * N + [{0: 2}] * N_EMPTY
    test = sp.csr_matrix(
        [[own.get(item, 0) for item in range(8)] for own in ratings], dtype=np.float32
    )
    many = [[1, 2]] * N + [[6, 7]] * N + [[0, 6]] * N_EMPTY
    one = [[6, 7]] * N + [[0, 6]] * N + [[6, 7]] * N_EMPTY
    return test, {"Many": listed(many, test), "One": listed(one, test)}


def listed(lists, test):
    """Return the rankings that hold these lists."""
    items = np.array(lists, dtype=np.int32)
    row = np.repeat(np.arange(test.shape[0]), np.diff(test.indptr))
    ranks = [
        lists[u].index(item) + 1 if item in lists[u] else 0
        for u, item in zip(row, test.indices, strict=True)
    ]
    length = np.full(len(lists), items.shape[1], dtype=np.int32)
    return Rankings(items, np.array(ranks, dtype=np.int32), length, np.full(len(lists), 8))


@pytest.fixture(scope="module")
def choices():
    test, systems = two_systems()
    return of_choices.choices(test, systems, EVALUATION, AP, [2], 2000, 1)


@pytest.fixture(scope="module")
def orders(choices):
    return of_choices.orders(choices, alpha=0.05)


@pytest.fixture(scope="module")
def labels():
    test, systems = two_systems()
    return of_choices.labels(test, systems, EVALUATION, AP, [2])


@pytest.fixture(scope="module")
def example():
    return of_example.examples(
        read_table(ROOT / "src/rankassay/studies/definitions/published/examples.csv")
    )


@pytest.mark.parametrize(
    ("definition", "without_relevant", "many", "one"),
    [
        (RELEVANT, "value", N * 0.5, N * 1.0),
        (LISTED, "value", N * 1.0, N * 0.5),
        (RELEVANT, "nan", N * 0.5, N * 1.0),
    ],
)
def test_each_definition_gives_its_means(choices, definition, without_relevant, many, one):
    users = 2 * N + (N_EMPTY if without_relevant == "value" else 0)
    chosen = (choices.definition == definition) & (choices.without_relevant == without_relevant)
    row = choices[chosen].iloc[0]
    assert (row.value_a, row.value_b) == pytest.approx((many / users, one / users))


def test_p_values_are_those_of_a_test_by_signs(choices):
    """Under the first definition N users differ by 1/2 and N by -1; few sums are as extreme."""
    p = choices.p_value.iloc[0]
    signs = np.random.default_rng(0).choice([-1, 1], size=(20000, 2 * N))
    sums = signs @ np.repeat([0.5, 1.0], N)
    assert p == pytest.approx((np.abs(sums) >= 0.5 * N - 1e-9).mean(), abs=0.01)


def test_two_definitions_contradict_each_other_with_significance(orders):
    row = orders[(orders.definition_a == RELEVANT) & (orders.definition_b == LISTED)].iloc[0]
    assert (row.turned, row.turned_significantly, row.pairs, row.tau) == (1, 1, 1, -1)
    assert row.turned_adjusted == 1  # of one pair, the adjusted p-value is the p-value
    assert row.pair == "One, Many"
    assert row.ratio == pytest.approx(1)


def test_a_stricter_level_finds_no_contradiction(choices):
    strict = of_choices.orders(choices, alpha=1e-6)
    assert (strict.turned_significantly == 0).all()
    assert (strict.turned > 0).any()


def test_leaving_out_users_without_relevant_items_moves_values_but_no_order(orders):
    same = orders[orders.definition_a == orders.definition_b]
    assert len(same) == 2
    assert (same.turned == 0).all()
    np.testing.assert_allclose(same.ratio, (2 * N + N_EMPTY) / (2 * N))


def test_dependence_on_labels_is_spearmans(labels):
    number = np.repeat([4, 1], N)
    many, one = np.repeat([0.5, 0.0], N), np.repeat([0.0, 1.0], N)
    expected = [scipy.stats.spearmanr(number, system).statistic for system in (many, one)]
    assert labels.correlation.iloc[0] == pytest.approx(np.mean(expected))
    assert labels.empty_share.iloc[0] == pytest.approx(N_EMPTY / (2 * N + N_EMPTY))


def test_the_example_agrees_but_for_two_printed_means(example):
    wrong = example[example.agrees == 0]
    assert list(zip(wrong.quantity, wrong.cutoff, wrong.user, strict=True)) == [
        ("RR", 3, "mean"),
        ("RR", 5, "mean"),
    ]
    assert (wrong.measured == 0.5).all()
    assert len(example) == 8 * 3 * 6


@pytest.mark.parametrize(
    ("quantity", "cutoff", "user", "value"),
    [
        ("IDCG", 5, "2", 1 / np.log(2) + 1 / np.log(3)),
        ("DCG", 3, "2", 1 / np.log(3)),
        ("F1", 5, "1", 4 / 11),
        ("P", 3, "4", np.nan),
    ],
)
def test_cells_of_the_example_by_hand(example, quantity, cutoff, user, value):
    cell = example.query("quantity == @quantity and cutoff == @cutoff and user == @user")
    assert cell.measured.iloc[0] == pytest.approx(value, nan_ok=True)


def test_what_does_not_agree_is_in_bold(example):
    table = tables.examples(example)
    assert len(table.frame) == 8 * 6
    assert table.marked.to_numpy().sum() == 4
    assert table.frame.loc[table.marked.any(axis=1), "Metric"].unique() == ["MRR"]


def test_the_table_of_choices_names_the_contradiction(orders, labels):
    table = tables.choices(
        orders.assign(dataset="made-up"),
        labels.assign(dataset="made-up"),
        2,
        {"made-up": "Made up (synthetic)", "constructed": "Constructed rankings"},
    )
    assert list(table.frame["Significantly"].fillna(-1)) == [-1, 1]
    assert table.frame["For instance"][1] == "One, Many"
    assert table.marked["Significantly"].tolist() == [False, True]


@pytest.mark.parametrize("kept", [[], [1]])
def test_definitions_need_not_have_correlations(orders, labels, kept):
    """A definition without one has a gap in the table."""
    titles = {"made-up": "Made up (synthetic)"}
    some = labels[labels["cutoff"] == 2].iloc[kept].assign(dataset="made-up")
    whole = tables.choices(
        orders.assign(dataset="made-up"), labels.assign(dataset="made-up"), 2, titles
    ).frame
    frame = tables.choices(orders.assign(dataset="made-up"), some, 2, titles).frame
    pd.testing.assert_frame_equal(frame.drop(columns="Labels"), whole.drop(columns="Labels"))
    assert frame["Labels"].notna().sum() == len(kept)


def test_the_figure_says_who_contradicts_whom(orders):
    figure = figures.turned(orders.assign(dataset="made-up"), PANELS)
    texts = "\n".join(text.get_text() for text in figure.texts)
    assert (
        "One is significantly better than Many under “relevant”, and significantly worse" in texts
    )
    assert "Made up (synthetic)" in texts
    calm = orders.assign(dataset="made-up", turned_significantly=0, pair=np.nan)
    figure = figures.turned(calm, PANELS)
    assert "no significant conclusion is reversed" in "\n".join(t.get_text() for t in figure.texts)


def test_the_claims_about_the_example_are_judged(example):
    claims = claim_lists.read(ROOT / "src/rankassay/studies/definitions/claims.yaml")
    judged = constructed_claims(claims, "constructed", examples=example).set_index("id")
    failing = judged.reproduced != "holds"
    assert set(judged.index[failing]) == {"example-RR-3", "example-RR-5", "example-RR:share"}
    assert set(judged.reproduced[failing]) == {"does not hold"}
    assert sum(":" not in name for name in judged.index) == 19


def test_the_claims_about_data_are_judged(orders, labels):
    claims = claim_lists.read(ROOT / "src/rankassay/studies/definitions/claims.yaml")
    own = [c for c in claims if c["id"] in ("empty-few", "ap-conclusions", "empty-harmless-AP")]
    orders = pd.concat([orders.assign(cutoff=cutoff) for cutoff in (10, 100)])  # those of claims
    judged = judged_by(own, "ml-1m", orders=orders, labels=labels).set_index("id")
    assert judged.reproduced.to_dict() == {
        "empty-few": "does not hold",  # a fact of the data
        # On data, and without replicates, nothing is decided.
        "empty-harmless-AP": "inconclusive",
        "ap-conclusions": "inconclusive",
    }
    assert judged.holds[["empty-few", "ap-conclusions"]].to_list() == [False, True]


def test_a_wrong_parameter_of_a_definition_is_told_before_any_job():
    wrong = {"AP": [{"denominator": "relevant"}, {"denominator": "hitz"}]}
    config = {"definitions": {"metrics": wrong}}
    with pytest.raises(RankassayError, match=r"definitions\.metrics.*did you mean 'hits'"):
        validate(config)


def test_results_do_not_depend_on_the_order_of_systems(choices):
    test, systems = two_systems()
    turned = dict(reversed(systems.items()))
    other = of_choices.choices(test, turned, EVALUATION, AP, [2], 2000, 1)
    np.testing.assert_allclose(other.difference, -choices.difference)
    pd.testing.assert_series_equal(other.p_value, choices.p_value)


@pytest.fixture(scope="module")
def five_systems():
    """Return the test ratings and the rankings of five systems."""
    return made_up.study(n_systems=5)[1:]


def by_formula(test, ranking, k):
    """Return both means over the users with test ratings."""
    first, every = [], []
    users = np.flatnonzero(np.diff(test.indptr))
    for own, user in zip(ranking.items, users, strict=True):
        rated = dict(zip(test[user].indices, test[user].data, strict=True))
        relevant = {item for item, rating in rated.items() if rating >= 4}
        ranks = [place for place, item in enumerate(own[:k], start=1) if item in relevant]
        first.append(1 / ranks[0] if ranks else 0.0)
        every.append(sum(1 / rank for rank in ranks) / max(len(relevant), 1))
    return np.mean(first), np.mean(every)


def test_both_means_follow_their_formulas(five_systems):
    test, rankings = five_systems
    found = of_choices.reciprocal_ranks(test, rankings, OF_RR | {"cutoffs": [5, 20]})
    for cutoff, own in found.groupby("cutoff"):
        expected = np.array([by_formula(test, ranking, cutoff) for ranking in rankings.values()])
        assert own["system"].tolist() == [*rankings]
        np.testing.assert_allclose(own[["first", "all"]], expected, atol=1e-12)
        tau = scipy.stats.kendalltau(*expected.T).statistic
        assert own["tau"].tolist() == [pytest.approx(tau)] * 5
        swapped = np.sign(np.subtract.outer(expected[:, 0], expected[:, 0]))
        swapped *= np.sign(np.subtract.outer(expected[:, 1], expected[:, 1]))
        assert set(own["reordered"]) == {(swapped < 0).sum() // 2}
        assert own["place_first"].tolist() == [*scipy.stats.rankdata(-own["first"], "min")]
        assert own["place_all"].tolist() == [*scipy.stats.rankdata(-own["all"], "min")]
    assert (found["all"] < found["first"]).all()


def test_the_table_marks_the_systems_with_another_place(five_systems):
    found = of_choices.reciprocal_ranks(*five_systems, OF_RR | {"cutoffs": [5]}).assign(dataset="d")
    found.loc[0, "place_all"] = 99
    table = tables.reciprocal_ranks(found, 5, {"d": "D (synthetic)"})
    assert len(table.frame) == 5
    moved = found["place_first"] != found["place_all"]
    assert table.marked["Its place"].tolist() == moved.tolist()
    assert f"{found['reordered'].iloc[0]} pairs in opposite order" in table.note
    with pytest.raises(RankassayError, match="cut-off 7"):
        tables.reciprocal_ranks(found, 7, {"d": "D (synthetic)"})
