"""The public names with their types: what `__init__.py` imports on use, type checkers see here."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt
import pandas as pd

from rankassay.api.beyond import beyond as beyond
from rankassay.api.bounds import bounds as bounds
from rankassay.api.bounds import ties as ties
from rankassay.api.comparison import compare as compare
from rankassay.api.definitions import describe as describe
from rankassay.api.evaluate import OneRun
from rankassay.api.incompleteness import robustness as robustness
from rankassay.api.incompleteness import sensitivity as sensitivity
from rankassay.api.judge import judge as judge
from rankassay.api.preferences import preferences as preferences
from rankassay.api.rankings import across_datasets as across_datasets
from rankassay.api.rankings import rank_correlation as rank_correlation
from rankassay.api.reading import NItems, PropensitySource
from rankassay.api.reading import judged as judged
from rankassay.api.reliability import reliability as reliability
from rankassay.api.reliability import required_users as required_users
from rankassay.api.results import draw as draw
from rankassay.api.results import results as results
from rankassay.api.results import summary as summary
from rankassay.api.sampled import correct_sampled as correct_sampled
from rankassay.api.significance import PermutationTest
from rankassay.api.significance import discriminative_power as discriminative_power
from rankassay.data.frames import Qrels, Ties
from rankassay.data.sources import QrelsSource
from rankassay.data.tables import read_qrels as read_qrels
from rankassay.data.tables import read_run as read_run
from rankassay.data.trec import write_qrels as write_qrels
from rankassay.data.trec import write_run as write_run
from rankassay.errors import RankassayError as RankassayError
from rankassay.metrics.judgements import Judgements
from rankassay.metrics.ties import Over

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
    train: QrelsSource | None = ...,
    not_candidates: str = ...,
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
    train: QrelsSource | None = ...,
    not_candidates: str = ...,
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
    train: QrelsSource | None = ...,
    not_candidates: str = ...,
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
