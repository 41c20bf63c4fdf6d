"""What the user's data say of measures: the numbers of the study of robustness."""

from dataclasses import replace

import made_up
import numpy as np
import pandas as pd
import pytest
from given_made_up import given, one_relevant
from scipy.stats import kendalltau

from rankassay.advice.candidates import candidates, conventional
from rankassay.advice.criteria import ENOUGH_TO_COMPARE, Counted, criteria
from rankassay.advice.settings import Settings
from rankassay.answers.criteria import summary
from rankassay.artifacts.arrays import Scores
from rankassay.metrics.evaluate import evaluate, grid
from rankassay.metrics.judgements import Lists
from rankassay.statistics import discriminative_power, popularity, significance, sparsity
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import TestSet

QUICK = Settings(permutations=200, resamples=40, samples=2, levels=(60, 30), percentages=(90, 80))
MEASURES = grid(["P", "nDCG", "Bpref", "P(denominator='judged')"], [5, 20])


@pytest.fixture(scope="module")
def own():
    return given(weights="popularity")


@pytest.mark.slow
@pytest.mark.parametrize("without_relevant", ["value", "nan"])
def test_with_the_settings_of_the_study_the_numbers_are_the_same_bit_for_bit(without_relevant):
    """The study's analyses in the order of its jobs, from matrices and rankings."""
    train, test, rankings = made_up.study(n_systems=7)
    settings = replace(QUICK, seed=3, without_relevant=without_relevant)
    evaluation = made_up.evaluation(MEASURES) | {"without_relevant": without_relevant}
    of = {"seed": 3, "resamples": 40}
    parts = {
        "sparsity": sparsity.run(test, rankings, evaluation, [60, 30], samples=2, **of),
        "popularity": popularity.run(train, test, rankings, evaluation, [90, 80], "train", **of),
    }
    judgements = given().judgements
    lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    values = evaluate(judgements, lists, MEASURES, "paper", made_up.DEPTH, without_relevant)
    scores = Scores(values, judgements.users, np.array([*rankings]), np.array(MEASURES))
    p = significance.p_values(scores, 200, 3, "permutation", True, "1%")
    power = discriminative_power.run(scores, p.reset_index(drop=True), 3, 40, 0.95)
    split = pd.DataFrame({"part": ["test"], "users": [60], "ratings_median": [12.0]})
    expected = summary(*parts.values(), power, split)
    found = criteria(given(), MEASURES, "nDCG@5", settings).table
    for criterion in ("sparsity", "popularity", "power"):
        rows = expected[expected["criterion"] == criterion]
        names = [
            f"{metric}@{cutoff}"
            for metric, cutoff in rows[["metric", "cutoff"]].itertuples(index=False)
        ]
        assert names == MEASURES
        for end, name in (("", "value"), ("_low", "low"), ("_high", "high")):
            np.testing.assert_array_equal(found[f"{criterion}{end}"], rows[name].to_numpy(float))
    np.testing.assert_array_equal(found["significant"], power.table["significant_05_max_t"])
    assert found["sparsity"].nunique() > 2  # and not all 1, or all undefined


def test_means_of_users_who_count_are_those_of_values_one_by_one(own):
    """Sums over the users with a relevant item, against `TestSet` on users' values."""
    measures = [*MEASURES, "FP@10", "infAP@10", "SNIPS@10"]
    spec = {"measures": measures, "profile": "paper", "aggregate": "mean"}
    of = (own.judgements, own.item, [*own.systems.values()])
    slow = TestSet.of_lists(*of, spec | {"without_relevant": "nan"}, own.depth)
    quick = Counted(TestSet.of_lists(*of, spec | {"without_relevant": "value"}, own.depth))
    draws = Draws.of(own.judgements.n_users, 40, 1)
    rng = np.random.default_rng(0)
    assert (own.judgements.n_relevant == 0).any()
    for keep in (None, *(rng.random(len(own.item)) < share for share in (0.7, 0.2))):
        expected = slow.means(keep, draws)
        np.testing.assert_allclose(quick.means(keep, draws), expected, rtol=1e-12)
        np.testing.assert_array_equal(quick.means(keep)[0], quick.means(keep, draws)[0])
        np.testing.assert_array_equal(np.isnan(quick.values(keep)), np.isnan(slow.values(keep)))


def test_few_systems_say_nothing_of_measures(own):
    few = dict([*own.systems.items()][: ENOUGH_TO_COMPARE - 1])
    found = criteria(replace(own, systems=few), MEASURES, "nDCG@5", QUICK).table
    assert found[["sparsity", "popularity", "power", "significant"]].isna().all(axis=None)
    assert (found["pairs"] == 10).all()
    assert found["alike"].notna().all()


def test_reference_systems_help_to_compare_measures_and_are_not_ranked(own):
    names = [*own.systems]
    some, rest = ({name: own.systems[name] for name in names[n::2]} for n in (0, 1))
    mixed = criteria(replace(own, systems=some, references=rest), MEASURES, "nDCG@5", QUICK).table
    alone = criteria(replace(own, systems=some), MEASURES, "nDCG@5", QUICK).table
    assert mixed["power"].notna().all()
    assert alone["power"].isna().all()
    assert (mixed["pairs"] == 21).all()
    assert (alone["pairs"] == 6).all()
    same = ["without", "repeats", "alike", "reversed"]
    pd.testing.assert_frame_equal(mixed[same], alone[same])


def test_a_run_called_like_a_reference_system_stays_the_users(own):
    some = {name: own.systems[name] for name in [*own.systems][:2]}
    taken = replace(own, systems=some, references={"system-1": own.systems["system-5"]})
    assert taken.compared == some


def test_who_ranks_as_the_conventional_measure_does(own):
    found = criteria(own, MEASURES, "nDCG@5", QUICK).table
    lists = [*own.systems.values()]
    values = evaluate(own.judgements, lists, MEASURES, depth=own.depth, without_relevant="nan")
    means = np.nanmean(values, axis=0).round(12)
    usual = means[:, MEASURES.index("nDCG@5")]
    for m, measure in enumerate(MEASURES):
        mine = means[:, m]
        assert found["alike"][measure] == pytest.approx(kendalltau(mine, usual).statistic)
        turned = sum(
            (mine[i] - mine[j]) * (usual[i] - usual[j]) < 0 for j in range(7) for i in range(j)
        )
        assert found["reversed"][measure] == turned
    assert found["alike"]["nDCG@5"] == 1


def test_measures_that_repeat_the_cutoff_above_are_found():
    """Each user's one relevant item stands at place 1 or 3: below, R and AP stay as they are."""
    own = one_relevant(negative=True)
    measures = grid(["R", "AP", "P", "Bpref"], [1, 3, 5, 10])
    found = criteria(own, measures, "R@10", QUICK).table["repeats"]
    assert found[["R@5", "R@10", "AP@5", "AP@10", "Bpref@10"]].all()
    assert not found[["R@1", "R@3", "AP@3", "P@3", "P@5", "P@10"]].any()


def test_pairs_that_a_measure_ties_are_not_reversed():
    """The relevant item is first or third, which P@5 does not see."""
    found = criteria(one_relevant(negative=True), ["P@5", "RR@5"], "RR@5", QUICK).table
    assert found["reversed"].tolist() == [0, 0]
    assert np.isnan(found["alike"]["P@5"])


def test_lists_without_a_judged_item_are_counted(own):
    found = criteria(own, MEASURES, "nDCG@5", QUICK).table["without"]
    counts, row = own.judgements.n_relevant > 0, own.judgements.row
    shares = []
    for lists in own.systems.values():
        listed = (lists.ranks > 0) & (lists.ranks <= 5)
        shares.append((np.bincount(row[listed], minlength=len(counts)) == 0)[counts].mean())
    assert found["P(denominator='judged')@5"] == pytest.approx(np.mean(shares))
    assert 0 < np.mean(shares) < 1
    assert found["nDCG@5"] == 0


def test_one_run_has_no_order(own):
    one = replace(own, systems={"mine": own.systems["system-0"]})
    table = candidates(one)
    found = criteria(one, [*table["measure"]], conventional(one), QUICK).table
    assert found["alike"].isna().all()
    assert (found["pairs"] == 0).all()
    assert found["without"].notna().all()


def test_nothing_relevant_gives_no_numbers():
    own = given(threshold=6)
    found = criteria(own, MEASURES, "nDCG@5", QUICK).table
    assert found[["sparsity", "popularity", "power", "alike", "without"]].isna().all(axis=None)
