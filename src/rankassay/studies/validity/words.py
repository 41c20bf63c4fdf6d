"""Names of yardsticks and estimators, and the rows that sentences are about."""

import pandas as pd

LIKED, NEW, OWN = "liked", "new", "own"
AS_PUBLISHED, COMPLETE = "as published", "complete"


def reference(rows: pd.DataFrame, cutoff: int) -> pd.DataFrame:
    """Return the rows of a dataset that sentences are about, by yardstick.

    These are of P at the cut-off (or, where it was not configured, at the nearest one), estimated
    by the first of the estimators, and each metric's own truth. `rows` are those of
    `rankassay.studies.validity.agreement.agreement`.
    """
    own = rows["yardstick"] == OWN
    of = rows[(rows["utility"] == "P") & ~own]
    if not len(of):  # other utilities alone
        of = rows[~own & (rows["utility"] == rows["utility"].iloc[0])]
    of = of[of["estimator"] == of["estimator"].iloc[0]] if len(of) else of
    away = (of["yardstick_cutoff"] - cutoff).abs()
    return pd.concat([of[away == away.min()], rows[own]])
