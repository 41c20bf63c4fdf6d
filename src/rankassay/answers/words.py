"""The findings of a summary in sentences: the best metrics, the best cut-offs, and the others.

The report, the summary figure and table, the end of a run and `rankassay.summary` all use these
sentences.
"""

import functools
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import pandas as pd

from rankassay.answers import validity
from rankassay.answers.findings import (
    BY_YARDSTICK,
    CRITERIA,
    ENOUGH,
    OVERALL,
    ROBUST,
    VALIDITY,
    Finding,
    at,
    best_cutoff,
    finding,
    labels,
    order,
    ranked_cutoffs,
)
from rankassay.declared.columns import CORRELATION, POWER, RANK
from rankassay.drawing.sentences import fill, plain
from rankassay.drawing.text import sum_of_p_values
from rankassay.errors import RankassayError, listed
from rankassay.metrics.catalogue import entry, label

FAR = 10  # how many times the median number of test ratings a cut-off may be
WIDTH = 100  # characters of a line on a terminal

# What being the best by a criterion means, of one metric or of several.
DOES = {
    "sparsity": "{best:is|are} the most robust to sparsity",
    "popularity": "{best:is|are} the most robust to popularity bias",
    "power": "{best:has|have} the best discriminative power",
    OVERALL: "{best:ranks|rank} best over the three criteria",
}
SAME = {
    "sparsity": "are equally robust to sparsity",
    "popularity": "are equally robust to popularity bias",
    "power": "have the same discriminative power",
    OVERALL: "rank the same over the three criteria",
}
AGAINST = {"sparsity": "sparsity", "popularity": "popularity bias"}
# What comes out by a criterion; `_form` says where which. The others are compared with the first
# of several that are equally good, whom `first` names before what is said of them.
SAID = {
    "not robust": (
        "No metric is robust to {against}: the best, {best}, {best:reaches|reach} {value} (we call "
        "{bound} robust)."
    ),
    "only": "{best} is the only metric compared ({value}).",
    "equal": "{best} {same} ({value}).",
    "no replicates": "{best} {does} ({value}); without replicates, no difference can be tested.",
    "none": (
        "{best} {does} ({value}), but {others:the other metric is|all other metrics are} tied with "
        "{them} (95%)."
    ),
    "rivals": "{best} {does} ({value}){first} tied with {rivals} (95%).",
    "some": "{best} {does} ({value}){first} significantly better than {apart}.",
    "all": "{best} {does} ({value}){first} significantly better than all others.",
}
OF_UNKNOWN = (
    "Without replicates, the {unknown:difference|differences} between {them} and {unknown} cannot "
    "be tested."
)
UNDEFINED = "An undefined correlation (all systems tie) counts as 0."
EVIDENCE = "The metrics are compared on {systems:n system} and {users:n test user}."
FEW = (
    "With {systems:words system}, {what}: it takes at least {enough}, for fewer often agree by "
    "chance."
)
BEWARE = (
    "Prefer a smaller cut-off: for {half}, at most {most} of the {cutoff} listed items can be hits."
)
WEAK_TO = {"sparsity": "missing ratings", "popularity": "popularity bias"}
BEST_CUTOFF = "The best cut-off for {metric} by average rank is {best}{tied}."
TIED_CUTOFF = ", tied with {first} (95%)"
REACHES = (
    "{name} reaches mean {correlation} = {sparsity} with missing ratings and {popularity} without "
    "popular items. Its DP is {power}."
)
NOT_ROBUST = "It is not robust to {what} (below {bound})."
LESS_ROBUST = "It is less robust to {what} than {other} ({value})."
LESS_POWER = "It has less discriminative power than {other} (DP {value})."
UNFILLED = (
    "{half} {users:has|have} at most {median:n test rating}, too few to fill a list of {cutoff}."
)


def sentences(rows: pd.DataFrame, cutoff: int) -> list[str]:
    """Return the best metrics on a dataset at a cut-off, and their best cut-offs, in sentences.

    Raises RankassayError if the rows are those of a version that did not count systems.
    """
    if few := too_few(rows, "metrics cannot be judged"):
        shown = rows[(rows["criterion"] == VALIDITY) & (rows["cutoff"] == cutoff)]
        return [few, *validity.selection(shown, order(rows, cutoff))]
    said = []
    for criterion in (*CRITERIA, OVERALL):
        if found := finding(rows, criterion, cutoff):
            said.append(_said(found))
    leading = _leading(found) if found else []  # by the average rank
    best = [best_cutoff(rows, metric) for metric in leading]
    said += [of_cutoffs(rows, metric) for metric in leading]
    said += [fill(EVIDENCE, systems=rows["systems"].max(), users=rows["test_users"].max())]
    said.append(identical(rows))
    if cutoff not in best:  # else the sentence of the best cut-off has it
        said.append(_warning(rows, cutoff))
    said += _validity(rows, cutoff)
    said.append(_unjudged(rows, cutoff))
    return [plain(each) for each in said if each]


def identical(rows: pd.DataFrame) -> str:
    """Return which of the systems are identical, in a sentence; empty without any."""
    if "identical" not in rows or not (named := rows["identical"].dropna()).any():
        return ""
    who = str(named.iloc[0]).replace("; ", ", and ")
    if who == "two":
        who = "Two systems"
    elif re.fullmatch(r"[\d,]+ pairs", who):
        who += " of systems"
    return f"{who} are identical; DP excludes their pairs."


def too_few(rows: pd.DataFrame, what: str = "orders cannot be compared") -> str:
    """Return that the rows' systems are too few for something; empty if they are enough."""
    if "systems" not in rows:
        which = "summary" if "criterion" in rows else "result"
        raise RankassayError(
            f"the {which} is of another version of rankassay; run its study again."
        )
    n = rows["systems"].max()
    return "" if n >= ENOUGH else fill(FEW, systems=n, what=what, enough=ENOUGH)


def of_enough(answer: Callable[..., str]) -> Callable[..., str]:
    """Return an answer that compares rankings, so that it declines where systems are few."""

    @functools.wraps(answer)
    def said(rows: pd.DataFrame, *more: str) -> str:
        return too_few(rows) or answer(rows, *more)

    return said


def answer(rows: pd.DataFrame, cutoff: int) -> str:
    """Return `sentences` as one text."""
    return " ".join(sentences(rows, cutoff))


def paragraph(title: str, said: Iterable[str]) -> str:
    """Return sentences under a title, as a terminal or a notebook shows them."""
    indent = {"initial_indent": "  ", "subsequent_indent": "  ", "break_on_hyphens": False}
    return "\n".join([title, *textwrap.wrap(" ".join(said), WIDTH, **indent)])


def names(metrics: Iterable[str]) -> str:
    """Return metrics as words, by their labels."""
    return listed(labels(metrics))


def _warning(rows: pd.DataFrame, cutoff: int) -> str:
    """Return that the cut-off is far above the number of relevant items."""
    median, users = rows["ratings_median"].max(), rows["test_users"].max()
    if not cutoff > FAR * median:
        return ""
    return fill(BEWARE, cutoff=cutoff, half=half(users), most=int(median))


def _said(found: Finding) -> str:
    """Return the finding under a criterion as sentences."""
    form = _form(found)
    best, others, rivals, apart, unknown = (
        labels(own, found.cutoff)
        for own in (found.best, found.others, found.rivals, found.apart, found.unknown)
    )
    them = labels(found.best[:1], found.cutoff)[0] if len(best) > 1 else "it"
    values = {"best": best, "others": others, "rivals": rivals, "apart": apart, "unknown": unknown}
    values |= {"them": them, "value": _value(found), "same": SAME[found.criterion]}
    values |= {"against": AGAINST.get(found.criterion), "bound": validity.decimal(ROBUST)}
    first = f"; {them} is" if len(best) > 1 else ","
    said = [fill(SAID[form], values, does=fill(DOES[found.criterion], values), first=first)]
    if unknown and form in ("rivals", "some"):
        said.append(fill(OF_UNKNOWN, values, them=labels(found.best[:1], found.cutoff)[0]))
    if found.undefined:
        said.append(UNDEFINED)
    return " ".join(said)


def _form(found: Finding) -> str:
    """Return which of the sentences fits the finding under a criterion."""
    n = len(found.others)
    if not found.robust:
        return "not robust"
    if not n:
        return "equal" if len(found.best) > 1 else "only"
    if len(found.unknown) == n:
        return "no replicates"
    if len(found.rivals) == n:
        return "none"
    if found.rivals:
        return "rivals"
    return "some" if found.unknown or len(found.apart) == 1 else "all"


def _value(found: Finding) -> str:
    """Return the best value, and what it is."""
    what = {"power": "DP", OVERALL: "average rank"}
    what = what.get(found.criterion, f"mean {found.correlation} =")
    digits = {"power": POWER, OVERALL: RANK}.get(found.criterion, CORRELATION).digits
    while not found.robust and round(found.value, digits) >= ROBUST:
        digits += 1  # a number that is called below a bound must not be rounded up to it
    if found.criterion == "power":
        return f"{what} {sum_of_p_values(found.value, digits)}"
    if found.criterion == OVERALL:
        return f"{what} {found.value:.{digits}f}"
    return f"{what} {validity.decimal(found.value, digits)}"


def of_cutoffs(rows: pd.DataFrame, metric: str) -> str:
    """Return which cut-off suits a metric, on what evidence, and what the metric is bad at there.

    Several sentences, or none of a metric with fewer than two cut-offs.
    """
    own = ranked_cutoffs(rows, metric, OVERALL)
    if len(own) < 2:
        return ""
    cutoff = best_cutoff(rows, metric)
    first = [at(k) for k in own.loc[own["cutoff_rank"] == 1, "cutoff"].astype(int)]
    tied = "" if at(cutoff) in first else fill(TIED_CUTOFF, first=first)
    by = {name: ranked_cutoffs(rows, metric, name) for name in (*WEAK_TO, "power")}
    here = {name: found[found["cutoff"] == cutoff].iloc[0] for name, found in by.items()}
    said = [fill(BEST_CUTOFF, metric=label(metric), best=at(cutoff), tied=tied)]
    values = {name: validity.decimal(here[name]["value"], 3) for name in WEAK_TO}
    values |= {"power": sum_of_p_values(here["power"]["value"], 1)}
    name = label(metric, cutoff)
    said.append(fill(REACHES, values, name=name, correlation=_correlation(rows)))
    return " ".join([*said, *_weaknesses(by, here, metric), *_unfilled(rows, cutoff)])


def _correlation(rows: pd.DataFrame) -> str:
    """Return the name of the correlation that robustness is the mean of."""
    known = rows["correlation"].dropna().unique()
    return "τ" if all(name.startswith("tau") for name in known) else "correlation"


def _weaknesses(
    by: Mapping[str, pd.DataFrame], here: Mapping[str, pd.Series], metric: str
) -> Iterator[str]:
    """Yield by what criteria a cut-off is bad, or significantly worse than another."""
    for name, what in WEAK_TO.items():
        if here[name]["value"] < ROBUST:
            yield fill(NOT_ROBUST, what=what, bound=validity.decimal(ROBUST))
        elif _is_behind(here[name]):
            best = by[name][by[name]["cutoff_rank"] == 1].iloc[0]
            other, value = label(metric, best["cutoff"]), validity.decimal(best["value"], 3)
            yield fill(LESS_ROBUST, what=what, other=other, value=value)
    if _is_behind(here["power"]):
        best = by["power"][by["power"]["cutoff_rank"] == 1].iloc[0]
        other, value = label(metric, best["cutoff"]), sum_of_p_values(best["value"], 1)
        yield fill(LESS_POWER, other=other, value=value)


def _is_behind(row: pd.Series) -> bool:
    """Whether a cut-off is known to be worse than the best one."""
    return bool(pd.notna(row["cutoff_apart"]) and row["cutoff_apart"])


def _unfilled(rows: pd.DataFrame, cutoff: int | None) -> Iterator[str]:
    """Yield that most users cannot fill a cut-off, where they cannot."""
    median, users = rows["ratings_median"].max(), rows["test_users"].max()
    if cutoff is not None and cutoff > median:
        who = half(users)
        who = f"{who[0].upper()}{who[1:]}"
        number = 2 if users > 1 else 1
        yield fill(UNFILLED, half=who, users=number, median=int(median), cutoff=cutoff)


def half(users: int) -> str:
    """Return whose numbers of test ratings are at most the median."""
    return f"half of the {users:,} test users" if users > 1 else "the one test user"


def _validity(rows: pd.DataFrame, cutoff: int) -> list[str]:
    """Return what the truth says of the metrics, or what is known without one."""
    shown = rows[rows["cutoff"] == cutoff]
    found = {name: own for name in BY_YARDSTICK if (own := finding(rows, name, cutoff))}
    if found:
        return validity.sentences(shown, found)
    shown = shown[shown["criterion"] == VALIDITY]
    if shown.empty:  # the study did not ask, even if the data could answer
        return [validity.UNASKED]
    return validity.unknown(shown, cutoff, order(rows, cutoff))


def _leading(found: Finding) -> Sequence[str]:
    """Return the metrics whose cut-offs are worth a sentence: the best, unless none stands out."""
    none = found.others and len(found.rivals) == len(found.others)
    return [] if none else [metric for metric in found.best if entry(metric).cut]


def _unjudged(rows: pd.DataFrame, cutoff: int) -> str:
    """Name the metrics that take no part because they read no ratings of the test set."""
    shown = rows[(rows["cutoff"] == cutoff) & (rows["criterion"] == OVERALL)]
    left = labels(shown.loc[shown["rank"].isna(), "metric"], cutoff)
    text = "{left} {left:reads|read} no test ratings and {left:takes|take} no part." if left else ""
    return fill(text, left=left)


def most_turned(orders: pd.DataFrame) -> pd.Series | None:
    """Return the two definitions that turn most pairs of systems significantly, or None.

    `orders` are rows of one metric at one cut-off; its column `turned_significantly` counts pairs.
    """
    worst = orders.loc[orders["turned_significantly"].idxmax()]
    return worst if worst["turned_significantly"] else None
