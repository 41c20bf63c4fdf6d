"""The contests of benchmarks/peers.py with LensKit, which has to be installed for them."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import scipy.sparse as sp
from contest import FACTORS, NEIGHBOURS, Contest, apart, ones, worse
from lenskit.als import ImplicitMFScorer
from lenskit.data import Dataset, ItemList, RecQuery, from_interactions_df
from lenskit.knn import EASEScorer, ItemKNNScorer, SLIMScorer, UserKNNScorer
from lenskit.training import TrainingOptions

from rankassay.recommenders.biased_neighbourhoods import NNCosNgbrUB
from rankassay.recommenders.factorization import least_squares
from rankassay.recommenders.linear import EASE
from rankassay.recommenders.neighbourhoods import cosine_neighbours
from rankassay.recommenders.slim import SLIM
from rankassay.recommenders.weighted_sum import LMWSRItem

USERS = 200


def lenskit(train: sp.csr_matrix) -> Iterator[Contest]:
    """Run what LensKit has too; it takes every rating for 1, and so do we."""
    rows = ones(train)
    entries = rows.tocoo()
    data = from_interactions_df(
        pd.DataFrame({"user_id": entries.row, "item_id": entries.col}),
        users=range(train.shape[0]),
        items=range(train.shape[1]),
    )
    yield from neighbours(rows, data)
    yield from models(rows, data)


def trained(scorer, data: Dataset):
    """Return a LensKit scorer after training it."""
    scorer.train(data, TrainingOptions(rng=0))
    return scorer


def neighbours(rows: sp.csr_matrix, data: Dataset) -> Iterator[Contest]:
    """Find the nearest items, and score all items for some users by nearest items and users."""

    def fit():
        scorer = ItemKNNScorer(k=rows.shape[1], save_nbrs=NEIGHBOURS, feedback="implicit")
        return trained(scorer, data)

    def ours():
        return cosine_neighbours(rows.T.tocsr(), NEIGHBOURS)

    def difference(found, scorer):
        return apart(found[1].sum(axis=1), scorer.sim_matrix.to_scipy().sum(axis=1))

    yield Contest("item cosines", "LensKit", ours, fit, difference=difference)

    users = np.arange(min(USERS, rows.shape[0]), dtype=np.int32)
    everything = ItemList(item_ids=np.arange(rows.shape[1]))
    histories = [RecQuery(user_id=u, history_items=data.user_row(u)) for u in users.tolist()]
    names = [RecQuery(user_id=u) for u in users.tolist()]
    by_item = LMWSRItem(NEIGHBOURS, "cosine", weight="cosine", direction="profile").fit(rows, 0)
    by_user = NNCosNgbrUB(NEIGHBOURS, shrinkage=0, biases=False, selection="per_pair").fit(rows, 0)
    scorers = fit(), trained(UserKNNScorer(k=NEIGHBOURS, feedback="implicit"), data)
    for work, model, scorer, queries in (
        ("item kNN", by_item, scorers[0], histories),
        ("user kNN", by_user, scorers[1], names),
    ):
        yield Contest(
            f"{work}, scores of {len(users)} users",
            "LensKit",
            lambda model=model: model.score(users),
            lambda scorer=scorer, queries=queries: [
                scorer(q, everything).scores() for q in queries
            ],
            difference=unrated_apart(rows[users]),
        )


def unrated_apart(rated: sp.csr_matrix):
    """Return a function that compares the scores of the users' unrated items."""
    unrated = rated.toarray() == 0

    def difference(ours, theirs):
        return apart(*(np.where(unrated & np.isfinite(s), s, 0) for s in (ours, np.array(theirs))))

    return difference


def models(rows: sp.csr_matrix, data: Dataset) -> Iterator[Contest]:
    """Fit sparse linear models and EASE, and run a round of alternating least squares."""
    slim = {"l1": 1.0, "l2": 100.0}
    yield Contest(
        f"SLIM, {NEIGHBOURS} nearest items",
        "LensKit",
        lambda: SLIM(**slim, neighbours=NEIGHBOURS).fit(rows, 0).weights_,
        lambda: trained(SLIMScorer(l1_reg=1.0, l2_reg=100.0, max_nbrs=NEIGHBOURS), data).weights,
        runs=1,
        difference=lambda ours, theirs: worse(rows, ours, theirs, **slim),
    )
    yield Contest(
        "EASE",
        "LensKit, float32",
        lambda: EASE(regularization=500.0, form="primal").fit(rows, 0).weights_,
        lambda: trained(EASEScorer(regularization=500.0), data).weights,
        difference=apart,
    )
    columns = rows.T.tocsr()
    start = np.random.default_rng(0).standard_normal((rows.shape[1], FACTORS)) * 0.01
    scorer = ImplicitMFScorer(embedding_size=FACTORS, regularization=0.1, weight=1.0)
    trainer = scorer.create_trainer(data, TrainingOptions(rng=0))

    def ours():
        users = least_squares(rows, start, 0.1, 1.0)
        return least_squares(columns, users, 0.1, 1.0)

    yield Contest("ALS round", "LensKit, exact, float32", ours, trainer.train_epoch)
