"""The table of the two means of reciprocal ranks."""

from collections.abc import Mapping

import pandas as pd

from rankassay.drawing.table import Table, by_dataset, nothing

COLUMNS = {
    "system": "System",
    **{"first": "MRR", "place_first": "Place"},
    **{"all": "Of all relevant items", "place_all": "Its place"},
}


def reciprocal_ranks(
    reciprocal_ranks: pd.DataFrame, cutoff: int, titles: Mapping[str, str]
) -> Table:
    """Return a row for each system, with its mean and place under both definitions."""
    shown = reciprocal_ranks[reciprocal_ranks["cutoff"] == cutoff]
    parts, said = [], []
    for title, own in by_dataset(shown, titles):
        part = own[[*COLUMNS]].rename(columns=COLUMNS)
        part.insert(0, "Dataset", title)
        parts.append(part)
        tau, reordered = own[["tau", "reordered"]].iloc[0]
        said.append(f"{title}: τ {tau:.3f}, {int(reordered)} pairs in opposite order")
    if not parts:
        raise nothing("reciprocal-ranks", cutoff)
    frame = pd.concat(parts, ignore_index=True)
    moved = frame["Place"] != frame["Its place"]
    return Table(
        frame,
        f"Two means of reciprocal ranks at cut-off {cutoff}: MRR, and the one that takes all "
        "relevant items of a user, which the blog post calls wrong. In bold: another place.",
        {"MRR": "{:.4f}".format, "Of all relevant items": "{:.4f}".format},
        {"Its place": moved},
        f"Between the two orders of the systems: {'; '.join(said)}.",
    )
