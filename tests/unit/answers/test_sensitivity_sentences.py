"""The sentences on sensitivity follow from the row, for all values in it."""

import math

import pytest

from rankassay.answers.validity import of_selection

ROW = {
    "metric": "P",
    "cutoff": 10,
    "measure": "P@10",
    "leader": "wrmf",
    "gamma": 1.3499,
    "rival": "puresvd",
    "hits": 91,
    "hits_rival": 50,
    "same": 0,
    "pairs": 210,
    "standing": 82,
    "default": 3.0,
}


CDCG = "IPS(centred=True, gain='DCG', power=0.5)"


def said(**changes):
    return of_selection(ROW | changes)


def test_a_winner_stays_first_up_to_a_gamma_that_is_rounded_down():
    first, second = said()
    assert first == "wrmf stays first under P@10 up to Γ = 1.34. Beyond, puresvd can overtake it."
    assert second == "82 of 210 pairs of systems are significant up to Γ = 3."
    assert "up to Γ = 29.99." in said(gamma=29.9999)[0]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"metric": "AP"},
            "wrmf stays first under P@10, which stands in for MAP@10, up to Γ = 1.34",
        ),
        (
            {"metric": "R", "measure": "R@10"},
            "under Recall@10 (each user's denominator held fixed) up to",
        ),
        (
            {"metric": "nDCG", "cutoff": None, "measure": "nDCG"},
            "under nDCG (each user's denominator held fixed) up to",
        ),
        ({"metric": "RR", "cutoff": math.nan, "measure": "P@50"}, "P@50, which stands in for MRR,"),
        (
            {"metric": "CP", "measure": "CP@10"},
            "under CP@10 (each user's share of relevant items held fixed) up to",
        ),
        (
            {"metric": CDCG, "measure": f"{CDCG}@10", "gamma": math.inf, "rival": "", "hits": 1},
            "held fixed). No judged item adds less to its value than to another's, and at least 1 "
            "judged item adds more.",
        ),
        (
            {"metric": "CP", "measure": "CP@10", "same": 1},
            "tied with 1 system with the same judged items",
        ),
        ({"gamma": 1.0}, "tied under P@10: beyond Γ = 1, either can be ahead."),
        ({"same": 1}, "wrmf (tied with 1 system with the same hits) stays first under P@10"),
        (
            {"gamma": math.inf, "rival": "", "same": 2},
            "and at least 91 hits add more than all but 2 systems with the same hits.",
        ),
        ({"gamma": math.inf, "rival": ""}, "No hit adds less to its value than to another's"),
        ({"gamma": math.inf, "rival": ""}, "and at least 91 hits add more."),
        ({"gamma": math.inf, "rival": "", "hits": 1}, "and at least 1 hit adds more."),
        ({"gamma": math.nan, "rival": "", "hits": 0}, "Γ is undefined under P@10: no system has"),
    ],
)
def test_what_is_said_of_the_winner(changes, expected):
    assert expected in said(**changes)[0]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"standing": 0}, "None of 210 pairs of systems is significant at Γ = 3."),
        ({"standing": 1}, "1 of 210 pairs of systems is significant up to Γ = 3."),
        ({"pairs": 1, "standing": 1}, "The difference is significant up to Γ = 3."),
        ({"pairs": 1, "standing": 0}, "The difference is not significant at Γ = 3."),
        ({"pairs": 0, "standing": 0}, "All systems have the same hits."),
        ({"default": 1.5}, "82 of 210 pairs of systems are significant up to Γ = 1.5."),
        ({"pairs": 1225, "standing": 1082}, "1,082 of 1,225 pairs"),
    ],
)
def test_what_is_said_of_the_pairs(changes, expected):
    assert expected in said(**changes)[1]


def test_no_comma_stands_before_a_colon():
    for gamma in (1.0, math.nan):
        assert "which stands in for MAP@10: " in said(metric="AP", gamma=gamma)[0]
    assert "which stands in for MAP@10. " in said(metric="AP", gamma=math.inf)[0]


def test_nothing_ever_stands_without_a_gamma():
    for gamma in (1.0, 2.0, math.inf, math.nan):
        text = " ".join(said(gamma=gamma))
        assert " stands." not in text
        assert "Γ" in text
