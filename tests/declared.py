"""The contents of result tables against what is declared of their columns."""

import numpy as np
import pandas as pd

from rankassay.declared.columns import bounds, column
from rankassay.studies import ANALYSES, STUDIES


def faults(path):
    """Return the columns of an analysis's table that nobody declares, or beyond their bounds."""
    study, analysis = path.parts[-2], path.stem
    name = f"{study}/{analysis}"
    if (
        name not in ANALYSES or ANALYSES[name].judges
    ):  # claims have `rankassay.claims.judge.COLUMNS`
        return []
    own, table = STUDIES[study].columns, pd.read_csv(path, low_memory=False)
    found = [f"{name}: {each}" for each in table if column(each, own) is None]
    for each in table.select_dtypes(["number", "bool"]):
        least, greatest = bounds(each, table, own)
        values = table[each].to_numpy(float)
        outside = (values < np.array(least) - 1e-9) | (values > np.array(greatest) + 1e-9)
        found += [f"{name}: {each} of {values[outside][0]}"] if outside.any() else []
    return found
