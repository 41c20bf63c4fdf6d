"""One number a quantity: what two studies both show of the same data is the same in both.

`SAME` declares where the study of robustness has a number that others show, too: p-values, their
sum, its interval and how many are significant; Kendall's tau without a part of the test ratings, if
of as many parts; and tau between metrics. All are compared on synthetic data with the settings of
`config/test.yaml`, where each quantity must be found. Of a run, say with the defaults:

    PYTHONPATH=tests:tests/whole ./run python tests/whole/check_one_number.py results/ml-1m
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from check_small_data import Found
from made_up import study

from rankassay.artifacts.tables import read_table
from rankassay.statistics.replicated import Replicated

POWER = ("pairs", "identical", "dp", "dp_all", "significant_05", "significant_01")
MEASURE = ("metric", "cutoff")
PAIR = ("metric_a", "metric_b", "cutoff")
# Sums over pairs, or means over parts, that are made in another order.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Same:
    """Columns of a table that are those of another one, for rows with the same keys.

    Attributes
    ----------
    of, shown : str
        The tables: that of the study of robustness, and the one that shows its numbers again.
    keys, columns : tuple of str
    where : dict
        The rows of `shown` that are compared: values of its columns.
    renamed : dict
        Names of columns of `shown`, and what they are in `of`.
    given : function
        Which rows of both together are the same quantity.
    """

    of: str
    shown: str
    keys: tuple[str, ...]
    columns: tuple[str, ...]
    where: dict[str, object] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    given: Callable[[pd.DataFrame], pd.Series] | None = None

    def compared(self, of: pd.DataFrame, shown: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of both tables that have the same keys, with columns _of and _shown."""
        for column, value in self.where.items():
            shown = shown[shown[column].isin(value if isinstance(value, list) else [value])]
        shown = shown.rename(columns=self.renamed)
        both = of.merge(shown, on=[*self.keys], suffixes=("_of", "_shown"))
        return both if self.given is None else both[self.given(both)]

    def different(self, both: pd.DataFrame) -> list[str]:
        """Return the numbers that are not the same."""
        found = []
        for column in self.columns:
            a, b = (both[f"{column}_{side}"].to_numpy(np.float64) for side in ("of", "shown"))
            same = np.isclose(a, b, rtol=ROUNDING, atol=ROUNDING, equal_nan=True)
            for at in np.flatnonzero(~same):
                key = ", ".join(str(both[name].iloc[at]) for name in self.keys)
                found.append(f"{column} ({key}): {a[at]} in {self.of}, {b[at]} in {self.shown}")
        return found


def as_many_parts(both):
    """Means over random parts are the same quantity if they are of as many parts."""
    return both["samples_of"] == both["samples_shown"]


def corrected(both):
    """Counts of significant pairs are, if they are corrected in the same way, at the same level."""
    return (both["correction"] == "max-t") & (both["alpha"] == 0.05)


DP, P = "robustness/discriminative-power", "robustness/p-values"
SPARSITY, POPULARITY = "robustness/sparsity", "robustness/popularity"
BETWEEN = "robustness/metric-correlation"
# Rendle's metrics are defined as the others but for MAP and nDCG (see docs/sampling.md).
EXACT = {"sampler": "uniform", "relevant": "together", "metric": ["P", "R", "RR"], "m": np.inf}
SAME = [
    Same(DP, "beyond/power", MEASURE, POWER),
    Same(DP, "preferences/power", MEASURE, (*POWER, "low", "high")),
    Same(DP, "goals/discriminative-power", MEASURE, (*POWER, "low", "high", "significant_05_holm")),
    Same(DP, "diversity/discriminative-power", MEASURE, (*POWER, "low", "high")),
    Same(DP, "sampling/systems", MEASURE, ("dp", "low", "high", "significant_05"), EXACT),
    Same(P, "diversity/p-values", (*MEASURE, "system_a", "system_b"), ("p_value", "adjusted")),
    Same(
        *(DP, "reliability/effect-sizes", MEASURE, ("significant_05_max_t",)),
        renamed={"significant": "significant_05_max_t"},
        given=corrected,
    ),
    *(
        Same(SPARSITY, f"{own}/sparsity", (*MEASURE, "level"), ("tau",), given=as_many_parts)
        for own in ("preferences", "goals", "diversity")
    ),
    Same(
        *(SPARSITY, "beyond/robustness", (*MEASURE, "level"), ("tau",), {"removed": "sparsity"}),
        given=as_many_parts,
    ),
    Same(
        *(SPARSITY, "sampling/robustness", (*MEASURE, "level"), ("tau",)),
        where={"metric": ["P", "R", "RR"], "m": np.inf},
        given=as_many_parts,
    ),
    *(
        Same(POPULARITY, f"{own}/popularity", (*MEASURE, "percentage"), ("tau",))
        for own in ("preferences", "goals", "diversity")
    ),
    Same(
        *(POPULARITY, "beyond/robustness", (*MEASURE, "percentage"), ("tau",)),
        where={"removed": "popularity"},
        renamed={"level": "percentage"},
    ),
    *(
        Same(BETWEEN, name, PAIR, ("tau",))
        for name in ("preferences/orders", "goals/metric-correlation")
    ),
    *(
        Same(BETWEEN, name, PAIR, ("tau",))
        for name in ("diversity/metric-correlation", "beyond/redundancy")
    ),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Return the results on synthetic data, two of whose systems are one."""
    train, test, rankings = study(60, 5)
    rankings["the-same"] = rankings["system-1"]
    return Found((train, test, rankings), tmp_path_factory.mktemp("one"))


@pytest.mark.parametrize("same", SAME, ids=lambda same: f"{same.shown} of {same.of}")
def test_two_studies_show_the_same_number(found, same):
    of, shown = (
        table.table if isinstance(table, Replicated) else table
        for table in (found.of(name, name.partition("/")[0]) for name in (same.of, same.shown))
    )
    both = same.compared(of, shown)
    assert len(both), f"{same.shown} shows nothing of {same.of}: no numbers to compare"
    assert not same.different(both)


def test_a_number_that_differs_is_found():
    of = pd.DataFrame({"metric": ["P", "R"], "cutoff": 5, "dp": [1.0, 2.0]})
    same = Same("a", "b", MEASURE, ("dp",))
    both = same.compared(of, of.assign(dp=[1.0, 2.0 + 1e-9]))
    assert same.different(both) == ["dp (R, 5): 2.0 in a, 2.000000001 in b"]


def main(folder: str) -> int:
    """Compare the tables of a run's folder; return how many numbers differ."""
    differ = 0
    for same in SAME:
        paths = [Path(folder) / f"{name}.csv" for name in (same.of, same.shown)]
        if not all(path.exists() for path in paths):
            print(f"{same.shown}: not of this run")
            continue
        both = same.compared(*map(read_table, paths))
        wrong = same.different(both)
        differ += len(wrong)
        print(f"{same.shown}: {len(both)} rows of {same.of}", *wrong[:10], sep="\n  ")
    return differ


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1])))
