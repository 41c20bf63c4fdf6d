"""Record other libraries' values of metrics beyond accuracy, on simulated lists.

    PYTHON tests/peers/record_beyond.py LIBRARY > tests/peers/beyond/LIBRARY.csv

PYTHON is that of an environment with the library (recbole, recommenders, lenskit, fairlearn or
fairranktune, `pip install LIBRARY`), which need not have rankassay. Two are no packages: for elliot
(https://github.com/sisinflab/elliot) and expeval (https://github.com/diazf/expeval) a clone, at the
commit that `COMMITS` has, is given by PYTHONPATH. The lists and ratings are simulated by `made_up`,
the same in every environment. tests/unit/metrics/test_beyond_peers.py computes them again and
compares.

In the simulated world every user has ratings and a full list without an item of the own training
ratings, and every item has ratings: where a library and rankassay treat an empty list or an unrated
item in another way, the docstrings say so.
"""

import argparse
import csv
import importlib.metadata
import sys
from types import SimpleNamespace

import numpy as np

N_USERS, N_ITEMS, DEPTH, CUTOFFS = 40, 60, 10, (1, 5, 10)
TAIL = 0.3  # the 18 least popular items; with 0.1, the last ones would be as popular as others
COMMITS = {"elliot": "fc27efe", "expeval": "69ab070"}
FIELDS = ("peer", "version", "call", "metric", "cutoff", "value")


def made_up():
    """Return training ratings (n_users, n_items), relevant items (the same) and lists."""
    state = np.random.RandomState(7)  # whose numbers are the same in all versions of numpy
    chance = 0.9 / np.arange(1, N_ITEMS + 1) ** 0.7
    train = state.random_sample((N_USERS, N_ITEMS)) < chance
    train[state.randint(0, N_USERS, N_ITEMS), np.arange(N_ITEMS)] = True
    relevant = ~train & (state.random_sample(train.shape) < 0.2)
    lists = np.array(
        [
            state.choice(np.flatnonzero(~row), DEPTH, replace=False, p=weigh(chance[~row]))
            for row in train
        ]
    )
    return train, relevant, lists


def made_up_aspects():
    """Return the aspects of the items, of which each has at least one, (n_items, 8)."""
    state = np.random.RandomState(8)
    aspects = state.random_sample((N_ITEMS, 8)) < 0.2
    aspects[np.arange(N_ITEMS), state.randint(0, 8, N_ITEMS)] = True
    return aspects


def groups():
    """Return the groups of the items, of three sizes, and of the users."""
    return np.arange(N_ITEMS) // 25, np.arange(N_USERS) % 3


def weigh(chance):
    return chance / chance.sum()


def recbole(train, relevant, lists):
    """RecBole numbers items from 1 on, as 0 stands for padding."""
    import torch
    from recbole.evaluator import metrics

    config = {"topk": [*CUTOFFS], "metric_decimal_place": 15, "tail_ratio": TAIL}
    count = {i + 1: int(n) for i, n in enumerate(train.sum(axis=0))}
    data = {
        "rec.items": torch.tensor(lists + 1),
        "data.num_items": N_ITEMS,
        "data.count_items": count,
    }
    for call, metric in {
        "ItemCoverage": "Coverage",
        "GiniIndex": "Gini",
        "AveragePopularity": "ARP",
        "ShannonEntropy": "Entropy(base=2.718281828459045)",
        "TailPercentage": f"APLT(tail={TAIL})",
    }.items():
        found = getattr(metrics, call)(config).calculate_metric(data)
        for cutoff, value in zip(CUTOFFS, found.values(), strict=True):
            yield call, metric, cutoff, value


def recommenders(train, relevant, lists):
    """Microsoft's recommenders take tables of pairs."""
    import pandas as pd
    from recommenders.evaluation import python_evaluation as peer

    pd.options.mode.chained_assignment = None
    user, item = np.nonzero(train)
    trained = pd.DataFrame({"userID": user, "itemID": item})
    features = [*made_up_aspects().astype(float)]
    aspects = pd.DataFrame({"itemID": np.arange(N_ITEMS), "features": features})
    for cutoff in CUTOFFS:
        listed = pd.DataFrame(
            {
                "userID": np.repeat(np.arange(N_USERS), cutoff),
                "itemID": lists[:, :cutoff].ravel(),
            }
        )
        listed["relevance"] = relevant[listed["userID"], listed["itemID"]].astype(float)
        calls = {
            "catalog_coverage": "Coverage(of='trained')",
            "distributional_coverage": "Entropy",
            "novelty": "EFD",
            "diversity": "ILD(by='ratings')",
        }
        for call, metric in calls.items():
            if cutoff > 1 or call != "diversity":
                value = getattr(peer, call)(trained, listed[["userID", "itemID"]])
                yield call, metric, cutoff, value
        if cutoff > 1:
            by = "item_feature_vector"
            value = peer.diversity(trained, listed[["userID", "itemID"]], aspects, by)
            yield f"diversity by {by}", "ILD", cutoff, value
        value = peer.serendipity(trained, listed, col_relevance="relevance")
        yield "serendipity", "Serendipity(expected='similar')", cutoff, value


def lenskit(train, relevant, lists):
    """LensKit measures lists of items by identifiers."""
    import pandas as pd
    from lenskit.data import ItemList, from_interactions_df
    from lenskit.metrics import ExposureGini, ListGini, LogRankWeight, MeasurementCollector

    user, item = np.nonzero(train)
    data = from_interactions_df(pd.DataFrame({"user_id": user, "item_id": item}))
    every = [ItemList(item_ids=row, ordered=True) for row in lists]
    truth = [ItemList(item_ids=np.flatnonzero(row)) for row in relevant]
    for cutoff in CUTOFFS:
        metrics = {
            "ListGini": (ListGini(cutoff, items=data), "Gini"),
            "ExposureGini(LogRankWeight)": (
                ExposureGini(cutoff, items=data, weight=LogRankWeight(offset=1)),
                "Gini(weights='log')",
            ),
        }
        for call, (metric, own) in metrics.items():
            measured = MeasurementCollector()
            measured.add_metric(metric)
            for u, row in enumerate(every):
                measured.measure_list(row, truth[u])
            yield call, own, cutoff, next(iter(measured.summary_metrics().values()))


def elliot(train, relevant, lists):
    """Elliot's metrics are classes, which read what its evaluator would give them."""
    import scipy.sparse as sp
    from elliot.evaluation import metrics as peer
    from elliot.evaluation.popularity_utils.popularity import Popularity
    from elliot.evaluation.relevance.relevance import Relevance

    data = SimpleNamespace(
        sp_i_train=sp.csr_matrix(train),
        private_items={i: i for i in range(N_ITEMS)},
        transactions=int(train.sum()),
        train_dict={u: dict.fromkeys(np.flatnonzero(row), 1) for u, row in enumerate(train)},
    )
    test = {u: dict.fromkeys(np.flatnonzero(row), 1) for u, row in enumerate(relevant)}
    listed = {u: [(int(i), 0.0) for i in row] for u, row in enumerate(lists)}
    calls = {
        "ItemCoverage": "Coverage",
        "GiniIndex": "Gini(denominator='n-1')",
        "ShannonEntropy": "Entropy",
        "ARP": "ARP",
        "APLT": "APLT(tail=0.2, of='ratings')",
        "EPC": "EPC(discount='log', relevant_only=True)",
        "EFD": "EFD(discount='log', relevant_only=True)",
    }
    for call, metric in calls.items():
        for cutoff in CUTOFFS:
            objects = SimpleNamespace(
                cutoff=cutoff,
                data=data,
                num_items=N_ITEMS,
                pop=Popularity(data),
                relevance=Relevance(test, 1),
            )
            yield call, metric, cutoff, getattr(peer, call)(listed, None, None, objects).eval()


def expeval(train, relevant, lists):
    """The tool of the authors of expected exposure takes rankings that are drawn: here one each."""
    import exposure
    from permutation import Permutation

    for patience in (0.5, 0.9):
        for cutoff in CUTOFFS:
            values = []
            for row, liked in zip(lists, relevant, strict=True):
                ranking = Permutation()
                for rank, item in enumerate(row[:cutoff], start=1):
                    ranking.add(rank, item)
                qrels = dict(enumerate(liked.astype(int)))
                given = exposure.expected({0: ranking}, qrels, "rbp", patience, None)
                measures = exposure.target(qrels, "rbp", patience, None, True)[1:]
                for measure in measures:
                    measure.compute(given)
                values.append([measure.value for measure in measures])
            names = {"disparity": "EE_D", "relevance": "EE_R", "difference": "EE_L"}
            for (call, metric), value in zip(names.items(), np.mean(values, axis=0), strict=True):
                yield f"{call} p={patience}", f"{metric}(patience={patience})", cutoff, value


def fairlearn(train, relevant, lists):
    """fairlearn compares groups of rows: a row is an item that a user with relevant ones is shown.

    As all lists are full, the precision of a group is the mean of its users' precision.
    """
    from fairlearn.metrics import MetricFrame
    from sklearn.metrics import precision_score

    _, group = groups()
    counts = relevant.any(axis=1)
    for cutoff in CUTOFFS:
        shown = np.take_along_axis(relevant, lists[:, :cutoff], axis=1)[counts]
        frame = MetricFrame(
            metrics=precision_score,
            y_true=shown.ravel(),
            y_pred=np.ones(shown.size, dtype=bool),
            sensitive_features=np.repeat(group[counts], cutoff),
        )
        for call, compared in {
            "difference": "difference",
            "ratio": "ratio",
            "group_min": "worst",
        }.items():
            metric = f"UserGroups(metric='P', compared='{compared}')"
            yield f"MetricFrame.{call}", metric, cutoff, getattr(frame, call)()


def fairranktune(train, relevant, lists):
    """FairRankTune has a column of items for each user, and the groups' mean exposure by item.

    Its AWRF gives the attention of groups, of which scipy's distances make the metric.
    """
    import pandas as pd
    from FairRankTune.Metrics import AWRF, EXP
    from scipy.spatial.distance import cityblock, jensenshannon

    group, _ = groups()
    member = dict(enumerate(group.tolist()))
    size = np.bincount(group)
    for cutoff in CUTOFFS:
        every = pd.DataFrame(lists[:, :cutoff].T)
        yield "EXP(MaxMinDiff)", "ItemGroups", cutoff, EXP(every, member, "MaxMinDiff")[0]
        ratio = EXP(every, member, "MinMaxRatio")[0]
        yield "EXP(MinMaxRatio)", "ItemGroups(compared='ratio')", cutoff, ratio
        shares = []
        for user in every:
            mean = AWRF(every[[user]], member, 0.5, "MaxMinDiff")[1]
            attention = np.array([mean[k] * n for k, n in enumerate(size)])
            shares.append(attention / attention.sum())
        target = size / size.sum()
        distances = [cityblock(own, target) / 2 for own in shares]
        yield "AWRF, cityblock", "AWRF", cutoff, np.mean(distances)
        distances = [jensenshannon(own, target, base=2) ** 2 for own in shares]
        metric = "AWRF(distance='jensen_shannon')"
        yield "AWRF, jensenshannon", metric, cutoff, np.mean(distances)


PEERS = {
    "recbole": recbole,
    "recommenders": recommenders,
    "lenskit": lenskit,
    "elliot": elliot,
    "expeval": expeval,
    "fairlearn": fairlearn,
    "fairranktune": fairranktune,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("peer", choices=PEERS)
    peer = parser.parse_args().peer
    version = COMMITS.get(peer) or importlib.metadata.version(peer)
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(FIELDS)
    for call, metric, cutoff, value in PEERS[peer](*made_up()):
        rows.writerow((peer, version, call, metric, cutoff, f"{value:.12g}"))


if __name__ == "__main__":
    main()
