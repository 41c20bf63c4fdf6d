"""The profiles: what each changes, and that it changes nothing else."""

import numpy as np
import pytest
from metric_cases import User, profiles, random_users, value, values

from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.evaluate import Measure, grid, resolve
from rankassay.metrics.profiles import PROFILES, WITHOUT_RELEVANT

USERS = [user for user in random_users(40) if any(rating >= 4 for rating, _ in user.judged)]

# The measures of the default profile that a profile stands for; the others are as they were.
STANDS_FOR = {
    "paper": {},
    "trec": {
        "infAP": "infAP(unjudged='unpooled')",
        "ERR": "ERR(highest='user')",
        "RBP": "RBP(p=0.9)",
    },
    "as-run": {
        "P": "P(denominator='listed')",
        "F1": "F1(denominator='listed')",
        "F": "F(denominator='listed')",
        "nDCG": "nDCG(truncate_ideal=False)",
        "ERR": "ERR(highest='user')",
    },
    "blog": {
        "AP": "AP(denominator='hits')",
        "nDCG": "nDCG(gain='exp', ideal='retrieved')",
        "DCG": "DCG(gain='exp', log_base=2.718281828459045)",
    },
    "rendle": {
        "AP": "AP(denominator='min_cutoff')",
        "nDCG": "nDCG(gain='binary')",
        "DCG": "DCG(gain='binary')",
    },
}


def test_every_profile_is_here():
    assert set(STANDS_FOR) == set(PROFILES)


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
@profiles
def test_a_profile_is_a_name_for_parameters(metric, profile):
    named = STANDS_FOR[profile].get(metric, metric)
    found = values(USERS, grid([metric], [1, 5, 20]), profile)
    spelt_out = values(USERS, grid([named], [1, 5, 20]), "paper")
    np.testing.assert_allclose(found, spelt_out, rtol=1e-12)
    if named != metric:
        default = values(USERS, grid([metric], [1, 5, 20]), "paper")
        assert (np.abs(found - default) > 1e-6).any()


@pytest.mark.parametrize("profile", PROFILES)
def test_profiles_name_parameters_that_their_metrics_know(profile):
    for metric, parameters in PROFILES[profile].parameters.items():
        resolve(metric, tuple(parameters.items()), profile)
        assert Measure.parse(metric).metric == metric
    assert PROFILES[profile].without_relevant in WITHOUT_RELEVANT
    assert PROFILES[profile].source


@pytest.mark.parametrize(
    ("profile", "ap", "ndcg"),
    [
        ("paper", (1 / 2 + 2 / 3) / 4, None),
        ("trec", (1 / 2 + 2 / 3) / 4, None),
        ("blog", (1 / 2 + 2 / 3) / 2, (1 / np.log2(3) + 1 / 2) / (1 + 1 / np.log2(3))),
        ("rendle", (1 / 2 + 2 / 3) / 3, (1 / np.log2(3) + 1 / 2) / (1 + 1 / np.log2(3) + 1 / 2)),
    ],
)
def test_one_list_under_each_profile_by_hand(profile, ap, ndcg):
    """Places 2 and 3 of three are relevant, and so are two items that are missed."""
    user = User([None, 4, 4], [4, 4])
    assert value(user, "AP@3", profile) == pytest.approx(ap, rel=1e-14)
    # Equal ratings cancel, so that the paper's gains are those of binary relevance here.
    ndcg = ndcg or (1 / np.log2(3) + 1 / 2) / (1 + 1 / np.log2(3) + 1 / 2)
    assert value(user, "nDCG@3", profile) == pytest.approx(ndcg, rel=1e-14)


def test_what_the_authors_ran_on_one_list_by_hand():
    user = User([None, 4, 4], [4, 4])
    assert value(user, "P@10", "as-run") == pytest.approx(2 / 3)
    assert value(user, "P@10", "paper") == pytest.approx(2 / 10)
    whole = sum(1 / np.log2(k + 1) for k in (1, 2, 3, 4))
    assert value(user, "nDCG@3", "as-run") == pytest.approx((1 / np.log2(3) + 1 / 2) / whole)
