"""The table of a comparison: a row for each run, and marks for the runs that it beats."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from rankassay.drawing.table import MISSING
from rankassay.drawing.text import Cell, Printed, bound
from rankassay.errors import listed, number_of
from rankassay.metrics.names import direction

FEW = 3  # runs that a sentence names
BESIDE = {  # what the run with the best mean is next to others
    "alike": "statistically indistinguishable from {}",
    "worse": "significantly worse than {} for the users who have a value by both",
    "untested": "not tested against {}",
    "beaten": "significantly better than {}",
}
BETTER, WORSE = "†", "‡"  # significantly, than the baseline


def comparison_table(
    means: pd.DataFrame,
    pairs: pd.DataFrame,
    definitions: Mapping[str, Any],
    digits: int,
    baseline: str | None = None,
    letters: str = "Raised letters",
) -> Printed:
    """Return the means as a table; those of `rankassay.api.comparison.Comparison`.

    Raised are the letters of the runs that each one beats, or, with a baseline, daggers; `letters`
    says in the note where they stand.
    """
    by_metric = dict([*means.groupby("metric", sort=False)])
    first = next(iter(by_metric.values()))
    heads = [[(str(text), False) for text in first[name]] for name in ("letter", "run")]
    columns = [_cells(own, digits, baseline) for own in by_metric.values()]
    cells = [[*row] for row in zip(*heads, *columns, strict=True)]
    numeric = [False, False, *[True] * len(columns)]
    caption = "Means by run; the best ones are bold."
    note = f"{_marks(baseline, letters)}: {_note(pairs, definitions)}"
    return Printed(["", "Run", *by_metric], cells, numeric, caption, note)


def verdict(means: pd.DataFrame, pairs: pd.DataFrame, alpha: float) -> str:
    """Return in a sentence which run is best by a metric, and which others differ from it.

    `means` and `pairs` are those of one metric. Others may differ from each other; the table says.
    """
    metric, known = means["metric"].iloc[0], means[means["mean"].notna()]
    if not len(known):
        return f"{metric} is undefined for every run."
    best = known[known["rank"] == 1]
    first, equal = best.iloc[0], [*map(str, best["run"][1:])]
    which = "lowest mean, which is best" if direction(metric) < 0 else "highest mean"
    head = f"Under {metric}, {first['run']} has the {which} ({first['mean']:.4f})"
    if equal:
        head += f", as {'does' if len(equal) == 1 else 'do'} {listed(equal)}"
    none = [*map(str, means.loc[means["mean"].isna(), "run"])]
    end = f"; {listed(none)} {'is' if len(none) == 1 else 'are'} undefined." if none else "."
    said = _best_compared(first, known, pairs)
    if not said:
        return head + end
    kind = next(iter(said))
    alone = len(said) == 1 and (len(known) == 2 or kind == "beaten")
    level = {"alike": f"p ≥ {alpha:g}", "untested": "no p-value"}.get(kind, f"p < {alpha:g}")
    level = level if alone else f"α = {alpha:g}"
    joint = " and is" if alone and not equal else "; it is"
    return f"{head}{joint} {', and '.join(said.values())} ({level}){end}"


def _best_compared(first: pd.Series, known: pd.DataFrame, pairs: pd.DataFrame) -> dict[str, str]:
    """Return how the best of the runs with a mean compares with the others, in words.

    Another run may be better on the users who have a value by both, or share none with it.
    """
    own = pairs[(pairs["run_a"] == first["run"]) | (pairs["run_b"] == first["run"])]
    untested = {*own.loc[own["corrected"].isna(), ["run_a", "run_b"]].to_numpy().ravel()}
    beats = first["beats"].split(",")
    runs: dict[str, list[str]] = {"alike": [], "worse": [], "untested": [], "beaten": []}
    for other in known[known["run"] != first["run"]].itertuples():
        kind = "untested" if other.run in untested else "alike"
        kind = "worse" if first["letter"] in other.beats.split(",") else kind
        runs["beaten" if other.letter in beats else kind].append(str(other.run))
    beaten = runs["beaten"]
    names = {kind: listed(own) for kind, own in runs.items() if own}
    if 1 < len(beaten) == len(known) - 1:
        names["beaten"] = f"all {len(beaten)} others"
    elif len(beaten) > FEW:
        names["beaten"] = f"{len(beaten)} others"
    return {kind: BESIDE[kind].format(own) for kind, own in names.items()}


def _cells(own: pd.DataFrame, digits: int, baseline: str | None) -> list[Cell]:
    """Return a metric's cells: the means, which are best, and their superscripts."""
    beats = {row.run: row.beats.split(",") for row in own.itertuples()}
    letter = dict(zip(own["run"], own["letter"], strict=True))
    cells: list[Cell] = []
    for row in own.itertuples():
        mark = raised(row.beats)
        if baseline is not None:
            mark = BETTER if letter[baseline] in beats[row.run] else ""
            mark = WORSE if row.letter in beats[baseline] else mark
        missing = pd.isna(row.mean)
        shown = (f"{row.mean:.{digits}f}", row.rank == 1, mark)
        cells.append((MISSING, False) if missing else shown)
    return cells


def _marks(baseline: str | None, letters: str) -> str:
    """Return what the superscripts mean."""
    if baseline is None:
        return f"{letters} name the runs that a run beats significantly"
    return f"{BETTER}: significantly better than {baseline}; {WORSE}: significantly worse"


def raised(beats: str) -> str:
    """Return the letters of runs as a superscript: without commas, unless one has several.

    >>> raised("a,c"), raised("a,ac")
    ('ac', 'a,ac')
    """
    letters = beats.split(",")
    return beats if any(len(letter) > 1 for letter in letters) else "".join(letters)


def _note(pairs: pd.DataFrame, definitions: Mapping[str, Any]) -> str:
    """Return the note on the tests and the definitions."""
    corrections = definitions["correction"]
    n = len(pairs) // pairs["metric"].nunique()
    family = "the pair" if n == 1 else f"all {n} pairs"
    corrected = "" if corrections == "none" else f", corrected for {family} of runs ({corrections})"
    return (
        f"{definitions['test']} test of paired users, two-sided, p < {definitions['alpha']:g}"
        f"{corrected}. {_equivalent(pairs, definitions)}Profile "
        f"{definitions['profile']}, relevant from {definitions['threshold']:g} on, "
        f"{number_of(pairs['n_users'].max(), 'user')}, rankassay {definitions['rankassay']}."
    )


def _equivalent(pairs: pd.DataFrame, definitions: Mapping[str, Any]) -> str:
    """Return how many pairs are shown to be equivalent, by metric; nothing without a region."""
    equivalence, alpha = definitions["equivalence"], definitions["alpha"]
    if equivalence is None:
        return ""
    # As `rankassay.statistics.paired.compared` corrects them.
    correction = "holm" if "max-t" in definitions["correction"] else definitions["correction"]
    corrected = "" if correction == "none" else f", {correction}"
    counts = [
        f"{own['equivalent'].sum()} of {len(own)} by {metric}"
        for metric, own in pairs.groupby("metric", sort=False)
    ]
    return (
        f"Pairs shown to differ by less than {bound(equivalence)} (two one-sided t tests, "
        f"p < {alpha:g}{corrected}): {listed(counts)}. "
    )
