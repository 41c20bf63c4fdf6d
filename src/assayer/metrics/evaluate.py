"""Measures by name, profiles of definitions, and the evaluation of systems."""

import ast
import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from assayer.errors import AssayerError, unknown
from assayer.metrics.judged import WHOLE_LIST, Judged, Judgements, judge
from assayer.registry import METRICS, find, load

# What a metric is when its measure does not say; each profile names a whole set of choices.
PROFILES: dict[str, dict[str, dict]] = {
    # The equations of Valcarce et al., RecSys 2018.
    "paper": {"nDCG": {"truncate_ideal": True}, "infAP": {"unjudged": "pooled"}},
    # trec_eval 9 and 10: P, recall, map_cut, ndcg_cut, recip_rank, bpref and infAP.
    "trec": {"nDCG": {"truncate_ideal": True}, "infAP": {"unjudged": "unpooled"}},
}


@dataclass(frozen=True)
class Measure:
    """A metric with its parameters and, unless it takes whole lists, a cut-off.

    Written as in `nDCG@10` or `nDCG(truncate_ideal=False)@10`.
    """

    metric: str
    parameters: tuple[tuple[str, object], ...] = ()
    cutoff: int | None = None

    @classmethod
    @functools.cache
    def parse(cls, text: str) -> Self:
        """Return the measure that a text names; raises AssayerError with the nearest name."""
        match = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*(?:@\s*(\d+))?\s*", text)
        if not match:
            raise AssayerError(f"cannot read the measure '{text}'; expected a form like nDCG@10.")
        metric, parameters, cutoff = match.groups()
        find("metric", metric, METRICS)
        if cutoff is not None and int(cutoff) < 1:
            raise AssayerError(f"the cut-off of '{text}' must be at least 1.")
        try:
            call = ast.parse(f"f({parameters or ''})", mode="eval").body
            if call.args:
                raise ValueError
            values = [(k.arg, ast.literal_eval(k.value)) for k in call.keywords]
        except (SyntaxError, ValueError):
            raise AssayerError(
                f"cannot read the parameters of '{text}'; expected a form like name=value."
            ) from None
        return cls(metric, tuple(sorted(values)), int(cutoff) if cutoff else None)

    @property
    def name(self) -> str:
        """The metric with its parameters, without the cut-off."""
        arguments = ", ".join(f"{name}={value!r}" for name, value in self.parameters)
        return f"{self.metric}({arguments})" if arguments else self.metric

    def __str__(self) -> str:
        return self.name if self.cutoff is None else f"{self.name}@{self.cutoff}"


def grid(metrics: Iterable[str], cutoffs: Iterable[int]) -> list[str]:
    """Return the names of all measures of some metrics at some cut-offs, metric by metric."""
    return [f"{metric}@{cutoff}" for metric in metrics for cutoff in cutoffs]


def measure_values(
    judged: Judged, measures: Sequence[str], profile: str = "paper"
) -> npt.NDArray[np.float64]:
    """Return every measure for every user, float64 (n_users, n_measures).

    Measures that differ only in their cut-off are computed together, from one pass over the
    judged items.
    """
    defaults = find("profile", profile, PROFILES)
    parsed = [Measure.parse(measure) for measure in measures]
    groups: dict[tuple, list[int]] = {}
    for column, measure in enumerate(parsed):
        groups.setdefault((measure.metric, measure.parameters), []).append(column)
    values = np.empty((len(parsed), judged.judgements.n_users))
    for (metric, parameters), columns in groups.items():
        function = load(METRICS[metric])
        known = function.__kwdefaults__ or {}
        for name, _ in parameters:
            if name not in known:
                raise unknown(f"parameter of {metric}", name, known or ["none"])
        columns.sort(key=lambda column: parsed[column].cutoff or WHOLE_LIST)
        cutoffs = np.array([parsed[c].cutoff or WHOLE_LIST for c in columns], dtype=np.int64)
        values[columns] = function(judged, cutoffs, **defaults.get(metric, {}) | dict(parameters)).T
    return values.T


def evaluate(
    judgements: Judgements,
    systems: Iterable[npt.NDArray[np.int32]],
    measures: Sequence[str],
    profile: str = "paper",
    depth: int = WHOLE_LIST,
) -> npt.NDArray[np.float64]:
    """Return every measure for every user and system, float64 (n_users, n_systems, n_measures).

    Parameters
    ----------
    judgements : Judgements
    systems : iterable of int32 (n_judged,)
        For each system the rank of each judged item, from 1; 0 for an item that is not listed.
    measures : sequence of str
        As `Measure.parse` reads them.
    profile : str
        The set of definitions, a key of `PROFILES`.
    depth : int
        Where the lists are cut.

    Notes
    -----
    Users without a list, and users without relevant items, score 0 and are counted.
    """
    return np.stack(
        [measure_values(judge(judgements, ranks, depth), measures, profile) for ranks in systems],
        axis=1,
    )
