"""The findings of a summary in sentences: the best metrics, the best cut-offs, and the others.

The report, the summary figure and table, the end of a run and `rankassay.summary` all use these
sentences. A metric is named as the best alone only where it is significantly better than all others
by paired replicates (`rankassay.answers.criteria`); else the metrics tied with it are named, too.
"""

import functools
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from rankassay.answers import cutoffs, validity
from rankassay.answers.cutoffs import OVERALL, ROBUST
from rankassay.answers.validity import BY_YARDSTICK, VALIDITY, labels
from rankassay.declared.columns import CORRELATION, POWER, RANK
from rankassay.declared.correlations import CORRELATIONS
from rankassay.drawing.sentences import fill, plain
from rankassay.drawing.text import sum_of_p_values
from rankassay.errors import RankassayError, listed
from rankassay.metrics.catalogue import entry, ordered

ALL_ITEMS = "all items"  # the candidates of the lists that a summary is about
# The criteria of the overall ranks.
CRITERIA = {
    "sparsity": "Robustness to sparsity",
    "popularity": "Robustness to popularity",
    "power": "Discriminative power",
}
# The same with validity, where it can be measured.
WITH_VALIDITY = CRITERIA | BY_YARDSTICK
# By which metrics are compared across datasets: the selection that changes the winner, too.
SELECTION = "selection"
ACROSS = WITH_VALIDITY | {SELECTION: "Robustness to selection"}
CORRELATED = ("sparsity", "popularity", *BY_YARDSTICK)  # their values are
# Two random orders of n systems agree wholly with probability 1/n!, which is below 1 % from 5 on.
ENOUGH = 5
FAR = 10  # how many times the median number of test ratings a cut-off may be
WIDTH = 100  # characters of a line on a terminal

# What being the best by a criterion means, of one metric or of several.
DOES = {
    "sparsity": "{best:is|are} the most robust to sparsity",
    "popularity": "{best:is|are} the most robust to popularity bias",
    "power": "{best:has|have} the highest discriminative power",
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


@dataclass(frozen=True)
class Finding:
    """The finding under one criterion at one cut-off."""

    criterion: str
    best: Sequence[str]  # the metrics with the best value
    others: Sequence[str]  # all others
    rivals: Sequence[str]  # those of the others that do not differ significantly from the best
    unknown: Sequence[str]  # those of the others for which this is unknown: there are no replicates
    value: float  # of the best, as the interval
    low: float
    high: float
    undefined: bool  # whether some metric's value has undefined correlations, which count as 0
    correlation: str  # the symbol of the correlation that the value is the mean of
    cutoff: int

    @property
    def apart(self) -> Sequence[str]:
        """The others that differ significantly from the best."""
        return [name for name in self.others if name not in {*self.rivals, *self.unknown}]

    @property
    def robust(self) -> bool:
        """Whether the value is one that a metric may be recommended for."""
        return self.criterion not in CORRELATED or self.value >= ROBUST

    @property
    def winner(self) -> bool:
        """Whether all others differ significantly from the best."""
        return self.robust and bool(self.others) and not self.rivals and not self.unknown


def finding(rows: pd.DataFrame, criterion: str, cutoff: int) -> Finding | None:
    """Return the finding under a criterion, or None if it ranks no metric at the cut-off.

    `rows` are those of one dataset of `rankassay.answers.criteria.summary`, here and below.
    """
    shown = rows[(rows["cutoff"] == cutoff) & (rows["criterion"] == criterion)]
    shown = shown[shown["rank"].notna()]
    if shown.empty:
        return None
    best, others = shown[shown["rank"] == 1], shown[shown["rank"] > 1]
    return Finding(
        criterion,
        [*best["metric"]],
        [*others["metric"]],
        [*others.loc[~_maybe_apart(others["apart"]), "metric"]],
        [*others.loc[others["apart"].isna(), "metric"]],
        *best[["value", "low", "high"]].iloc[0],
        bool((shown["undefined"] > 0).any()),
        " or ".join(CORRELATIONS[name].symbol for name in shown["correlation"].dropna().unique()),
        cutoff,
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
    best = [cutoffs.best_cutoff(rows, metric) for metric in leading]
    said += [cutoffs.sentence(rows, metric) for metric in leading]
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


def order(rows: pd.DataFrame, cutoff: int) -> list[str]:
    """Return the metrics at a cut-off, the best average rank first, unranked ones last."""
    shown = rows[(rows["cutoff"] == cutoff) & (rows["criterion"] == OVERALL)]
    ranks = shown.set_index("metric")["value"]
    return [*ranks.loc[ordered(ranks.index)].sort_values(kind="stable").index]


def names(metrics: Iterable[str]) -> str:
    """Return metrics as words, by their labels."""
    return listed(labels(metrics))


def _warning(rows: pd.DataFrame, cutoff: int) -> str:
    """Return that the cut-off is far above the number of relevant items."""
    median, users = rows["ratings_median"].max(), rows["test_users"].max()
    if not cutoff > FAR * median:
        return ""
    return fill(BEWARE, cutoff=cutoff, half=cutoffs.half(users), most=int(median))


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


def _maybe_apart(apart: pd.Series) -> pd.Series:
    """Return a mask of what is true or not known, from a column of true, false and nothing."""
    return apart.astype("boolean").fillna(True).astype(bool)


def most_turned(orders: pd.DataFrame) -> pd.Series | None:
    """Return the two definitions that turn most pairs of systems significantly, or None.

    `orders` are rows of one metric at one cut-off; its column `turned_significantly` counts pairs.
    """
    worst = orders.loc[orders["turned_significantly"].idxmax()]
    return worst if worst["turned_significantly"] else None
