"""Metrics beyond accuracy are what other libraries made of the same lists.

tests/peers/record_beyond.py recorded their values, and makes up the lists.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from beyond_values import means

from rankassay.metrics.beyond.lists import Catalogue, Groups, Shown
from rankassay.metrics.diversity.lists import Aspects

PEERS = Path(__file__).parents[2] / "peers"
RECORDED = pd.concat([pd.read_csv(path) for path in sorted((PEERS / "beyond").glob("*.csv"))])


@pytest.fixture(scope="module")
def lists():
    sys.path.insert(0, str(PEERS))
    from record_beyond import groups, made_up, made_up_aspects

    sys.path.remove(str(PEERS))
    train, relevant, items = made_up()
    own = (Groups(("a", "b", "c"), group.astype(np.int32)) for group in groups())
    catalogue = Catalogue(sp.csr_matrix(train.astype(float)), Aspects.of(made_up_aspects()), *own)
    test = sp.csr_matrix(relevant.astype(float))
    return Shown.of(items.astype(np.int32), np.arange(len(items)), test, 1, catalogue)


@pytest.mark.parametrize(
    ("peer", "call"), sorted({*zip(RECORDED.peer, RECORDED.call, strict=True)})
)
def test_what_other_libraries_recorded(lists, peer, call):
    rows = RECORDED[(RECORDED.peer == peer) & (RECORDED.call == call)]
    assert len(rows) > 1
    found = means(lists, rows.metric.iloc[0], rows.cutoff)
    if (peer, call) == ("recbole", "ShannonEntropy"):  # divided by the number of items shown
        found = found / [len(np.unique(lists.items[:, :cutoff])) for cutoff in rows.cutoff]
    elif (peer, call) == ("elliot", "ItemCoverage"):  # a number of items
        found = found * lists.catalogue.n_items
    elif (peer, call) == ("elliot", "GiniIndex"):  # evenness
        found = 1 - found
    elif call == "EXP(MaxMinDiff)":  # of all lists together
        found = found * len(lists.items)
    single = 1e-7  # LensKit weighs places in single precision
    np.testing.assert_allclose(found, rows["value"], rtol=single if peer == "lenskit" else 1e-10)
