"""Groups of users and items: by the values of an attribute, and by shares of ratings."""

import numpy as np
import pytest

from rankassay.errors import RankassayError
from rankassay.metrics.beyond.lists import Groups, popularity_classes


def test_groups_have_the_names_of_their_values():
    found = Groups.of(np.array(["M", "", "F", "M"]))
    assert found.names == ("F", "M")
    assert found.group.tolist() == [1, -1, 0, 1]
    assert Groups.of(np.array(["b", "a"])).group.tolist() == [1, 0]
    with pytest.raises(RankassayError, match="two or more to compare, found F"):
        Groups.of(np.array(["F", "", "F"]))
    with pytest.raises(RankassayError, match="found none"):
        Groups.of(np.array([""]))


def test_popularity_classes_by_hand():
    # A fifth of 20 ratings are 4: the first item has 6, the last four have 3, with one more 5.
    counts = np.array([1, 6, 2, 1, 4, 0, 1, 5])
    found = popularity_classes(counts)
    assert [found.names[k] for k in found.group] == [
        *("tail", "head", "middle", "tail", "middle", "tail", "tail", "middle")
    ]


@pytest.mark.parametrize("seed", range(5))
def test_popularity_classes_are_as_small_and_as_large_as_they_can_be(seed):
    rng = np.random.default_rng(seed)
    counts = np.sort(rng.zipf(1.6, 200).clip(0, 500))[::-1]
    group = popularity_classes(counts).group
    shares = [counts[group == k].sum() / counts.sum() for k in range(3)]
    first, last = (group == 0).sum(), (group == 2).sum()
    assert (np.diff(group) >= 0).all()
    assert shares[0] >= 0.2 > counts[: first - 1].sum() / counts.sum()
    assert shares[2] <= 0.2 < counts[-last - 1 :].sum() / counts.sum()


def test_classes_that_cannot_be_are_refused():
    with pytest.raises(RankassayError, match="1 in the head, 0 in the middle, 1 in the tail"):
        popularity_classes(np.array([9, 1]))
