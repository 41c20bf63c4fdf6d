"""Train three models with LensKit on a split that rankassay exported; write their lists as runs.

    python docs/examples/lenskit_runs.py results/ml-100k/trec runs/ml-100k

Written for LensKit 2025.8.1, which rankassay does not need: pip install lenskit==2025.8.1
"""

import sys
from pathlib import Path

import pandas as pd
from lenskit.als import ImplicitMFScorer
from lenskit.batch import recommend
from lenskit.data import from_interactions_df
from lenskit.knn import ItemKNNScorer, UserKNNScorer
from lenskit.pipeline import topn_pipeline

MODELS = {
    "lenskit-als": ImplicitMFScorer(embedding_size=32),
    "lenskit-item-knn": ItemKNNScorer(max_nbrs=20, feedback="implicit"),
    "lenskit-user-knn": UserKNNScorer(max_nbrs=50, feedback="implicit"),
}

source, target = map(Path, sys.argv[1:])
train = pd.read_csv(source / "train.csv", dtype={"user": str, "item": str})
names = ["user", "iter", "item", "rating"]
qrels = pd.read_csv(source / "qrels.txt", sep=" ", names=names, dtype=str)
data = from_interactions_df(train, user_col="user", item_col="item", rating_col="rating")

target.mkdir(parents=True, exist_ok=True)
for tag, scorer in MODELS.items():
    pipeline = topn_pipeline(scorer)
    pipeline.train(data)
    users = qrels.user.unique()
    lists = recommend(pipeline, users, n=data.item_count, n_jobs=1).to_df()
    # Only what somebody rated in the test set is a candidate, in the protocol of the study.
    lists = lists[lists.item_id.isin(qrels.item)].groupby("user_id").head(100)
    lists = lists.assign(rank=lists.groupby("user_id").cumcount() + 1, iter="Q0", tag=tag)
    columns = ["user_id", "iter", "item_id", "rank", "score", "tag"]
    lists[columns].to_csv(target / f"{tag}.run", sep=" ", header=False, index=False)
