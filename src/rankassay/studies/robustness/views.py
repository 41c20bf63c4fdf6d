"""Tables 1 to 3, published numbers in short, and figures 4, 5 and 8 in the authors' form."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from rankassay.answers import identical as same
from rankassay.drawing import correlation, incomplete
from rankassay.drawing.layout import Panel, select
from rankassay.drawing.table import MISSING, Table, at_cutoff, by_dataset, nothing
from rankassay.errors import number_of
from rankassay.metrics.catalogue import label, ordered
from rankassay.statistics.differences import in_short

DECIMALS = {"users": 0, "items": 0, "ratings": 0, "density": 3, "gini": 3}  # as printed in papers
SIGNIFICANT = 0.05
HEADINGS = {name: name.capitalize() for name in DECIMALS} | {"density": "Density (%)"}
PUBLISHED = "(published)"
QUARTILES = {"Q1": "ratings_q1", "Median": "ratings_median", "Q3": "ratings_q3"}
REMOVED = "Removed by filters"
# The columns of Table 3; see docs/reference/published.md on how they differ.
PUBLISHED_POWER, AS_RUN, AS_WRITTEN = "Published", "As run", "As written"
ALL_PAIRS = "all pairs"  # with those of identical systems

DIFFERENCES = {"dataset": "Dataset", "metric_a": "Metric", "metric_b": "Compared with"}
DIFFERENCES |= {"difference": "Difference", "low": "Low", "high": "High"}
DIFFERENCES |= {"p_value": "p", "p_holm": "p, Holm"}

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
    "The recommenders that the experimenter has implemented.",
)
OF_PUBLISHED = (
    "Differences are measured less published. τ of the orders: Kendall's τ-b of the published and "
    "our values of a row's cells, which are the systems' means in a row of systems, and metrics in "
    "those of table 3. Figures 1 and 5 are computed on both sides from the systems' means, by the "
    "same measures. As written, table 3 sums half as many p-values as were published: only the "
    "order compares."
)
NOTHING = "No dataset of this run has published numbers: there is nothing to compare."
COMPARED = {"mean": "Mean difference", "absolute": "Mean absolute difference"}
COMPARED |= {"largest": "Largest difference", "tau": "τ of the orders"}


def as_run_correlation(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau between the metrics of whole lists, one heat map per dataset.

    The cut-off is that of the table.
    """
    return correlation.metric_correlation(table, _with(table, panels, "cutoff"))


def as_run_p_values(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the p-values of all ordered pairs of systems, a line per metric of whole lists.

    The cut-off is that of the table.
    """
    return _ordered_pairs(table, _with(table, panels, "cutoff"))


def as_run_cutoffs(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the p-values of all ordered pairs of systems, a line per cut-off of one metric.

    The metric is that of the table.
    """
    return _ordered_pairs(table, _with(table, panels, "metric"))


def _ordered_pairs(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw p-values with those of identical systems, which the authors' form does not exclude."""
    return incomplete.p_values(table.assign(identical=False), panels, "ordered pair")


def _with(table: pd.DataFrame, panels: Sequence[Panel], column: str) -> list[Panel]:
    """Return panels that show what the table has of each dataset, in a column of one value."""
    return [panel | {column: select(table, panel, "dataset")[column].iloc[0]} for panel in panels]


def judgements(
    judgements: pd.DataFrame,
    titles: Mapping[str, str],
    n_systems: int,
    identical: pd.DataFrame | None = None,
) -> Table:
    """Return Table 1: the assumptions of evaluation in the two fields."""
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
    rows.append((*SYSTEMS, f"{number_of(n_systems, 'system')}{_of_which(identical, titles)}"))
    columns = ["Aspect", "Information retrieval", "Recommendation", "Measured here"]
    return Table(
        pd.DataFrame(rows, columns=columns),
        "What an evaluation assumes in information retrieval and in recommendation.",
        note="Disputed: the share of items with two test ratings or more that are relevant to "
        "one user and not to another. Pairs: those of a user and a candidate item.",
    )


def _of_which(identical: pd.DataFrame | None, titles: Mapping[str, str]) -> str:
    """Name the systems that are identical, by dataset; empty without any."""
    if identical is None:
        return ""
    groups = identical.groupby("dataset", sort=False)
    named = {name: same.in_short(own, 0) for name, own in groups if name in titles}
    if not named:
        return ""
    if len({*named.values()}) == 1 and len(named) == len(titles):
        return f", of which {next(iter(named.values()))} are identical"
    return "".join(f"; {titles[name]}: {own} are identical" for name, own in named.items())


def statistics(
    statistics: pd.DataFrame, split: pd.DataFrame, removed: pd.DataFrame, titles: Mapping[str, str]
) -> Table:
    """Return Table 2: the datasets' statistics next to the published ones, and their test sets.

    What filters removed has a column where a dataset has a filter: the statistics are those of all
    ratings.
    """
    known = statistics.set_index(["dataset", "statistic"])[["value", "published"]].astype(float)
    density = known.index.get_level_values("statistic") == "density"
    known[density] = (100 * known[density]).round(10)  # without the noise of the product
    test = split[split["part"] == "test"].set_index("dataset")
    left_out = removed.groupby("dataset")["ratings_removed"].sum()
    filtered = bool((removed["step"] > 0).any())
    rows = []
    for dataset, title in titles.items():
        # A variant has the ratings of its dataset, which has a row.
        own = (
            known.loc[[dataset]].droplevel(0)
            if dataset in known.index
            else known.iloc[:0].droplevel(0)
        )
        chosen = own.reindex(list(HEADINGS))
        row: dict[str, object] = {"Dataset": title}
        for name, heading in HEADINGS.items():
            row[heading] = chosen.loc[name, "value"]
            row[f"{heading} {PUBLISHED}"] = chosen.loc[name, "published"]
        differ = _differing(chosen)
        said = f"no: {', '.join(differ)}" if differ else "yes"
        row["Equal"] = MISSING if differ is None else said
        if filtered:
            row[REMOVED] = left_out[dataset]
        row["Test users"] = test.loc[dataset, "users"]
        row |= {name: test.loc[dataset, column] for name, column in QUARTILES.items()}
        rows.append(row)
    frame = pd.DataFrame(rows)
    frame = frame[[c for c in frame if not c.endswith(PUBLISHED) or frame[c].notna().any()]]
    printed = {
        column: DECIMALS[name]
        for name, heading in HEADINGS.items()
        for column in (heading, f"{heading} {PUBLISHED}")
    }
    counts = [column for column in frame if printed.get(column) == 0]
    frame = frame.astype(dict.fromkeys(counts, "Int64"))
    formatters = {column: f"{{:,.{decimals}f}}".format for column, decimals in printed.items()}
    formatters |= dict.fromkeys(("Test users", REMOVED), "{:,}".format) | dict.fromkeys(
        QUARTILES, "{:g}".format
    )
    caption = "Statistics of the datasets and of their test sets."
    note = (
        "Equal: whether all values that were published agree to the decimals shown. Test users: "
        "those with test ratings; Q1, Median, Q3: quartiles of how many they have each."
    )
    if filtered:
        note += f" {REMOVED}: how many of the ratings filters left out before or after the split."
    return Table(frame, caption, formatters, note=note)


def discriminative_power(
    discriminative_power: pd.DataFrame,
    as_run: pd.DataFrame | None,
    identical: pd.DataFrame,
    cutoff: int,
    titles: Mapping[str, str],
    published: pd.DataFrame | None = None,
) -> Table:
    """Return Table 3: discriminative power as published, as the authors ran it, and as written.

    Where systems are identical, the sums over all pairs are added, as in the published protocol.
    Those of the authors' procedure are over ordered pairs.
    """
    measured = at_cutoff(discriminative_power.query("dataset in @titles"), cutoff)
    if measured.empty:
        raise nothing("discriminative power", cutoff)
    sources = {
        PUBLISHED_POWER: published if published is not None else measured.iloc[:0],
        AS_RUN: as_run.query("cutoff == @cutoff") if as_run is not None else measured.iloc[:0],
        AS_WRITTEN: measured,
    }
    order = ordered(measured["metric"])
    index = pd.MultiIndex.from_product([titles, order], names=["dataset", "metric"])
    found = {
        name: _ranked(source[source["metric"].isin(order)]).reindex(index)
        for name, source in sources.items()
    }
    columns = {"Dataset": [titles[dataset] for dataset, _ in index]}
    columns |= {"Metric": [label(metric) for _, metric in index]}
    several = bool((measured["identical"] > 0).any())
    for name, source in found.items():
        columns[name] = source["dp"].astype(float)
        if several and name != PUBLISHED_POWER:
            columns[f"{name}, {ALL_PAIRS}"] = source["dp_all"].astype(float)
    written = found[AS_WRITTEN].astype({"low": float, "high": float})
    columns |= {"Low": written["low"], "High": written["high"]}
    columns |= {f"Rank, {name.lower()}": source["rank"] for name, source in found.items()}
    frame = pd.DataFrame(columns).reset_index(drop=True).dropna(axis="columns", how="all")
    values = [name for name in sources if name in frame]
    sums = [name for name in frame if name.partition(",")[0] in sources]
    counts = {name: set(source["pairs"]) for name, source in sources.items() if "pairs" in source}
    return Table(
        frame,
        f"Discriminative power of the metrics at cut-off {cutoff}: the sum of the p-values of "
        "all pairs of systems; lower is better, the best of each dataset is in bold.",
        dict.fromkeys([*sums, "Low", "High"], _decimals),
        {name: found[name]["best"].eq(True) for name in values},
        _power_note(values, counts, "Low" in frame)
        + _whole(measured)
        + _identical(identical, titles),
    )


def _power_note(values: list[str], counts: Mapping[str, set[int]], interval: bool) -> str:
    """Return the note on what the columns of Table 3 are sums of."""
    pairs = {name: "/".join(map(str, sorted(found))) for name, found in counts.items()}
    once = "each once, with its bootstrap interval over users" if interval else "each once"
    noun = "pair" if counts.get(AS_WRITTEN) == {1} else "pairs"
    sums = {
        AS_WRITTEN: "by the settings of the study, which are the paper's unless changed; the sum "
        f"over {pairs[AS_WRITTEN]} {noun}, {once}.",
        AS_RUN: f"the authors' procedure, on the same lists; the sum over {pairs[AS_RUN]} ordered "
        "pairs, in both orders of two systems, so about twice as much.",
        PUBLISHED_POWER: "21 systems, both orders of each pair.",
    }
    said = [f"{name}: {words}" for name, words in sums.items() if name in values]
    return " ".join(
        [
            *said,
            "The sum depends on the set of systems and on the number of pairs: compare within a "
            "dataset and column, by the ranks across columns.",
        ]
    )


def _whole(measured: pd.DataFrame) -> str:
    """Return which metrics take whole lists, and have no cut-off."""
    names = map(label, ordered(measured.loc[measured["cutoff"].isna(), "metric"]))
    return "".join(f" {name} is that of whole lists." for name in names)


def _identical(pairs: pd.DataFrame, titles: Mapping[str, str]) -> str:
    """Name the identical systems of each dataset, and say where their pairs count."""
    said = [
        f" {titles[dataset]}: {' '.join(same.sentences(own))}"
        for dataset, own in pairs.groupby("dataset", sort=False)
        if dataset in titles
    ]
    return "".join(said) and (
        f"{''.join(said)} Such a pair adds 1 to the sum over {ALL_PAIRS}, and 2 where both orders "
        "are summed, under every metric."
    )


def power_differences(
    power_differences: pd.DataFrame, cutoff: int, titles: Mapping[str, str]
) -> Table:
    """Return which of two metrics is the more discriminative, for all pairs of metrics."""
    known = at_cutoff(power_differences.query("dataset in @titles"), cutoff)
    known = known.sort_values("dataset", kind="stable", key=lambda of: of.map([*titles].index))
    shown = {"dataset": known["dataset"].map(titles)}
    shown |= {name: known[name].map(label) for name in ("metric_a", "metric_b")}
    frame = known.assign(**shown)[[*DIFFERENCES]].rename(columns=DIFFERENCES)
    return Table(
        frame,
        f"Differences in discriminative power between metrics at cut-off {cutoff}; below zero, the "
        "first metric has higher discriminative power.",
        dict.fromkeys(["Difference", "Low", "High"], "{:.2f}".format)
        | dict.fromkeys(["p", "p, Holm"], "{:.3f}".format),
        {"Difference": known["p_holm"] < SIGNIFICANT},
        "Low, High and p: from resampled users, the same for both metrics. In bold: p below 0.05 "
        "after Holm's correction for the pairs of metrics of a dataset.",
    )


def _decimals(value: float) -> str:
    """Return a value with the one decimal it was printed with, or else with two."""
    return f"{value:.1f}" if value == round(value, 1) else f"{value:.2f}"


def published(published: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return a row for each figure, table or order of systems that was published, by dataset."""
    rows = [
        {"Dataset": title, "What": what, "Cells": len(cells)} | in_short(cells)
        for title, own in by_dataset(published, titles)
        for what, cells in own.groupby("what", sort=False)
    ]
    columns = ["Dataset", "What", "Cells", *COMPARED]
    return Table(
        pd.DataFrame(rows, columns=columns).rename(columns=COMPARED),
        "Published against measured: the differences of the numbers and of their ranking.",
        dict.fromkeys(COMPARED.values(), "{:.3f}".format),
        note=OF_PUBLISHED if rows else NOTHING,
    )


def _differing(statistics: pd.DataFrame) -> list[str] | None:
    """Return the statistics of a dataset that are not the published ones, to the printed decimals.

    None where nothing was published.
    """
    known = statistics[statistics["published"].notna()]
    differ = [
        name
        for name, row in known.iterrows()
        if round(row["value"], DECIMALS[name]) != round(row["published"], DECIMALS[name])
    ]
    return None if known.empty else differ


def _ranked(power: pd.DataFrame) -> pd.DataFrame:
    """Return discriminative power by dataset and metric; rank and best are by the lowest sum."""
    rank = power["dp"].astype(float).groupby(power["dataset"]).rank(method="min")
    table = power.assign(rank=rank.astype("Int64"), best=rank == 1)
    return table.set_index(["dataset", "metric"])
