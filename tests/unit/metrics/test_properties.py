"""Properties of the whole way from files to p-values, on examples that hypothesis makes up."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from metric_cases import random_users, values
from scipy import stats

import rankassay
from rankassay.metrics.catalogue import METRICS, weighs
from rankassay.metrics.names import direction
from rankassay.seeds import generator
from rankassay.statistics.incomplete import random_part
from rankassay.statistics.permutation import permutation_test
from rankassay.statistics.rank_correlation import correlation
from rankassay.statistics.significance import TESTS

# The same examples in every run, however slow the machine, and no files.
few = settings(max_examples=15, deadline=None, derandomize=True, database=None)
NEEDS_MORE = (
    "Fallout",
    "Inverse",
    "Markedness",
    "Informedness",
    "MCC",
    "Kendall",
    "AUC",
    "MPR",
    "Average",
)
ERRORS = ["MAE", "MSE", "RMSE", "NMAE"]
MEASURES = [
    f"{metric}@{cutoff}"
    for metric in METRICS
    if metric not in ERRORS and not any(part in metric for part in NEEDS_MORE)
    if not weighs(metric)
    for cutoff in (1, 3, 10)
]


# ---- From judgements and lists to values ---------------------------------------------------------


@st.composite
def studies(draw):
    """Return judgements and a run as dicts: at most 6 users, 12 items, and no tied scores."""
    users = [f"u{i}" for i in range(draw(st.integers(1, 6)))]
    items = [f"i{i}" for i in range(draw(st.integers(2, 12)))]
    some = st.lists(st.sampled_from(items), min_size=1, unique=True)
    qrels = {user: {i: draw(st.integers(1, 5)) for i in draw(some)} for user in users}
    run = {user: {i: 1.0 - n / 16 for n, i in enumerate(draw(some))} for user in users}
    return qrels, run


def of_users(qrels, run, ids=lambda name: name):
    """Return every measure of every user, in the order of the users' old names."""
    table = rankassay.evaluate(qrels, run, MEASURES, threshold=4, per_user=True).set_index("user")
    return table.sort_index(key=lambda index: index.map(ids)).to_numpy()


@pytest.mark.slow
@few
@given(studies(), st.randoms(use_true_random=False))
def test_names_of_users_and_items_and_the_order_of_rows_mean_nothing(study, random):
    qrels, run = study
    items = {f"i{i}": name for i, name in enumerate(random.sample(range(1000), 12))}
    users = {f"u{i}": name for i, name in enumerate(random.sample(range(1000), 6))}

    def renamed(nested):
        rows = [
            (users[user], [(items[item], value) for item, value in inner.items()])
            for user, inner in nested.items()
        ]
        random.shuffle(rows)
        return {user: dict(random.sample(inner, len(inner))) for user, inner in rows}

    old = {name: user for user, name in users.items()}
    found = of_users(renamed(qrels), renamed(run), ids=old.get)
    np.testing.assert_array_equal(found, of_users(qrels, run))


@pytest.mark.slow
@few
@given(studies(), st.floats(0.01, 100), st.floats(-100, 100))
def test_only_the_order_of_the_scores_counts(study, scale, shift):
    qrels, run = study
    other = {
        u: {i: np.exp(scale / 20 * s) + shift for i, s in row.items()} for u, row in run.items()
    }
    np.testing.assert_array_equal(of_users(qrels, other), of_users(qrels, run))


# For these every place counts, so that each relevant item that moves up makes the value larger.
EVERY_PLACE = ["AP", "nDCG", "DCG", "RBP", "Q", "infAP", "AUC", "MPR", "LAUC", "IPS"]
EVERY_PLACE += ["SDCG", "INST"]
# ERR does so too, but below many relevant items its gain is less than a float64 can tell; and the
# averages do so here, but not for each user there can be (see test_metrics_contract).
LEFT_OUT = ["ERR", "AverageMarkedness", "AverageInformedness", *ERRORS]


def swapped(user):
    """Yield the user with each relevant item moved one place up past one that is not relevant."""
    for j in range(1, len(user.places)):
        upper, lower = user.places[j - 1], user.places[j]
        if (lower or 0) >= 4 and (upper or 0) < 4:
            yield user._replace(places=[*user.places[: j - 1], lower, upper, *user.places[j + 1 :]])


@pytest.fixture(scope="module")
def gains():
    """Return by how much each measure gains when a relevant item moves up by one place."""
    pairs = [(user, better) for user in random_users(60) for better in swapped(user)]
    measures = [f"{metric}@30" for metric in METRICS]
    before, after = (values(list(users), measures) for users in zip(*pairs, strict=True))
    assert len(pairs) > 50
    signs = [[direction(metric)] for metric in METRICS]
    return dict(zip(METRICS, (after - before).T * signs, strict=True))


@pytest.mark.parametrize("metric", [m for m in METRICS if m not in LEFT_OUT])
def test_a_relevant_item_that_moves_up_improves_what_looks_at_every_place(gains, metric):
    # The others look at what is above the cut-off, at the first relevant or at judged items alone.
    assert (gains[metric] > 0).all() == (metric in EVERY_PLACE)


# ---- Resampling ----------------------------------------------------------------------------------


@few
@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=20),
    st.sampled_from([100, 60, 20, 5]),
    st.booleans(),
    st.integers(0, 9),
)
def test_a_random_part_is_a_part_of_its_size(counts, level, stratified, number):
    start = np.concatenate(([0], np.cumsum(counts)))
    keep = random_part(start, level, number, 1, stratified)
    assert keep.dtype == bool
    assert keep.shape == (start[-1],)
    if level == 100:
        assert keep.all()
    for first, count in zip(start, counts, strict=False):
        kept = keep[first : first + count].sum()
        assert not stratified or abs(kept - count * level / 100) < 1
    assert stratified or abs(keep.sum() - start[-1] * level / 100) <= 0.5
    again = random_part(start, level, number, 1, stratified)
    np.testing.assert_array_equal(keep, again)


@few
@given(st.lists(st.integers(0, 5), min_size=2, max_size=9), st.randoms(use_true_random=False))
def test_rank_correlations_do_not_depend_on_the_order_of_systems(scores, random):
    first = np.array(scores, dtype=float)
    second = np.array(random.sample(scores, len(scores)), dtype=float)
    order = random.sample(range(len(scores)), len(scores))
    found = correlation("tau_b")(first, second)
    shuffled = correlation("tau_b")(first[order], second[order])
    np.testing.assert_array_equal(found, shuffled)
    assert np.isnan(found) or -1 <= found <= 1


# ---- Tests of significance -----------------------------------------------------------------------

tables = st.integers(0, 10**6).map(
    lambda seed: np.round(generator(seed, "table").random((12, 3, 2)), seed % 3 + 1)
)


@pytest.mark.parametrize("test", TESTS)
@few
@given(tables)
def test_p_values_are_probabilities(test, table):
    p = TESTS[test](table, 99, 1, True)[0]
    assert ((p >= 0) & (p <= 1)).all()
    if test in ("permutation", "bootstrap"):
        assert (p >= 1 / 100).all()
    np.testing.assert_array_equal(p, p.transpose(0, 2, 1))


@few
@given(tables, st.randoms(use_true_random=False))
def test_permutations_do_not_depend_on_names_shifts_and_units(table, random):
    table = np.round(table * 64) / 64  # so that shifts and units are exact
    p = permutation_test(table, 99, 1).p_values
    systems = random.sample(range(3), 3)
    renamed = permutation_test(table[:, systems], 99, 1).p_values
    np.testing.assert_array_equal(renamed, p[:, systems][:, :, systems])
    shifts = np.arange(len(table)).reshape(-1, 1, 1) / 4
    np.testing.assert_array_equal(permutation_test(table + shifts, 99, 1).p_values, p)
    np.testing.assert_array_equal(permutation_test(table * 8, 99, 1).p_values, p)
    greater = permutation_test(table, 99, 1, alternative="greater").p_values
    less = permutation_test(table, 99, 1, alternative="less").p_values
    np.testing.assert_array_equal(greater, less.transpose(0, 2, 1))


def test_p_values_of_permutations_are_uniform_where_nothing_differs():
    """By chi-square over ten bins; a right test fails for one seed of a thousand."""
    found = []
    for number in range(120):
        scores = generator(number, "null").normal(size=(20, 2, 4))
        found.append(permutation_test(scores, 199, number).p_values[:, 0, 1])
    places = np.round(np.concatenate(found) * 200).astype(int)
    assert places.min() >= 1
    bins = np.bincount((places - 1) // 20, minlength=10)
    assert bins.sum() == 480
    assert stats.chisquare(bins).pvalue > 0.001
