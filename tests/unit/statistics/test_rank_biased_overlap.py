"""Rank-biased overlap with ties is what its authors' tool recorded, and a mean over orders.

tests/peers/record_overlaps.py made the recorded values.
"""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankassay.declared.correlations import OVERLAPS
from rankassay.errors import RankassayError
from rankassay.statistics.rank_biased_overlap import rank_biased_overlap
from rankassay.statistics.rank_correlation import correlation

PEERS = Path(__file__).parents[2] / "peers"
RECORDED = pd.concat([pd.read_csv(path) for path in sorted((PEERS / "overlaps").glob("*.csv"))])


def scores(*rankings):
    """Return the scores of the same items by each ranking, groups of tied items best first."""
    groups = [[group.split(" ") for group in ranking.split("|")] for ranking in rankings]
    items = sorted({item for own in groups for group in own for item in group})
    found = np.full((len(rankings), len(items)), np.nan)
    for r, own in enumerate(groups):
        for place, group in enumerate(own):
            found[r, [items.index(item) for item in group]] = -place
    return found


@pytest.mark.slow
@pytest.mark.parametrize("peer", ["ties", "rbo"])
@pytest.mark.parametrize("part", ["extrapolated", "least", "greatest"])
@pytest.mark.parametrize("kind", OVERLAPS)
def test_what_other_tools_recorded(peer, kind, part):
    rows = RECORDED[(RECORDED.peer == peer) & (RECORDED.kind == kind) & (RECORDED.part == part)]
    assert len(rows) == (40 if peer == "ties" or (kind, part) == ("rbo", "extrapolated") else 0)
    for row in rows.itertuples():
        x, y = scores(row.x, row.y)
        for own in (rank_biased_overlap(*s, kind, row.p) for s in ((x, y), (y, x))):
            assert getattr(own, part) == pytest.approx(row.value, abs=1e-10), (row.x, row.y)


def untied(ranking):
    """Yield every order of a ranking's tied items, as a ranking without ties."""
    groups = [itertools.permutations(group.split(" ")) for group in ranking.split("|")]
    for parts in itertools.product(*groups):
        yield "|".join(itertools.chain(*parts))


@pytest.mark.parametrize(
    ("x", "y"), [("a b|c|d e f", "b|a c|d|e f"), ("a b c|d", "e|d c|a"), ("a|b c", "d e f|g h")]
)
def test_rbo_a_is_the_mean_over_all_orders_of_tied_items(x, y):
    """The least values are; the others go on from what a single order shows."""
    every = itertools.product(untied(x), untied(y))
    expected = np.mean([rank_biased_overlap(*scores(*pair), "rbo", 0.8).least for pair in every])
    assert rank_biased_overlap(*scores(x, y), "rbo_a", 0.8).least == pytest.approx(expected)


@pytest.mark.parametrize("kind", OVERLAPS)
def test_of_the_same_systems_it_is_the_correlation(kind):
    x, y = np.random.default_rng(4).integers(4, size=(2, 9)).astype(float)
    found = rank_biased_overlap(x, y, kind, 0.7)
    assert found.extrapolated == pytest.approx(float(correlation(kind, 0.7)(x, y)), rel=1e-12)
    assert found.least <= found.extrapolated <= found.greatest


@pytest.mark.parametrize("kind", OVERLAPS)
def test_rankings_with_nothing_in_common(kind):
    x = np.array([2.0, 1, np.nan, np.nan])
    found = rank_biased_overlap(x, x[::-1], kind, 0.5)
    assert found.extrapolated == found.least == 0 < found.greatest < 0.5


def test_what_has_no_overlap():
    x = np.array([1.0, np.nan])
    with pytest.raises(RankassayError, match="expected two rankings with items, found an empty"):
        rank_biased_overlap(x, np.full(2, np.nan))
    with pytest.raises(RankassayError, match="unknown rank-biased overlap 'rbo_c'"):
        rank_biased_overlap(x, x, "rbo_c")
    with pytest.raises(RankassayError, match="must be between 0 and 1, found 1"):
        rank_biased_overlap(x, x, "rbo", 1)


@pytest.mark.parametrize("persistence", [5e-324, 1e-310, 1e-300, 1e-20])
def test_with_next_to_no_persistence_only_the_first_places_count(persistence):
    x, y = np.array([3.0, 2.0, 1.0]), np.array([3.0, 1.0, 2.0])
    for kind in ("rbo", "rbo_a", "rbo_b"):
        found = rank_biased_overlap(x, y, kind, persistence)
        assert [*vars(found).values()] == pytest.approx([1.0] * 3, rel=1e-12)
        found = rank_biased_overlap(x, -y, kind, persistence)
        assert [*vars(found).values()] == pytest.approx([0.0] * 3, abs=1e-12)
