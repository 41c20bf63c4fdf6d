"""Published numbers next to measured ones: figures 1, 5 and 7, table 3, the systems' rankings.

Valcarce et al., RecSys 2018, printed figures without their numbers; these follow from the means of
the systems in the authors' companion data (`dvalcarce/evalMetrics` on GitHub).
"""

import itertools

import pandas as pd

from rankassay.statistics.rank_correlation import tau_b

COLUMNS = ["what", "a", "b", "published", "measured", "difference"]
CUTOFFS = (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
# Figure 5 shows what trec_eval makes of whole lists of 100 items; its nDCG's ideal is not cut.
METRICS = {
    "P": "P@100",
    "R": "R@100",
    "AP": "AP@100",
    "nDCG": "nDCG(truncate_ideal=False)@100",
    "RR": "RR@100",
    "Bpref": "Bpref@100",
    "infAP": "infAP@100",
}
DEPTH = 100  # of the authors' lists


def run(
    statistics: pd.DataFrame,
    popularity: pd.DataFrame,
    discriminative_power: pd.DataFrame,
    as_run: pd.DataFrame,
    figure_7: pd.DataFrame,
    table_3: pd.DataFrame,
    fidelity: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Compare the published numbers of one dataset with ours.

    Figures 1 and 5 are computed on both sides from the means of the systems that both have, so that
    systems and measures are the same under any definitions of the run. Of popularity, only tau-b
    was published.

    Returns
    -------
    DataFrame
        Columns what, a and b (what the number is of), published, measured and difference (measured
        - published). Empty for a dataset without published numbers. Of a symmetric matrix, each
        pair is there once.
    """
    dataset = str(statistics["dataset"].iloc[0])
    ours = popularity[popularity["correlation"] == "tau_b"].rename(columns={"tau": "measured"})
    theirs = figure_7[figure_7["dataset"] == dataset].rename(columns={"tau": "published"})
    parts = [*_of_means(fidelity), _joined("figure 7", theirs, ours, ["metric", "percentage"])]
    theirs = table_3[table_3["dataset"] == dataset].rename(columns={"dp": "published"})
    for name, source in {"as run": as_run, "as written": discriminative_power}.items():
        columns = {"dp": name}
        if (source["identical"] > 0).any():  # the published systems all differ
            columns["dp_all"] = f"{name}, all pairs"
        for column, words in columns.items():
            ours = source.rename(columns={column: "measured"})
            parts.append(_joined(f"table 3, {words}", theirs, ours, ["metric"]))
    parts = [part for part in parts if len(part)]
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=COLUMNS)
    table["difference"] = table["measured"] - table["published"]
    return table.reindex(columns=COLUMNS)


def _of_means(fidelity: pd.DataFrame | None) -> list[pd.DataFrame]:
    """Compare the systems' means, and figures 1 and 5, which follow from them."""
    if fidelity is None:
        return []
    sides = {
        side: fidelity.pivot(index="system", columns="metric", values=column)
        for side, column in (("published", "published"), ("measured", "ours"))
    }
    cutoffs = {str(cutoff): f"nDCG@{cutoff}" for cutoff in CUTOFFS}
    means = [
        pd.DataFrame({side: table[measure] for side, table in sides.items()})
        .rename_axis("a")
        .reset_index()
        .assign(what=f"systems by {name}")
        for name, measure in METRICS.items()
    ]
    return [_matrix("figure 1", sides, cutoffs), _matrix("figure 5", sides, METRICS), *means]


def _matrix(what: str, sides: dict[str, pd.DataFrame], measures: dict[str, str]) -> pd.DataFrame:
    """Return tau-b of the rankings under each pair of measures, on both sides.

    `sides` hold a row a system and a column a measure; `measures` are by the names to show.
    """
    rows = [
        {"what": what, "a": a, "b": b}
        | {
            side: float(tau_b(means[measures[a]].to_numpy(), means[measures[b]].to_numpy()))
            for side, means in sides.items()
        }
        for a, b in itertools.combinations(measures, 2)
    ]
    return pd.DataFrame(rows)


def _joined(what: str, theirs: pd.DataFrame, ours: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return published values next to those measured of the same keys, of which a is the first."""
    ours = ours[ours["cutoff"] == DEPTH]
    table = theirs[[*keys, "published"]].merge(ours[[*keys, "measured"]], on=keys)
    return table.rename(columns=dict(zip(keys, "ab", strict=False))).assign(what=what)
