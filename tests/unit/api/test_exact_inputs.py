"""What public functions are given is taken exactly as it is, or refused: types, ids, arrays."""

import dataclasses
import math
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import rankassay
from rankassay.artifacts.arrays import Rankings
from rankassay.artifacts.tables import write_table
from rankassay.metrics.catalogue import METRICS, weighs
from rankassay.metrics.judgements import Judgements, Lists

BIG = 1_700_000_000_000_000_000  # nanoseconds, which float64 rounds to 256 of them
HUGE = 10**400  # beyond all floats
QRELS = {"ann": {"film": 5, "book": 2}, "bob": {"song": 4, "film": 1}}
RUN = {"ann": {"film": 0.9, "game": 0.8}, "bob": {"song": 0.7, "film": 0.1}}
RUNS = {"good": RUN, "poor": {"ann": {"game": 1, "book": 0.5}, "bob": {"game": 1}}}


def whole(*numbers, kind=np.int32):
    return np.array(numbers, dtype=kind)


JUDGEMENTS = Judgements(whole(0, 1), np.array([0, 2, 4]), np.array([5.0, 1, 5, 1]), 4.0)
LISTS = Lists(whole(1, 2, 2, 1), whole(2, 2), whole(4, 4))
RANKINGS = Rankings(np.zeros((2, 2), np.int32), whole(1, 2, 2, 1), whole(2, 2), whole(4, 4))
THREE = {"users": whole(0, 1, 2)}


def test_sound_judgements_and_lists_are_taken():
    for lists in (LISTS, RANKINGS):
        assert rankassay.evaluate(JUDGEMENTS, lists, ["P@1", "AUC"]).to_list() == pytest.approx(
            [0.5, 5 / 6]
        )


@pytest.mark.parametrize(
    "change",
    [
        # Differences of unsigned numbers are never negative: this ended the interpreter.
        THREE | {"start": np.array([0, 2**40, 2, 4], np.uint64)},
        THREE | {"start": np.array([0, 2**40, 2, 4])},
        {"start": np.array([0.0, 2, 4])},
        {"start": [0, 2, 4]},
        {"users": whole(1, 1)},
        {"users": whole(-1, 1)},
        {"rating": np.array([math.nan, 1, 5, 1])},
        {"rating": np.array([math.inf, 1, 5, 1])},
        {"rating": np.array([5, 1, 5, 1], dtype=object)},
        {"rating": np.ma.masked_array([5.0, 1, 5, 1], mask=[1, 0, 0, 0])},
        {"rating": np.ones((4, 2))},
        {"threshold": math.nan},
        {"threshold": "4"},
        {"known_ideal": np.array([5.0])},
        {"known_ideal": np.array([1.0, 5, 5, 1])},
        {"known_scale": (2.0, 3.0)},
    ],
)
def test_judgements_that_kernels_cannot_take_are_refused(change):
    wrong = dataclasses.replace(JUDGEMENTS, **change)
    n = len(wrong.users)
    with pytest.raises(rankassay.RankassayError, match="the judgements: expected"):
        rankassay.evaluate(wrong, Lists(whole(1, 2, 2, 1), np.full(n, 2, np.int32)), "P@1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ranks": whole(1, 1, 1, 2)}, "expected different ranks"),
        ({"ranks": whole(1, 9, 2, 1)}, "up to the list's length, 2, for user 0, found 9"),
        ({"ranks": whole(2**40, 2, 2, 1, kind=np.int64)}, "expected different ranks"),
        ({"ranks": whole(1, 2, 2, 1, kind=np.float64)}, "not of the same test set"),
        ({"ranks": whole(1, 2, 2, 1, kind=np.uint64)}, "not of the same test set"),
        ({"ranks": [1, 2, 2, 1]}, "not of the same test set"),
        ({"length": whole(-5, 2)}, "not of the same test set"),
        ({"n_candidates": whole(-1, 0)}, "not of the same test set"),
        ({"n_candidates": whole(1, 4)}, "user 0 has 2 items listed or judged, but 1 could be"),
        ({"n_candidates": whole(4)}, "not of the same test set"),
        ({"predictions": np.ones(4, dtype=object)}, "not of the same test set"),
    ],
)
def test_lists_that_kernels_cannot_take_are_refused(change, message):
    with pytest.raises(rankassay.RankassayError, match=message):
        rankassay.evaluate(JUDGEMENTS, dataclasses.replace(LISTS, **change), "P@1")


@pytest.mark.parametrize(
    "change",
    [
        {"n_candidates": whole(4)},
        {"n_ranked": [2, 2]},
        {"n_ranked": np.array([2.0, 2.0])},
        {"items": whole(1, 2)},
        {"items": np.zeros((1, 2), np.int32)},
        {"ranks": np.array([1, 2, 2, 1], dtype=object)},
    ],
)
def test_rankings_that_kernels_cannot_take_are_refused(change):
    with pytest.raises(rankassay.RankassayError, match="not of the same test set"):
        rankassay.evaluate(JUDGEMENTS, dataclasses.replace(RANKINGS, **change), "P@1")


@pytest.mark.parametrize(
    "change",
    [
        {"judgements": dataclasses.replace(JUDGEMENTS, start=np.array([0, 2, 10**6]))},
        {"judgements": 7},
        {"item": np.full(4, 10**9)},
        {"item": np.array([0, 0, 1, 2])},
        {"item": np.array([0])},
        {"users": pd.Index(["ann"])},
        {"users": pd.Index(["ann", "ann"])},
    ],
)
def test_judged_qrels_are_checked(change):
    wrong = dataclasses.replace(rankassay.judged(QRELS), **change)
    for call in (
        lambda: rankassay.evaluate(wrong, RUN, "P@1"),
        lambda: rankassay.compare(wrong, RUNS, "P@1"),
        lambda: rankassay.robustness(wrong, RUNS, "P@1", levels=[50], kind="popularity"),
    ):
        with pytest.raises(rankassay.RankassayError, match="the judgements"):
            call()


SIGNED = ("CP", "MCC", "Markedness", "Informedness", "KendallTau")
UNBOUNDED = ("DCG", "MAE", "MSE", "NMAE", "RMSE")


def test_all_metrics_stay_in_their_range_whatever_number_of_items_is_taken():
    rng = np.random.default_rng(0)
    names = [name for name in METRICS if name not in UNBOUNDED and not weighs(name)]
    refused = 0
    for _ in range(60):
        judged = {item: int(rng.integers(1, 6)) for item in "abcdefghij"[: rng.integers(2, 11)]}
        listed = dict.fromkeys(map(str, rng.permutation([*"abcdefghijkl"])[: rng.integers(1, 6)]))
        listed = {item: float(-place) for place, item in enumerate(listed)}
        known = len({*judged, *listed})
        n_items = int(rng.integers(1, 15))
        metrics = [f"{name}@{rng.integers(1, 7)}" for name in names]
        call = {"metrics": metrics, "n_items": n_items, "threshold": 4}
        if n_items < known:
            refused += 1
            with pytest.raises(
                rankassay.RankassayError, match=f"has {known} items listed or judged"
            ):
                rankassay.evaluate({"u": judged}, {"u": listed}, **call)
            continue
        found = rankassay.evaluate({"u": judged}, {"u": listed}, **call)
        for name, value in found.items():
            low = -1 if name.partition("@")[0].removeprefix("Average") in SIGNED else 0
            assert math.isnan(value) or low - 1e-12 <= value <= 1 + 1e-12, (name, judged, listed)
    assert refused > 9


@pytest.mark.parametrize(
    "kind", [np.int64, np.uint64, "Int64", "object", "str", Decimal, np.longdouble]
)
def test_scores_and_ranks_are_put_in_order_exactly(kind):
    numbers = [BIG + 1, BIG, BIG + 2]
    made = [*map(Decimal, numbers)] if kind is Decimal else pd.Series(numbers).astype(kind)
    frame = pd.DataFrame({"user": "ann", "item": ["b", "a", "c"], "score": made})
    qrels = {"ann": {"a": 1, "b": 2, "c": 5}}
    assert rankassay.evaluate(qrels, frame, "nDCG")["nDCG"] == 1
    order = frame.rename(columns={"score": "rank"})
    assert rankassay.evaluate({"ann": {"a": 5, "b": 2, "c": 1}}, order, "nDCG")["nDCG"] == 1
    nested = {"ann": dict(zip(frame["item"], frame["score"].tolist(), strict=True))}
    assert rankassay.evaluate(qrels, nested, "nDCG")["nDCG"] == 1


def test_numbers_of_several_types_are_put_in_order_exactly():
    nested = {"ann": {"a": BIG, "b": float(BIG) + 256, "c": Fraction(2 * BIG + 1, 2), "d": 0.5}}
    order = sorted(nested["ann"], key=nested["ann"].get, reverse=True)
    qrels = {"ann": dict(zip(order, (5, 3, 2, 1), strict=True))}
    assert rankassay.evaluate(qrels, nested, "nDCG")["nDCG"] == 1
    triples = [("ann", item, score) for item, score in nested["ann"].items()]
    assert rankassay.evaluate(qrels, triples, "nDCG")["nDCG"] == 1


@pytest.mark.parametrize("kind", ["float16", "float32", "Float32", "float64"])
def test_a_rating_meets_a_threshold_of_the_same_decimal(kind):
    frame = pd.DataFrame({"user": "ann", "item": ["a", "b"], "rating": [3.6, 3.5]})
    frame = frame.astype({"rating": kind})
    scores = {"ann": {"a": 1}}
    assert rankassay.evaluate(frame, scores, "P@1", threshold=3.6)["P@1"] == 1
    assert rankassay.evaluate(frame, scores, "P@1", threshold=3.7)["P@1"] == 0
    judged = rankassay.judged(frame, 3.6)
    if kind != "float16":
        assert rankassay.evaluate(judged, scores, "P@1", threshold=3.6)["P@1"] == 1
    if kind.startswith("float"):
        nested = {"ann": {"a": np.dtype(kind).type(3.6)}}
        assert rankassay.evaluate(nested, scores, "P@1", threshold=3.6)["P@1"] == 1
    matrix = sp.csr_array(frame["rating"].to_numpy(np.float32)[None])
    found = rankassay.evaluate(matrix, np.array([[0]]), "P@1", threshold=3.6)
    assert found["P@1"] == (kind != "float16")


@pytest.mark.parametrize(
    "rating",
    [
        *(Decimal("3.99999999999999999999"), Fraction(4 * 10**30 - 1, 10**30), 2**53 + 1, HUGE),
        *("3.99999999999999999999", "1_0", "٥", b"5", 1 + 0j, [4], Decimal("1e-9999999")),
        *(pd.Timedelta(5), Fraction(HUGE), Decimal("sNaN"), "1e999"),
    ],
)
def test_ratings_that_would_have_to_be_bent_are_refused(rating):
    for qrels in (
        {"ann": {"film": rating}},
        {"ann": {"film": rating, "book": 3}},
        [("ann", "film", rating), ("ann", "book", 2.5)],
    ):
        with pytest.raises(
            rankassay.RankassayError, match=r"expected (a rating|numbers)|has no rating"
        ) as error:
            rankassay.evaluate(qrels, RUN, "P@1")
        assert len(str(error.value)) < 300


@pytest.mark.parametrize("rating", [Decimal("3.6"), Fraction(18, 5), " 3.6 ", "36e-1", 3.6])
def test_decimals_are_what_they_are_written_as(rating):
    found = rankassay.evaluate({"ann": {"a": rating, "b": 1}}, {"ann": ["a"]}, "P@1", threshold=3.6)
    assert found["P@1"] == 1


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (np.array([16777216, 3], np.float32), "beyond 2.24 as floating-point numbers"),
        (pd.Series([2.0**53, 3], dtype=object), "beyond 2.53 as floating-point numbers"),
        (pd.Series([np.float32(2**24), 3], dtype=object), "beyond 2.24"),
        (pd.array([2.0**53, 3], "Float64"), "beyond 2.53"),
        (pd.Series([2.0**53, 3]).astype("category"), "beyond 2.53"),
        (pd.Series([True, 1], dtype=object), "text or whole numbers, found True .bool."),
        (pd.Series([1, True], dtype=object), "text or whole numbers, found True .bool."),
        ([True, False], "text or whole numbers, found bool"),
        ([(1,), ("1",)], "text or whole numbers, found .1,. .tuple."),
        ([b"a", b"b"], "text or whole numbers, found b'a' .bytes."),
        ([0.5, 1.0], "text or whole numbers, found 0.5"),
        (pd.Series([0.5, 1], dtype=object), "text or whole numbers, found 0.5"),
        ([1 + 1j, 2], "text or whole numbers"),
        (pd.to_datetime(["2020-01-01", "2021-01-01"]), "text or whole numbers"),
        (pd.period_range("2020", periods=2, freq="Y"), "text or whole numbers, found period"),
        (pd.cut(pd.Series([1, 2]), 2), "text or whole numbers, found interval"),
        (pd.Series([math.inf, 1.0]), "beyond"),
        (pd.Series([1, "1"], dtype=object), "expected user ids of one type"),
        (pd.Series(["a", None], dtype=object), "has no user"),
    ],
)
def test_ids_that_could_be_taken_for_others_are_refused(ids, message):
    frame = pd.DataFrame({"user": ids, "item": ["a", "b"], "rating": 5.0})
    with pytest.raises(rankassay.RankassayError, match=message):
        rankassay.judged(frame)


@pytest.mark.parametrize("kind", ["int8", "uint64", "float32", "Int64", "Float64", "object", "str"])
def test_ids_are_text_or_whole_numbers_of_any_type(kind):
    frame = pd.DataFrame({"user": pd.Series([1, 2, 2]).astype(kind), "item": ["a", "b", "c"]})
    run = {"1" if kind == "str" else 1: ["a"], "2" if kind == "str" else 2: ["b", "c"]}
    assert rankassay.evaluate(frame.assign(rating=5), run, "R")["R"] == 1


@pytest.mark.parametrize(
    ("n_items", "message"),
    [
        (pd.Series([9, 9, 9], ["ann", "bob", "bob"]), "expected each user once"),
        (pd.Series(["9", "5x"], ["ann", "bob"]), "expected numbers .* found '5x'"),
        (pd.Series(["9", "1_0"], ["ann", "bob"]), "expected numbers .* found '1_0'"),
        (pd.Series([9 + 1j, 9], ["ann", "bob"]), "expected numbers"),
        (pd.Series([9, 9], [2.0**53, 1]), "beyond 2.53"),
        (pd.Series([9, 9], [1, 2]), "user 'ann'"),
        (pd.Series([], dtype=float), "user 'ann'"),
        (pd.DataFrame([[1, 2, 3]], columns=["user", "n_items", "n_items"]), "each of the columns"),
        (HUGE, "expected a whole number"),
    ],
)
def test_numbers_of_items_that_could_be_taken_for_others_are_refused(n_items, message):
    with pytest.raises(rankassay.RankassayError, match=message):
        rankassay.evaluate(QRELS, RUN, "AUC", n_items=n_items)


def test_numbers_of_items_are_those_of_the_users():
    each = pd.Series([30.0, 5], [2.0, 1.0])
    found = rankassay.evaluate(
        {1: {"a": 5}, 2: {"a": 5}}, {1: ["b"], 2: ["b"]}, "Fallout@1", n_items=each
    )
    assert found["Fallout@1"] == pytest.approx((1 / 4 + 1 / 29) / 2)


def test_a_threshold_beside_judgements_that_have_another_is_refused():
    judged = rankassay.judged(QRELS, 2)
    expected = rankassay.evaluate(QRELS, RUN, "R@1", threshold=2)["R@1"]
    assert rankassay.evaluate(judged, RUN, "R@1")["R@1"] == expected
    assert rankassay.evaluate(judged, RUN, "R@1", threshold=2)["R@1"] == expected
    for call in (
        lambda given: rankassay.evaluate(judged, RUN, "R@1", threshold=given),
        lambda given: rankassay.evaluate(JUDGEMENTS, LISTS, "R@1", threshold=given),
        lambda given: rankassay.compare(judged, RUNS, "R@1", threshold=given),
        lambda given: rankassay.robustness(judged, RUNS, "R@1", threshold=given, levels=[50]),
    ):
        for wrong, message in ((1, "made with"), (math.nan, "a finite number")):
            with pytest.raises(rankassay.RankassayError, match=f"threshold: .*{message}"):
                call(wrong)


@pytest.mark.parametrize("value", [HUGE, -HUGE, 10**5000, Fraction(HUGE), 2**53 + 1], ids=range(5))
@pytest.mark.parametrize("name", ["threshold", "seed", "depth", "confidence", "n_items"])
def test_the_largest_integers_are_refused_in_one_line(name, value):
    with pytest.raises(rankassay.RankassayError, match=f"{name}: expected") as error:
        rankassay.evaluate(QRELS, RUN, "P@1", **{name: value})
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.longdouble, np.int8, np.uint64])
def test_numbers_of_numpy_are_numbers(kind):
    with warnings.catch_warnings(action="error"):
        found = rankassay.evaluate(
            QRELS, RUN, "P@1", threshold=kind(2), depth=kind(1), seed=kind(7)
        )
    assert found["P@1"] == 1


@pytest.mark.parametrize(
    "metric",
    [
        *("P@" + "9" * 5000, "P(a=" + "-" * 100_000 + "1)@5", "P(a=" + "(" * 900 + ")@5"),
        *(f"F(beta={HUGE})@5", "F(beta=" + "9" * 900 + ")@5", "P" * 100_000),
    ],
)
def test_endless_names_of_metrics_are_refused_in_one_line(metric):
    with pytest.raises(rankassay.RankassayError) as error:
        rankassay.evaluate(QRELS, RUN, metric)
    assert len(str(error.value)) < 1500


def test_what_does_not_fit_into_memory_is_refused_before_it_is_tried():
    values = np.random.default_rng(0).random((9, 2))
    with pytest.raises(rankassay.RankassayError, match=r"replicates: 2000000000 would take .* GB"):
        rankassay.discriminative_power(values, replicates=2 * 10**9)
    metrics = [f"P@{k}" for k in range(1, 101)]
    with pytest.raises(rankassay.RankassayError, match=r"samples: 2147483647 would take .* GB"):
        rankassay.robustness(QRELS, RUNS, metrics, levels=[50], samples=2**31 - 1)


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("diversity/figure-3", {"a": [1]}),
        ("robustness/figure-6", {"metric": "P", "cutoff": [math.inf], "level": 50, "tau": 0.9}),
    ],
)
def test_a_frame_that_is_none_of_a_figure_is_refused(name, columns):
    with pytest.raises(rankassay.RankassayError, match=r"expected a frame as rankassay\.results"):
        rankassay.draw(name, pd.DataFrame(columns))


def test_claims_of_an_unknown_dataset_are_refused(tmp_path):
    write_table(pd.DataFrame({"dataset": ["ml-1m"]}), tmp_path / "results/claims.csv")
    assert len(rankassay.results("claims", tmp_path, "ml-1m")) == 1
    with pytest.raises(rankassay.RankassayError, match=r"unknown dataset .* did you mean 'ml-1m'"):
        rankassay.results("claims", tmp_path, ["ml-1"])


SMALL = np.random.default_rng(0).integers(0, 9, (30, 4))
FUNCTIONS = {
    "permutation_test": {"n_permutations": 500},
    "discriminative_power": {"n_permutations": 500, "replicates": 50},
    "reliability": {},
    "required_users": {"difference": 1},
}


def bits_of(found):
    """Return a function's result of any type, for comparison."""
    if hasattr(found, "adjusted"):
        return found.p_values.tolist(), found.adjusted.tolist()
    return found.to_csv() if isinstance(found, pd.DataFrame) else repr(found)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shared", [2**44, 2**50, 2**53 - 8])
def test_whole_numbers_are_not_rounded_beside_what_they_share(function, shared):
    call = {"values": SMALL, **FUNCTIONS[function]}
    expected = bits_of(getattr(rankassay, function)(**call))
    for values in (SMALL + shared, (SMALL + shared).astype(np.uint64), (SMALL + shared).tolist()):
        assert bits_of(getattr(rankassay, function)(**call | {"values": values})) == expected


def test_what_users_share_is_no_part_of_their_differences():
    values = SMALL + np.random.default_rng(1).integers(0, 2**52, (30, 1))
    for function in ("permutation_test", "discriminative_power"):
        call = getattr(rankassay, function), FUNCTIONS[function]
        assert bits_of(call[0](values, **call[1])) == bits_of(call[0](SMALL, **call[1]))
    plain, found = rankassay.reliability(SMALL), rankassay.reliability(values)
    for name in ("systems", "residual"):
        assert found.mean_squares[name] == pytest.approx(plain.mean_squares[name], rel=1e-12)
    means = [Fraction(sum(map(int, row)), 4) for row in values.tolist()]
    mean = sum(means) / 30
    exact = 4 * sum((own - mean) ** 2 for own in means) / 29
    assert found.mean_squares["users"] == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("values", [7, 1e5, 2**60 + 1, np.float64(1), np.array(2**60), [], None])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_numbers_in_no_table_are_refused(function, values):
    with pytest.raises(rankassay.RankassayError, match="expected"):
        getattr(rankassay, function)(values, **FUNCTIONS[function])


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    "values",
    [
        [[2**53, 2**53 + 1]] * 12,
        [[-(2**53) - 1, 0.5]] * 12,
        np.array([[2**60, 2**60 + 1]] * 12),
        np.array([[2**63, 2**63 + 1]] * 12, dtype=np.uint64),
        np.array([[2**60, 2**60 + 1]] * 12, dtype=object),
        np.array([[2**60, 1]] * 12, dtype=np.longdouble) + np.longdouble(1),
        pd.DataFrame({"a": [2**53 + 1] * 12, "b": 0.5}),
        pd.DataFrame({"a": [2**53 + 1] * 12, "b": 1}, dtype="Int64"),
        [[Fraction(2**60 + 1), 1]] * 12,
    ],
)
def test_whole_numbers_that_float64_takes_for_others_are_refused(function, values):
    with pytest.raises(
        rankassay.RankassayError, match="expected numbers that float64 holds, found"
    ):
        getattr(rankassay, function)(values, **FUNCTIONS[function])


def test_whole_numbers_too_far_apart_for_the_tests_are_refused():
    for values in ([[0, 2**44]] * 5, [[0, 2**43]] * 100):
        with pytest.raises(rankassay.RankassayError, match=r"of a user less than 2\^44 apart"):
            rankassay.permutation_test(values)
        assert rankassay.permutation_test(np.array(values) * 1.0).p_values[0, 1] < 0.1
    values = np.array([[0, 2**44 - 1], [1, 3], [2**43, 5]], dtype=object)
    assert rankassay.permutation_test(values).p_values[0, 1] == 0.75


TINY, NEARLY = Fraction(1, 10**400), Fraction(10**20 - 1, 10**20)


@pytest.mark.parametrize(
    "call",
    [
        lambda level: rankassay.reliability(SMALL, level),
        lambda level: rankassay.discriminative_power(SMALL, confidence=level, replicates=50),
        lambda level: rankassay.evaluate(QRELS, RUN, "P@1", threshold=4, confidence=level),
        lambda level: rankassay.compare(QRELS, RUNS, "P@1", threshold=4, confidence=level),
        lambda level: rankassay.beyond({"eve": ["film"]}, QRELS, "Gini@1", confidence=level),
        lambda level: rankassay.across_datasets(pd.DataFrame(SMALL), alpha=level, samples=50),
    ],
)
def test_levels_without_tails_are_refused(call):
    """1 less half of what is left up to 1 is 1, whose quantile is infinite."""
    for level in (1 - 1e-16, NEARLY, TINY, 5e-324, 0, 1, True, "0.95"):
        with pytest.raises(rankassay.RankassayError, match="between 0 and 1"):
            call(level)
    for level in (1 - 2.0**-52, Fraction(19, 20)):
        call(level)
    found = rankassay.reliability(SMALL, 1 - 2.0**-52)
    assert not any(map(math.isnan, (*found.e_rho2_interval, *found.phi_interval)))


def test_fractions_are_what_float64_has_or_refused():
    both = {"ann": {"film": 4, "book": 3.6}}
    lists = {"ann": ["book"]}
    assert rankassay.evaluate(both, lists, "P@1", threshold=Fraction(18, 5))["P@1"] == 1
    for threshold in (Fraction(4 * 10**20 + 1, 10**20), Fraction(1, 3), np.longdouble("3.6")):
        with pytest.raises(rankassay.RankassayError, match="that float64 can tell from"):
            rankassay.evaluate(both, lists, "P@1", threshold=threshold)
    for call in (
        lambda share: rankassay.required_users(difference=1, sd=1, alpha=share),
        lambda share: rankassay.required_users(difference=1, sd=1, power=share),
        lambda share: rankassay.reliability(SMALL).needed(share),
        lambda share: rankassay.rank_correlation({"x": 1}, {"x": 1}, "rbo", persistence=share),
    ):
        for share in (NEARLY, TINY):
            with pytest.raises(
                rankassay.RankassayError, match="between 0 and 1 that float64 can tell"
            ):
                call(share)


@pytest.mark.parametrize("region", [2**53 + 1, np.complex128(1), Fraction(1, 3), 10**400, "1e400%"])
def test_regions_of_equivalence_are_what_they_are_or_refused(region):
    with pytest.raises(
        rankassay.RankassayError, match="equivalence: expected a difference above 0"
    ):
        rankassay.across_datasets(pd.DataFrame(SMALL), equivalence=region)
