"""Tables of effect sizes: significant and relevant differences, and the systems each one beats."""

from collections.abc import Mapping

import pandas as pd

from rankassay.drawing.comparison_table import raised
from rankassay.drawing.table import Table, by_dataset, shown, told
from rankassay.drawing.text import bound
from rankassay.errors import listed
from rankassay.studies.reliability.words_effects import sentence

COUNTS = {"pairs": "Pairs", "significant": "Significant", "small": "Of these small"}
COUNTS |= {"equivalent": "Small", "open": "Open"}
SIZES = {"d_z": "Median |d|", "superiority": "Median superiority"}
NOTE = (
    "Small: shown by two one-sided t tests. Open: neither significant nor shown to be small. d: "
    "Cohen's, of paired differences. Superiority: the share of users who are better off with the "
    "system that more users are better off with; ties count half."
)


def effect_sizes(effect_sizes: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return how many pairs of systems differ significantly, and how many too little to matter."""
    rows = shown(effect_sizes, cutoff, "effect sizes")
    parts, said = [], []
    for title, own in by_dataset(rows, titles):
        columns = {"Dataset": title, "Metric": own["measure"], "Users": own["users"]}
        parts.append(pd.DataFrame(columns | {h: own[name] for name, h in (COUNTS | SIZES).items()}))
        said.append(f"{title}: {sentence(told(own).iloc[0])}")
    corrections = " or ".join(dict.fromkeys(rows["correction"]))
    level = (
        f"p < {rows['alpha'].iloc[0]:g}, corrected for all pairs: {corrections} for significance, "
        "holm for the one-sided tests."
    )
    region = listed([*dict.fromkeys(rows["equivalence"].map(bound))])
    return Table(
        pd.concat(parts, ignore_index=True),
        "Differences between systems: how many are significant, and how many are shown to be too "
        f"small to matter (by less than {region}).",
        {"Users": "{:,}".format, SIZES["d_z"]: "{:.2f}".format}
        | {SIZES["superiority"]: "{:.3f}".format},
        note=f"{NOTE} {level} {' '.join(said)}",
    )


def _counted(beats: str) -> str:
    """Return how many systems are named, and nothing for none."""
    return f"{beats.count(',') + 1}" if beats else ""


def systems(systems: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the systems' means, with raised letters for the systems that each one beats.

    Where a dataset has more systems than there are letters, their number is raised.
    """
    rows = shown(systems, cutoff, "systems")
    measures = [*dict.fromkeys(rows["measure"])]
    key = ["dataset", "letter", "system"]
    means, ranks, beats = (
        rows.pivot(index=key, columns="measure", values=value)[measures]
        for value in ("mean", "rank", "beats")
    )
    order = rows.drop_duplicates(key)[key]
    order = pd.concat([own.assign(Dataset=title) for title, own in by_dataset(order, titles)])
    index = pd.MultiIndex.from_frame(order[key])
    means, ranks, beats = (each.loc[index].reset_index(drop=True) for each in (means, ranks, beats))
    heads = order[["Dataset", "letter", "system"]].reset_index(drop=True)
    heads = heads.rename(columns={"letter": "", "system": "System"})
    corrections = " or ".join(dict.fromkeys(rows["correction"]))
    many = heads[""].str.len().max() > 1
    above = "numbers count" if many else "letters name"
    return Table(
        heads.join(means),
        f"Means of the systems at cut-off {cutoff}; the best ones are bold.",
        dict.fromkeys(measures, "{:.4f}".format),
        (ranks == 1).fillna(False),
        f"Raised {above} the systems of the same dataset that a system beats significantly: p < "
        f"{rows['alpha'].iloc[0]:g}, corrected for all pairs ({corrections}).",
        {name: [*beats[name].fillna("").map(_counted if many else raised)] for name in measures},
    )
