"""The study's figures, tables and sentences."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from rankassay.answers.identical import power as power_of_pairs
from rankassay.answers.words import of_enough
from rankassay.drawing import style
from rankassay.drawing.layout import PAGE, Panel, blank, heading, power_bars, rows_of, select
from rankassay.drawing.sentences import fill
from rankassay.drawing.table import (
    ALIKE,
    Table,
    answered_at,
    name_of,
    named,
    shown,
    spread,
    stacked,
    tenth,
    told,
)
from rankassay.drawing.text import sum_of_p_values
from rankassay.errors import number_of
from rankassay.studies.preferences.comparisons import is_metric


def told_apart(differences: pd.DataFrame) -> str:
    """Return whether preferences are more discriminative than metrics, in a sentence.

    `differences` are rows of `rankassay.studies.preferences.comparisons.power_differences` at one
    cut-off. A difference is significant if its interval (95%) is on one side of 0; that is not
    corrected for the number of comparisons.

    >>> rows = pd.DataFrame({"difference": [-2, 1, 3], "low": [-5, -2, 1], "high": [1, 4, 5]})
    >>> told_apart(rows).partition(". ")[2]
    'Metrics have the lower DP in 2 (1 significantly).'
    """
    if differences.empty:
        return "Unknown: no preference can be compared with a metric."
    lower, higher = differences["difference"] < 0, differences["difference"] > 0
    values = {"lower": lower.sum() or "none", "higher": higher.sum() or "none"}
    values |= {"all": number_of(len(differences), "comparison")}
    if differences[["low", "high"]].isna().any(axis=None):
        said = _SIDES.format(**values, sure="", other="")
        return f"{said} No difference is tested without resamples of the users."
    sure, other = (differences["high"] < 0).sum(), (differences["low"] > 0).sum()
    verdict = "Some do" if sure else "Not significantly" if lower.any() else "No"
    tested = {
        "sure": f" ({sure or 'none'} significantly)",
        "other": f" ({other or 'none'} significantly)",
    }
    said = _SIDES.format(**values, **tested)
    return f"{verdict}: {said[0].lower()}{said[1:]}"


_SIDES = (
    "Preferences have the lower DP (sum of p-values) in {lower} of {all} with metrics{sure}. "
    "Metrics have the lower DP in {higher}{other}."
)


TIED = "#B0B0B0"


@style.style()
def power(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the shares of significantly different pairs and of tied preferences, as bars."""
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    figure = blank((PAGE, 1.0 + 0.2 * len(rows)), layout="constrained")
    apart, tied = figure.subplots(1, 2, sharey=True)
    power_bars(apart, rows, 1.14)
    tied.barh(range(len(rows)), 100 * rows["tied"].fillna(0), height=0.6, color=TIED)
    tied.set_xlabel("Users' comparisons that are ties (%)")
    tied.set_xlim(0, 100)
    for axes in (apart, tied):
        rows_of(axes, rows["measure"])
    heading(figure, panels[0]["title"], fontsize=8)
    return figure


def power_table(power: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the number of significantly different pairs under each preference and metric."""
    rows = shown(power, cutoff, "power")
    return power_of_pairs(
        rows,
        titles,
        "Preference",
        "Pairs of systems that differ significantly under each preference between lists and each "
        "metric.",
        f"There are {rows['permutations'].max():,} permutations.",
        "Ties: the share of the users' comparisons of two systems without a preference. Different "
        "systems that tie under a preference or metric stay a pair, with p = 1.",
        {"tied": "Ties"},
        {"Ties": _share},
    )


def robustness(
    sparsity: pd.DataFrame, popularity: pd.DataFrame, cutoff: int, titles: Mapping[str, str]
) -> Table:
    """Return the robustness of the ranking, a row for each preference and metric."""
    parts = []
    for table, column, what in (
        (sparsity, "level", "ratings"),
        (popularity, "percentage", "items"),
    ):
        rows = shown(table, cutoff, "robustness")
        levels = sorted(rows[column].unique(), reverse=True)
        wide = spread(rows, ["measure"], column, "tau").set_index(["dataset", "measure"])
        parts.append(wide[levels].rename(columns={x: f"{x:g} % of {what}" for x in levels}))
    wide = pd.concat(parts, axis=1).reset_index()
    heads = {"measure": "Preference"} | {head: head for head in wide.columns[2:]}
    return Table(
        stacked(wide, heads, titles),
        "Robustness of the ranking of systems to the removal of test ratings.",
        dict.fromkeys([*heads.values()][1:], "{:.3f}".format),
        note="Kendall's τ-b with the ranking on all test ratings, by what is left: random ratings "
        "(the mean over samples), or the ratings of the least popular items.",
    )


def aggregation(aggregation: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the agreement of the rankings by different methods from the same preferences."""
    rows = shown(aggregation, cutoff, "aggregation")
    wide = spread(rows, ["measure", "circular"], "method", "tau")
    heads = {"measure": "Preference"} | METHODS | {"circular": "Circular"}
    heads = {name: head for name, head in heads.items() if name in wide}
    return Table(
        stacked(wide, heads, titles),
        "Rankings by win rates, Borda, Copeland and MC4, compared with the ranking by mean "
        "preferences.",
        dict.fromkeys(METHODS.values(), "{:.3f}".format),
        note="Kendall's τ-b with the ranking by the mean preference over users and other systems. "
        "Circular: intransitive triples of systems (most users prefer A to B, B to C and C to A).",
    )


METHODS = {"wins": "Win rate", "borda": "Borda", "copeland": "Copeland", "mc4": "MC4"}


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def answers(
    power: pd.DataFrame | None,
    orders: pd.DataFrame | None,
    sparsity: pd.DataFrame | None,
    aggregation: pd.DataFrame | None,
    power_differences: pd.DataFrame | None,
    cutoff: int,
    titles: Mapping[str, str],
) -> Table:
    """Return the findings on each dataset."""
    asked = [
        ("Do preferences have more discriminative power?", power_differences, told_apart),
        ("Which metric has the most, and which preference more?", power, _more_discriminative),
        ("How often do users see no difference?", power, _tied),
        ("Do they agree with the rankings under metrics?", orders, of_enough(_agreeing)),
        ("Are they robust to sparsity?", sparsity, of_enough(_robustness)),
        ("Does the aggregation change the ranking?", aggregation, of_enough(_made)),
    ]
    return answered_at(cutoff, asked, titles, "Preferences between lists, in short.")


def _more_discriminative(rows: pd.DataFrame) -> str:
    """Return which preferences have a lower sum of p-values than the best metrics.

    Sums over fewer pairs than others have are not compared. It is about the measured sums;
    `told_apart` says which differences are significant.
    """
    known = rows.dropna(subset="dp")
    own, metrics = _sides(known[known["pairs"] == known["pairs"].max()])
    if own.empty or metrics.empty:
        return "Unknown: no pair of systems has values to compare."
    dp = metrics["dp"].min()
    best = metrics[metrics["dp"] == dp]
    value = f"DP {sum_of_p_values(dp, 2)} over {number_of(best['pairs'].iloc[0], 'pair')}"
    better = own[own["dp"] < dp]["measure"].tolist()
    some = fill("{better} {better:has|have} a lower DP.", better=better)
    some = some if better else "No preference has a lower DP."
    if len(best) == len(_sides(rows)[1]) > 1:
        return f"All metrics have the same discriminative power ({value} of systems). {some}"
    start = fill(
        "{names} {names:has|have} the best discriminative power of the metrics",
        names=best["measure"].tolist(),
    )
    return f"{start} ({value} of systems). {some}"


def _tied(rows: pd.DataFrame) -> str:
    """Return the preference and the metric with the most and the fewest ties."""
    known = rows.dropna(subset="tied")
    if known.empty:
        return "Unknown: no user has relevant items."
    most, fewest = known.loc[known["tied"].idxmax()], known.loc[known["tied"].idxmin()]
    share, least = (f"{100 * row['tied']:.1f}%" for row in (most, fewest))
    if share == least:
        who = most["measure"] if len(known) == 1 else "each preference and metric"
        return f"{share} of the users' comparisons of two systems are ties under {who}."
    return (
        f"Ties are most frequent under {most['measure']} ({share} of the users' comparisons of two "
        f"systems) and rarest under {fewest['measure']} ({least})."
    )


def _agreeing(rows: pd.DataFrame) -> str:
    """Return which preferences agree with a metric in the ranking of systems."""
    known = rows.dropna(subset="tau")
    of_metric = known["metric_b"].map(is_metric).astype(bool)
    own = known[~known["metric_a"].map(is_metric).astype(bool) & of_metric]
    if own.empty:
        return "Unknown: no preference and metric both have systems that differ."
    own = named(told(own, "metric_b"))
    least = own.loc[own["tau"].idxmin()]
    alike = own[own["tau"] >= ALIKE]["name"].tolist()
    start = "{alike} {alike:agrees|agree}" if alike else "No preference agrees"
    return fill(
        f"{start} with the ranking of systems under {{reference}} (τ of at least {{bound:g}}; "
        "{n:n preference} compared). The lowest τ is {tau:.2f}, under {name}.",
        least,
        n=len(own),
        alike=alike,
        reference=name_of(least["metric_b"], least["cutoff"]),
        bound=ALIKE,
    )


def _robustness(rows: pd.DataFrame) -> str:
    """Return how well the ranking by about a tenth of the test ratings agrees with the whole."""
    known = rows.dropna(subset="tau")
    if known.empty:
        return _ALL_TIE
    known = tenth(known)
    own, metrics = _sides(known)
    if own.empty or metrics.empty:
        return _ALL_TIE
    first, other = (side[side["tau"] == side["tau"].max()] for side in (own, metrics))
    return fill(
        "{preferences} (mean τ = {tau:.3f} with {level:g}% of the test ratings). {metrics} (mean τ "
        "= {other:.3f}).",
        first.iloc[0],
        preferences=_robust(first, own, "preference"),
        metrics=_robust(other, metrics, "metric"),
        other=other["tau"].iloc[0],
    )


def _robust(some: pd.DataFrame, rows: pd.DataFrame, kind: str) -> str:
    """Return which of some measures are the most robust, as the start of a sentence."""
    if len(some) == len(rows) > 1:
        return f"All {kind}s are equally robust to sparsity"
    who = some["measure"].tolist()
    text = "{who} {who:is|are} the {kind} most robust to sparsity"
    return fill(text, who=who, kind=kind if len(who) == 1 else f"{kind}s")


def _made(rows: pd.DataFrame) -> str:
    """Return the least agreement of two ranking methods, and if preferences are intransitive."""
    made, _ = _sides(rows[rows["method"] != "mean"])
    own = made.dropna(subset="tau")
    if own.empty:
        return "Unknown: every ranking, or that by mean preferences, ties all systems."
    least = own[own["tau"] == own["tau"].min()]
    went = made.drop_duplicates("measure")
    went = went[went["circular"] > 0]
    circular = went["measure"].tolist()
    text = "{who} {who:is|are} intransitive for some triples of systems (A > B > C > A)."
    triples = fill(text, who=circular) if circular else "No preference is intransitive."
    tau = f"{least['tau'].iloc[0]:.2f}"
    if len(least) == len(own) > 1:
        return f"{triples} Every aggregation has τ = {tau} with the ranking by mean preferences."
    who = [f"{_NAMES[row.method]} of {row.measure}" for row in least.itertuples()]
    some = who[0] if len(who) == 1 else f"{len(who)} of {len(own)} aggregations"
    return (
        f"{triples} Aggregations have a τ of at least {tau} with the ranking by mean preferences "
        f"(lowest for {some})."
    )


_ALL_TIE = (
    "Unknown: all systems tie under all preferences, or under all metrics, on the test set or on "
    "its parts."
)
_NAMES = {"wins": "the win rate", "borda": "Borda", "copeland": "Copeland", "mc4": "MC4"}


def _sides(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of preferences, and those of metrics."""
    metric = rows["metric"].map(is_metric).astype(bool)
    return rows[~metric], rows[metric]
