"""Numbers, names and rows as the pages write them: `.997`, `−.412`, `3,380`, `18 pairs`."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from measured import Row, Rows

from rankassay import errors
from rankassay.advice.rule import FEWEST, INFORMATIVE, PLACES
from rankassay.advice.words_names import measure as advised
from rankassay.answers.findings import ACROSS
from rankassay.answers.tables import sentence
from rankassay.artifacts import yaml_files
from rankassay.claims.conditions import QUESTIONS, WITHOUT, is_statistic
from rankassay.claims.conditions import VERDICTS as ANSWERS
from rankassay.claims.words import number
from rankassay.drawing.table import MISSING
from rankassay.errors import RankassayError, one_of
from rankassay.metrics.catalogue import label
from rankassay.metrics.evaluate import Measure
from rankassay.metrics.profiles import PROFILES
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.sensitivity import DEFAULT_GAMMA
from rankassay.studies import STUDIES
from rankassay.studies.atlas.views import said as without_one
from rankassay.studies.validity.names import APART, kind_name, measure_name

CATALOGUE = Path(__file__).parents[1] / "config/recommenders.yaml"
REVIEWERS = {"first": "the first", "second": "the second reviewers", "ours": "our verdicts"}
MINUS = "−"
ROUNDING = 1e-9  # a number nearer to 0 has no sign
WORDS = ["no", "one", "two", "three", "four", "five", "six"]
WORDS += ["seven", "eight", "nine", "ten", "eleven", "twelve"]


def num(value: float, digits: int = 0) -> str:
    """Return a number with fixed decimals, a real minus and no zero before its point.

    >>> num(0.9966, 3), num(-0.41, 3), num(3380), num(-0.00004, 3)
    ('.997', '−.410', '3,380', '−.000')
    """
    if not isinstance(value, (int, float)) or math.isnan(value):
        raise RankassayError(f"expected a number, found {value!r}.")
    if digits == 0 and abs(value - round(value)) > ROUNDING:
        raise RankassayError(f"{value} is no whole number: give its digits, as in num(2).")
    text = f"{abs(value):,.{digits}f}"
    text = text.removeprefix("0") if digits and text != "0" else text
    return MINUS + text if value < -ROUNDING else text


def nums(values: Iterable[float], digits: int = 0) -> list[str]:
    """Return numbers as `num` writes each."""
    return [num(value, digits) for value in values]


def whole(value: float, digits: int = 0) -> str:
    """Return the nearest whole number; `digits` are those of other forms and count for nothing.

    >>> whole(62.35)
    '62'
    """
    return num(round(_known(value)))


def mean(values: Iterable[float]) -> float:
    """Return the mean of numbers."""
    values = [*map(_known, values)]
    if not values:
        raise RankassayError("expected numbers for a mean, found none.")
    return sum(values) / len(values)


def tau(values: Sequence[float], others: Sequence[float]) -> float:
    """Return Kendall's tau-b of two lists of numbers."""
    return float(tau_b(np.array(values), np.array(others)))


def recommender(name: str) -> str:
    """Return a recommender's label by its name in config/recommenders.yaml."""
    catalogue = yaml.safe_load(CATALOGUE.read_text(encoding="utf-8"))["recommender_catalogue"]
    one_of("recommender", name, catalogue)
    return catalogue[name]["label"]


def signed(value: float, digits: int = 0) -> str:
    """Return a number with its sign, plus as well.

    >>> signed(0.0091, 3), signed(-0.004, 3)
    ('+.009', '−.004')
    """
    text = num(value, digits)
    return text if text.startswith(MINUS) else f"+{text}"


def percent(value: float, digits: int = 0) -> str:
    """Return a share in percent.

    >>> percent(0.624), percent(-0.0361, 1), percent(0.0061, 1)
    ('62%', '−3.6%', '0.6%')
    """
    text = f"{abs(100 * _known(value)):,.{digits}f}%"
    return MINUS + text if value < -ROUNDING else text


def signed_percent(value: float, digits: int = 0) -> str:
    """Return a share in percent with its sign.

    >>> signed_percent(0.013, 1), signed_percent(-0.019, 1)
    ('+1.3%', '−1.9%')
    """
    text = percent(value, digits)
    return text if text.startswith(MINUS) else f"+{text}"


def span(values: Iterable[float], digits: int = 0, form: Callable = num) -> str:
    """Return the least and the greatest of some numbers, once where both are written alike.

    >>> span([0.82, 0.801, 0.81], 2), span([1.0, 1.0], 2)
    ('.80 to .82', '1.00')
    """
    values = [*values]
    if not values:
        raise RankassayError("expected numbers for a span, found none.")
    low, high = form(min(map(_known, values)), digits), form(max(values), digits)
    return low if low == high else f"{low} to {high}"


def sig(value: float) -> str:
    """Return a number with four significant digits, or a dash for none, as in tables of claims.

    >>> sig(0.72249), sig(float("nan"))
    ('0.7225', '–')
    """
    return number(value)


def interval(row: Row, digits: int = 0, low: str = "low", high: str = "high") -> str:
    """Return the interval in a row, as `2.07 to 5.00`."""
    return f"{num(row[low], digits)} to {num(row[high], digits)}"


def words(number: int, form: str = "") -> str:
    """Return a small whole number as a word, from 13 on in digits, with a noun where one is given.

    >>> words(6), words(1, "pair"), words(18, "pair"), words(0, "pair")
    ('six', 'one pair', '18 pairs', 'no pairs')
    """
    text = num(number)
    if 0 < number < len(WORDS) or (number == 0 and form):
        text = WORDS[int(number)]
    return f"{text} {_noun(number, form)}".strip()


def count(number: int, form: str) -> str:
    """Return a number in digits with its noun.

    >>> count(1, "pair"), count(6040, "user")
    ('1 pair', '6,040 users')
    """
    return f"{num(number)} {_noun(number, form)}"


def listed(words: Iterable[object]) -> str:
    """Return words or numbers as a list in a sentence.

    >>> listed([1, 10, 100])
    '1, 10 and 100'
    """
    return errors.listed([*map(str, words)])


def names(metrics: Iterable[str]) -> str:
    """Return metrics as words, by the names that readers know.

    >>> names(["P", "AP", "nDCG"]), names([])
    ('P, MAP and nDCG', 'no metric')
    """
    return listed([label(metric) for metric in metrics] or ["no metric"])


def line(*cells: object) -> str:
    """Return a row of a table; a list stands for as many cells.

    >>> line("P", [".60", ".61"])
    '| P | .60 | .61 |'
    """
    return f"| {' | '.join(_flat(cells))} |"


def verdicts(claims: Rows | list[dict], column: str = "reproduced") -> str:
    """Return how many claims have each verdict: `6 hold and 2 are inconclusive`."""
    counts = Counter(one[column] for one in claims)
    words = {
        ANSWERS[0]: ("holds", "hold"),
        ANSWERS[1]: ("is inconclusive", "are inconclusive"),
        ANSWERS[2]: ("does not hold", "do not hold"),
        **{word: (f"is {word}", f"are {word}") for word in WITHOUT},
    }
    found = [(counts[word], said) for word, said in words.items() if counts[word]]
    return listed([f"{n} {said[n > 1]}" for n, said in found])


def quoted(sentences: Rows, across: Rows) -> list[dict]:
    """Return the one table of the paper's sentences that all pages share, a row for each.

    `sentences` are those about MovieLens 1M over ten splits, with both settings of the systems, and
    `across` the conclusions of the atlas. Columns sentence, says, claim and expected; measured,
    low, high, reproduced, general, rows and rows_hold with settings chosen by validation, and the
    same with `calibrated_` before it; and datasets, the verdict over all datasets of the atlas, and
    without, what becomes of it without one source; empty where the atlas does not ask it.
    """
    said = sentences.frame()
    said = said[(said["kind"] == "finding") & said["reproduced"].isin(ANSWERS)]
    numbers = ["mean", "low", "high", "reproduced", "general", "rows", "rows_hold", "exceptions"]
    blind = said[said["dataset"] == "ml-1m-tuned"].set_index("sentence")
    fitted = said[said["dataset"] == "ml-1m"].set_index("sentence")[numbers]
    found = blind[["says", "claim", "expected", *numbers]].join(fitted.add_prefix("calibrated_"))
    overall = across.frame()
    overall = overall[overall["settings"].notna()].set_index("sentence")
    found["datasets"] = overall["general"].reindex(found.index)
    told = {name: without_one(row) for name, row in overall.to_dict("index").items()}
    found["without"] = [told.get(name, "") for name in found.index]
    return found.reset_index().astype(object).where(lambda own: own.notna(), "").to_dict("records")


def reviewed(said: list[dict]) -> list[dict]:
    """Return how two reviewers agree with each other and with the verdicts, a row for each pair.

    Columns who; kappa, Cohen's with linear weights over the three verdicts in their order; low and
    high, its interval of 95% over resampled sentences; equal, of how many verdicts (n) both say the
    same.
    """
    table = pd.read_csv(Path(__file__).parent / "measured/reviewers.csv")
    ours = {(one["sentence"], asked): one[asked] for one in said for asked in QUESTIONS}
    keys = zip(table["sentence"], table["question"], strict=True)
    table["ours"] = [ours[key] for key in keys]
    codes = {name: table[name].map([*ANSWERS].index).to_numpy() for name in REVIEWERS}
    places = [*table.groupby("sentence").indices.values()]
    rng = np.random.default_rng(69)
    drawn = [
        np.concatenate([places[i] for i in rng.integers(len(places), size=len(places))])
        for _ in range(2000)
    ]
    found = []
    for one, other in combinations(REVIEWERS, 2):
        x, y = codes[one], codes[other]
        kappas = [_kappa(x[rows], y[rows]) for rows in drawn]
        low, high = np.nanquantile(kappas, [0.025, 0.975])
        head = {"who": f"{REVIEWERS[one]} and {REVIEWERS[other]}", "kappa": _kappa(x, y)}
        found.append(head | {"low": low, "high": high, "equal": int((x == y).sum()), "n": len(x)})
    return found


def disputed(said: list[dict]) -> list[dict]:
    """Return where the verdicts differ from those of both reviewers, with what each says."""
    table = pd.read_csv(Path(__file__).parent / "measured/reviewers.csv")
    by_name = {one["sentence"]: one for one in said}
    rows = []
    for row in table.to_dict("records"):
        ours = by_name[row["sentence"]][row["question"]]
        if ours not in (row["first"], row["second"]):
            says = by_name[row["sentence"]]["says"]
            rows.append(row | {"ours": ours, "says": says})
    return rows


def _kappa(x: np.ndarray, y: np.ndarray) -> float:
    """Return Cohen's kappa with linear weights; NaN where all verdicts are one."""
    if len({*x, *y}) < 2:
        return math.nan
    n = len(ANSWERS)
    counts = np.bincount(n * x + y, minlength=n * n).reshape(n, n)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    apart = np.abs(np.subtract.outer(range(n), range(n)))
    return 1 - float((apart * counts).sum() / (apart * expected).sum())


def details(claims: Rows) -> Rows:
    """Return the rows of claims that a file states, without numbers made of several."""
    return claims.without(id=[name for name in claims.values("id") if is_statistic(name)])


def tally(rows: list[dict], column: str) -> list[int]:
    """Return how many rows have each of the three verdicts in a column."""
    return [sum(row[column] == answer for row in rows) for answer in ANSWERS]


def identical(pairs: Rows) -> str:
    """Return which systems are the same: `RSV and Rocchio's Weights make identical lists`."""
    found = [f"{pair.system_a} and {pair.system_b} make identical lists" for pair in pairs]
    return "; ".join(found) or "no two make identical lists"


def share(part: float, whole: float) -> str:
    """Return how many of some there are, or a dash where nothing was counted.

    >>> share(9, 10), share(float("nan"), float("nan"))
    ('9 of 10', '–')
    """
    return MISSING if math.isnan(whole) else f"{num(part)} of {num(whole)}"


def or_dash(said: object) -> str:
    """Return a text of a table, or a dash where there is none.

    >>> or_dash("users"), or_dash(float("nan"))
    ('users', '–')
    """
    return said if isinstance(said, str) and said else MISSING


def assert_that(condition: object, message: str, found: object = None) -> str:
    """Return nothing if what the words around it say is so; else the page is not rendered."""
    if not isinstance(condition, bool):
        raise RankassayError(f"expected yes or no for '{message}', found {condition!r}.")
    if not condition:
        but = "" if found is None else f" (found: {found})"
        raise RankassayError(f"the tables do not say that {message}{but}; write the sentence anew.")
    return ""


def ranked_across(ranks: Rows) -> Iterator[tuple[str, str]]:
    """Yield by criterion what the metrics' ranks across datasets say, with the criterion's name."""
    for criterion, heading in ACROSS.items():
        if ranks.count(criterion=criterion):
            yield heading, sentence(ranks.rows(criterion=criterion).frame())


def margins() -> list[str]:
    """Return the rules of the paper's claims that say why a margin is what it is."""
    rules = yaml_files.read(STUDIES["robustness"].claims)["bounds"]
    return [f"`{name}`: {' '.join(text.split())}" for name, text in rules.items()]


def simulated_verdicts() -> str:
    """Return the table of `benchmarks/verdicts.py`, as it was written."""
    table = pd.read_csv(Path(__file__).parent / "measured/simulated-verdicts.csv")
    shares = [name for name in table if table[name].dtype == float]
    shown = table.assign(**{name: [num(own, 2) for own in table[name]] for name in shares})
    rows = [shown.columns, ["---"] * shown.shape[1], *shown.to_numpy()]
    return "\n".join(line(*row) for row in rows)


def simulated_says() -> str:
    """Return what that table says of errors and of what is decided, in sentences."""
    table = pd.read_csv(Path(__file__).parent / "measured/simulated-verdicts.csv")
    by = {name: own for name, own in table.groupby("question", sort=False)}
    wrong = table[["true does not hold", "false holds"]].max()
    ends = {
        name: f"{own['decided at twice'].min():.0%} to {own['decided at twice'].max():.0%}"
        for name, own in by.items()
    }
    wide = by["general"]["half width in margins"]
    return (
        f"True sentences do not hold in at most {wrong.iloc[0]:.0%}, and false ones hold in at "
        f"most {wrong.iloc[1]:.0%}. At twice the margin, {ends['reproduced']} of the sentences are "
        f"decided where users and splits are drawn anew, and {ends['general']} where systems are, "
        f"too: seven families leave an interval of up to {wide.max():.0f} margins on either side, "
        "so that most sentences stay open."
    )


def of_measure(rows: Rows, name: str) -> Rows:
    """Return the rows of a measure, in whichever way its name is written there."""
    wanted = Measure.parse(name)
    every = dict.fromkeys(rows.values("measure"))
    return rows.rows(measure=[own for own in every if Measure.parse(own) == wanted])


def ahead(rows: Rows, name: str, least: float = 0.02) -> Iterator[dict]:
    """Yield by feedback and size the best measure, where a measure is behind it by more than this.

    By the mean of tau over the sets of systems; `left_out` is how far it is behind in the family
    left out.
    """
    for (feedback, users), own in rows.frame().groupby(["feedback", "users"]):
        means = own.groupby("measure")[["tau", "left_out"]].mean()
        [mine] = [m for m in means.index if Measure.parse(m) == Measure.parse(name)] or [None]
        if mine is None:
            continue
        best = means["tau"].idxmax()
        behind = means.loc[best] - means.loc[mine]
        if behind["tau"] > least:
            head = {"feedback": feedback, "users": int(users), "measure": best}
            yield head | {column: float(behind[column]) for column in ("tau", "left_out")}


def reported(feedback: str, power: float) -> str:
    """Return the measure that judge reports, by what is known, with weights or without (0)."""
    centred = "centred=True, " if feedback == "graded" else ""
    return f"IPS({centred}gain='DCG', power={power})@{PLACES[feedback]}"


HELPERS = {
    each.__name__: each
    for each in (
        *(num, nums, sig, whole, mean, signed, percent, signed_percent, span),
        *(interval, words, count, listed, names, line, verdicts, tau, recommender),
        *(identical, share, or_dash, assert_that, ranked_across, quoted, details, tally),
        *(reviewed, disputed),
        *(margins, simulated_verdicts, simulated_says),
        *(of_measure, reported, ahead),
    )
} | {
    "metric_name": label,
    "without_one": without_one,
    "kind_name": kind_name,
    "measure_name": measure_name,
    "APART": APART,
    "DEFAULT_GAMMA": DEFAULT_GAMMA,
    "FEWEST": FEWEST,
    "INFORMATIVE": INFORMATIVE,
    "PLACES": PLACES,
    "PROFILES": PROFILES,
    "advised": advised,
}


def _known(value: float) -> float:
    num(value, 1)
    return value


def _noun(number: int, form: str) -> str:
    return form if number == 1 or not form else f"{form}s"


def _flat(cells: Iterable[object]) -> Iterator[str]:
    for cell in cells:
        if isinstance(cell, (list, tuple)):
            yield from _flat(cell)
        else:
            yield str(cell)
