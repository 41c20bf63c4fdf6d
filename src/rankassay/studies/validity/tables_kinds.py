"""Tables of worlds of several kinds."""

import pandas as pd

from rankassay.drawing.table import Table
from rankassay.studies.validity.kinds_summary import ALWAYS, MEAN_RANK
from rankassay.studies.validity.tables import or_missing
from rankassay.studies.validity.words_kinds import (
    ALL,
    APART,
    HALVES,
    SHOWN,
    kind_name,
    measure_name,
)

# The kinds of APART, and what the last row of each table is about.
TOGETHER = "All together: without the kinds that are reported apart, the last ones."
STRATEGIES = {
    "power": "Highest discriminative power",
    "sparsity": "Most robust to sparsity",
    "popularity": "Most robust to popularity",
    MEAN_RANK: "Best average rank",
    ALWAYS: "Always nDCG@10",
}


def kinds(kinds: pd.DataFrame) -> Table:
    """Return tau with the truth and the loss of the winner, by kind and measure."""
    rows = kinds[kinds["half"] == HALVES[1]]
    names = list(dict.fromkeys(rows["kind"]))
    frame = pd.DataFrame({"Worlds": [*map(kind_name, names)]})
    for metric, cutoff in SHOWN:
        own = rows[(rows["metric"] == metric) & (rows["cutoff"] == cutoff)]
        own = own.set_index("kind").reindex(names)
        frame[measure_name(metric, cutoff)] = [*map(_tau_and_loss, own["tau"], own["loss"])]
    chosen = rows[rows["chosen"]].set_index("kind").reindex(names)
    frame["Chosen"] = [*map(measure_name, chosen["metric"], chosen["cutoff"])]
    return Table(
        frame,
        "Simulated worlds by what decides which ratings are observed: Kendall's τ of the systems' "
        "observed order and their order by true P@10, and the share of true P@10 that the observed "
        "winner loses.",
        note=f"Means over the worlds of the second half. {TOGETHER} Chosen: the measure with the "
        "highest mean τ in the first half; of all kinds, the one whose greatest shortfall in any "
        "kind is least.",
    )


def _tau_and_loss(tau: float, loss: float) -> str:
    if pd.isna(tau):
        return or_missing("{}")(tau)
    return f"{tau:.2f} / {100 * loss:.0f} %"


def strategies(strategies: pd.DataFrame) -> Table:
    """Return how valid the measure is that each strategy takes, over all kinds."""
    rows = strategies[strategies["kind"] == ALL]
    columns = {"among": "Among", "strategy": "Strategy", "correlation": "τ of criterion"}
    frame = rows.assign(strategy=rows["strategy"].map(STRATEGIES))[[*columns, "tau", "loss"]]
    frame = frame.rename(columns=columns | {"tau": "τ with truth", "loss": "Loss"})
    several = strategies[~strategies["kind"].isin([ALL, *APART])].groupby(
        ["among", "strategy"], sort=False
    )
    ends = several["tau"].agg(["min", "max"]).reset_index()
    frame["Lowest kind"], frame["Highest kind"] = ends["min"].to_numpy(), ends["max"].to_numpy()
    number = or_missing("{:.2f}")
    return Table(
        frame.reset_index(drop=True),
        "Simulated worlds: whether a criterion that needs no truth leads to a valid measure.",
        dict.fromkeys(["τ of criterion", "τ with truth", "Lowest kind", "Highest kind"], number)
        | {"Loss": "{:.0%}".format},
        note=f"{TOGETHER} τ of criterion: Kendall's τ, over the measures of a world, of the "
        "criterion and of agreement with the truth (true P@10). Loss: of true P@10 by the winner "
        "under the measure that the strategy takes. Lowest and highest: the mean τ with the truth "
        "in any kind.",
    )


def gamma(gamma: pd.DataFrame) -> Table:
    """Return how often pairs that are significant at a bound of weights have the wrong sign."""
    rows = gamma[gamma["half"] == ALL]
    wide = rows.pivot(index="kind", columns="gamma", values="wrong").loc[
        [*dict.fromkeys(rows["kind"])]
    ]
    ratio = rows.drop_duplicates("kind").set_index("kind")["ratio_95"]
    frame = wide.rename(columns=lambda bound: f"Γ = {bound:g}").assign(ratio=ratio)
    frame.insert(0, "Worlds", [*map(kind_name, frame.index)])
    bounds = [name for name in frame if name.startswith("Γ")]
    heading = "95th percentile of the ratio"
    return Table(
        frame.rename(columns={"ratio": heading}).reset_index(drop=True),
        "Simulated worlds: of the pairs of systems that differ significantly under P@10 at a bound "
        "Γ of the weights of hits, the share whose true difference has the other sign.",
        dict.fromkeys(bounds, or_missing("{:.1%}")) | {heading: or_missing("{:.1f}")},
        note=f"Γ = 1 is the usual test. {TOGETHER} The ratio is what Γ bounds, of each pair: the "
        "root of the mean weight of the other system's hits divided by that of the leader's, with "
        "the weights that the world's own propensities give.",
    )
