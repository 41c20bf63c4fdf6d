"""Tables of the study of protocols: splits, variance components, and winners."""

from collections.abc import Mapping

import pandas as pd

from rankassay.artifacts.replicate import ALL
from rankassay.drawing.table import Table, shown, spread, stacked

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


def components(components: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
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


def agreement(agreement: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
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


def winners(winners: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
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
