"""Our recommenders against the libraries that one would take instead.

    ./run python benchmarks/peers.py data/processed/ml-1m/ratings.npz

The same training ratings, the same parameters and one thread on both sides. All is run on a small
dataset first, so that no compiling is measured; then ours and the peer in turn, and the medians are
printed as Markdown, in seconds of CPU time, to which other work on the machine matters little.
Where the peer is slow it is run once, or on a sample and scaled; the table says so. The last column
compares the results. LensKit is no dependency: without it, its rows are left out.
"""

import argparse
import os
import warnings
from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from contest import (
    COLUMNS,
    EPOCHS,
    FACTORS,
    NEIGHBOURS,
    TOPICS,
    Contest,
    apart,
    compare,
    ones,
    row,
    run,
    worse,
)
from implicit.bpr import BayesianPersonalizedRanking
from implicit.cpu.als import AlternatingLeastSquares
from implicit.nearest_neighbours import CosineRecommender
from sklearn.decomposition import NMF, LatentDirichletAllocation, TruncatedSVD
from sklearn.linear_model import ElasticNet
from threadpoolctl import threadpool_limits

from rankassay.artifacts.arrays import Ratings
from rankassay.data.parts import split
from rankassay.data.synthetic import generate
from rankassay.recommenders.factorization import PureSVD, least_squares
from rankassay.recommenders.implicit_als import IALS
from rankassay.recommenders.implicit_als import least_squares as ials_least_squares
from rankassay.recommenders.neighbourhoods import cosine_neighbours
from rankassay.recommenders.pairwise import BPRMF
from rankassay.recommenders.slim import SLIM
from rankassay.recommenders.topics import GibbsChain, expectation_maximization


def als(train: sp.csr_matrix) -> Iterator[Contest]:
    """Run a round of alternating least squares, from the same factors, with 1 for every rating."""
    rows = ones(train)
    columns = rows.T.tocsr()
    start = np.random.default_rng(0).standard_normal((train.shape[1], FACTORS)) * 0.01

    def ours():
        users = least_squares(rows, start, 0.1, 1.0)
        return users, least_squares(columns, users, 0.1, 1.0)

    ials = IALS(factors=FACTORS)
    penalties = [ials._penalties(np.diff(m.indptr), m.shape[1]) for m in (rows, columns)]

    def ours_scaled():
        users = ials_least_squares(rows, start, ials.alpha0, penalties[0])
        return users, ials_least_squares(columns, users, ials.alpha0, penalties[1])

    def theirs(dtype, use_cg):
        solve = AlternatingLeastSquares(FACTORS, use_cg=use_cg, num_threads=1).solver
        confidences = [(m * 2).astype(np.float32) for m in (rows, columns)]

        def run():
            items, users = start.astype(dtype), np.zeros((train.shape[0], FACTORS), dtype)
            solve(confidences[0], users, items, 0.1, num_threads=1)
            solve(confidences[1], items, users, 0.1, num_threads=1)
            return users, items

        return run

    exact, single, cg = theirs(np.float64, False), theirs(np.float32, False), theirs("f4", True)
    yield Contest("ALS round", "implicit, exact, float64", ours, exact, difference=apart)
    yield Contest("ALS round", "implicit, exact, float32", ours, single, difference=apart)
    yield Contest("ALS round", "implicit, 3 CG steps, float32", ours, cg, difference=apart)
    yield Contest("iALS round", "implicit, exact, float64", ours_scaled, exact)
    yield Contest("iALS round", "implicit, 3 CG steps, float32", ours_scaled, cg)


def bpr(train: sp.csr_matrix) -> Iterator[Contest]:
    """Run epochs of pairwise learning; each side has a sampler of its own."""
    settings = {"factors": FACTORS, "learning_rate": 0.05, "regularization": 0.01}

    def ours(sampling, item_bias):
        model = BPRMF(**settings, epochs=EPOCHS, sampling=sampling, item_bias=item_bias)
        return lambda: model.fit(train, 0)

    def theirs(dtype):
        def run():
            model = BayesianPersonalizedRanking(
                **settings, dtype=dtype, iterations=EPOCHS, num_threads=1, random_state=0
            )
            model.fit(train, show_progress=False)

        return run

    for dtype in (np.float64, np.float32):
        peer, parts = f"implicit, {dtype.__name__}", {"parts": EPOCHS, "their_parts": EPOCHS}
        yield Contest("BPR epoch", peer, ours("ratings", True), theirs(dtype), **parts)
    yield Contest("BPR epoch, users drawn", peer, ours("users", False), theirs(dtype), **parts)


def cosine(train: sp.csr_matrix) -> Iterator[Contest]:
    """Find the nearest items of all items; implicit counts an item among its own neighbours."""

    def theirs():
        model = CosineRecommender(K=NEIGHBOURS + 1, num_threads=1)
        model.fit(train.astype(np.float64), show_progress=False)
        return np.asarray(model.similarity.sum(axis=1)).ravel() - model.similarity.diagonal()

    def ours():
        return cosine_neighbours(train.T.tocsr(), NEIGHBOURS)[1].sum(axis=1)

    yield Contest("item cosines", "implicit", ours, theirs, difference=apart)


def slim(train: sp.csr_matrix) -> Iterator[Contest]:
    """Fit elastic nets of items on their nearest ones, which only we search, and on all."""
    settings = {"l1": 10.0, "l2": 1000.0}
    by_item, columns = train.T.tocsr(), train.tocsc().astype(np.float64)
    near, _ = cosine_neighbours(by_item, 200)
    n_items = train.shape[1]
    # The others have no training ratings, which scikit-learn refuses.
    fitted = np.flatnonzero(near[:, 0] >= 0)
    for k, wanted in ((200, 500), (None, 200)):
        sample = np.random.default_rng(0).permutation(fitted)[:wanted]

        def ours(k=k):
            return SLIM(neighbours=k, **settings).fit(train, 0).weights_.tocsc()

        def theirs(k=k, sample=sample):
            every = np.arange(n_items)
            chosen = [near[i][near[i] >= 0] if k else every[every != i] for i in sample]
            found = [
                elastic_net(columns, *pair, **settings) for pair in zip(sample, chosen, strict=True)
            ]
            return sample, sp.hstack(found, "csc")

        def difference(weights, result):
            items, peer = result
            return worse(columns, weights[:, items], peer, items, **settings)

        what = f"{k} nearest items" if k else "all items"
        yield Contest(
            f"SLIM, {what}",
            f"scikit-learn, {len(sample)} items, scaled",
            ours,
            theirs,
            runs=3,
            their_parts=len(sample) / len(fitted),
            difference=difference,
        )


def elastic_net(columns, item, features, l1: float, l2: float) -> sp.csc_matrix:
    """Return scikit-learn's weights of an item's features as a column."""
    n_users, n_items = columns.shape
    model = ElasticNet(
        alpha=(l1 + l2) / n_users,
        l1_ratio=l1 / (l1 + l2),
        fit_intercept=False,
        positive=True,
        tol=1e-6,
    )
    model.fit(columns[:, features], columns[:, [item]].toarray().ravel())
    cells = (features, np.zeros_like(features))
    return sp.csc_matrix((model.coef_, cells), shape=(n_items, 1))


def topics(train: sp.csr_matrix) -> Iterator[Contest]:
    """Run a pass of topic models over all ratings."""
    counts = train.astype(np.int32)
    chain = GibbsChain(counts, TOPICS, 0.1, 0.01, seed=0)
    lda = LatentDirichletAllocation(
        TOPICS,
        doc_topic_prior=0.1,
        topic_word_prior=0.01,
        batch_size=counts.shape[0],
        total_samples=counts.shape[0],
        random_state=0,
    )
    # The first passes, from random topics, are not typical of either.
    for _ in range(3):
        chain.sweep()
    lda.partial_fit(counts)
    peer = "scikit-learn, batch variational"
    yield Contest("LDA pass", peer, chain.sweep, lambda: lda.partial_fit(counts))

    random = np.random.default_rng(0)
    users, items = (1 - random.random((n, TOPICS)) for n in train.shape)
    nmf = NMF(
        TOPICS,
        init="random",
        solver="mu",
        beta_loss="kullback-leibler",
        tol=0,
        max_iter=EPOCHS,
        random_state=0,
    )
    yield Contest(
        "PLSA step",
        "scikit-learn, NMF by KL",
        lambda: expectation_maximization(train, users, items),
        lambda: nmf.fit(train),
        their_parts=EPOCHS,
    )


def puresvd(train: sp.csr_matrix) -> Iterator[Contest]:
    """Decompose the ratings, results compared by how much of the ratings they explain."""
    ratings = train.astype(np.float64)

    def ours(solver="lanczos"):
        return PureSVD(FACTORS, solver).fit(train, 0).item_factors_

    def scipys():
        return sp.linalg.svds(ratings, FACTORS)[2].T

    def sklearns(algorithm):
        return lambda: TruncatedSVD(FACTORS, algorithm=algorithm).fit(ratings).components_.T

    def difference(found, peers):
        shares = [
            sp.linalg.norm(ratings) ** -2 * ((ratings @ f) ** 2).sum() for f in (found, peers)
        ]
        return shares[0] / shares[1] - 1

    yield Contest("PureSVD", "scipy, svds", ours, scipys, difference=difference)
    for algorithm in ("arpack", "randomized"):
        peer = f"scikit-learn, {algorithm}"
        yield Contest("PureSVD", peer, ours, sklearns(algorithm), difference=difference)
    yield Contest(
        "PureSVD, randomized",
        peer,
        lambda: ours("randomized"),
        sklearns(algorithm),
        difference=difference,
    )


def main() -> None:
    """Print the rows of all contests."""
    groups = {f.__name__: f for f in (als, bpr, cosine, slim, topics, puresvd)}
    # LensKit reads it when it is imported.
    os.environ["LK_NUM_THREADS"] = os.environ["LK_NUM_BACKEND_THREADS"] = "1"
    try:
        from peers_lenskit import lenskit
    except ImportError as error:
        print(f"LensKit is left out: {error}.\n")
    else:
        groups["lenskit"] = lenskit
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ratings", help="ratings.npz of a run")
    parser.add_argument("--only", nargs="+", choices=groups, default=list(groups))
    options = parser.parse_args()
    # Warnings of few iterations, which are meant, and of BLAS threads, which are limited here.
    warnings.simplefilter("ignore")
    small, _ = split(generate(300, 250, 9000, 0.4, seed=0).matrix, 0.2, "floor", 0)
    train, _ = split(Ratings.load(options.ratings).matrix, 0.2, "floor", 0)
    row(*COLUMNS)
    row("---", "---", *["---:"] * (len(COLUMNS) - 2))
    with threadpool_limits(1):
        for name in options.only:
            for contest in groups[name](small):
                run(contest)
            for contest in groups[name](train):
                compare(contest)


if __name__ == "__main__":
    main()
