"""What holds for every metric under every profile, with the exceptions by name."""

import functools
import re
from dataclasses import replace

import numpy as np
import pytest
from each import each
from metric_cases import User, made, predicted, profiles, propensities, random_users, values

from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.metrics import evaluate as evaluation
from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.evaluate import evaluate, grid, measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.metrics.profiles import PROFILES

pytestmark = pytest.mark.slow

CUTOFFS = [1, 2, 5, 10, 30]
USERS = random_users(60)  # lists of up to 30 places, ratings in tenths from 0.3 to 5
JUDGEMENTS, LISTS = made(USERS)

RATING_ERRORS = [name for name, known in METRICS.items() if "predictions" in known.needs]
OF_RANKINGS = ["AUC", "MPR"]
CORRELATIONS = [
    "Markedness",
    "Informedness",
    "MCC",
    "KendallTau",
    "AverageMarkedness",
    "AverageInformedness",
]


def stated(metric):
    """Return the range that the docstring states, as "[0, 1)"."""
    found = re.search(r"Range\s+([\[(][^\])]*[\])])", load(METRICS[metric].function).__doc__)
    return " ".join(found[1].split())


def limits(metric):
    """Return the least and greatest value that it allows."""
    text = stated(metric)
    low, high = map(float, text[1:-1].split(","))
    return (
        low if text[0] == "[" else np.nextafter(low, high),
        high if text[-1] == "]" or high == np.inf else np.nextafter(high, low),
    )


metrics = each("metric", METRICS)


def of_users(measures, profile, depth=WHOLE_LIST):
    """Return the measures of USERS."""
    return measure_values(judge(JUDGEMENTS, LISTS, depth), measures, profile)


@functools.cache
def found(profile):
    """Return the values of USERS by metric, each at CUTOFFS."""
    table = of_users(grid(METRICS, CUTOFFS), profile)
    return dict(zip(METRICS, np.split(table, len(METRICS), axis=1), strict=True))


def with_relevant(users):
    return [user for user in users if any(rating >= 4 for rating, _ in user.judged)]


def independent(metric):
    """Return the metric with the parameters that keep it from looking at other users."""
    own = {"NMAE": "NMAE(scale=(0, 5))"}
    return own.get(metric, f"{metric}(highest=5)" if metric in ("ERR", "SDCG") else metric)


@metrics
def test_docstrings_state_the_bounds(metric):
    assert tuple(map(float, stated(metric)[1:-1].split(","))) == METRICS[metric].bounds


@metrics
@profiles
def test_values_are_in_the_range(metric, profile):
    low, high = limits(metric)
    numbers = found(profile)[metric]
    has_value = ~np.isnan(numbers)
    assert has_value.any()
    assert (numbers[has_value] >= low).all()
    assert (numbers[has_value] <= high + 1e-12).all()


@metrics
@profiles
def test_who_has_no_value(metric, profile):
    """Users without relevant items in two profiles, and where a mean would be of nothing."""
    without = np.zeros((len(USERS), len(CUTOFFS)), dtype=bool)
    if PROFILES[profile].without_relevant == "nan" or metric == "MPR":
        without |= ~np.array([[user in with_relevant([user])] for user in USERS])
    if metric in RATING_ERRORS:
        pairs = [[any(0 < j <= k for _, j in user.judged) for k in CUTOFFS] for user in USERS]
        without |= ~np.array(pairs)
    np.testing.assert_array_equal(np.isnan(found(profile)[metric]), without)


# Of a user with two relevant and one judged non-relevant item of ten, and no list.
EMPTY_LIST = {
    **dict.fromkeys(METRICS, 0),
    **dict.fromkeys(RATING_ERRORS, np.nan),
    "MissRate": 1,
    "InverseRecall": 1,
    "InversePrecision": 8 / 10,
    "AUC": 0.5,
    "LAUC": 0.5,
    "MPR": 0.5,
}


@metrics
@profiles
def test_an_empty_list(metric, profile):
    user = User([], [5, 4, 1], 7)
    numbers = values([user, User([5, 3])], grid([metric], CUTOFFS), profile)[0]
    np.testing.assert_array_equal(numbers, EMPTY_LIST[metric])


# Of a user without relevant items who sees two judged ones, and one other, out of ten.
WITHOUT_RELEVANT = {
    **dict.fromkeys(METRICS, 0),
    "nDCG": (3 + 2 / np.log2(4)) / (3 + 2 / np.log2(3) + 1 / np.log2(4)),
    "DCG": 3 + 2 / np.log2(4),
    "ERR": 7 / 8 + (1 - 7 / 8) * 3 / 8 / 3,
    "NCG": 5 / 6,
    "SDCG": (3 + 2 / np.log2(4)) / 3 / (1 + 1 / np.log2(3) + 1 / 2),
    "Judged": 2 / 3,
    "FP": 2 / 3,
    "Fallout": 3 / 10,
    "InverseRecall": 7 / 10,
    "InversePrecision": 1,
}


@metrics
def test_a_user_without_relevant_items(metric):
    user = User([3, None, 2], [1], 6)
    errors = np.abs([3 + 0.9 - 0.1 - 3, 3 + 0.6 - 0.3 - 2])
    expected = WITHOUT_RELEVANT | {
        "MAE": errors.mean(),
        "MSE": (errors**2).mean(),
        "RMSE": np.sqrt((errors**2).mean()),
        "NMAE": errors.mean() / (3 - 1),
        "MPR": np.nan,
    }
    numbers = values([user], [f"{metric}@3"], "paper")
    assert numbers[0, 0] == pytest.approx(expected[metric], rel=1e-12, nan_ok=True)
    for profile in ("blog", "rendle"):
        assert np.isnan(values([user], [f"{metric}@3"], profile)[0, 0])


@metrics
@profiles
def test_a_user_without_judged_nonrelevant_items(metric, profile):
    user = User([None, 5, 4], [5], 3)
    number, recall = values([user, User([5, 3])], [f"{metric}@3", "R@3"], profile)[0]
    low, high = limits(metric)
    assert low <= number <= high
    if metric == "Bpref":
        assert number == recall == pytest.approx(2 / 3)


# Looks 1, (1 / 2)^2 and, as a third item is found when two were wanted, (1 / 4)^2 and so on.
INST_OF_THREE = (1 + 1 / 4 + 1 / 16) / (1 + 1 / 4 + 1 / 16 * np.pi**2 / 6)


@metrics
@profiles
def test_a_user_whose_every_item_is_relevant_and_listed(metric, profile):
    number = values([User([5, 5, 5], (), 0), User([5, 3])], [f"{metric}@3"], profile)[0, 0]
    expected = {
        # Nothing is irrelevant, and nothing is left out: what is a share of nothing is 0.
        **dict.fromkeys(["FP", "Fallout", "MissRate", "InversePrecision", "InverseRecall"], 0),
        **dict.fromkeys(["CP", *CORRELATIONS], 0),
        "RBP": pytest.approx(1 - (0.9 if profile == "trec" else 0.8) ** 3, rel=1e-12),
        "INST": pytest.approx(INST_OF_THREE, rel=1e-12),
        "MPR": 0.5,
        "infAP": pytest.approx(1, abs=1e-5),  # its small constant keeps it a hair below
    }.get(metric, pytest.approx(1, rel=1e-12))
    if metric not in ("DCG", "ERR", "IPS", *RATING_ERRORS):
        assert number == expected


# What divides by n, or compares with the best that n places can hold, knows n from the length.
BY_CUTOFF = {
    "paper": ["P", "F", "F1", "nDCG", "NCG", "SDCG", "FP", "CP"],
    "trec": ["P", "F", "F1", "nDCG", "NCG", "SDCG", "FP", "CP"],
    "as-run": ["NCG", "SDCG", "FP", "CP"],
    "blog": ["P", "F", "F1", "NCG", "SDCG", "FP", "CP"],
    "rendle": ["P", "F", "F1", "nDCG", "AP", "NCG", "SDCG", "FP", "CP"],
}


@pytest.mark.slow
@metrics
@profiles
def test_a_cutoff_below_the_end_of_the_list_makes_no_difference(metric, profile):
    users = [*with_relevant(USERS), User([5, 3], [4, 5, 5], 4)]
    same = []
    for user in users[-20:]:
        length = max(1, len(user.places))
        at_end, below = values(
            [user, User([0.3, 5])], [f"{metric}@{length}", f"{metric}@{length + 3}"], profile
        )[0]
        same.append(at_end == below or np.isnan(at_end + below))
    assert all(same) == (metric not in BY_CUTOFF[profile])


@pytest.mark.slow
@metrics
@profiles
@each("depth", [1, 12, 2000])
def test_lists_cut_at_a_depth_are_lists_that_end_there(metric, profile, depth):
    """But for those of the whole ranking."""
    measures = grid([metric], CUTOFFS)
    cut = of_users(measures, profile, depth)
    if metric not in OF_RANKINGS:
        ending = values([user.cut(depth) for user in USERS], measures, profile)
        np.testing.assert_array_equal(cut, ending)
    else:
        np.testing.assert_array_equal(cut, found(profile)[metric])
    down_to_depth = np.array(CUTOFFS) <= depth
    np.testing.assert_array_equal(cut[:, down_to_depth], found(profile)[metric][:, down_to_depth])


@pytest.mark.slow
@metrics
@profiles
def test_users_do_not_depend_on_one_another(metric, profile):
    """But for the highest rating of all in ERR and the scale in NMAE, unless they are given."""
    measures = grid([independent(metric)], CUTOFFS)
    together = of_users(measures, profile)
    backwards = values(USERS[::-1], measures, profile)[::-1]
    alone = np.concatenate([values([user], measures, profile) for user in USERS[:20]])
    np.testing.assert_array_equal(backwards, together)
    np.testing.assert_array_equal(alone, together[:20])


@profiles
def test_measures_come_in_any_order_together_or_alone(profile):
    rng = np.random.default_rng(0)
    judged = judge(JUDGEMENTS, LISTS)
    measures = [*grid(METRICS, CUTOFFS), "P@5", "nDCG@3", "nDCG", "nDCG@3"]
    ordered = measure_values(judged, measures, profile)
    order = rng.permutation(len(measures))
    shuffled = measure_values(judged, [measures[j] for j in order], profile)
    np.testing.assert_array_equal(shuffled, ordered[:, order])
    for j in range(0, len(measures), 7):
        alone = of_users([measures[j]], profile)
        np.testing.assert_array_equal(alone[:, 0], ordered[:, j])


# A relevant item new to the list can lower what is averaged over the items in the list alone,
# and averages of what may be negative.
HURT_BY_A_HIT = [
    ("blog", "AP"),
    ("blog", "nDCG"),
    *((profile, f"Average{name}") for profile in PROFILES for name in CORRELATIONS[:2]),
]


def moved_up(user):
    """Return the users who see one relevant item a place higher, above one that is not."""
    for j in range(1, len(user.places)):
        upper, lower = user.places[j - 1], user.places[j]
        if lower is not None and lower >= 4 and (upper is None or upper < 4):
            yield user._replace(places=[*user.places[: j - 1], lower, upper, *user.places[j + 1 :]])


FEW_IRRELEVANT = User([1, 1, 5, 4, 5], [5] * 7, 0)
PAIRS = [(user, up) for user in [*USERS[:30], FEW_IRRELEVANT] for up in moved_up(user)]


@pytest.mark.slow
@each("metric", [metric for metric in METRICS if metric not in RATING_ERRORS])
@profiles
def test_moving_a_relevant_item_up_never_hurts(metric, profile):
    """But for what is named above; of errors of predicted ratings it is not asked."""
    measures = grid([metric], CUTOFFS)
    before, after = (values(list(users), measures, profile) for users in zip(*PAIRS, strict=True))
    gain = before - after if METRICS[metric].lower_is_better else after - before
    hurt = (gain < -1e-12).any()
    assert hurt == ((profile, metric) in HURT_BY_A_HIT)


def test_examples_of_relevant_items_that_hurt_where_they_come_in():
    before, after = User([5, None, None, 5]), User([5, None, 5, None])
    for measure in ("AP@3", "nDCG@3"):
        found = values([before, after], [measure], "blog")[:, 0]
        assert found[0] == 1 > found[1]
    # Two irrelevant of ten items, at the top: below them even a hit makes for a poor list.
    before, after = User([1, 1, 5], [5] * 7, 0), User([1, 5, 1], [5] * 7, 0)
    for measure in ("AverageMarkedness@2", "AverageInformedness@2"):
        found = values([before, after], [measure])[:, 0]
        assert found[0] == 0 > found[1]


@pytest.mark.slow
@metrics
@profiles
def test_evaluation_in_blocks_equals_evaluation_in_one_piece(metric, profile, monkeypatch):
    worse = replace(LISTS, ranks=np.where(LISTS.ranks > 3, 0, LISTS.ranks))
    monkeypatch.setattr(evaluation, "BLOCK", 2)
    in_blocks = evaluate(JUDGEMENTS, iter([LISTS, worse]), grid([metric], CUTOFFS), profile)
    np.testing.assert_array_equal(in_blocks[:, 0], found(profile)[metric])
    whole = measure_values(judge(JUDGEMENTS, worse), grid([metric], CUTOFFS), profile)
    np.testing.assert_array_equal(in_blocks[:, 1], whole)


def from_scratch(judgements, lists, keep, unjudged_users):
    """Return the kept judgements and the lists for them, user by user."""
    starts, rating, ranks, predictions, rows = [0], [], [], [], []
    for u in range(judgements.n_users):
        own = [j for j in range(judgements.start[u], judgements.start[u + 1]) if keep[j]]
        if own or unjudged_users == "zero":
            rows.append(u)
            rating += [judgements.rating[j] for j in own]
            ranks += [lists.ranks[j] for j in own]
            predictions += [lists.predictions[j] for j in own]
            starts.append(len(rating))
    return (
        Judgements(
            judgements.users[rows],
            np.array(starts),
            np.array(rating),
            4.0,
            propensity=propensities(rating),
        ),
        Lists(
            np.array(ranks, dtype=np.int32),
            lists.length[rows],
            lists.n_candidates[rows],
            np.array(predictions),
        ),
    )


@pytest.mark.parametrize("unjudged_users", ["drop", "zero"])
@pytest.mark.parametrize("share", [0.05, 0.4, 0.9, 1])
@profiles
def test_a_sample_equals_the_smaller_test_set_from_scratch(profile, share, unjudged_users):
    keep = np.random.default_rng(1).random(len(JUDGEMENTS.rating)) < share
    part = JUDGEMENTS.sample(keep, unjudged_users)
    judged = judge(JUDGEMENTS, LISTS, depth=20).sample(keep, part)
    small, small_lists = from_scratch(JUDGEMENTS, LISTS, keep, unjudged_users)
    expected = judge(small, small_lists, depth=20)
    np.testing.assert_array_equal(part.users, small.users)
    for metric in METRICS:
        measures = grid([metric], CUTOFFS)
        np.testing.assert_array_equal(
            measure_values(judged, measures, profile),
            measure_values(expected, measures, profile),
            err_msg=metric,
        )


@profiles
def test_the_scale_of_a_sample_is_that_of_all_ratings(profile):
    """However few ratings are left, gains and errors are on the scale of the dataset."""
    low, high = JUDGEMENTS.scale
    keep = (JUDGEMENTS.rating > low) & (JUDGEMENTS.rating < high)
    part = JUDGEMENTS.sample(keep)
    judged = judge(JUDGEMENTS, LISTS, depth=20).sample(keep, part)
    small, small_lists = from_scratch(JUDGEMENTS, LISTS, keep, "drop")
    expected = judge(replace(small, known_scale=(low, high)), small_lists, depth=20)
    assert 0 < keep.sum() < len(keep)
    for metric in ("ERR(highest='all')", "SDCG(gain='rating')", "RBP(gain='rating')", "NMAE"):
        found, other = (
            measure_values(each, [f"{metric}@10"], profile) for each in (judged, expected)
        )
        np.testing.assert_array_equal(found, other, err_msg=metric)
        given = judge(small, small_lists, depth=20)
        assert (measure_values(given, [f"{metric}@10"], profile) != other).any(), metric


def test_more_ratings_than_an_index_counts_are_refused():
    many = np.broadcast_to(np.int32(1), 2**31)
    with pytest.raises(RankassayError, match="at most 2,147,483,647 ratings, found 2,147,483,648"):
        judge(JUDGEMENTS, Lists(many, LISTS.length))


@metrics
@profiles
def test_metrics_that_count_what_is_not_listed_need_the_number_of_items(metric, profile):
    judged = judge(JUDGEMENTS, Lists(LISTS.ranks, LISTS.length, None, LISTS.predictions))
    if "items" in METRICS[metric].needs:
        with pytest.raises(RankassayError, match=f"metric {metric} needs the number of items"):
            measure_values(judged, [f"{metric}@5"], profile)
    else:
        numbers = measure_values(judged, grid([metric], CUTOFFS), profile)
        np.testing.assert_array_equal(numbers, found(profile)[metric])


@metrics
@profiles
def test_rating_errors_need_predictions(metric, profile):
    judged = judge(JUDGEMENTS, Lists(LISTS.ranks, LISTS.length, LISTS.n_candidates))
    if metric in RATING_ERRORS:
        with pytest.raises(RankassayError, match=f"metric {metric} needs predicted ratings"):
            measure_values(judged, [f"{metric}@5"], profile)
    else:
        numbers = measure_values(judged, grid([metric], CUTOFFS), profile)
        np.testing.assert_array_equal(numbers, found(profile)[metric])


@metrics
@profiles
def test_unbiased_estimators_need_propensities(metric, profile):
    judged = judge(replace(JUDGEMENTS, propensity=None), LISTS)
    if "propensities" in METRICS[metric].needs:
        with pytest.raises(RankassayError, match=f"metric {metric} needs the probabilities"):
            measure_values(judged, [f"{metric}@5"], profile)
    else:
        numbers = measure_values(judged, grid([metric], CUTOFFS), profile)
        np.testing.assert_array_equal(numbers, found(profile)[metric])


@metrics
@profiles
def test_the_order_of_the_judged_items_makes_no_difference(metric, profile):
    """Cases are made with the judged items in random order; here they come by rank or reversed."""
    numbers = []
    for step in (1, -1):
        judged = [user.judged[::step] for user in USERS]
        flat = [entry for entries in judged for entry in entries]
        judgements = Judgements(
            np.arange(len(USERS), dtype=np.int32),
            np.cumsum([0, *map(len, judged)]),
            np.array([rating for rating, _ in flat]),
            4.0,
            propensity=propensities([rating for rating, _ in flat]),
        )
        ranks = np.array([place for _, place in flat], dtype=np.int32)
        predictions = np.array([predicted(rating, place) for rating, place in flat])
        own = replace(LISTS, ranks=ranks, predictions=predictions)
        numbers.append(measure_values(judge(judgements, own), grid([metric], CUTOFFS), profile))
    np.testing.assert_array_equal(numbers[0], numbers[1])
    np.testing.assert_array_equal(numbers[0], found(profile)[metric])


@metrics
@profiles
def test_nobody_at_all_gives_an_empty_table(metric, profile):
    empty = np.zeros(0)
    judgements = Judgements(
        np.zeros(0, np.int32), np.zeros(1, np.int64), empty, 4.0, propensity=empty
    )
    none = np.zeros(0, dtype=np.int32)
    judged = judge(judgements, Lists(none, none, none, np.zeros(0)))
    assert measure_values(judged, [f"{independent(metric)}@5"], profile).shape == (0, 1)
