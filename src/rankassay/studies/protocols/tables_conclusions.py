"""Tables: findings on metrics under each protocol, and which survive."""

from collections.abc import Mapping

import pandas as pd

from rankassay.drawing.table import Table, at_cutoff, by_dataset
from rankassay.studies.protocols.words import LOST, OUTCOMES

CRITERIA = {"sparsity": "Sparsity", "popularity": "Popularity", "power": "DP"}


def conclusions(conclusions: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return how many of the paper's findings hold under each protocol, and which are lost."""
    rows = []
    for title, own in by_dataset(conclusions, titles):
        for protocol, found in own.groupby("protocol", sort=False):
            counts = found["outcome"].value_counts()
            row = {"Dataset": title, "Protocol": protocol, "Findings": len(found)}
            row |= {name.capitalize(): counts.get(name, 0) for name in OUTCOMES}
            row["Lost ones"] = ", ".join(found.loc[found["outcome"] == LOST, "id"])
            rows.append(row)
    heads = ["Dataset", "Protocol", "Findings", *map(str.capitalize, OUTCOMES), "Lost ones"]
    return Table(
        pd.DataFrame(rows, columns=heads),
        "What becomes of the findings of Valcarce et al. (RecSys 2018) under each protocol.",
        {},
        note="A finding survives if it holds for what was measured under this protocol and under "
        "the first one; it is lost if it holds under the first one only, and gained if under this "
        "one only. What another seed or fold of the first protocol changes is luck. The figure "
        "shows the verdicts with their uncertainty.",
    )


def criteria(criteria: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return robustness and power of the metrics under each protocol, with their places."""
    parts = []
    for title, own in by_dataset(at_cutoff(criteria, cutoff), titles):
        key = ["protocol", "metric"]
        wide = own.drop_duplicates(key)[key].reset_index(drop=True)
        for name in dict.fromkeys(own["criterion"]):
            of_name = own[own["criterion"] == name].set_index(key)
            of_name = of_name.reindex(pd.MultiIndex.from_frame(wide[key]))
            head = CRITERIA.get(name, name.capitalize())
            if name in CRITERIA:
                wide[head] = of_name["value"].array
                wide[f"{head}, interval"] = [
                    f"[{low:.3f}, {high:.3f}]" if pd.notna(low) else ""
                    for low, high in of_name[["low", "high"]].itertuples(index=False)
                ]
            wide[f"{head}, place"] = of_name["rank"].array
        wide = wide.rename(columns={"protocol": "Protocol", "metric": "Metric"})
        wide.insert(0, "Dataset", title)
        parts.append(wide)
    frame = pd.concat(parts, ignore_index=True)
    values = {name for name in frame if name in CRITERIA.values()}
    return Table(
        frame,
        f"Robustness and discriminative power of the metrics at cut-off {cutoff} under each "
        "protocol.",
        dict.fromkeys(values, "{:.3f}".format)
        | {name: "{:.0f}".format for name in frame if name.endswith(", place")},
        note="Sparsity and popularity: mean tau with the ranking on all test ratings, over the "
        "levels; higher is more robust. DP: lower is better. Place: among the metrics, 1 is the "
        "best.",
    )
