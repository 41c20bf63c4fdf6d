"""Every metric that trec_eval has too against it, through pytrec_eval, which calls its C code."""

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from metric_cases import User, batches, examples, values

from rankassay.metrics.aggregate import aggregate

pytestmark = pytest.mark.slow

CUTOFFS = [1, 2, 3, 5, 10, 30]
WHOLE = 100  # deeper than any list
thresholds = st.sampled_from([1, 3, 4, 5])

# Our measure without its cut-off, and trec_eval's name of it.
AT_CUTOFFS = {
    "P": "P",
    "P(denominator='min_relevant')": "relative_P",
    "R": "recall",
    "AP": "map_cut",
    "nDCG": "ndcg_cut",
    "Success": "success",
}
ON_CUT_LISTS = {
    "P(denominator='listed')": "set_P",
    "R": "set_recall",
    "F1(denominator='listed')": "set_F",
    "AP": "map",
    "nDCG(truncate_ideal=False)": "ndcg",
    "RR": "recip_rank",
    "Bpref": "bpref",
    "infAP": "infAP",
}


def trec_eval(users, measures, threshold, depth=WHOLE, pool=False):
    """Return trec_eval's results for each user, by measure; users without a list get zeros.

    Ties cannot arise: the scores of a list are -1, -2, ... in its order. `pool` marks the items
    that are not judged with level -1: they are in the pool, but not assessed.
    """
    judged, run = {}, {}
    for u, user in enumerate(users):
        ratings = {f"listed{k}": r for k, r in enumerate(user.places, start=1)}
        ratings |= {f"missed{j}": r for j, r in enumerate(user.missed)}
        judged[f"{u}"] = {
            item: -1 if r is None else int(r)
            for item, r in ratings.items()
            if r is not None or pool
        }
        run[f"{u}"] = {f"listed{k}": -float(k) for k in range(1, len(user.places[:depth]) + 1)}
    run = {u: items for u, items in run.items() if items}
    evaluator = pytrec_eval.RelevanceEvaluator(judged, measures, relevance_level=threshold)
    found = evaluator.evaluate(run)
    names = sorted({name for result in found.values() for name in result})
    return {
        name: np.array([found.get(f"{u}", {}).get(name, 0.0) for u in range(len(users))])
        for name in names
    }


def with_judgements(users):
    """Return the users that trec_eval would know of."""
    return [user for user in users if user.judged] or [User([4, 1])]


def rated(user, new):
    """Return the user with other ratings."""
    return User([None if r is None else new(r) for r in user.places], list(map(new, user.missed)))


def assert_same(ours, theirs, measure):
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12, err_msg=measure)


@given(batches, thresholds)
@examples
def test_measures_with_a_cutoff_equal_trec_evals(users, threshold):
    users = with_judgements(users)
    names = {f"{name}.{','.join(map(str, CUTOFFS))}" for name in AT_CUTOFFS.values()}
    theirs = trec_eval(users, names, threshold)
    if not theirs:  # Nobody has a list.
        return
    measures = [f"{metric}@{k}" for metric in AT_CUTOFFS for k in CUTOFFS]
    ours = values(users, measures, "trec", threshold)
    for column, measure in enumerate(measures):
        metric, k = measure.split("@")
        assert_same(ours[:, column], theirs[f"{AT_CUTOFFS[metric]}_{k}"], measure)


@given(batches, thresholds, st.sampled_from([1, 2, 5, 10, WHOLE]))
@examples
def test_measures_without_one_equal_trec_evals_on_lists_cut_there(users, threshold, depth):
    users = with_judgements(users)
    theirs = trec_eval(users, {*ON_CUT_LISTS.values(), "set_map"}, threshold, depth)
    if not theirs:
        return
    at_cutoff = values(users, [f"{metric}@{depth}" for metric in ON_CUT_LISTS], "trec", threshold)
    cut = values(users, list(ON_CUT_LISTS), "trec", threshold, depth=depth)
    for column, (metric, name) in enumerate(ON_CUT_LISTS.items()):
        assert_same(at_cutoff[:, column], theirs[name], f"{metric}@{depth}")
        assert_same(cut[:, column], theirs[name], f"{metric} at depth {depth}")
    p, r = (list(ON_CUT_LISTS).index(name) for name in ("P(denominator='listed')", "R"))
    assert_same(cut[:, p] * cut[:, r], theirs["set_map"], "P R")


@given(batches, thresholds)
@examples
def test_judged_is_the_share_of_the_list_that_trec_eval_counts_as_judged(users, threshold):
    users = with_judgements(users)
    theirs = trec_eval(users, {"num_ret", "num_rel_ret", "num_nonrel_judged_ret"}, threshold)
    if not theirs:
        return
    judged = theirs["num_rel_ret"] + theirs["num_nonrel_judged_ret"]
    expected = judged / np.maximum(theirs["num_ret"], 1)
    assert_same(values(users, ["Judged"], "trec", threshold)[:, 0], expected, "Judged")


@given(batches, thresholds, st.sampled_from([0.5, 1, 2]))
@examples
def test_f_with_a_weight_equals_trec_evals_whose_parameter_is_its_square(users, threshold, beta):
    users = with_judgements(users)
    theirs = trec_eval(users, {f"set_F.{float(beta**2)}"}, threshold)
    if not theirs:
        return
    ours = values(users, [f"F(beta={beta})"], "as-run", threshold)[:, 0]
    assert_same(ours, next(iter(theirs.values())), f"F(beta={beta})")


@given(batches, thresholds, st.sampled_from([2, 10, WHOLE]))
@examples
def test_the_papers_infap_equals_trec_evals_when_every_item_is_pooled(users, threshold, depth):
    """Equation (8) is trec_eval's infAP once the unjudged items are in the pool."""
    users = with_judgements(users)
    theirs = trec_eval(users, {"infAP"}, threshold, depth, pool=True)
    if theirs:
        ours = values(users, [f"infAP@{depth}"], "paper", threshold)[:, 0]
        assert_same(ours, theirs["infAP"], "infAP")


@given(batches)
@examples
def test_exponential_gains_equal_trec_evals_ndcg_of_such_ratings(users):
    users = with_judgements(users)
    theirs = trec_eval([rated(user, lambda r: 2**r - 1) for user in users], {"ndcg"}, 1)
    if theirs:
        ours = values(users, ["nDCG(gain='exp', truncate_ideal=False)"])[:, 0]
        assert_same(ours, theirs["ndcg"], "nDCG(gain='exp')")


@given(batches)
@examples
def test_binary_gains_equal_trec_evals_ndcg_of_binary_judgements(users):
    users = with_judgements(users)
    binary = [rated(user, lambda r: int(r >= 4)) for user in users]
    theirs = trec_eval(binary, {"ndcg_cut.5,10"}, 1)
    if theirs:
        ours = values(users, ["nDCG@5", "nDCG@10"], "rendle")
        has_relevant = ~np.isnan(ours[:, 0])
        for column, name in enumerate(["ndcg_cut_5", "ndcg_cut_10"]):
            assert_same(ours[has_relevant, column], theirs[name][has_relevant], name)


@pytest.mark.parametrize(("measure", "name"), [("AP", "gm_map"), ("Bpref", "gm_bpref")])
@given(users=batches, threshold=thresholds)
@examples
def test_geometric_means_equal_trec_evals(measure, name, users, threshold):
    users = [user for user in with_judgements(users) if user.places] or [User([4, 1])]
    logarithms = trec_eval(users, {name}, threshold)[name]
    ours = aggregate(values(users, [measure], "trec", threshold), "geometric")[0]
    theirs = pytrec_eval.compute_aggregated_measure(name, list(logarithms))
    assert ours == pytest.approx(theirs, abs=1e-12)
    assert ours == pytest.approx(np.exp(np.mean(logarithms)), abs=1e-12)


def test_the_profile_of_what_the_authors_ran_takes_the_measures_that_they_named():
    users = [User([5, None, 2, 4], [4, 1]), User([None, 3], [5]), User([], [5]), User([2, 1], [3])]
    names = {
        "P@10": "set_P",
        "R@10": "set_recall",
        "F1@10": "set_F",
        "AP@10": "map",
        "nDCG@10": "ndcg",
        "RR@10": "recip_rank",
        "Bpref@10": "bpref",
    }
    theirs = trec_eval(users, set(names.values()), 4, depth=10)
    ours = values(users, list(names), "as-run")
    for column, (measure, name) in enumerate(names.items()):
        assert_same(ours[:, column], theirs[name], measure)
    pooled = trec_eval(users, {"infAP"}, 4, depth=10, pool=True)["infAP"]
    assert_same(values(users, ["infAP@10"], "as-run")[:, 0], pooled, "infAP")


def test_profiles_of_the_paper_and_of_trec_eval_agree_but_for_infap():
    users = [User([None, None, 5, 1, 4], [4]), User([2, None, 4])]
    names = ["P@5", "R@5", "AP@5", "nDCG@5", "RR@5", "Bpref@5", "infAP@5"]
    paper, trec = (values(users, names, profile) for profile in ("paper", "trec"))
    np.testing.assert_array_equal(paper[:, :-1], trec[:, :-1])
    assert (paper[:, -1] > trec[:, -1] + 0.01).any()
