"""Jobs: fit a recommender and rank the candidates, in one job or several."""

import inspect
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

from rankassay.artifacts.arrays import read_held_out, read_matrix
from rankassay.artifacts.mapped import map_matrix
from rankassay.artifacts.models import about, read_model, write_model
from rankassay.artifacts.shards import Shard
from rankassay.data.feedback import check_reached
from rankassay.lookup import blamed, load
from rankassay.recommenders import rank as ranking
from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.folding import fitted

log = logging.getLogger(__name__)


def recommend(
    train: str,
    test: str,
    output: str,
    method: str,
    settings: Mapping[str, Any],
    seed: int,
    depth: int,
    candidates: str,
    dataset: str | None = None,
    threshold: float | None = None,
) -> None:
    """Fit a recommender, and rank for every user; a `threshold` has to be reached in the test set.

    `method` is a name of the catalogue, or module:class of the user.
    """
    training, tested = read_matrix(train), read_matrix(test)
    check_reached(tested, threshold, dataset)
    held_out = read_held_out(train)
    began = time.monotonic()
    with blamed(method):
        model = fitted(_made(method, settings), training, seed, held_out)
        log.info("%s: fitted in %.1f s", method, time.monotonic() - began)
        rankings = ranking.rank(model, training, tested, depth, candidates)
    rankings.save(output)


def fit(
    train: str,
    test: str,
    output: str,
    method: str,
    settings: Mapping[str, Any],
    seed: int,
    dataset: str | None = None,
    threshold: float | None = None,
) -> None:
    """Fit a recommender, and save what it learned."""
    check_reached(read_matrix(test), threshold, dataset)
    training, held_out = read_matrix(train), read_held_out(train)
    with blamed(method):
        model = fitted(_made(method, settings), training, seed, held_out)
    names = inspect.signature(type(model)).parameters
    learned = {name: value for name, value in vars(model).items() if name not in names}
    write_model(learned, output, about(method, settings, training))


def rank(
    model: str,
    train: str,
    test: str,
    output: str,
    method: str,
    settings: Mapping[str, Any],
    depth: int,
    candidates: str,
    shard: Sequence[int],
) -> None:
    """Rank with a fitted recommender for the users of a shard."""
    fitted = _made(method, settings)
    training, tested = map_matrix(train), map_matrix(test)
    for name, learned in read_model(model, about(method, settings, training)).items():
        setattr(fitted, name, learned)
    with blamed(method):
        rankings = ranking.rank(
            fitted, training, tested, depth, candidates=candidates, shard=Shard(*shard)
        )
    rankings.save(output)


def _made(method: str, settings: Mapping[str, Any]) -> Any:
    return load(recommender(method))(**settings)
