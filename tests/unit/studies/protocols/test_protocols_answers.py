"""The sentences of the table of answers on invented results, word by word."""

import pandas as pd
import pytest

from rankassay.studies.protocols.answers import answers
from rankassay.studies.protocols.conclusions import SURVIVES

TITLES = {"x": "X"}
NAN = float("nan")


def said(**results):
    given = dict.fromkeys(("components", "agreement", "winners", "conclusions")) | results
    return answers(**given, cutoff=10, titles=TITLES).frame["Answer"].tolist()


def frame(rows, names, metrics=("P", "nDCG")):
    """Return the rows of nDCG, after those of another metric, which are in the other order."""
    table = pd.DataFrame(rows, columns=names.split())
    parts = [table[::-1] if name == "P" else table for name in metrics]
    found = [own.assign(metric=name) for own, name in zip(parts, metrics, strict=True)]
    return pd.concat(found).assign(cutoff=10, dataset="x")


def winners(*rows):
    return frame(rows, "protocol winner changed beyond_luck behind")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            [("A", "x", False, False, 0.0), ("B", "x", False, False, 0.0)],
            "The winner under nDCG@10 is x under A and B.",
        ),
        (
            [("A", "x, y", False, False, 0.0), ("B", "x, y", False, False, 0.0)],
            "The winners under nDCG@10 are x, y under A and B.",
        ),
        (
            [("A", "x", False, False, 0.0), ("B", "y", True, False, 0.1)],
            "The winners under nDCG@10 are x under A and y under B. Other users might reverse each "
            "of these changes.",
        ),
        # Without resamples nothing is known of other users.
        (
            [("A", "x", False, False, NAN), ("B", "y", True, False, NAN)],
            "The winners under nDCG@10 are x under A and y under B.",
        ),
        (
            [("A", "x", False, False, 0.0), ("B", "y", True, False, NAN)],
            "The winners under nDCG@10 are x under A and y under B.",
        ),
        (
            [
                ("A", "x", False, False, 0.0),
                ("B", "y", True, True, 0.1),
                ("C", "y", True, False, 0.2),
                ("D", "x", False, False, 0.0),
            ],
            "The winners under nDCG@10 are x under A and D and y under B and C. The winner under A "
            "loses under B in at least 95% of the resamples of the users.",
        ),
        (
            [("A", "x", False, False, 0.0), ("B", "y", True, True, 0.1), ("C", "y", True, True, 1)],
            "The winners under nDCG@10 are x under A and y under B and C. The winner under A loses "
            "under B and C in at least 95% of the resamples of the users.",
        ),
    ],
)
def test_who_wins(rows, expected):
    assert said(winners=winners(*rows)) == [expected]


def agreement(*rows):
    names = "protocol_a protocol_b tau low high within"
    return frame(rows, names).assign(correlation="tau_b", systems=9)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            [("A", "B", 0.5, NAN, NAN, NAN)],
            "B agrees with A on the ranking under nDCG@10 (τ = 0.50).",
        ),
        (
            [
                ("A", "B", 0.5, 0.25, 0.75, 0.875),
                ("A", "C", 0.25, 0.125, 0.5, 1.0),
                ("B", "C", 0.0, -0.5, 0.5, 0.75),
                ("A", "A", -1.0, -1.0, -1.0, 0.5),
            ],
            "C agrees least with A on the ranking under nDCG@10 (τ = 0.25, 95%: 0.12 to 0.50). Two "
            "replicates of one of the two agree with 1.00 on average.",
        ),
        (
            [
                ("A", "B", 0.25, NAN, NAN, 0.5),
                ("A", "C", 0.25, NAN, NAN, 1.0),
                ("A", "D", 0.5, NAN, NAN, 0.0),
            ],
            "B agrees as little as any other with A on the ranking under nDCG@10 (τ = 0.25). Two "
            "replicates of one of the two agree with 0.50 on average.",
        ),
        (
            [("A", "B", NAN, NAN, NAN, NAN), ("A", "C", 0.75, 0.5, 1.0, NAN)],
            "C agrees with A on the ranking under nDCG@10 (τ = 0.75, 95%: 0.50 to 1.00).",
        ),
        (
            [("A", "B", NAN, NAN, NAN, NAN)],
            "A cannot be compared under nDCG@10: all systems tie under it, or under the others.",
        ),
    ],
)
def test_which_protocol_agrees_least(rows, expected):
    assert said(agreement=agreement(*rows)) == [expected]


def conclusions(*rows):
    return pd.DataFrame(rows, columns=["protocol", "outcome"]).assign(dataset="x")


def test_which_findings_hold_under_another_protocol():
    rows = [("A", SURVIVES)] * 2 + [("A", "fails")]
    rows += [("B/seed-2", SURVIVES)] * 2 + [("C", SURVIVES), ("C", "lost")]
    assert said(conclusions=conclusions(*rows)) == [
        "2 findings of Valcarce et al. (RecSys 2018) hold under A. 2 of these also hold under "
        "another seed of it. 1 of these also holds under C."
    ]
    assert said(conclusions=conclusions(("A", SURVIVES), ("A", "fails"), ("C", "lost"))) == [
        "1 finding of Valcarce et al. (RecSys 2018) holds under A. None of these also holds under "
        "C."
    ]
