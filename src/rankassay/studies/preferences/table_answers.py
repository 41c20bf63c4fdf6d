"""The table of answers: the study's findings on each dataset, in sentences."""

from collections.abc import Mapping

import pandas as pd

from rankassay.answers.words import of_enough
from rankassay.drawing.sentences import fill
from rankassay.drawing.table import ALIKE, Table, answered_at, name_of, named, tenth, told
from rankassay.drawing.text import sum_of_p_values
from rankassay.errors import number_of
from rankassay.studies.preferences.words import is_metric, told_apart


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
    `rankassay.studies.preferences.words.told_apart` says which differences are significant.
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
        "{names} {names:has|have} the highest discriminative power of the metrics",
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
