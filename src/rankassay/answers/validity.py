"""Sentences on validity: agreement with the true ranking, or what would reverse the winner.

A yardstick says which items of a list count in truth: those that the user likes, or of these the
ones that are new to the user. The two are different questions, whose answers may have opposite
signs, so each has separate sentences and no number is for both. Where the data have no truth, the
sentences say how unequal the weights of hits would have to be to change the winner.
"""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from rankassay.answers.findings import (
    BY_YARDSTICK,
    NO_WARNING,
    SENSITIVITY,
    VALIDITY,
    VALIDITY_NEW,
    Finding,
    labels,
)
from rankassay.drawing.sentences import fill
from rankassay.errors import number_of
from rankassay.metrics.catalogue import label, ordered
from rankassay.metrics.evaluate import Measure

DIVIDED = ("R", "nDCG", "SNIPS", "Stratified")  # by what also has hits that were not observed
COUNTED = {VALIDITY: "liked items", VALIDITY_NEW: "liked items that are new to the user"}
SHORT = {VALIDITY: "liked items", VALIDITY_NEW: "liked new items"}  # below an axis
DESIGNS = {
    "set-aside": "set aside before the split",
    "separate": "from a file of their own",
    "as-published": "without the pairs that train",
}
ESTIMATORS = {
    "HT": "Horvitz-Thompson weights",
    "Hajek": "Hájek weights",
    "DR": "a doubly robust estimate",
    "plain": "no weights",
    "as published": "no weights, as published",
}
AGREES = 0.8  # a τ from here on is called agreement, as it is called robust
UNKNOWN = (
    "The validity of the ranking cannot be measured on these data: they have no judgements of "
    "random items."
)
UNASKED = (
    "The validity of the ranking was not measured here: it takes judgements of random items, and "
    "the study validity."
)
GAMMA = "Γ measures selection bias: the weight of every hit lies between 1/Γ and Γ."
AGREES_BEST = "{best} {best:agrees|agree} best with the true ranking under {by} ({value})."
THEY = "{best:It is|They are} "
BETTER = THEY + "significantly better than the others."
TIED = THEY + "tied with {rivals} (95%)."
ALL_TIED = "All metrics are tied (95%)."
UNTESTED = "Without replicates, no difference can be tested."
UNTESTED_FROM = (
    "Without replicates, the {unknown:difference|differences} from {unknown} cannot be tested."
)
REVERSES = (
    "All metrics compared here tend to reverse the true ranking under {by}. {best} {best:does|do} "
    "least ({value})."
)
NOT_SIGNIFICANT = (
    "{best} {best:agrees|agree} best, but not significantly, with the true ranking under {by} "
    "({value})."
)
NO_AGREEMENT = "No metric compared here agrees with this ranking (τ of {agrees} or more)."
NOISE = "The noise of the judgements alone can keep τ below."
ESTIMATED = (
    "The truth is estimated from {judged:n judgement} of random items by {users:n user} ({design}; "
    "{weights}). Its noise mostly attenuates τ towards 0."
)
OPPOSITE = (
    "Liked and new items give opposite answers under {metrics} ({which}{liked} and {new}). Decide "
    "which of the two your systems are for."
)
WORLDS = (
    "Simulated worlds of similar popularity skew (Gini {gini:.2f} here, within 0.1 there) stand in "
    "for a truth. Their mean τ with the true ranking ranges from {low} to {high}."
)


def of_selection(winner: Mapping[str, Any]) -> list[str]:
    """Return the Γ at which the winner changes, and the pairs significant up to the default one.

    `winner` is a row of what `rankassay.statistics.sensitivity.winners` returns. No winner is
    unconditional: it stays first up to a Γ, which is rounded down, so that the sentence holds.

    >>> row = {"metric": "P", "cutoff": 10, "measure": "P@10", "leader": "wrmf", "gamma": 1.345}
    >>> row |= {"rival": "puresvd", "hits": 90, "hits_rival": 50, "same": 0}
    >>> for said in of_selection(row | {"pairs": 210, "standing": 82, "default": 3.0}):
    ...     print(said)
    wrmf stays first under P@10 up to Γ = 1.34. Beyond, puresvd can overtake it.
    82 of 210 pairs of systems are significant up to Γ = 3.
    """
    name, by = label(winner["metric"], _cutoff(winner["cutoff"])), _shown(winner["measure"])
    stands_in = "" if by == name else f", which stands in for {name},"
    measure = Measure.parse(winner["measure"])
    centred = measure.metric == "CP" or bool(dict(measure.parameters).get("centred"))
    held = "denominator" if measure.metric in DIVIDED else "share of relevant items"
    fixed = f" (each user's {held} held fixed)" if measure.metric in DIVIDED or centred else ""
    hit = "judged item" if centred else "hit"
    return [_of_winner(winner, f"{by}{fixed}{stands_in}", hit), _of_pairs(winner, hit)]


def _of_winner(winner: Mapping[str, Any], by: str, hit: str) -> str:
    """Return at which Γ the winner changes; `hit` is what counts."""
    leader, rival, gamma = winner["leader"], winner["rival"], float(winner["gamma"])
    last = by.rstrip(",")  # before a colon
    if math.isnan(gamma):
        return f"Γ is undefined under {last}: no system has another {hit} than {leader}."
    same = int(winner["same"])
    others = f"{number_of(same, 'system')} with the same {hit}s" if same else ""
    if math.isinf(gamma):
        hits = number_of(int(winner["hits"]), hit)
        adds = "adds" if int(winner["hits"]) == 1 else "add"
        tied = f" than all but {others}" if same else ""
        return (
            f"No weights put another system ahead of {leader} under {last}. No {hit} adds less to "
            f"its value than to another's, and at least {hits} {adds} more{tied}."
        )
    if gamma == 1:
        return f"{leader} and {rival} are tied under {last}: beyond Γ = 1, either can be ahead."
    tied = f" (tied with {others})" if same else ""
    stays = f"{leader}{tied} stays first under {by} up to Γ = {down(gamma)}"
    return f"{stays}. Beyond, {rival} can overtake it."


def _of_pairs(winner: Mapping[str, Any], hit: str) -> str:
    """Return how many pairs are significant up to the default Γ."""
    pairs, standing, default = (winner[key] for key in ("pairs", "standing", "default"))
    significant = f"significant {'up to' if standing else 'at'} Γ = {default:g}"
    if not pairs:
        return f"All systems have the same {hit}s."
    if pairs == 1:
        return f"The difference is {'' if standing else 'not '}{significant}."
    count = f"{standing:,}" if standing else "None"
    return f"{count} of {pairs:,} pairs of systems {'is' if standing < 2 else 'are'} {significant}."


def down(gamma: float) -> str:
    """Return a Γ with two decimals, rounded down, so that "up to" holds.

    >>> down(1.129), down(1.15), down(math.inf), down(math.nan)
    ('1.12', '1.15', 'inf', 'nan')
    """
    return f"{math.floor(round(100 * gamma, 6)) / 100 if math.isfinite(gamma) else gamma:.2f}"


def _cutoff(cutoff: Any) -> float | None:
    """Return a cut-off, None for whole lists."""
    return None if cutoff is None or cutoff != cutoff else float(cutoff)


def _shown(measure: str) -> str:
    """Return a measure by the name that readers know."""
    metric, at, cutoff = measure.rpartition("@")
    return f"{label(metric)}@{cutoff}" if at else label(measure)


def sentences(rows: pd.DataFrame, found: Mapping[str, Finding]) -> list[str]:
    """Return the findings of a truth: by yardstick the agreement, its estimate and warnings."""
    said = []
    for criterion, own in found.items():
        row = rows[rows["criterion"] == criterion].iloc[0]
        said += [_agreement(own, criterion, row), _verdict(own, row)]
        if [*found][-1] == criterion:
            said += [_how(row), _doubts(row)]
    return [*filter(None, [*said, _opposite(rows)])]


def tau(value: float, low: float = float("nan"), high: float = float("nan")) -> str:
    """Return a correlation as people write it, with its interval where there is one.

    >>> tau(0.654, 0.5, 1), tau(-0.73)
    ('τ = .65, 95%: .50 to 1.00', 'τ = −.73')
    """
    interval = f", 95%: {decimal(low)} to {decimal(high)}" if pd.notna(low) else ""
    return f"τ = {decimal(value)}{interval}"


def decimal(value: float, digits: int = 2) -> str:
    """Return a correlation as people write it: without a zero before the point.

    >>> decimal(0.654), decimal(-0.25, 3), decimal(1)
    ('.65', '−.250', '1.00')
    """
    sign, text = "−" if round(value, digits) < 0 else "", f"{abs(value):.{digits}f}"
    return sign + (text[1:] if text.startswith("0.") else text)


def yardstick(criterion: str, row: pd.Series) -> str:
    """Return the yardstick of the true ranking, as `P@10 of liked items`."""
    utility, cutoff = row.get("utility", "P"), f"{row['yardstick_cutoff']:.0f}"
    if utility == "rating":
        known = " (known ones lowest)" if criterion == VALIDITY_NEW else ""
        return f"the mean rating of the first {cutoff} items{known}"
    return f"{utility}@{cutoff} of {COUNTED[criterion]}"


def _agreement(found: Finding, criterion: str, row: pd.Series) -> str:
    """Return which metric agrees best with the true ranking, and which are tied with it."""
    by = yardstick(criterion, row)
    best, rivals, unknown = (
        labels(own, found.cutoff) for own in (found.best, found.rivals, found.unknown)
    )
    said = [AGREES_BEST]
    if _reverses(found):
        said = [REVERSES]
    elif found.low <= 0:
        said = [NOT_SIGNIFICANT]
    elif found.others and len(unknown) == len(found.others):
        said.append(UNTESTED)
    elif found.others and len(rivals) == len(found.others):
        said.append(ALL_TIED)
    elif found.others:
        said += [TIED] if rivals else [] if unknown else [BETTER]
        said += [UNTESTED_FROM] if unknown else []
    value = tau(found.value, found.low, found.high)
    values = {"best": best, "by": by, "value": value, "rivals": rivals, "unknown": unknown}
    return fill(" ".join(said), values)


def _reverses(found: Finding) -> bool:
    """Return whether even the best metric significantly reverses the true ranking."""
    return (found.value if pd.isna(found.high) else found.high) < 0


def _verdict(found: Finding, row: pd.Series) -> str:
    """Return whether no metric agrees; empty where the truth's diagnostics were not computed.

    Nothing either where all reverse it, which is said, and which no scatter explains. Else the
    scatter of a sample may keep a perfect metric below the bound, which is said with it.
    """
    if found.value >= AGREES or _reverses(found) or pd.isna(row["warnings"]):
        return ""
    said = NO_AGREEMENT.format(agrees=decimal(AGREES))
    return said if pd.isna(row["judged"]) else f"{said} {NOISE}"  # else all candidates were judged


def _doubts(row: pd.Series) -> str:
    """Return the warnings of the truth's diagnostics; empty where these were not computed."""
    if pd.isna(row["warnings"]):
        return ""
    if row["warnings"] == NO_WARNING:
        return "The diagnostics of the truth raise no warning."
    return f"The truth is in doubt: {row['warnings']}"


def _how(row: pd.Series) -> str:
    """Return how the truth was estimated: judgements, users, design and weights."""
    if pd.isna(row["judged"]):
        return ""
    return fill(
        ESTIMATED,
        judged=int(row["judged"]),
        users=int(row["truth_users"]),
        design=DESIGNS.get(row["design"], row["design"]),
        weights=ESTIMATORS.get(row["estimator"], row["estimator"]),
    )


def _opposite(rows: pd.DataFrame) -> str:
    """Return which metrics agree with one true ranking and reverse the other, if any do.

    Where there are intervals, both have to exclude 0.
    """
    both = rows[rows["criterion"].isin(BY_YARDSTICK)]
    if both["criterion"].nunique() < 2:
        return ""
    value, low, high = (
        both.pivot(index="metric", columns="criterion", values=name).astype(float)
        for name in ("value", "low", "high")
    )
    low, high = low.fillna(value), high.fillna(value)
    positive, negative = low > 0, high < 0
    opposite = [
        metric
        for metric in value.index
        if positive.loc[metric].any() and negative.loc[metric].any()
    ]
    if not opposite:
        return ""
    cutoff = both["cutoff"].iloc[0]
    names, first = labels(opposite, cutoff), ordered(opposite)[0]
    liked, new = (tau(value.loc[first, name]) for name in (VALIDITY, VALIDITY_NEW))
    which = f"{names[0]}: " if len(names) > 1 else ""
    return fill(OPPOSITE, metrics=names, which=which, liked=liked, new=new)


def unknown(rows: pd.DataFrame, cutoff: int, order: list[str]) -> list[str]:
    """Return the findings without a truth, or without the agreement with it.

    The sensitivity is that of the first metric of the `order` that has one.
    """
    said = [UNASKED if has_truth(rows) else UNKNOWN, *selection(rows, order)]
    if "like_low" in rows and rows["like_low"].notna().any():
        said.append(_worlds(rows, cutoff))
    return said


def has_truth(rows: pd.DataFrame) -> bool:
    """Return whether the diagnostics of a truth were looked at."""
    return "warnings" in rows and bool(rows["warnings"].notna().any())


def selection(rows: pd.DataFrame, order: list[str]) -> list[str]:
    """Return how much selection would change the winner; empty where that is unknown.

    The parameters are those of `unknown`. It takes two systems, fewer than a correlation.
    """
    if f"{SENSITIVITY}leader" not in rows:
        return []
    own = rows[rows[f"{SENSITIVITY}leader"].notna()].set_index("metric", drop=False)
    for metric in [name for name in order if name in own.index]:
        row = {name.removeprefix(SENSITIVITY): own.loc[metric, name] for name in own}
        row |= {name: int(row[name]) for name in ("pairs", "standing")}
        return [GAMMA, *of_selection(row)]
    return []


def _worlds(rows: pd.DataFrame, cutoff: int) -> str:
    """Return how far apart validity lies in simulated worlds that are as unequal."""
    least, most = rows.loc[rows["like_low"].idxmin()], rows.loc[rows["like_high"].idxmax()]
    low, high = (
        f"{decimal(end[f'like_{name}'])} ({label(end['metric'], cutoff)}, "
        f"{end[f'like_{name}_bias']} bias)"
        for name, end in (("low", least), ("high", most))
    )
    return WORLDS.format(gini=least["like_gini"], low=low, high=high)
