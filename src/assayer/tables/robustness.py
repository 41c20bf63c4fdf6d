"""Tables 1 to 3 of the study of robustness and discriminative power."""

from collections.abc import Mapping

import pandas as pd

from assayer.errors import AssayerError
from assayer.figures import style
from assayer.tables.write import MISSING, Table

DECIMALS = {"users": 0, "items": 0, "ratings": 0, "density": 3, "gini": 3}  # as printed in papers
HEADINGS = {
    "users": "Users",
    "items": "Items",
    "ratings": "Ratings",
    "density": "Density (%)",
    "gini": "Gini",
}
PUBLISHED = "(published)"
# See data/published/README.md on the two orders.
REFERENCE = (
    " Published values come from 21 systems and are sums over both orders of each pair: "
    "halve them to compare."
)

# Aspect, in information retrieval, in recommendation, the fact measured, and its wording.
ASSUMPTIONS: tuple[tuple[str, ...], ...] = (
    (
        "Information need",
        "Stated by a query; being about its topic stands in for being useful.",
        "Never stated: it has to be guessed from past behaviour, and there are many ways to guess.",
        "",
        "",
    ),
    (
        "Relevance",
        "One judgement per query and document serves every searcher.",
        "Personal: what suits one user may displease another.",
        "disputed",
        "Disputed items",
    ),
    (
        "Judgements",
        "Nearly complete down to the depth of the pool.",
        "The few ratings held out; nearly all pairs of user and item are unknown.",
        "judged",
        "Judged pairs",
    ),
)
SYSTEMS = (
    "Systems compared",
    "The runs which many groups hand in to a shared task.",
    "Whatever recommenders the experimenter has implemented.",
)


def assumptions(judgements: pd.DataFrame, titles: Mapping[str, str], n_systems: int) -> Table:
    """Return Table 1: what evaluation takes for granted in the two fields.

    Parameters
    ----------
    judgements : pandas.DataFrame
        Columns dataset, fact and value, with the facts that `assayer.analysis.judgements`
        measures: judged and disputed, shares from 0 to 1.
    titles : mapping
        By short name, the dataset's title; its order is that in the cells.
    n_systems : int
        How many systems the study compares.
    """
    shares = judgements.set_index(["fact", "dataset"])["value"]
    rows = []
    for aspect, retrieval, recommendation, fact, wording in ASSUMPTIONS:
        measured = [
            f"{title} {100 * shares[fact, dataset]:.3g} %"
            for dataset, title in titles.items()
            if (fact, dataset) in shares.index
        ]
        cell = f"{wording}: {'; '.join(measured)}" if measured else MISSING
        rows.append((aspect, retrieval, recommendation, cell))
    systems = "1 system" if n_systems == 1 else f"{n_systems} systems"
    rows.append((*SYSTEMS, systems))
    columns = ["Aspect", "Information retrieval", "Recommendation", "Measured here"]
    return Table(
        pd.DataFrame(rows, columns=columns),
        "What an evaluation assumes in information retrieval and in recommendation.",
        note="Disputed: among the items with two test ratings or more, those that are relevant to "
        "one user and not to another. Pairs: those of a user and a candidate item.",
    )


def statistics(statistics: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return Table 2: the datasets' statistics beside the published ones.

    Parameters
    ----------
    statistics : pandas.DataFrame
        Columns dataset, statistic, value and published (may be NaN); the density is a fraction.
    titles : mapping
        By short name, the dataset's title; its order is that of the rows.
    """
    known = statistics.set_index(["dataset", "statistic"])[["value", "published"]].astype(float)
    density = known.index.get_level_values("statistic") == "density"
    known[density] = (100 * known[density]).round(10)  # without the noise of the product
    rows = []
    for dataset, title in titles.items():
        chosen = known.loc[dataset].reindex(list(HEADINGS))
        row: dict[str, object] = {"Dataset": title}
        for name, heading in HEADINGS.items():
            row[heading] = chosen.loc[name, "value"]
            row[f"{heading} {PUBLISHED}"] = chosen.loc[name, "published"]
        rows.append({**row, "Equal": _equal(chosen)})
    frame = pd.DataFrame(rows)
    frame = frame[[c for c in frame if not c.endswith(PUBLISHED) or frame[c].notna().any()]]
    formats = {
        heading + suffix: decimals
        for (heading, decimals) in zip(HEADINGS.values(), DECIMALS.values(), strict=True)
        for suffix in ("", f" {PUBLISHED}")
    }
    counts = [column for column in frame if formats.get(column) == 0]
    frame = frame.astype(dict.fromkeys(counts, "Int64"))
    formatters = {column: f"{{:,.{decimals}f}}".format for column, decimals in formats.items()}
    caption = "Statistics of the datasets."
    note = "Equal: whether all values that were published agree to the decimals shown."
    return Table(frame, caption, formatters, note=note)


def discriminative_power(
    discriminative_power: pd.DataFrame,
    cutoff: int,
    titles: Mapping[str, str],
    published: pd.DataFrame | None = None,
) -> Table:
    """Return Table 3: the sum of the p-values of all pairs of systems, per dataset and metric.

    Parameters
    ----------
    discriminative_power : pandas.DataFrame
        Columns dataset, metric, cutoff, pairs, dp.
    cutoff : int
        The reference cut-off.
    titles : mapping
        By short name, the dataset's title; its order is that of the rows.
    published : pandas.DataFrame or None
        Columns dataset, metric, dp: values to show below those measured.
    """
    measured = discriminative_power.query("cutoff == @cutoff and dataset in @titles")
    if measured.empty:
        raise AssayerError(
            f"no discriminative power to show: expected rows at cut-off {cutoff}, found none."
        )
    order = style.metric_order(list(measured["metric"]))
    rows = _power_rows({"measured": measured, "published": published}, titles, order)
    labels = [style.metric(name).label for name in order]
    frame = pd.DataFrame(rows, columns=["Dataset", "Values", "Pairs", *labels])
    frame["Pairs"] = frame["Pairs"].astype("Int64")
    marked = pd.DataFrame(False, index=frame.index, columns=frame.columns)
    marked[labels] = frame[labels].eq(frame[labels].min(axis=1), axis=0)
    return Table(
        frame,
        f"Discriminative power of the metrics at cut-off {cutoff}: the sum of the p-values of "
        "all pairs of systems; lower is better, the best of each row is in bold.",
        dict.fromkeys(labels, _decimals),
        marked,
        "The sum depends on the set of systems and on the number of pairs: compare within a row."
        + (REFERENCE if "published" in set(frame["Values"]) else ""),
    )


def _power_rows(
    sources: Mapping[str, pd.DataFrame | None], titles: Mapping[str, str], order: list[str]
) -> list[list]:
    """Return the rows of Table 3: title, source, pairs of systems (if known), and the metrics."""
    rows = []
    for dataset, title in titles.items():
        for origin, source in sources.items():
            if source is None or dataset not in set(source["dataset"]):
                continue
            chosen = source[source["dataset"] == dataset]
            pairs = chosen["pairs"].max() if "pairs" in chosen else None
            rows.append([title, origin, pairs, *chosen.set_index("metric")["dp"].reindex(order)])
    return rows


def _decimals(value: float) -> str:
    """Return a value with the one decimal it was printed with, or else with two."""
    return f"{value:.1f}" if value == round(value, 1) else f"{value:.2f}"


def _equal(chosen: pd.DataFrame) -> str:
    """Return whether a dataset's values are the published ones, and if not, which differ."""
    known = chosen[chosen["published"].notna()]
    differ = [
        name
        for name, row in known.iterrows()
        if round(row["value"], DECIMALS[name]) != round(row["published"], DECIMALS[name])
    ]
    if known.empty:
        return MISSING
    return f"no: {', '.join(differ)}" if differ else "yes"
