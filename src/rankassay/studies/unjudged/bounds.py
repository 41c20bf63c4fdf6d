"""Analysis: bounds of each system's values over all judgements of the unjudged items."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.bounds import BeyondList, measure_bounds
from rankassay.metrics.evaluate import Measure, grid
from rankassay.studies.unjudged.systems import lists_of


def bounds(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    *,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    beyond_list: BeyondList,
) -> pd.DataFrame:
    """Bound the mean of each metric over users, for each system.

    The settings are those of `rankassay.studies.unjudged.study.Bounded`, and `evaluation` has a
    threshold, a profile and without_relevant.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, system, value, least and greatest; each is a mean over the users who
        have a value.
    """
    measures = grid(metrics, cutoffs)
    if beyond_list == "any":
        measures = [name for name in measures if Measure.parse(name).metric != "Bpref"]
    judgements, lists = lists_of(test, rankings, evaluation["threshold"])
    tables = []
    for system, own in lists.items():
        how = evaluation["profile"], evaluation["without_relevant"], beyond_list
        found = measure_bounds(judgements, own, measures, *how)
        parsed = [Measure.parse(name) for name in measures]
        columns = {"metric": [m.name for m in parsed], "cutoff": [m.cutoff for m in parsed]}
        numbers = {name: aggregate(values, "mean") for name, values in found._asdict().items()}
        tables.append(pd.DataFrame(columns | {"system": system} | numbers))
    table = pd.concat(tables, ignore_index=True)
    place = {name: i for i, name in enumerate(dict.fromkeys(table["metric"]))}
    order = np.lexsort((table["cutoff"], table["metric"].map(place)))
    return table.iloc[order].reset_index(drop=True)
