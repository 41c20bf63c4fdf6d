"""What tables and figures compare: how lists are made worse, and axioms as the paper has them."""

import pandas as pd

# The ways in which lists are made worse, as readers see them.
SCENARIOS = {
    "relevance": "Items swapped, bottom to top",
    "redundancy": "Items of a redundant aspect",
    "aspects": "Aspects swapped",
}


def beside_published(axioms: pd.DataFrame, published: pd.DataFrame | None) -> pd.DataFrame:
    """Return what was found of each axiom and metric, and if the paper says otherwise.

    Parameters
    ----------
    axioms : pandas.DataFrame
        As `assayer.studies.diversity.axioms.run` returns it.
    published : pandas.DataFrame or None
        Columns metric, axiom, holds (1 or 0).

    Returns
    -------
    pandas.DataFrame
        The rows of `axioms` with a column `otherwise`.
    """
    if published is None:
        return axioms.assign(otherwise=False)
    said = axioms.merge(published, how="left", on=["metric", "axiom"], suffixes=("", "_said"))
    other = said["holds_said"].notna() & (said["holds_said"] != said["holds"])
    return axioms.assign(otherwise=other.to_numpy())
