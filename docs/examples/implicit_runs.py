"""Train three models with implicit on a split that rankassay exported; write their lists as runs.

    python docs/examples/implicit_runs.py results/ml-100k/trec runs/ml-100k

Written for implicit 0.7.2.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp
from implicit.als import AlternatingLeastSquares
from implicit.bpr import BayesianPersonalizedRanking
from implicit.nearest_neighbours import BM25Recommender

MODELS = {
    "implicit-als": AlternatingLeastSquares(32, regularization=0.1, random_state=1, num_threads=1),
    "implicit-bpr": BayesianPersonalizedRanking(32, random_state=1, num_threads=1),
    "implicit-bm25": BM25Recommender(50, num_threads=1),
}
LEAST = np.finfo(np.float32).min

source, target = map(Path, sys.argv[1:])
train = pd.read_csv(source / "train.csv", dtype={"user": str, "item": str})
names = ["user", "iter", "item", "rating"]
qrels = pd.read_csv(source / "qrels.txt", sep=" ", names=names, dtype=str)

user, users = pd.factorize(train.user)
item, items = pd.factorize(train.item)
matrix = sp.csr_matrix((train.rating.astype(np.float32), (user, item)))
judged = np.flatnonzero(users.isin(qrels.user))
no_candidates = np.flatnonzero(~items.isin(qrels.item))  # what nobody rated in the test set

target.mkdir(parents=True, exist_ok=True)
for tag, model in MODELS.items():
    model.fit(matrix, show_progress=False)
    n = min(100, len(items) - len(no_candidates))
    lists, scores = model.recommend(judged, matrix[judged], N=n, filter_items=no_candidates)
    with open(target / f"{tag}.run", "w") as file:
        for u, own_items, own_scores in zip(judged, lists, scores, strict=True):
            for rank, (i, score) in enumerate(zip(own_items, own_scores, strict=True), 1):
                # implicit fills short lists up: with the least number, or with zeros.
                if score > LEAST and score != 0:
                    print(users[u], "Q0", items[i], rank, score, tag, file=file)
