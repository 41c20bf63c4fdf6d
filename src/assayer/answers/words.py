"""What a summary says, in sentences: which metrics stand out, at which cut-off, and which do not.

The report, the summary figure and table, the end of a run and `assayer.summary` all say what is
found here. A metric is only named as the best where paired replicates tell all others apart from
it (`assayer.answers.criteria`); else those that are not told apart are named with it.
"""

import functools
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from assayer.answers import cutoffs, validity
from assayer.answers.cutoffs import OVERALL, ROBUST
from assayer.answers.validity import BY_YARDSTICK, VALIDITY
from assayer.drawing.text import sum_of_p_values
from assayer.errors import AssayerError, listed, number_of
from assayer.metrics.catalogue import is_cut, label, ordered
from assayer.results.columns import CORRELATION, POWER, RANK
from assayer.results.correlations import CORRELATIONS

ALL_ITEMS = "all items"  # the candidates of the lists that a summary is about
# Those that the overall ranks are made of.
CRITERIA = {
    "sparsity": "Robustness to sparsity",
    "popularity": "Robustness to popularity",
    "power": "Discriminative power",
}
# The same with validity, where it can be measured.
WITH_VALIDITY = CRITERIA | BY_YARDSTICK
CORRELATED = ("sparsity", "popularity", *BY_YARDSTICK)  # their values are
# Two random orders of n systems agree wholly with probability 1/n!, which is below 1 % from 5 on.
ENOUGH = 5
FAR = 10  # how many times the median number of test ratings a cut-off may be
WIDTH = 100  # characters of a line on a terminal
ONE_AND_MANY = (("keeps", "keep"), ("tells", "tell"), ("has", "have"))
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

DOES = {
    "sparsity": "keeps the order of the systems best when test ratings are missing at random",
    "popularity": "keeps the order of the systems best when the most popular items are left out",
    "power": "tells the systems apart best",
    OVERALL: "has the best mean of the three ranks",
}
WHEN = {
    "sparsity": "when test ratings are missing at random",
    "popularity": "when the most popular items are left out",
    "power": "by how well they tell the systems apart",
    OVERALL: "by the mean of the three ranks",
}


@dataclass(frozen=True)
class Finding:
    """What comes out by one criterion at one cut-off.

    Attributes
    ----------
    criterion : str
    best, others : the metrics with the best value, and all others
    rivals : those of the others that are not told apart from the best
    unknown : those of the others of which this is not known, for there are no replicates
    value, low, high : the best value, and its interval
    undefined : whether some metric's value has correlations without a value, which count as 0
    correlation : the symbol of the correlation that the value is the mean of
    """

    criterion: str
    best: Sequence[str]
    others: Sequence[str]
    rivals: Sequence[str]
    unknown: Sequence[str]
    value: float
    low: float
    high: float
    undefined: bool
    correlation: str

    @property
    def apart(self) -> Sequence[str]:
        """The others that are told apart from the best."""
        return [name for name in self.others if name not in {*self.rivals, *self.unknown}]

    @property
    def robust(self) -> bool:
        """Whether the value is one that a metric may be recommended for."""
        return self.criterion not in CORRELATED or self.value >= ROBUST

    @property
    def winner(self) -> bool:
        """Whether the evidence tells all others apart from the best."""
        return self.robust and bool(self.others) and not self.rivals and not self.unknown


def finding(rows: pd.DataFrame, criterion: str, cutoff: int) -> Finding | None:
    """Return what comes out by a criterion, or None if it ranks no metric at the cut-off.

    Parameters
    ----------
    rows : pandas.DataFrame
        The rows of one dataset, as `assayer.answers.criteria.summary` returns them.
    criterion : str
    cutoff : int
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
    )


def sentences(rows: pd.DataFrame, cutoff: int) -> list[str]:
    """Say which metrics stand out on a dataset at a cut-off, and which cut-off suits them.

    Parameters are those of `finding`.

    Raises
    ------
    AssayerError
        If the rows are those of a version that did not count systems.
    """
    if few := too_few(rows, "metrics cannot be judged"):
        shown = rows[(rows["criterion"] == VALIDITY) & (rows["cutoff"] == cutoff)]
        return [few, *validity.selection(shown, order(rows, cutoff))]
    n = rows["systems"].max()
    users = rows["test_users"].max()
    of_which = identical(rows)
    compared = f"at cut-off {cutoff}, with {n:.0f} systems{of_which}"
    compared += f" and {number_of(users, 'test user')}"
    said = [f"The metrics are compared {compared}."]
    for criterion in (*CRITERIA, OVERALL):
        if found := finding(rows, criterion, cutoff):
            said.append(_said(found))
    leading = _leading(found) if found else []  # by the mean of the three ranks
    best = [cutoffs.best_cutoff(rows, metric) for metric in leading]
    if cutoff not in best:  # else that sentence says what it is bad at
        said.insert(1, _warning(rows, cutoff))
    said += [cutoffs.sentence(rows, metric) for metric in leading]
    said += _validity(rows, cutoff)
    said.append(_unjudged(rows, cutoff))
    return [*filter(None, said)]


def identical(rows: pd.DataFrame) -> str:
    """Say which of the systems are identical, between two commas; empty without any."""
    if "identical" not in rows or not (named := rows["identical"].dropna()).any():
        return ""
    return f", of which {named.iloc[0]} are identical (no pair of these counts in DP),"


def too_few(rows: pd.DataFrame, what: str = "orders cannot be compared") -> str:
    """Say that something cannot be done with as few systems as the rows are about; else nothing.

    Raises
    ------
    AssayerError
        If the rows are those of a version that did not count systems.
    """
    if "systems" not in rows:
        which = "summary" if "criterion" in rows else "result"
        raise AssayerError(f"the {which} is of another version of assayer; run its study again.")
    n = rows["systems"].max()
    if n >= ENOUGH:
        return ""
    return (
        f"With {_many(n, 'system')}, {what}: it takes at least {ENOUGH}, for fewer may stand in "
        "the same order by chance."
    )


def of_enough(answer: Callable[..., str]) -> Callable[..., str]:
    """Return an answer that compares orders of systems, so that it declines where these are few."""

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
    """Return the metrics at a cut-off, that with the best mean rank first, unranked ones last."""
    shown = rows[(rows["cutoff"] == cutoff) & (rows["criterion"] == OVERALL)]
    ranks = shown.set_index("metric")["value"]
    return [*ranks.loc[ordered(ranks.index)].sort_values(kind="stable").index]


def names(metrics: Iterable[str]) -> str:
    """Return metrics as words, by their labels."""
    return listed([*map(label, ordered(metrics))])


def _warning(rows: pd.DataFrame, cutoff: int) -> str:
    """Say that the cut-off is far above the number of items that there are to be found."""
    median, users = rows["ratings_median"].max(), rows["test_users"].max()
    if not cutoff > FAR * median:
        return ""
    most = int(median)
    whose = f"half of the {number_of(users, 'test user')} have"
    if users == 1:
        whose = "the one test user has"
    return (
        f"Beware of this cut-off: {whose} at most "
        f"{number_of(most, 'test rating')}, so that of a list of {cutoff} items at least "
        f"{cutoff - most} cannot count."
    )


def _said(found: Finding) -> str:
    """Say what a criterion finds."""
    if found.undefined:
        return f"{_compared(found)} Where all systems tie there is no correlation: it counts as 0."
    return _compared(found)


def _compared(found: Finding) -> str:
    what = {"power": "DP", OVERALL: "mean rank"}
    what = what.get(found.criterion, f"mean {found.correlation}")
    digits = {"power": POWER, OVERALL: RANK}.get(found.criterion, CORRELATION).digits
    while not found.robust and round(found.value, digits) >= ROBUST:
        digits += 1  # a number that is said to be below must not look as if it were not
    number = f"{found.value:.{digits}f}".replace("-", "−")
    if found.criterion == "power":
        number = sum_of_p_values(found.value, digits)
    value = f"{what} {number}"
    best, does = names(found.best), DOES[found.criterion]
    many = len(found.best) > 1
    if not found.robust:
        best = f"the best {value}, of {best}, is below {ROBUST}"
        return f"No metric keeps the order of the systems {WHEN[found.criterion]}: {best}."
    if many:
        for one, several in ONE_AND_MANY:
            does = does.replace(one, several, 1)
    if not found.others:
        if not many:
            return f"{best} is the only metric that is compared ({value})."
        return f"{best} are equal {WHEN[found.criterion]} ({value})."
    start = f"{best} {does} ({value})"
    # Of equals, the others are compared with the first.
    them = label(found.best[0]) if many else "it"
    if len(found.unknown) == len(found.others):
        differ = "others differ" if len(found.others) > 1 else "other differs"
        return f"{start}; without replicates, nothing tells whether the {differ} from {them}."
    if len(found.rivals) == len(found.others):
        n = len(found.best) + len(found.others)
        none = "Neither" if n == 2 else "None"
        said = f"{none} of the {_count(n)} metrics stands out {WHEN[found.criterion]}"
        are = "are" if many else "is"
        other = "the other is not" if len(found.others) == 1 else "no other is"
        return f"{said}: {best} {are} first ({value}), but {other} told apart from {them}."
    if found.rivals:
        are = "are" if len(found.rivals) > 1 else "is"
        said = f"{start}, but {names(found.rivals)} {are} not told apart from {them}."
    elif found.unknown or len(found.apart) == 1:
        are = "are" if len(found.apart) > 1 else "is"
        said = f"{start}, and {names(found.apart)} {are} told apart from {them}."
    else:
        said = f"{start}, and all others are told apart from {them}."
    if found.unknown:
        differ = "differ" if len(found.unknown) > 1 else "differs"
        who = f"{names(found.unknown)} {differ} from {them}"
        said = f"{said} Without replicates, nothing tells whether {who}."
    return said


def _validity(rows: pd.DataFrame, cutoff: int) -> list[str]:
    """Return what the truth says of the metrics, or what is known without one."""
    shown = rows[rows["cutoff"] == cutoff]
    found = {name: own for name in BY_YARDSTICK if (own := finding(rows, name, cutoff))}
    if found:
        return validity.sentences(shown, found)
    shown = shown[shown["criterion"] == VALIDITY]
    if shown.empty:  # the study did not ask, whatever the data would answer
        return [validity.UNASKED]
    return validity.unknown(shown, cutoff, order(rows, cutoff))


def _leading(found: Finding) -> Sequence[str]:
    """Return the metrics whose cut-offs are worth a sentence: the best, unless none stands out."""
    none = found.others and len(found.rivals) == len(found.others)
    return [] if none else [metric for metric in found.best if is_cut(metric)]


def _unjudged(rows: pd.DataFrame, cutoff: int) -> str:
    """Name the metrics that take no part because they read no ratings of the test set."""
    shown = rows[(rows["cutoff"] == cutoff) & (rows["criterion"] == OVERALL)]
    left = [*shown.loc[shown["rank"].isna(), "metric"]]
    if not left:
        return ""
    verb = "reads" if len(left) == 1 else "read"
    takes = "takes" if len(left) == 1 else "take"
    return f"{names(left)} {verb} no test ratings and {takes} no part."


def _many(number: float, noun: str) -> str:
    return f"{_count(number)} {noun}{'' if number == 1 else 's'}"


def _count(number: float) -> str:
    """Return a number as people write it."""
    return NUMBERS[int(number)] if number < len(NUMBERS) else f"{number:.0f}"


def _maybe_apart(apart: pd.Series) -> pd.Series:
    """Return a mask of what is true or not known, from a column of true, false and nothing."""
    return apart.astype("boolean").fillna(True).astype(bool)


def most_turned(orders: pd.DataFrame) -> pd.Series | None:
    """Return the two definitions that turn most pairs of systems significantly, or None.

    `orders` are rows of one metric at one cut-off; its column `turned_significantly` counts pairs.
    """
    worst = orders.loc[orders["turned_significantly"].idxmax()]
    return worst if worst["turned_significantly"] else None
