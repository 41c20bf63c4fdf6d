"""Record how another library splits or filters a dataset, as digests of its pairs.

    PYTHON tests/peers/record_splits.py LIBRARY NAME=RATINGS ... > tests/peers/splits/LIBRARY.csv

PYTHON is that of an environment with the library (cornac, lenskit, rectools, recpack or recbole,
`pip install LIBRARY`), which need not have rankassay; RATINGS is a file like u.data of MovieLens
100K: user, item, rating and timestamp, separated by tabs. What is written holds no data: numbers
of pairs, and the SHA-256 of the sorted lines "user<TAB>item<LF>". --pairs FOLDER writes the test
pairs, too, to count where two libraries differ.

Libraries disagree on which of two interactions of one time is the last. So ratings are given to
them in three ways: as they are in the file, sorted by user and item, and "untied": with times that
have the same order, but where those of one time follow each other by item.

tests/unit/data/test_peer_splits.py compares these with the splits of rankassay that `split` and
`filter` ask for.
"""

import argparse
import contextlib
import csv
import hashlib
import importlib.metadata
import io
import json
import os
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

DAY = 86_400
FIELDS = ("data", "peer", "version", "case", "order", "call", "split", "filter")
FIELDS += ("train", "test", "test_users", "train_sha256", "test_sha256")
NAMES = ["user", "item", "rating", "timestamp"]


def orders(frame):
    """Return the ratings in the three ways."""
    by_pair = frame.sort_values(["user", "item"], ignore_index=True)
    within = by_pair["item"].rank(method="dense").astype("int64")
    untied = by_pair["timestamp"] * (int(within.max()) + 1) + within
    return {"file": frame, "sorted": by_pair, "untied": by_pair.assign(timestamp=untied)}


def last(n):
    return {"method": "leave_last", "n": n}


def share(fraction, rounding):
    return {"method": "temporal_share", "test_fraction": fraction, "rounding": rounding}


def at(point, **more):
    return {"method": "global_time", "point": int(point), **more}


def end_less(frame, days):
    """Return the midnight this number of days before the one after the last interaction."""
    return (int(frame["timestamp"].max()) // DAY + 1 - days) * DAY


def days_of(frame):
    """Return a number of days at the end of the data that is some of all."""
    span = (frame["timestamp"].max() - frame["timestamp"].min()) // DAY
    return 30 if span > 100 else 10


def least(frame):
    """Return a number of interactions that some users and items do not have."""
    return 30 if len(frame) > 10_000 else 10


def middle(frame):
    """Return a time that some interaction has, so that >= and > differ."""
    return int(np.sort(frame["timestamp"].to_numpy())[len(frame) * 7 // 10])


def rectools(frame, order):
    from rectools.dataset import Interactions
    from rectools.model_selection import LastNSplitter, TimeRangeSplitter

    named = {"user": "user_id", "item": "item_id", "rating": "weight", "timestamp": "datetime"}
    table = frame.rename(columns=named)
    if order == "untied":  # nanoseconds do not hold such times
        table["datetime"] = table["datetime"].rank(method="dense").astype("int64")
    table["datetime"] = pd.to_datetime(table["datetime"], unit="s")
    interactions = Interactions(table)

    def parts(splitter):
        train, test, _ = next(splitter.split(interactions))
        return frame.iloc[train], frame.iloc[test]

    for n in (1, 5):
        yield f"leave-last-{n}", f"LastNSplitter(n={n})", last(n), parts(LastNSplitter(n))
        keep = (n, 1, False, False, False)
        call = f"LastNSplitter(n={n}, filter_cold_users=False, filter_cold_items=False)"
        yield f"leave-last-{n}-all", call, last(n), parts(LastNSplitter(*keep))
    if order == "file":
        days = days_of(frame)
        keep = (f"{days}D", 1, False, False, False)
        call = f"TimeRangeSplitter('{days}D', filter_cold_users=False, filter_cold_items=False)"
        ours = at(end_less(frame, days))
        yield "global-time-point", call, ours, parts(TimeRangeSplitter(*keep))
        call = f"TimeRangeSplitter('{days}D', filter_cold_items=False)"
        keep = (f"{days}D", 1, True, False, False)
        warm = ours | {"cold_users": "drop"}
        yield "global-time-point-warm-users", call, warm, parts(TimeRangeSplitter(*keep))


def lenskit(frame, order):
    from lenskit.data import from_interactions_df
    from lenskit.splitting import (
        LastFrac,
        LastN,
        SampleFrac,
        crossfold_records,
        crossfold_users,
        split_global_time,
        split_temporal_fraction,
    )

    data = from_interactions_df(
        frame.rename(columns={"user": "user_id", "item": "item_id"}),
    )

    def parts(split):
        train = split.train.interaction_table(format="pandas", original_ids=True)
        test = split.test.to_df()
        named = {"user_id": "user", "item_id": "item"}
        return train.rename(columns=named), test.rename(columns=named)

    def of_all_users(method):
        return parts(next(crossfold_users(data, 1, method, rng=1)))

    for n in (1, 5):
        call = f"crossfold_users(data, 1, LastN({n}))"
        yield f"leave-last-{n}", call, last(n), of_all_users(LastN(n))
    for fraction in (0.2, 0.25):
        call = f"crossfold_users(data, 1, LastFrac({fraction}))"
        ours = share(fraction, "nearest")
        yield f"temporal-share-{fraction}", call, ours, of_all_users(LastFrac(fraction))
    if order == "file":
        point = middle(frame)
        call = f"split_global_time(data, {point})"
        yield "global-time-point", call, at(point), parts(split_global_time(data, point))
        call = f"split_global_time(data, {point}, filter_test_users=True)"
        ours = at(point, cold_users="drop")
        warm = parts(split_global_time(data, point, filter_test_users=True))
        yield "global-time-point-warm-users", call, ours, warm
        ours = {"method": "global_time", "share": 0.8}
        call = "split_temporal_fraction(data, 0.2)"
        yield "global-time-share", call, ours, parts(split_temporal_fraction(data, 0.2))
        call = "crossfold_records(data, 5, rng=1), the first"
        yield "folds", call, None, parts(next(iter(crossfold_records(data, 5, rng=1))))
        call = "crossfold_users(data, 1, SampleFrac(0.2, rng=1))"
        yield "random", call, None, of_all_users(SampleFrac(0.2, rng=1))


def recpack(frame, order):
    from recpack.matrix import InteractionMatrix
    from recpack.preprocessing.filters import MinItemsPerUser, MinRating, MinUsersPerItem
    from recpack.scenarios import Timed, TimedLastItemPrediction
    from recpack.scenarios.splitters import (
        FractionInteractionSplitter,
        MostRecentSplitter,
        TimestampSplitter,
        UserSplitter,
    )

    users, user = np.unique(frame["user"], return_inverse=True)
    items, item = np.unique(frame["item"], return_inverse=True)
    coded = pd.DataFrame({"u": user, "i": item, "t": frame["timestamp"].to_numpy()})
    matrix = InteractionMatrix(coded, "i", "u", timestamp_ix="t")

    def pairs(part):
        found = part._df
        ids = users[found[InteractionMatrix.USER_IX]], items[found[InteractionMatrix.ITEM_IX]]
        return pd.DataFrame(dict(zip(("user", "item"), ids, strict=True)))

    def parts(splitter):
        return tuple(map(pairs, splitter.split(matrix)))

    for n in (1, 5):
        yield f"leave-last-{n}", f"MostRecentSplitter({n})", last(n), parts(MostRecentSplitter(n))
    held = np.arange(len(users)) % 5 == 0
    known, out = UserSplitter(np.flatnonzero(~held), np.flatnonzero(held)).split(matrix)
    _, tested = MostRecentSplitter(5).split(out)
    ours = {"method": "hold_out_users", "held": "every fifth", "last": 5}
    call = "UserSplitter(others, every fifth user), MostRecentSplitter(5) of these"
    yield "hold-out-users", call, ours, (pairs(known), pairs(tested))
    if order != "untied":
        point = middle(frame)
        call = f"TimedLastItemPrediction({point})"
        scenario = TimedLastItemPrediction(point)
        scenario.split(matrix)
        ours = at(point, targets="last")
        found = pairs(scenario.full_training_data), pairs(scenario._test_data_out)
        yield "global-time-last", call, ours, found
    if order == "file":
        call = f"TimestampSplitter({point})"
        yield "global-time-point", call, at(point), parts(TimestampSplitter(point))
        call = f"Timed({point}).test_data_out"
        scenario = Timed(point)
        scenario.split(matrix)
        found = pairs(scenario.full_training_data), pairs(scenario.test_data_out)
        yield "global-time-point-warm-users", call, at(point, cold_users="drop"), found
        call = "FractionInteractionSplitter(0.8, seed=1)"
        yield "random", call, None, parts(FractionInteractionSplitter(0.8, seed=1))
        k = least(frame)
        for name, call, ours, filters in (
            ("least-rating", "MinRating(4)", [rated(4)], [MinRating(4, "rating")]),
            (
                "core-once",
                f"MinItemsPerUser({k}), MinUsersPerItem({k})",
                [core(k, k, iterate=False)],
                [MinItemsPerUser(k, "item", "user"), MinUsersPerItem(k, "item", "user")],
            ),
            (
                "core-once-items-first",
                f"MinUsersPerItem({k}), MinItemsPerUser({k})",
                [core(items=k), core(users=k)],
                [MinUsersPerItem(k, "item", "user"), MinItemsPerUser(k, "item", "user")],
            ),
        ):
            left = frame
            for each in filters:
                left = each.apply(left)
            yield name, call, ours, (left, left[:0])
        days = days_of(frame)
        since = point - days * DAY
        call = f"TimestampSplitter({since}, delta_out={days * DAY}), the second part"
        ours = [{"kind": "window", "from": since, "to": point}]
        inside = parts(TimestampSplitter(since, delta_out=days * DAY))[1]
        yield "window", call, ours, (inside, inside[:0])


def core(users=None, items=None, iterate=True):
    return {"kind": "k_core", "users": users, "items": items, "iterate": iterate}


def rated(rating):
    return {"kind": "least_rating", "rating": rating}


def cornac(frame, order):
    from cornac.data import Reader
    from cornac.eval_methods import CrossValidation, RatioSplit, StratifiedSplit, TimestampSplit

    rows = [
        (str(u), str(i), float(r), int(t)) for u, i, r, t in frame[NAMES].itertuples(index=False)
    ]
    keep = {"exclude_unknowns": False, "fmt": "UIRT"}

    def parts(method):
        def pairs(part):
            users = {index: user for user, index in method.global_uid_map.items()}
            items = {index: item for item, index in method.global_iid_map.items()}
            user, item, _ = part.uir_tuple
            ids = [[users[u] for u in user], [items[i] for i in item]]
            return pd.DataFrame(dict(zip(("user", "item"), ids, strict=True)))

        return pairs(method.train_set), pairs(method.test_set)

    for n in (1, 5):
        call = f"StratifiedSplit(data, chrono=True, test_size={n}, exclude_unknowns=False)"
        # A size of 1 is not below 1, and so a number.
        found = parts(StratifiedSplit(rows, chrono=True, test_size=n, **keep))
        yield f"leave-last-{n}", call, last(n), found
    call = "StratifiedSplit(data, chrono=True, test_size=0.2, exclude_unknowns=False)"
    found = parts(StratifiedSplit(rows, chrono=True, test_size=0.2, **keep))
    yield "temporal-share-0.2", call, share(0.2, "ceil"), found
    if order == "file":
        point = middle(frame)
        call = f"TimestampSplit(data, {point - 1}, {point}, exclude_unknowns=False)"
        if not (frame["timestamp"] == point - 1).any():
            found = parts(TimestampSplit(rows, point - 1, point, **keep))
            yield "global-time-point", call, at(point), found
        call = "TimestampSplit(data, test_size=0.2, exclude_unknowns=False)"
        ours = {"method": "global_time", "share": 0.8}
        yield "global-time-share", call, ours, parts(TimestampSplit(rows, test_size=0.2, **keep))
        call = "RatioSplit(data, test_size=0.2, seed=1, exclude_unknowns=False)"
        yield "random", call, None, parts(RatioSplit(rows, test_size=0.2, seed=1, **keep))
        call = "CrossValidation(data, n_folds=5, seed=1, exclude_unknowns=False), the first"
        folds = CrossValidation(rows, n_folds=5, seed=1, **keep)
        folds._get_train_test()
        yield "folds", call, None, parts(folds)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ratings.tsv")
            frame[NAMES].to_csv(path, sep="\t", header=False, index=False)
            k = least(frame)
            for name, call, ours in (
                ("core-once", {"min_user_freq": k, "min_item_freq": k}, [core(k, k, False)]),
                ("items", {"min_item_freq": k}, [core(items=k)]),
                ("users", {"min_user_freq": k}, [core(users=k)]),
                ("least-rating", {"bin_threshold": 4.0}, [rated(4)]),
            ):
                left = Reader(**call).read(path, fmt="UIRT", sep="\t")
                left = pd.DataFrame(left, columns=NAMES)
                words = ", ".join(f"{key}={value}" for key, value in call.items())
                yield name, f"Reader({words})", ours, (left, left[:0])


def recbole(frame, order):
    import torch

    # It asks for no more than what its configuration loads.
    from recbole.config import Config
    from recbole.data.dataset import Dataset

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "own"
        place.mkdir()
        named = ["user_id:token", "item_id:token", "rating:float", "timestamp:float"]
        if order == "untied":  # float32 does not hold such times
            frame = frame.assign(timestamp=frame["timestamp"].rank(method="dense"))
        frame[NAMES].to_csv(place / "own.inter", sep="\t", header=named, index=False)

        def dataset(**more):
            given = {
                "data_path": folder,
                "load_col": {"inter": ["user_id", "item_id", "rating", "timestamp"]},
                "seed": 1,
                "reproducibility": True,
                "use_gpu": False,
                **more,
            }
            config = Config(model="Pop", dataset="own", config_dict=given)
            torch.manual_seed(1)
            return Dataset(config)

        def pairs(part):
            found = part.inter_feat
            if len(found) == 0:
                return pd.DataFrame({"user": [], "item": []})
            ids = [
                part.id2token(field, np.asarray(found[field])) for field in ("user_id", "item_id")
            ]
            return pd.DataFrame(dict(zip(("user", "item"), ids, strict=True)))

        def parts(group, mode, split):
            how = {"order": mode, "group_by": group, "split": split, "mode": "full"}
            built = dataset(eval_args=how).build()
            return pairs(built[0]), pairs(built[-1])

        call = "eval_args={order: TO, group_by: user, split: {LS: test_only}}"
        yield "leave-last-1", call, last(1), parts("user", "TO", {"LS": "test_only"})
        call = "eval_args={order: TO, group_by: user, split: {RS: [0.8, 0, 0.2]}}"
        found = parts("user", "TO", {"RS": [0.8, 0.0, 0.2]})
        yield "temporal-share-0.2", call, share(0.2, "floor"), found
        if order == "file":
            ours = {"method": "global_time", "share": 0.8}
            call = "eval_args={order: TO, group_by: none, split: {RS: [0.8, 0, 0.2]}}"
            yield "global-time-share", call, ours, parts(None, "TO", {"RS": [0.8, 0.0, 0.2]})
            call = "eval_args={order: TO, group_by: user, split: {TS: [0.8, 0, 0.2]}}"
            found = parts("user", "TO", {"TS": [0.8, 0.0, 0.2]})
            yield "global-time-share-TS", call, ours, found
            call = "eval_args={order: RO, group_by: user, split: {RS: [0.8, 0, 0.2]}}, seed=1"
            yield "random", call, None, parts("user", "RO", {"RS": [0.8, 0.0, 0.2]})
            both = ("user_inter_num_interval", "item_inter_num_interval")
            k = least(frame)
            for name, call, ours in (
                ("core", dict.fromkeys(both, f"[{k},inf)"), [core(k, k)]),
                ("core-5", dict.fromkeys(both, "[5,inf)"), [core(5, 5)]),
                ("least-rating", {"val_interval": {"rating": "[4,inf)"}}, [rated(4)]),
            ):
                left = pairs(dataset(**call))
                words = ", ".join(f"{key}={value}" for key, value in call.items())
                yield name, words, ours, (left, left[:0])


PEERS = {
    "cornac": cornac,
    "lenskit": lenskit,
    "recbole": recbole,
    "recpack": recpack,
    "rectools": rectools,
}


def lines(part):
    """Return the sorted lines of the pairs of a part."""
    users, items = part["user"].astype(str), part["item"].astype(str)
    return sorted(f"{user}\t{item}\n" for user, item in zip(users, items, strict=True))


def digest(part):
    return hashlib.sha256("".join(lines(part)).encode()).hexdigest()


def main():
    """Write the rows of one library on some datasets."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("library", choices=PEERS)
    parser.add_argument("data", nargs="+", metavar="NAME=RATINGS")
    parser.add_argument("--pairs", help="folder for the test pairs, which are data")
    options = parser.parse_args()
    version = importlib.metadata.version(options.library)
    writer = csv.DictWriter(sys.stdout, FIELDS, lineterminator="\n")
    writer.writeheader()
    warnings.simplefilter("ignore")
    for given in options.data:
        name, _, path = given.partition("=")
        ratings = pd.read_csv(path, sep="\t", names=NAMES)
        for order, frame in orders(ratings).items():
            with contextlib.redirect_stdout(io.StringIO()):
                found = [*PEERS[options.library](frame, order)]
            for case, call, ours, (train, test) in found:
                filters = isinstance(ours, list)
                row = {
                    "data": name,
                    "peer": options.library,
                    "version": version,
                    "case": case,
                    "order": order,
                    "call": call,
                    "split": "" if filters or ours is None else json.dumps(ours),
                    "filter": json.dumps(ours) if filters else "",
                    "train": len(train),
                    "test": len(test),
                    "test_users": test["user"].nunique(),
                    "train_sha256": digest(train),
                    "test_sha256": digest(test),
                }
                writer.writerow(row)
                if options.pairs:
                    kept = train if filters else test
                    folder = Path(options.pairs)
                    folder.mkdir(parents=True, exist_ok=True)
                    to = folder / f"{name}-{options.library}-{case}-{order}.tsv"
                    to.write_text("".join(lines(kept)), encoding="utf-8")


if __name__ == "__main__":
    main()
