"""The rank correlations, and their names and properties.

`rankassay.statistics.rank_correlation` has a function of the name of each, with its formula and its
source in full. This module imports only names, as settings and plans need them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

PERSISTENCE = 0.9  # the default p of rank-biased overlap: the first 10 systems have 86% of it
USUAL = "tau_b"


@dataclass(frozen=True)
class Coefficient:
    """A correlation of two rankings of systems, at most 1.

    Parameters
    ----------
    title, symbol : str
        Its names for readers: on axes, and in sentences and narrow columns.
    source : str
    least : float
        Its value for orders that disagree most, or the bound of these values.
    symmetric : bool
        Whether it is the same when the order and the reference change places.
    at_top : bool
        Whether it weighs the first places most, so that the best systems must come first.
    overlap : bool
        Whether it is a rank-biased overlap, with a persistence p.
    aliases : tuple of str
        Other names that people type.
    """

    title: str
    symbol: str
    source: str
    least: float = -1.0
    symmetric: bool = True
    at_top: bool = True
    overlap: bool = False
    aliases: tuple[str, ...] = ()


def _overlap(title: str, symbol: str, source: str, *aliases: str) -> Coefficient:
    return Coefficient(title, symbol, source, least=0.0, overlap=True, aliases=aliases)


CORRELATIONS = {
    "tau_b": Coefficient(
        "Kendall's τ", "τ", "Kendall, Biometrika 33, 1945", at_top=False, aliases=("kendall",)
    ),
    "spearman": Coefficient(
        "Spearman's ρ", "ρ", "Spearman, American Journal of Psychology 15, 1904", at_top=False
    ),
    "tau_ap": Coefficient(
        "AP correlation, τ_AP",
        "τ_AP",
        "Yilmaz, Aslam and Robertson, SIGIR 2008",
        symmetric=False,
    ),
    "tau_ap_b": Coefficient("AP correlation, τ_AP,b", "τ_AP,b", "Urbano and Marrero, ICTIR 2017"),
    "rbo": _overlap(
        "Rank-biased overlap", "RBO", "Webber, Moffat and Zobel, TOIS 28, 2010", "rbo_w"
    ),
    "rbo_a": _overlap("Rank-biased overlap, RBO_a", "RBO_a", "Corsi and Urbano, SIGIR 2024"),
    "rbo_b": _overlap("Rank-biased overlap, RBO_b", "RBO_b", "Corsi and Urbano, SIGIR 2024"),
}
OVERLAPS = tuple(name for name, own in CORRELATIONS.items() if own.overlap)
ALIASES = {other: name for name, own in CORRELATIONS.items() for other in own.aliases}


def of_each(table: "pd.DataFrame") -> "list[pd.DataFrame]":
    """Return the rows of each correlation that a result names, in the order of their first rows.

    The first is the default. A table that names none, or has numbers in that column, is one.
    """
    names = table["correlation"].unique() if "correlation" in table else ()
    if len(names) < 2 or not {*names} <= {*CORRELATIONS}:
        return [table]
    return [table[table["correlation"] == name] for name in names]


def titles(names: Iterable[str]) -> str:
    """Return the titles of some correlations, as the label of an axis that shows them."""
    return " and ".join(CORRELATIONS[name].title for name in names)
