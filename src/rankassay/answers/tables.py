"""Tables of the answer: metrics by all criteria, and average ranks across datasets."""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from rankassay.answers import findings
from rankassay.answers.findings import (
    ACROSS,
    BY_YARDSTICK,
    OVERALL,
    VALIDITY_NEW,
    average_ranks,
    metrics_at,
)
from rankassay.answers.validity import COUNTED
from rankassay.drawing.comparison_table import raised
from rankassay.drawing.table import MISSING, Table, by_dataset, shown
from rankassay.errors import listed
from rankassay.metrics.catalogue import label
from rankassay.statistics.across_datasets import ENOUGH
from rankassay.statistics.paired import letters

CRITERIA = {"sparsity": "Sparsity", "popularity": "Popularity", "power": "DP"}
MEAN_RANK = "Average rank"
LETTERS = (
    "Raised letters name those from which one differs significantly (Friedman's test with the "
    f"correction of Iman and Davenport, then Nemenyi's), which takes {ENOUGH} sources or more. "
)
SOURCES = "Datasets of one source count as one. "
NOTHING = "No two can be compared on two sources of data or more."


def summary(summary: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return all metrics at the reference cut-off by the three criteria, the best first."""
    parts = [_of_dataset(own, cutoff, title) for title, own in by_dataset(summary, titles)]
    frame = pd.concat([part for part, _ in parts], ignore_index=True)
    marked = pd.concat([best for _, best in parts], ignore_index=True)
    new = BY_YARDSTICK[VALIDITY_NEW]
    if frame[new].isna().all():
        frame, marked = frame.drop(columns=new), marked.drop(columns=new)
    three = [*CRITERIA.values()]
    interval = ", with its interval over resampled users" if frame["Low"].notna().any() else ""
    return Table(
        frame,
        f"Which metric to trust at cut-off {cutoff}: robustness to sparsity and to popularity, and "
        "discriminative power (DP). In bold: the best, where it is significantly better than all "
        "others.",
        dict.fromkeys(three[:2], "{:.3f}".format)
        | dict.fromkeys([three[2], "Low", "High"], "{:.2f}".format)
        | {MEAN_RANK: "{:.1f}".format}
        | dict.fromkeys(BY_YARDSTICK.values(), "{:.3f}".format),
        marked,
        "Sparsity, Popularity: the mean correlation with the ranking on the whole test set; higher "
        "is better; an undefined one (all systems tie) counts as 0. DP: the sum of p-values, lower "
        f"is better{interval}. Average rank: over the three criteria. Best cut-off: the metric's "
        "smallest cut-off that is tied with its best (95%). Validity: τ with the true ranking, for "
        f"{listed([*COUNTED.values()])}, from judgements of random items; {MISSING} where the data "
        "have none, or the study validity did not run.",
    )


def _of_dataset(rows: pd.DataFrame, cutoff: int, title: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of one dataset, and which cells differ significantly from all others."""
    columns = {**CRITERIA, OVERALL: MEAN_RANK, **BY_YARDSTICK}
    order = findings.order(rows, cutoff)
    shown = rows[rows["cutoff"] == cutoff]
    value, low, high = (
        shown.pivot(index="metric", columns="criterion", values=name)
        .loc[order]
        .reindex(columns=[*columns])
        for name in ("value", "low", "high")
    )
    frame = value[[*columns]].astype(float).rename(columns=columns)
    place = frame.columns.get_loc("DP") + 1
    frame.insert(place, "Low", low["power"].astype(float))
    frame.insert(place + 1, "High", high["power"].astype(float))
    frame.insert(0, "Dataset", title)
    frame.insert(1, "Metric", [*map(label, order)])
    best = [findings.best_cutoff(rows, metric) for metric in order]
    frame["Best cut-off"] = [*map(findings.at, best)]
    found = {name: findings.finding(rows, key, cutoff) for key, name in columns.items()}
    marked = {
        name: [own is not None and own.winner and m in own.best for m in order]
        for name, own in found.items()
    }
    return frame, pd.DataFrame(marked, index=order)


def sentence(rows: pd.DataFrame, measure: str = "") -> str:
    """Return the findings on the systems under one measure, or on the metrics by one criterion.

    A system is named as better only if both tests say so on `ENOUGH` sources or more. No metric is:
    all of them differ if Friedman's test says so, and next to it stand the same test without any
    one source, and a mixed model of all datasets.
    """
    first = rows.iloc[0]
    said, name = (_systems(rows, measure), str) if measure else (_metrics(rows), label)
    if first["sources"] < ENOUGH:
        said = too_few(first["sources"])
    if pd.isna(first["left_out"]) or not first["left_out"]:
        return said
    names = listed([*map(name, first["left_out"].split(", "))])
    return f"{said} Not compared, for lack of results on some datasets: {names}."


def too_few(n: int) -> str:
    """Return that these are too few sources."""
    return f"{n} sources are too few for significant differences: it takes {ENOUGH} or more."


def _systems(rows: pd.DataFrame, measure: str) -> str:
    n, p, alpha = (rows[name].iloc[0] for name in ("sources", "p_friedman", "alpha"))
    ranks = average_ranks(rows)
    first = ranks.index[0]
    said = f"On {rows['datasets'].iloc[0]} datasets of {n} sources, {_leading(ranks)}"
    told = rows[(rows["system_a"] == first) & rows["apart"]]
    if told.empty:
        return (
            f"{said}. No system is significantly better under {measure} than another (Iman and "
            f"Davenport, {_p(p)}; Nemenyi, α = {alpha:g})."
        )
    beaten = [*told["system_b"]]
    others = [name for name in ranks.index[1:] if name not in beaten]
    rest = f" It is not significantly better than {listed(others)}." if others else ""
    wins = told["wins"].min()
    each = f"each of these on at least {wins}" if len(told) > 1 else f"it on {wins}"
    return (
        f"{said}. {first} is significantly better under {measure} than {listed(beaten)} (Nemenyi, "
        f"p < {alpha:g}). It beats {each} of {n} sources.{rest}"
    )


def _metrics(rows: pd.DataFrame) -> str:
    own = rows.iloc[0]
    at = "" if pd.isna(own["cutoff"]) else f"At cut-off {own['cutoff']:g}, "
    said = f"{at}{_leading(rows.set_index('metric')['rank'].rename(label))}. Ranks are means over "
    said += f"{own['sources']} sources with {own['datasets']} datasets. "
    found = "agrees" if own["p_mixed"] < own["alpha"] else "finds no significant difference"
    if own["p_friedman"] >= own["alpha"]:
        found = "finds one" if own["p_mixed"] < own["alpha"] else "finds none, either"
        return (
            f"{said}No significant difference among the metrics ({_p(own['p_friedman'])}); a mixed "
            f"model of all datasets {found} ({_p(own['p_mixed'])})."
        )
    alone = f"but not without {own['without']} ({_p(own['p_without'])})"
    if own["p_without"] < own["alpha"]:
        alone = f"also without any one source ({_p(own['p_without'], 'at most')})"
    return (
        f"{said}The metrics differ significantly ({_p(own['p_friedman'])}), {alone}. A mixed model "
        f"of all datasets {found} ({_p(own['p_mixed'])})."
    )


def _leading(ranks: pd.Series) -> str:
    """Return who has the best average rank."""
    sharing = [*ranks.index[ranks == ranks.min()]]
    has = "have" if sharing[1:] else "has"
    return f"{listed(sharing)} {has} the best average rank ({ranks.min():.1f})"


def _p(p: float, sign: str = "=") -> str:
    """Return a p-value as people write it, with a decimal more just below the usual level."""
    text = f"{p:.{4 if 0.0495 <= p < 0.05 else 3}f}".rstrip("0").rstrip(".")
    return "p < .001" if p < 0.001 else f"p {sign} {text.removeprefix('0')}"


def systems_across(systems_across: pd.DataFrame, cutoff: int) -> Table:
    """Return the average ranks of the systems by each metric at the reference cut-off."""
    parts = dict([*shown(systems_across, cutoff).groupby("measure", sort=False)])
    said = {measure: sentence(own, measure) for measure, own in parts.items()}
    ranks = {measure: average_ranks(own) for measure, own in parts.items()}
    found = _table("System", f"systems by the metrics at cut-off {cutoff}", ranks, said)
    names = found.frame["System"]
    letter = dict(zip(names, letters(len(names)), strict=True))
    above = {}
    for measure, own in parts.items():
        told = own.loc[own["apart"], ["system_a", "system_b"]].to_numpy()
        beaten = [[letter[b] for a, b in told if a == each] for each in names]
        above[measure] = [raised(",".join(sorted(each, key=_place))) for each in beaten]
    found.frame.insert(0, "", [*letter.values()])
    return replace(found, raised=above, note=LETTERS + found.note)


def metrics_across(metrics_across: pd.DataFrame, cutoff: int) -> Table:
    """Return the average ranks of the metrics by each criterion; see `systems_across`.

    `metrics_across` are those of `rankassay.answers.across.metrics_across`.
    """
    rows = metrics_at(metrics_across, cutoff)
    own = {head: rows[rows["criterion"] == criterion] for criterion, head in ACROSS.items()}
    parts = {head: each for head, each in own.items() if len(each)}
    said = {head: sentence(each) for head, each in parts.items()}
    ranks = {head: each.set_index("metric")["rank"].rename(label) for head, each in parts.items()}
    of = f"metrics at cut-off {cutoff}" if rows["cutoff"].notna().any() else "metrics"
    return _table("Metric", of, ranks, said)


def _table(what: str, of: str, ranks: Mapping[str, pd.Series], said: Mapping[str, str]) -> Table:
    """Return a table with a row for each name, and a column of average ranks for each part.

    `ranks` are these by part, in the order of the first of them, and `said` is what they say.
    """
    names = [*dict.fromkeys(each for own in ranks.values() for each in own.index)]
    frame = pd.DataFrame({head: own.reindex(names) for head, own in ranks.items()}, index=names)
    heads = {each: [head for head in said if said[head] == each] for each in said.values()}
    notes = [f"{listed(of_these)}: {each}" for each, of_these in heads.items()]
    return Table(
        frame.rename_axis(what).reset_index(),
        f"Average ranks across datasets of the {of}; 1 is the best.",
        dict.fromkeys(ranks, "{:.2f}".format),
        frame.eq(frame.min()).reset_index(drop=True),
        SOURCES + (" ".join(notes) or NOTHING),
    )


def _place(letter: str) -> tuple[int, str]:
    """Return what orders letters: z stands before aa."""
    return len(letter), letter
