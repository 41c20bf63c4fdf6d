"""The public names with their types: what `__init__.py` imports on use, type checkers see here."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt
import pandas as pd

from assayer.api.across import across_datasets as across_datasets
from assayer.api.answers import summary as summary
from assayer.api.beyond import beyond as beyond
from assayer.api.bounds import bounds as bounds
from assayer.api.compare import PermutationTest
from assayer.api.compare import discriminative_power as discriminative_power
from assayer.api.comparison import compare as compare
from assayer.api.correlations import rank_correlation as rank_correlation
from assayer.api.describe import describe as describe
from assayer.api.evaluate import NItems, OneRun
from assayer.api.evaluate import judged as judged
from assayer.api.judge import judge as judge
from assayer.api.preferences import preferences as preferences
from assayer.api.propensities import PropensitySource
from assayer.api.reliability import reliability as reliability
from assayer.api.reliability import required_users as required_users
from assayer.api.results import draw as draw
from assayer.api.results import results as results
from assayer.api.robustness import robustness as robustness
from assayer.api.sampled import correct_sampled as correct_sampled
from assayer.api.sensitivity import sensitivity as sensitivity
from assayer.api.ties import ties as ties
from assayer.data.frames import Qrels, Ties
from assayer.data.sources import QrelsSource
from assayer.data.trec import read_qrels as read_qrels
from assayer.data.trec import read_run as read_run
from assayer.data.trec import write_qrels as write_qrels
from assayer.data.trec import write_run as write_run
from assayer.errors import AssayerError as AssayerError
from assayer.metrics.judgements import Judgements
from assayer.metrics.ties.expected import Over

__version__: str

# Several runs that cannot be taken for one.
_Several = (
    Mapping[str, Mapping[Any, Mapping[Any, float]]]
    | Mapping[str, Sequence[tuple[Any, Any, float]]]
    | Mapping[str, pd.DataFrame]
    | Mapping[str, str | os.PathLike[str]]
    | Mapping[str, str]
)

# One number for each metric of one run, and else a frame.
@overload
def evaluate(
    qrels: QrelsSource | Qrels | Judgements,
    run: _Several,
    metrics: str | Sequence[str] = ...,
    profile: str = ...,
    threshold: float | None = ...,
    per_user: bool = ...,
    aggregate: str = ...,
    *,
    without_relevant: str | None = ...,
    users: str = ...,
    ties: Ties | Over | None = ...,
    unjudged: str = ...,
    depth: int | None = ...,
    n_items: NItems = ...,
    confidence: float | None = ...,
    seed: int = ...,
    propensities: PropensitySource | None = ...,
) -> pd.DataFrame: ...
@overload
def evaluate(
    qrels: QrelsSource | Qrels | Judgements,
    run: OneRun,
    metrics: str | Sequence[str] = ...,
    profile: str = ...,
    threshold: float | None = ...,
    per_user: Literal[False] = ...,
    aggregate: str = ...,
    *,
    without_relevant: str | None = ...,
    users: str = ...,
    ties: Ties | Over | None = ...,
    unjudged: str = ...,
    depth: int | None = ...,
    n_items: NItems = ...,
    confidence: None = ...,
    seed: int = ...,
    propensities: PropensitySource | None = ...,
) -> pd.Series[float]: ...
@overload
def evaluate(
    qrels: QrelsSource | Qrels | Judgements,
    run: OneRun | Mapping[str, Any],
    metrics: str | Sequence[str] = ...,
    profile: str = ...,
    threshold: float | None = ...,
    per_user: bool = ...,
    aggregate: str = ...,
    *,
    without_relevant: str | None = ...,
    users: str = ...,
    ties: Ties | Over | None = ...,
    unjudged: str = ...,
    depth: int | None = ...,
    n_items: NItems = ...,
    confidence: float | None = ...,
    seed: int = ...,
    propensities: PropensitySource | None = ...,
) -> pd.DataFrame: ...

# A frame of scores gives p-values with its labels.
@overload
def permutation_test(
    values: pd.DataFrame,
    n_permutations: int = ...,
    seed: int = ...,
    alternative: str = ...,
    add_one: bool = ...,
) -> PermutationTest[pd.DataFrame]: ...
@overload
def permutation_test(
    values: npt.ArrayLike,
    n_permutations: int = ...,
    seed: int = ...,
    alternative: str = ...,
    add_one: bool = ...,
) -> PermutationTest[npt.NDArray[np.float64]]: ...
