"""Sentences on identical systems: which they are, and that their pairs are excluded."""

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from rankassay.drawing.table import Table, stacked
from rankassay.errors import listed, number_of

ALL_PAIRS = "DP, all pairs"
DIGITS = "{:.2f}".format


def groups(pairs: pd.DataFrame) -> list[list[str]]:
    """Return the names of systems that are identical to each other, in the order of the pairs.

    >>> groups(pd.DataFrame({"system_a": ["x", "x", "y"], "system_b": ["y", "z", "z"]}))
    [['x', 'y', 'z']]
    """
    found: dict[str, list[str]] = {}
    for a, b in zip(pairs["system_a"].astype(str), pairs["system_b"].astype(str), strict=True):
        own = found.setdefault(a, [a])
        if b not in found:
            own.append(b)
            found[b] = own
    return [*{id(own): own for own in found.values()}.values()]


def sentences(pairs: pd.DataFrame) -> list[str]:
    """Return which systems are identical, and that their pairs are excluded, in sentences.

    >>> pairs = pd.DataFrame({"system_a": ["RSV"], "system_b": ["RW"], "lists": [True]})
    >>> sentences(pairs)
    ['RSV and RW recommend identical lists; their pair is excluded.']
    """
    alike = {(str(row.system_a), str(row.system_b)): row.lists for row in pairs.itertuples()}
    return [f"{listed(own)} {_how(own, alike)}; {excluded(len(own))}." for own in groups(pairs)]


def excluded(n: int) -> str:
    """Return that the pairs of n identical systems are excluded."""
    several = n * (n - 1) // 2
    return "their pair is excluded" if several == 1 else f"their {several} pairs are excluded"


def _how(names: Sequence[str], alike: dict[tuple[str, str], object]) -> str:
    """Return in what respect systems are identical."""
    known = [alike[a, b] for a in names for b in names if (a, b) in alike]
    if all(own is True or str(own) == "True" for own in known):
        return "recommend identical lists"
    return "have the same value for every user under every metric"


def in_short(pairs: pd.DataFrame | None, n_pairs: int) -> str:
    """Return the names of identical systems, or how many there are where names are unknown.

    Empty without any.

    >>> in_short(None, 1), in_short(None, 3), in_short(None, 0)
    ('two', '3 pairs', '')
    """
    if pairs is None:
        return "" if not n_pairs else "two" if n_pairs == 1 else number_of(n_pairs, "pair")
    return "; ".join(listed(own) for own in groups(pairs))


def note(power: pd.DataFrame, titles: Mapping[str, str]) -> str:
    """Return the note of a table of DP on pairs of identical systems; empty without any."""
    counts = power.groupby("dataset", sort=False)["identical"].max()
    some = [f"{titles[name]}: {counts[name]:.0f}" for name in titles if counts.get(name, 0) > 0]
    if not some:
        return ""
    return (
        " Pairs of identical systems are excluded: each would add 1 to every sum, as it does to "
        f"{ALL_PAIRS} ({'; '.join(some)})."
    )


def with_all(power: pd.DataFrame, heads: Mapping[str, str]) -> dict[str, str]:
    """Return the heads of a table of DP, with the sum over all pairs where some are identical."""
    several = bool((power["identical"] > 0).any())
    found: dict[str, str] = {}
    for name, head in heads.items():
        found[name] = head
        if several and name == "dp":
            found["dp_all"] = ALL_PAIRS
    return found


def power(
    rows: pd.DataFrame,
    titles: Mapping[str, str],
    kind: str,
    caption: str,
    drawn: str,
    said: str,
    more: Mapping[str, str],
    formats: Mapping[str, Callable] | None = None,
) -> Table:
    """Return the sum of the p-values of all pairs of systems, a row for each measure.

    `kind` is what a measure is; `drawn` and `said` say how many permutations there were, and what
    further columns, whose heads are `more`, mean; `formats` is how these are written, by their
    heads.
    """
    known = rows["low"].notna().any()
    heads = {"measure": kind, "pairs": "Pairs", "dp": "DP"}
    heads |= {"low": "from", "high": "to"} if known else {}
    heads |= {"significant_05": "p < .05", "significant_01": "p < .01"} | dict(more)
    interval = ", with its interval of 95 % over resampled users" if known else ""
    return Table(
        stacked(rows, with_all(rows, heads), titles),
        caption,
        dict.fromkeys(["DP", ALL_PAIRS, "from", "to"], DIGITS) | dict(formats or {}),
        note="Two-sided paired permutation tests, in which users swap their lists between two "
        f"systems. {drawn} No p-value is corrected for the number of pairs. DP: the sum of the "
        f"p-values{interval}; lower is better. {said}{note(rows, titles)}",
    )
