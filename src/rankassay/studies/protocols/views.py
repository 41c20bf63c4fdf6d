"""Figures and tables: splits, components, agreement, winners, and findings on metrics."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from rankassay.artifacts.replicate import ALL
from rankassay.claims.figure import matrix
from rankassay.drawing import style
from rankassay.drawing.layout import (
    PAGE,
    Panel,
    appearance,
    blank,
    correlation_label,
    handle,
    heading,
    select,
)
from rankassay.drawing.table import (
    Table,
    at_cutoff,
    by_dataset,
    shown,
    spread,
    stacked,
)
from rankassay.studies.protocols.conclusions import LOST, OUTCOMES

# From light to dark, so that they can be distinguished without colour.
COLOURS = {"system": "#DCE9F2", "protocol": "#5B9BC8", "seed": "#F2A541", "fold": "#8C4A00"}
# The mark of what replicates of one protocol agree with.
LUCK = {"marker": "|", "linestyle": "", "color": "0.2", "markersize": 6, "markeredgewidth": 1}
WINNER_COLOURS = (
    "#BFD7EA",
    "#F6D8AE",
    "#CFE8CF",
    "#E8C7DE",
    "#D9D9D9",
    "#F2E394",
    "#C7CEEA",
    "#F4B6A6",
)
CELL = (1.05, 0.3)  # inches
HEAD, SIDE = 1.3, 1.0  # inches: the names of the protocols, those of the metrics
SPLITS = {
    "removed": "Filtered out",
    "train_ratings": "Training",
    "test_ratings": "Test",
    "test_users": "Test users",
    "test_users_without_training": "without training",
    "test_users_with_later": "with later training",
    "train_ratings_after_first_test": "Training after the first test",
    "test_ratings_of_later_items": "Test of later items",
    "test_ratings_of_new_items": "Test of unseen items",
}
FACTORS = {
    "system": "System",
    "protocol": "Protocol",
    "split": "Split",
    "filter": "Filter",
    "seed": "Seed",
    "fold": "Fold",
}
AGREEMENT = {
    "measure": "Metric",
    "protocol_a": "Protocol",
    "protocol_b": "Other protocol",
    "tau": "Agreement",
    "interval": "Interval",
    "within": "Within",
    "shortfall": "Shortfall",
    "of_shortfall": "Interval of it",
}
WINNERS = {
    "measure": "Metric",
    "protocol": "Protocol",
    "winner": "Winner",
    "in_replicates": "in replicates (%)",
    "in_resamples": "in resamples (%)",
    "second": "Second",
    "reference_winner": "Winner of the reference",
    "place": "its place",
    "behind": "behind (%)",
    "another": "Another winner",
}
CRITERIA = {"sparsity": "Sparsity", "popularity": "Popularity", "power": "DP"}


@style.style()
def components(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the shares of the variance of systems' ranks as bars, a bar for each metric.

    Estimates below 0 count as 0. Next to the bars are the shares of split and filter, where they
    can be estimated separately.
    """
    rows = select(table, panels[0], "dataset")
    rows = shown(rows[rows["protocol"] == ALL], panels[0]["cutoff"])
    shares = rows.pivot(index="measure", columns="factor", values="share").clip(lower=0)
    shares = 100 * shares.reindex(index=rows["measure"].unique())
    parts = [name for name in COLOURS if name in shares]
    figure = blank((PAGE, 0.9 + 0.28 * len(shares)), layout="constrained")
    axes = figure.add_subplot()
    places, left = np.arange(len(shares)), np.zeros(len(shares))
    for name in parts:
        widths = shares[name].fillna(0).to_numpy()
        axes.barh(places, widths, left=left, color=COLOURS[name], height=0.7)
        for place, start, width in zip(places, left, widths, strict=True):
            if width >= 4:
                dark = name == "fold"
                look = {"fontsize": 6, "color": "white" if dark else "0.1"}
                axes.text(
                    start + width / 2, place, f"{width:.0f}", ha="center", va="center", **look
                )
        left = left + widths
    others = [name for name in ("split", "filter") if name in shares]
    for k, name in enumerate(others):
        at = max(left.max(), 100) + 8 + 14 * k
        axes.text(at, -0.75, FACTORS[name], ha="center", va="center", fontsize=6)
        for place, share in zip(places, shares[name], strict=True):
            text = "–" if np.isnan(share) else f"{share:.0f}"
            axes.text(at, place, text, ha="center", va="center", fontsize=6)
    axes.set_xlim(0, max(left.max(), 100) + 16 * len(others))
    axes.set_xticks([0, 20, 40, 60, 80, 100])
    axes.set_yticks(places, shares.index)
    axes.set_ylim(len(shares) - 0.4, -1.1)
    axes.set_xlabel("Share of the variance (%)")
    axes.spines["bottom"].set_bounds(0, max(left.max(), 100))
    handles = [Patch(facecolor=COLOURS[name], label=FACTORS[name]) for name in parts]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(parts))
    heading(figure, panels[0]["title"], fontsize=8)
    return figure


@style.style()
def agreement(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw how far each protocol agrees with the reference, by metric, compared with chance."""
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    reference = rows["protocol_a"].iloc[0]
    rows = rows[(rows["protocol_a"] == reference) & (rows["protocol_b"] != reference)]
    others, looks = [*rows["protocol_b"].unique()], style.metrics(rows["metric"].unique())
    figure = blank((PAGE, 1.1 + 0.55 * len(others)), layout="constrained")
    axes = figure.add_subplot()
    step = 0.8 / max(len(looks), 1)
    for k, (metric, look) in enumerate(looks.items()):
        own = rows[rows["metric"] == metric].set_index("protocol_b").reindex(others)
        y = np.arange(len(others)) - 0.4 + step * (k + 0.5)
        axes.hlines(y, own["low"], own["high"], color=look.colour, linewidth=1)
        axes.plot(own["tau"], y, **appearance(look) | {"linestyle": ""})
        axes.plot(own["within"], y, **LUCK)
    axes.set_yticks(range(len(others)), others)
    axes.set_ylim(len(others) - 0.45, -0.55)
    axes.set_xlabel(f"{correlation_label(table)} with {reference}")
    axes.set_title(panels[0]["title"], loc="left")
    handles = [handle(look) for look in looks.values()]
    handles += [Line2D([], [], **LUCK, label="two replicates\nof one protocol")]
    figure.legend(handles=handles, loc="outside right center")
    return figure


@style.style()
def winners(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a matrix of winners, each in a colour: metrics in rows, protocols in columns."""
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    protocols, measures = [*rows["protocol"].unique()], [*rows["measure"].unique()]
    names = [*rows["winner"].value_counts().index]
    size = (SIDE + CELL[0] * len(protocols), HEAD + CELL[1] * len(measures))
    figure = blank(size, layout="constrained")
    axes = figure.add_subplot()
    for row in rows.itertuples():
        x, y = protocols.index(row.protocol), measures.index(row.measure)
        colour = WINNER_COLOURS[names.index(row.winner) % len(WINNER_COLOURS)]
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="white"))
        weight = "bold" if row.beyond_luck else "normal"
        text = row.winner if len(row.winner) <= 18 else f"{row.winner[:16]} …"
        axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=6, weight=weight)
    axes.set_xlim(0, len(protocols))
    axes.set_ylim(len(measures), 0)
    axes.set_xticks(np.arange(len(protocols)) + 0.5, protocols, rotation=30, ha="left", fontsize=6)
    axes.set_yticks(np.arange(len(measures)) + 0.5, measures, fontsize=6)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(panels[0]["title"])
    return figure


def conclusions(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a matrix of verdicts, a row for each finding and a column for each protocol."""
    rows = table[table["dataset"] == panels[0]["dataset"]]  # of data that no paper is about: none
    names, protocols = ([*dict.fromkeys(rows[name])] for name in ("id", "protocol"))
    verdicts = rows.set_index(["id", "protocol"])["verdict"]
    cells = [[verdicts.get((name, protocol), "") for protocol in protocols] for name in names]
    figure = matrix(names, protocols, cells)
    heading(figure, panels[0]["title"], fontsize=7.5, fontweight="bold")
    return figure


def splits(splits: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return the counts of each protocol, on average over its replicates."""
    of_protocol = splits.groupby(["dataset", "protocol"], sort=False)
    means = of_protocol[[*SPLITS]].mean().assign(replicates=of_protocol.size()).reset_index()
    heads = {"protocol": "Protocol", "replicates": "Replicates", **SPLITS}
    return Table(
        stacked(means, heads, titles),
        "What is in training and test under each protocol, and what training knows of later.",
        dict.fromkeys(SPLITS.values(), "{:,.0f}".format),
        note="Ratings and users, on average over the replicates. With later training: test users "
        "with a training rating later than one of their test ratings. Training after the first "
        "test: training ratings later than the first test rating of all. Test of later items: test "
        "ratings of items whose training ratings are all from that time on; of unseen items: which "
        "have no training ratings. Without timestamps, what needs them is left out.",
    )


def components_table(components: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the shares of the variance of rankings by factor, in percent."""
    rows = shown(components[components["protocol"] == ALL], cutoff, "protocols")
    names = [name for name in FACTORS if name in set(rows["factor"])]
    wide = spread(rows.assign(share=100 * rows["share"]), ["measure"], "factor", "share")
    heads = {"measure": "Metric", **{name: FACTORS[name] for name in names}}
    return Table(
        stacked(wide, heads, titles),
        "What the scores of systems depend on: shares of the variance, in percent.",
        {FACTORS[name]: "{:.1f}".format for name in names},
        note="System: the share due to the systems under all protocols. Protocol: due to the "
        "protocol; split and filter: due to this part of it alone. Seed and fold: due to the "
        "replicate of one protocol. A share is an estimate, which may be below 0 where there is "
        "no effect.",
    )


def agreement_table(agreement: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the agreement of each pair of protocols, compared with pairs of replicates of one."""
    pairs = agreement[agreement["protocol_a"] != agreement["protocol_b"]]
    rows = shown(pairs, cutoff, "protocols")
    rows = rows.assign(
        interval=_intervals(rows, "low", "high"),
        of_shortfall=_intervals(rows, "shortfall_low", "shortfall_high"),
    )
    three = dict.fromkeys(("Agreement", "Within", "Shortfall"), "{:.3f}".format)
    return Table(
        stacked(rows, AGREEMENT, titles),
        "Agreement of two protocols on the ranking of systems, and of two replicates of one of "
        "them.",
        three,
        note="Agreement: the mean correlation of the rankings of a replicate of each. Within: the "
        "same for two replicates of one protocol, the mean of both protocols. Shortfall: within "
        "minus agreement; above 0, protocols differ by more than luck. Intervals: 95 %, over "
        "resampled users.",
    )


def winners_table(winners: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the winner under each protocol."""
    rows = shown(winners, cutoff, "protocols")
    shares = {name: 100 * rows[name] for name in ("in_replicates", "in_resamples", "behind")}
    another = rows["beyond_luck"].map({True: "yes", False: ""})
    rows = rows.assign(**shares, second=rows["second"].fillna(""), another=another)
    frame = stacked(rows, WINNERS, titles)
    percent = [name for name in frame if name.endswith("(%)")]
    return Table(
        frame,
        "Which system wins under each protocol.",
        dict.fromkeys(percent, "{:.0f}".format),
        {"Winner": (frame["Another winner"] == "yes").tolist()},
        note="The reference is the first protocol. In replicates, in resamples: in how many of the "
        "replicates, and of the resamples of the users, a winner wins. Behind: in how many "
        "resamples the winner of the reference loses. Bold: another winner, and the winner of the "
        "reference loses in at least 95 % of the resamples.",
    )


def _intervals(rows: pd.DataFrame, low: str, high: str) -> list[str]:
    ends = zip(rows[low], rows[high], strict=True)
    return [f"[{a:.3f}, {b:.3f}]" if pd.notna(a) else "" for a, b in ends]


def conclusions_table(conclusions: pd.DataFrame, titles: Mapping[str, str]) -> Table:
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
        "best. Measured on the first replicate of a protocol; the second one of the first protocol "
        "shows what luck changes.",
    )
