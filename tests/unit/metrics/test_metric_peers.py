"""C/W/L metrics, R-precision and compatibility are what other tools made of the same lists.

tests/peers/record_metrics.py recorded their values, and makes up the lists.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import assayer

PEERS = Path(__file__).parents[2] / "peers"
RECORDED = pd.concat(
    [pd.read_csv(path, dtype={"user": str}) for path in sorted((PEERS / "metrics").glob("*.csv"))]
)
# cwl_eval looks at two million places of a measure without an end.
FEWER = {"cwl-eval": 1e-5}


@pytest.fixture(scope="module")
def lists():
    sys.path.insert(0, str(PEERS))
    from record_metrics import made_up

    sys.path.remove(str(PEERS))
    return made_up()


@pytest.mark.parametrize("call", sorted({*RECORDED.call}))
def test_what_other_tools_recorded(lists, call):
    rows = RECORDED[RECORDED.call == call].set_index("user")
    qrels, run = lists
    scores = {u: {item: -k for k, item in enumerate(own)} for u, own in run.items()}
    metric, threshold = rows.metric.iloc[0], max(float(rows.threshold.iloc[0]), 0.5)
    found = assayer.evaluate(qrels, scores, [metric], threshold=threshold, per_user=True)
    found = found.set_index("user")[metric].reindex(rows.index)
    assert len(rows) == len(qrels) > 1
    rtol = FEWER.get(rows.peer.iloc[0], 1e-9)
    np.testing.assert_allclose(found, rows["value"], rtol=rtol, atol=1e-12)
