"""What tables and figures compare: how lists are made worse, and axioms as the paper has them."""

import pandas as pd

# The ways in which lists are made worse, as readers see them.
SCENARIOS = {
    "relevance": "Items swapped, bottom to top",
    "redundancy": "Items of a redundant aspect",
    "aspects": "Aspects swapped",
}


def beside_published(axioms: pd.DataFrame, published: pd.DataFrame | None) -> pd.DataFrame:
    """Add to the table of axioms a column `otherwise`: whether the paper says otherwise.

    `axioms` is the table that `rankassay.studies.diversity.axioms.run` returns, and `published` has
    the columns metric, axiom, holds (1 or 0).
    """
    if published is None:
        return axioms.assign(otherwise=False)
    said = axioms.merge(published, how="left", on=["metric", "axiom"], suffixes=("", "_said"))
    other = said["holds_said"].notna() & (said["holds_said"] != said["holds"])
    return axioms.assign(otherwise=other.to_numpy())
