"""What yardsticks and estimators are called, and by which of their rows all is said."""

import pandas as pd

LIKED, NEW, OWN = "liked", "new", "own"
AS_PUBLISHED, COMPLETE = "as published", "complete"


def reference(rows: pd.DataFrame, cutoff: int) -> pd.DataFrame:
    """Return a dataset's rows by which all is said that is said in a sentence, by yardstick.

    These are of P at the cut-off (or, where nobody asked for it, at the nearest one), estimated by
    the first of the estimators, and each metric's own truth. `rows` are those of
    `assayer.studies.validity.agreement.agreement`.
    """
    own = rows["yardstick"] == OWN
    of = rows[(rows["utility"] == "P") & ~own]
    if not len(of):  # other utilities alone
        of = rows[~own & (rows["utility"] == rows["utility"].iloc[0])]
    of = of[of["estimator"] == of["estimator"].iloc[0]] if len(of) else of
    away = (of["yardstick_cutoff"] - cutoff).abs()
    return pd.concat([of[away == away.min()], rows[own]])
