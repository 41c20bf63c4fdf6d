"""Call public functions with random wrong arguments: `.../fuzz_functions.py [CASES] [SEED]`.

A case takes arguments that are right and puts one to three wrong ones in their place. The function
returns something sound, or raises a RankassayError of one line, without an address. A crash of the
interpreter ends the run, and faulthandler says in which case. For every fourth case, p-values are
compared with those of all signs in whole numbers.
"""

import contextlib
import dataclasses
import datetime
import faulthandler
import functools
import json
import logging
import math
import random
import stat
import sys
import tempfile
import warnings
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp

import rankassay
from rankassay.artifacts.arrays import Rankings
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import BEYOND_METRICS, weighs
from rankassay.metrics.catalogue import METRICS as CATALOGUE
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.paired import CORRECTIONS
from rankassay.statistics.pairwise_orders import ORDERS
from rankassay.statistics.significance import TESTS

SCALARS = [
    *(None, True, False, 0, 1, 2, 3, 7, -1, -0.0, 0.5, 3.7, 1e5, 2**31, 2**53 + 1, 10**30),
    *(math.nan, math.inf, -math.inf, 1e308, 5e-324),
    *("", "x", "P", "PR", "P@10", "nDCG@0", "nDCG(", "P@99999999999", "a\0b", "ä\n", b"P@10"),
    *([], ["P@10"], ["P@10", "P@10"], ["P@5", None], [0.5], [math.nan], [100, 50], [[1]], (), {}),
    *({"a": 1}, {1: {}}, {"ann": {"film": 1}}, {"ann": ["film"]}, {"ann": {"film": "x"}}, {1, 2}),
    *(
        object(),
        len,
        lambda: None,
        (i for i in ()),
        Decimal(3),
        Fraction(1, 2),
        1 + 2j,
        datetime.date(2020, 1, 1),
        pd.NA,
        pd.NaT,
    ),
    *(1 - 1e-16, Fraction(10**20 - 1, 10**20), Fraction(1, 10**400), Fraction(1, 3)),
    *(10**400, -(10**400), 10**5000, Fraction(10**400), Decimal("1e400"), np.float16(3), 2**53),
    *("P@" + "9" * 5000, "P(a=" + "-" * 100_000 + "1)@5", "P(a=" + "(" * 900, "9" * 5000),
    *(np.int64(3), np.float32(0.5), np.array(4), np.array([1, 2]), np.array([]), np.array("P@5")),
    *(pd.Series([1, 2]), pd.DataFrame(), pd.DataFrame({"user": [1]}), sp.eye(3, format="csr")),
    *(iter(["P@5"]), Path("nowhere"), Path("/"), "nowhere/at all", "results"),
    *("n" * 300, "\ud800", Fraction(10**20 - 1, 10**20), Fraction(1, 3), 1 - 1e-16, [[0.5]] * 3),
    *(np.longdouble(0.5) + np.longdouble(2) ** -60, np.array([[1.0, 2], [3, 4]]).view(np.matrix)),
    pd.Series([0.5], pd.MultiIndex.from_tuples([("ann", "film", 1)])),
]
LOOP: list = []
LOOP.append(LOOP)
SCALARS += [LOOP, [LOOP, LOOP], functools.reduce(lambda inner, _: [inner], range(5000), [])]
# Names of runs, which cannot be distinguished in results in some cases.
NAMES = [("a", "b")] * 9 + [(("a", 1), ("a", 2)), (None, "b"), (math.nan, "b"), (1, "1"), (1, 0.5)]
PROFILES = ("paper", "trec", "as-run", "blog", "rendle")
METRICS = [f"{name}@{k}" for name in CATALOGUE for k in (1, 5)]
METRICS += ["AP", "RR", "nDCG", "Bpref", "infAP", "AUC", "MAE"]
UNDEMANDING = ["P@5", "nDCG@10", "AP@10", "RR@10", "Bpref", "infAP", "F1@5", "Q@5"]
KINDS = ["RPP", "RPP(graded=True)", "lexirecall", "lexiprecision", "sign of AP", "sign of MAE"]
UNBOUNDED = ("DCG", "MAE", "MSE", "NMAE", "RMSE")
SIGNED = ("CP", "MCC", "Markedness", "Informedness", "KendallTau")
COLUMNS = ["user", "item", "rating", "score", "rank", "n_items"]


IDS = ([*range(6)], [*"abcdef"], [float(i) for i in range(6)])
# Ids that are refused, or are others than they seem.
ODD_IDS = (
    [2**53 + i for i in range(6)],
    [float(2**53 + 2 * i) for i in range(6)],
    [(i, "x") for i in range(6)],
    [True, 1, 2, False, 0, 3],
    [*np.arange(2**24, 2**24 + 6).astype("f4")],
    [b"a", "a", "b", b"b", "c", "d"],
)


ODD = (Decimal("3.99999999999999999999"), Fraction(1, 3), "1_0", "٥", b"5", 2**53 + 1, "3.6")


def a_frame(rng, value, ids):
    """Return rows of users and items, which are sound unless something is done to them."""
    pairs = [(user, item) for user in ids[:4] for item in ids if rng.random() < 0.6]
    frame = pd.DataFrame(pairs or [(ids[0], ids[0])], columns=["user", "item"])
    levels = [1.0, 2.0, 3.0, 4.0, 5.0, 3.6] if rng.random() < 0.8 else [-2, -1, 0, 1]
    frame[value] = [rng.choice(levels) for _ in range(len(frame))]
    if value == "score" and rng.random() < 0.2:
        frame[value] = [10**18 + rng.randrange(9) for _ in range(len(frame))]
    if value == "score" and rng.random() < 0.3:
        frame["rank"] = range(1, len(frame) + 1)
    return frame


def hurt(frame, rng):
    """Return a frame to which something was done."""
    column = rng.choice([*frame.columns])
    if [*frame.columns].count(column) > 1:
        return frame
    change = rng.randrange(14)
    if change == 0:
        return frame.rename(columns={column: rng.choice([*COLUMNS, 1, None, "x"])})
    if change == 1:
        return frame.drop(columns=column)
    if change == 2:
        return frame.iloc[:0]
    if change == 3:
        kinds = ["category", "string", "object", "float32", "int8", "Int64", "bool", "complex128"]
        kinds += ["datetime64[ns]", "uint64", "float16", "Float32", "longdouble", "str"]
        try:
            return frame.astype({column: rng.choice(kinds)})
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
            return frame
    if change == 4:
        return pd.concat([frame, frame])
    if change == 5:
        return pd.concat([frame, frame[[column]]], axis=1)
    if change == 6:
        return frame.set_index(column)
    if change == 7:
        return pd.concat({"a": frame}, axis=1)
    if change == 8:
        return frame.assign(**{str(column): [[1]] * len(frame)})
    cells = frame[column].astype(object).tolist()
    value = rng.choice([*SCALARS[:32], 2.0**60, (1, 2), "7", 10**400, -(2**63), *ODD])
    for _ in range(rng.choice([1, 1, len(cells)])):
        cells[rng.randrange(len(cells))] = value
    return frame.assign(**{str(column): pd.Series(cells, index=frame.index)})


def a_matrix(rng):
    """Return a sparse matrix, some of whose arrays may be those of another one."""
    numbers = np.random.default_rng(rng.randrange(2**31))
    kinds = ["csr", "csc", "coo", "bsr", "lil", "dia", "dok"]
    matrix = sp.random(rng.randrange(4), 6, 0.7, rng.choice(kinds), random_state=numbers)
    parts = {*vars(matrix)} & {"indptr", "indices", "data", "coords", "rows", "offsets", "_shape"}
    for name in rng.sample(sorted(parts), rng.choice([0, 0, 1])):
        old = getattr(matrix, name)
        if isinstance(old, tuple) or old.dtype == object or not old.size:
            new = old[:-1]
        else:
            new = rng.choice([old[:-1], old[None], np.append(old, old), old.astype("f4"), old - 1])
            new = new.copy()
            if new.size:
                new.flat[rng.randrange(new.size)] = rng.choice([0, 1, 7, 100, 5000, 2**30])
        setattr(matrix, name, new)
    return matrix


def rows(rng, value, ids):
    """Return judgements or lists in one of their forms, sound or not."""
    frame = a_frame(rng, value, ids if rng.random() < 0.9 else rng.choice([*IDS, *ODD_IDS]))
    for _ in range(rng.choice([0, 0, 0, 0, 1, 2])):
        frame = hurt(frame, rng) if len(frame) and len(frame.columns) else frame
    form = rng.random()
    if form < 0.4 and {"user", "item", value} <= {*frame.columns} and frame.columns.is_unique:
        nested = {}
        for row in zip(*(frame[name].tolist() for name in ("user", "item", value)), strict=True):
            try:
                nested.setdefault(row[0], {})[row[1]] = row[2]
            except TypeError:
                return frame
        if value == "score" and form < 0.05:
            return {user: [*items] for user, items in nested.items()}
        return nested
    if 0.4 <= form < 0.5:
        return [*frame.itertuples(index=False, name=None)]
    if 0.5 <= form < 0.6:
        numbers = np.random.default_rng(rng.randrange(2**31))
        lists = numbers.integers(-1, 6, (3, 4)).astype(rng.choice(["i8", "f4", "O", "u1"]))
        return rng.choice([a_matrix(rng), a_matrix(rng), numbers.random((3, 6)), lists])
    if form < 0.62:
        frame.attrs["odd"] = np.ones(2)  # neither equal nor unlike
    return frame if form < 0.95 else rng.choice(SCALARS)


def values(rng):
    """Return an array of users' values, sound or not."""
    numbers = np.random.default_rng(rng.randrange(2**31))
    shape = rng.choice([(9, 2), (5, 3), (12, 3, 2), (1, 2), (1, 2, 1), (30, 2, 1), (4, 1), (0, 2)])
    array = numbers.random(shape) * 10.0 ** rng.choice([0, 0, 0, -300, -10, 10, 39, 300])
    if rng.random() < 0.3:
        array = np.round(array, 1)
    if rng.random() < 0.2 and array.size:
        array.flat[rng.randrange(array.size)] = rng.choice([math.nan, math.inf, -math.inf])
    if rng.random() < 0.1 and array.size:
        array[rng.choice([0, 1]) :] = math.nan  # one user with values, or none
    if rng.random() < 0.15:
        kinds = [array.astype(object), array.tolist(), array[0:0], array.astype("f4")]
        kinds += [numbers.integers(0, 9, shape) + rng.choice([0, 2**50, 2**53, 2**60])]
        array = rng.choice([*kinds, np.ma.masked_invalid(array)])
    return array


def twisted(rng, thing):
    """Return a dataclass one of whose arrays is of another type, shape or content."""
    name = rng.choice([field.name for field in dataclasses.fields(thing)])
    old = getattr(thing, name)
    if not isinstance(old, np.ndarray):
        return dataclasses.replace(thing, **{name: rng.choice(SCALARS)})
    change = rng.randrange(6)
    if change == 0:
        new = old.astype(rng.choice(["u1", "u8", "i8", "f4", "f8", "O", "U9", "?"]))
    elif change == 1:
        new = rng.choice([old[:-1], np.append(old, old[-1:]), old[None], old.tolist()])
    elif change == 2:
        new = np.ma.masked_array(old, np.zeros(old.shape, bool))
    else:
        wide = {"i": rng.choice(["i4", "i8", "u8"]), "f": "f8"}.get(old.dtype.kind, "O")
        new = old.astype(wide)
        values = [0, 1, 2, 200, 2**31 - 1] + [-1, -(2**31)] * (wide != "u8")
        values += [2**40] * (wide[1:] == "8") + [math.nan, math.inf] * (wide == "f8")
        for _ in range(min(new.size, rng.choice([1, 1, 3]))):
            new.flat[rng.randrange(new.size)] = rng.choice(values)
    return dataclasses.replace(thing, **{name: new})


def pipeline(rng):
    """Return Judgements, and Lists or Rankings that need not belong to them."""
    numbers = np.random.default_rng(rng.randrange(2**31))
    matrix = sp.random(6, 9, 0.5, "csr", np.float32, numbers)
    judgements = Judgements.of(matrix, 0.5)
    start, users = judgements.start, judgements.users
    order = [numbers.permutation(9)[:n] + 1 for n in np.diff(start)]
    ranks = np.concatenate([*order, []]).astype(np.int32)
    ranks[numbers.random(len(ranks)) < 0.2] = 0
    candidates = np.full(6, 18, dtype=np.int32)
    listed = rng.choice([None, candidates])
    if rng.random() < 0.5:
        lists = Lists(ranks, candidates[users] // 2, None if listed is None else listed[users])
    else:
        items = numbers.integers(0, 9, (6, 4)).astype(np.int32)
        lists = Rankings(items, ranks, candidates // 2, listed)
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        if rng.random() < 0.5:
            judgements = twisted(rng, judgements)
        else:
            lists = twisted(rng, lists)
    return judgements, lists


def padded(rng, items):
    """Return items, best first, in one of the forms of lists, with places that hold none."""
    for _ in range(rng.randrange(3)):
        items.insert(rng.randrange(len(items) + 1), rng.choice([-1, -2]))
    if isinstance(max(items, key=str), str):
        return rng.choice([list, tuple])(items)
    kinds = [int, float, np.int64, np.int8, np.float32, np.float16, np.longdouble]
    items = [rng.choice(kinds)(item) for item in items]
    return rng.choice([list, tuple, np.array, lambda own: np.array(own, dtype=object)])(items)


def one_user(rng):
    """Return all metrics of one list, with enough items that could be listed or too few."""
    ids = rng.choice([[*"abcdefghijkl"], [*range(12)]])
    judged = {item: rng.randrange(1, 6) for item in rng.sample(ids[:8], rng.randrange(1, 9))}
    numbers = [0.5, 2, Fraction(7, 3), Decimal("0.1"), *(10**18 + i for i in range(5))]
    listed = {item: rng.choice(numbers) for item in rng.sample(ids, rng.randrange(1, 7))}
    form = rng.random()
    if form < 0.2:
        listed = [*listed.items()]
    elif form < 0.6:
        listed = padded(rng, [*listed])
    metrics = [name for name in METRICS if name.partition("@")[0] not in UNBOUNDED]
    metrics = [name for name in metrics if not weighs(name)]
    given = {"qrels": {"u": judged}, "run": {"u": listed}, "metrics": metrics}
    return given | {"n_items": rng.randrange(1, 15), "ties": "input", "threshold": 4}


def some_metrics(rng):
    """Return metrics, of which some need numbers of items or predicted ratings."""
    return rng.sample(rng.choice([METRICS, UNDEMANDING, UNDEMANDING]), 2)


def a_number(rng, ids):
    """Return how many items could be listed: enough, or too few."""
    if rng.random() < 0.8:
        return rng.choice([None, 12, rng.randrange(1, 15)])
    index = [rng.choice([*ids, *rng.choice(ODD_IDS)]) for _ in range(rng.randrange(6))]
    index = index if rng.random() < 0.5 else ids
    values = [rng.choice([9, 9, 9, 9.0, "9", "5x", 2, 9 + 1j, None]) for _ in index]
    return pd.Series(values, pd.Index(index, dtype=object, tupleize_cols=False), dtype=object)


def maybe(rng, value):
    """Return what need not be given, now and then."""
    return value if rng.random() < 0.2 else None


def judged_ones(rng, ids):
    """Return judgements with their ids that were made, and perhaps broken again."""
    qrels = rankassay.judged(a_frame(rng, "rating", ids), 4)
    if rng.random() < 0.5:
        return qrels
    if rng.random() < 0.5:
        return twisted(rng, qrels)
    return dataclasses.replace(qrels, judgements=twisted(rng, qrels.judgements))


def arguments(rng, folder):
    """Return a function's name and arguments, before anything is replaced."""
    name = rng.choice([*rankassay.__all__[1:], "evaluate", "evaluate", "permutation_test"])
    seed, ids = rng.randrange(9), rng.choice(IDS)
    if name == "evaluate" and rng.random() < 0.15:
        return name, one_user(rng)
    if name == "evaluate" and rng.random() < 0.2:
        qrels, run = pipeline(rng)
        return name, {"qrels": qrels, "run": run, "metrics": some_metrics(rng)}
    if name == "beyond":
        metrics = rng.choices([f"{metric}@3" for metric in BEYOND_METRICS], k=rng.randrange(4))
        given = {"run": rows(rng, "score", ids), "train": rows(rng, "rating", ids), "seed": seed}
        given |= {"metrics": metrics, "qrels": rng.choice([None, rows(rng, "rating", ids)])}
        given |= {"aspects": rng.choice([None, {i: ["x", "y"] for i in ids}]), "threshold": 4}
        groups = {i: k % 2 for k, i in enumerate(ids)}
        given |= {"item_groups": rng.choice([None, groups, pd.Series(groups)])}
        given |= {"user_groups": rng.choice([None, groups]), "ties": rng.choice(["item", "trec"])}
        return name, given | {"confidence": rng.choice([None, 0.9])}
    if name in ("compare", "evaluate", "robustness", "judged"):
        given = {"qrels": rows(rng, "rating", ids), "threshold": rng.choice([4, 4, 1, None])}
        if name == "judged":
            return name, given
        if rng.random() < 0.1:
            given |= {"qrels": judged_ones(rng, ids), "threshold": rng.choice([4, None, 3])}
        given |= {"metrics": some_metrics(rng), "profile": rng.choice(PROFILES)}
        runs = {own: rows(rng, "score", ids) for own in rng.choice(NAMES)}
        if name == "compare":
            given |= {"runs": runs, "n_permutations": 200, "seed": seed, "depth": None}
            given |= {"test": rng.choice([*TESTS]), "correction": rng.choice(CORRECTIONS)}
            given |= {"equivalence": rng.choice([None, "1%", 0.01]), "unequal_depths": False}
            return name, given | {"alpha": 0.05, "confidence": 0.95, "ties": None}
        given |= {"aggregate": "mean", "depth": None, "seed": seed, "ties": None}
        given |= {"without_relevant": None}
        if name == "evaluate":
            run = runs if rng.random() < 0.1 else rows(rng, "score", ids)
            given |= {"run": run, "per_user": False, "users": "judged"}
            given |= {"unjudged": rng.choice(["nonrelevant", "condensed"])}
            return name, given | {"n_items": a_number(rng, ids), "confidence": None}
        given |= {"runs": runs, "levels": [100, 50], "unequal_depths": rng.random() < 0.5}
        given |= {"kind": rng.choice(["sparsity", "popularity"]), "samples": 3, "train": None}
        given |= {"persistence": 0.9, "round_means": None, "stratified": False, "of": "items"}
        return name, given | {"correlation": "tau_b", "unjudged_users": "drop"}
    if name == "bounds":
        given = {"qrels": rows(rng, "rating", ids), "run": rows(rng, "score", ids), "threshold": 4}
        given |= {"metrics": ["AP@3", "nDCG", "R@2"], "profile": rng.choice(PROFILES)}
        given |= {"beyond_list": rng.choice(["none", "any"]), "n_items": a_number(rng, ids)}
        given |= {"unequal_depths": False}
        return name, given | {"users": "judged", "depth": None, "ties": None}
    if name == "sensitivity":
        given = {"qrels": rows(rng, "rating", ids), "threshold": rng.choice([4, 4, 1, None])}
        given |= {"runs": {own: rows(rng, "score", ids) for own in rng.choice(NAMES)}}
        given |= {"metrics": rng.choice([["P@3", "DCG@2", "RR"], some_metrics(rng)])}
        given |= {"train": rng.choice([None, rows(rng, "rating", ids)]), "ties": None}
        given |= {"gamma": rng.choice([None, 1.5, 100]), "profile": rng.choice(PROFILES)}
        given |= {"unequal_depths": rng.random() < 0.7, "depth": rng.choice([None, 2])}
        return name, given | {"without_relevant": None}
    if name == "judge":
        given = {"qrels": rows(rng, "rating", ids), "threshold": rng.choice([4, 4, 1, None])}
        runs = {own: rows(rng, "score", ids) for own in rng.choice(NAMES)}
        given |= {"runs": rng.choice([runs, runs, rows(rng, "score", ids)]), "seed": seed}
        given |= {"train": maybe(rng, rows(rng, "rating", ids)), "references": None}
        given |= {"truth": maybe(rng, rows(rng, "rating", ids)), "ties": None}
        given |= {"outcomes": maybe(rng, {own: k for k, own in enumerate(runs)})}
        given |= {"metrics": maybe(rng, rng.choice([["P", "nDCG@2"], some_metrics(rng)]))}
        given |= {"cutoffs": maybe(rng, [1, 2]), "depth": maybe(rng, 2)}
        given |= {"propensities": maybe(rng, dict.fromkeys(ids, 0.5)), "yardstick": None}
        return name, given | {"gamma": rng.choice([None, 2]), "profile": rng.choice(PROFILES)}
    if name == "preferences":
        given = {"qrels": rows(rng, "rating", ids), "threshold": 4, "seed": seed, "cutoff": None}
        runs = {own: rows(rng, "score", ids) for own in rng.choice(NAMES)}
        given |= {"runs": runs, "ties": None}
        given |= {"kind": rng.choice(KINDS), "order": rng.choice([None, *ORDERS])}
        given |= {"n_permutations": 50, "unequal_depths": rng.random() < 0.5}
        return name, given | {"n_items": a_number(rng, ids)}
    if name == "describe":
        said = {"definitions": rng.choice([None, {}, {"rankassay": "0"}, {"counted": {}}])}
        made = rankassay.evaluate({"u": {"a": 5}}, {"u": ["a"]}, per_user=rng.random() < 0.5)
        if rng.random() < 0.5:
            made.attrs |= said
        return name, {"result": made}
    if name == "ties":
        given = {"qrels": rows(rng, "rating", ids), "run": rows(rng, "score", ids), "threshold": 4}
        given |= {"users": rng.choice(["judged", "listed"]), "depth": rng.choice([None, 1, 2])}
        given |= {"without_relevant": rng.choice([None, "value", "nan"])}
        return name, given | {"metrics": ["P@3", "RR"], "profile": rng.choice(PROFILES)}
    if name in ("permutation_test", "discriminative_power"):
        given = {"values": values(rng), "n_permutations": 200, "seed": seed, "add_one": True}
        if name == "permutation_test":
            return name, given | {"alternative": "two-sided"}
        return name, given | {"measures": None, "replicates": 50, "confidence": 0.95}
    if name == "reliability":
        return name, {"values": values(rng), "confidence": 0.95}
    if name == "required_users":
        given = {"values": values(rng), "percent": rng.choice([1, 10]), "difference": None}
        given |= {"alpha": 0.05, "power": 0.8, "pairs": 1, "pair": "median", "seed": seed}
        return name, given | {"sd": None, "method": "formula", "samples": 50}
    if name == "correct_sampled":
        ranks = [rng.choice([1, 2, 3, 4, 5, 6, 0, 2.5, None, "1"][: rng.choice([6, 6, 10])])]
        given = {"ranks": ranks * rng.randrange(4), "n_items": rng.choice([30, 30, 5, 1])}
        given |= {"n_sampled": 5, "metrics": rng.choice(["R@2", ["AUC", "nDCG"], "P", "F1@2"])}
        return name, given | {"correction": rng.choice(["least squares", "bias-variance 0.1"])}
    if name == "rank_correlation":
        sides = [
            {rng.choice(ids): rng.choice([1, 2, 2.5, -1, 10**18]) for _ in range(rng.randrange(6))}
            for _ in range(2)
        ]
        sides = [pd.Series(own) if rng.random() < 0.3 else own for own in sides]
        given = dict(zip("ab", sides, strict=True))
        given |= {
            "correlation": rng.choice(["kendall", "tau_ap", "spearman", "rbo", "rbo_a", "rbo_b"])
        }
        return name, given | {"persistence": 0.9, "part": rng.choice(["extrapolated", "least"])}
    if name == "across_datasets":
        table = values(rng)
        table = pd.DataFrame(table) if np.ndim(table) == 2 else table
        given = {
            "table": table,
            "equivalence": rng.choice(["1%", 0.01]),
            "alpha": 0.05,
            "seed": seed,
        }
        return name, given | {"samples": 50, "higher_is_better": True}
    if name == "summary":
        return name, {"folder": folder, "study": None, "datasets": None, "cutoff": None}
    if name == "results":
        return name, {"name": "robustness/sparsity", "folder": folder, "datasets": None}
    if name == "draw":
        table = pd.DataFrame({"metric": ["P", "RR"], "cutoff": 10, "level": 50, "tau": [0.9, 0.7]})
        given = {"name": "robustness/figure-6", "source": table.assign(dataset="mine")}
        return name, given | {"datasets": None, "metrics": None, "cutoff": None, "titles": None}
    path = folder / "file"
    path.unlink(missing_ok=True)
    if name.startswith("write") and rng.random() < 0.5:
        (folder / "private").touch()
        (folder / "private").chmod(0o600)
        path.symlink_to(rng.choice([folder / "private", "inner"]))
        (folder / "inner").unlink(missing_ok=True)
        (folder / "inner").symlink_to(folder / "private")
    if name in ("read_qrels", "read_run"):
        lines = [
            "u 0 i 3",
            "u Q0 i 1 2.5 tag",
            "",
            "u 0 j",
            "\0 0 i 1",
            "u\tQ0 j 1 nan t",
            "é 0 i 2",
        ]
        path.write_text("\n".join(rng.choices(lines, k=rng.randrange(4))), encoding="utf-8")
        return name, {"path": path}
    if name == "write_qrels":
        return name, {"qrels": rows(rng, "rating", ids), "path": path}
    frame = a_frame(rng, "score", ids).assign(rank=1)
    return name, {"run": rng.choice([frame, hurt(frame, rng)]), "path": path, "tag": "mine"}


def check_order(given, reciprocal_rank):
    """Raise AssertionError unless a list that a dict gives was in its order, told exactly."""
    qrels, run, threshold = given["qrels"], given["run"], given.get("threshold", 4)
    if given.get("profile", "paper") == "paper" and threshold == 4 and [*run] == ["u"] == [*qrels]:
        listed = run["u"]
        if isinstance(listed, list) and listed and isinstance(listed[0], tuple):
            listed = dict(listed)
        if isinstance(listed, dict):
            best_first = sorted(listed, key=listed.get, reverse=True)  # equal ones in their order
        else:
            best_first = [item for item in listed if isinstance(item, str) or item >= 0]
        ranks = [k for k, i in enumerate(best_first, 1) if qrels["u"].get(i, 0) >= 4]
        expected = 1 / ranks[0] if ranks else 0
        assert abs(reciprocal_rank - expected) < 1e-12, (best_first, reciprocal_rank)


def check(name, given, found):
    """Raise AssertionError for a result that cannot be right."""
    if name == "permutation_test":
        for p in (found.p_values, found.adjusted):
            assert p is None or ((p >= 0) & (p <= 1) | np.isnan(p)).all()
        assert not isinstance(given["values"], np.ma.MaskedArray)
    elif name == "reliability":
        for own in (found.e_rho2, found.phi, *found.e_rho2_interval, *found.phi_interval):
            assert np.isnan(own) or 0 <= own <= 1
        assert np.isnan(found.phi) or found.phi <= found.e_rho2 + 1e-12
        ends = [end for end in (*found.e_rho2_interval, *found.phi_interval) if np.isnan(end)]
        assert not ends or np.isnan(found.e_rho2), (found.confidence, ends)
    elif name == "sensitivity":
        assert not (found["gamma"] < 1).any()
        assert not (found["gamma_item"] < found["gamma"] - 1e-9).any()
        assert found[["p_value", "p_default"]].stack().between(0, 1).all()
    elif name == "judge":
        lines = str(found).splitlines()
        assert 0 < len(lines) <= 24
        assert max(map(len, lines)) <= 100
        json.dumps(found.to_dict(), allow_nan=False)
        assert found.explain()
        assert found.to_latex()
    elif name == "required_users":
        assert found >= 2
    elif name == "across_datasets":
        assert 0 <= found.p <= 1
        assert found.pairs["p_nemenyi"].between(0, 1).all()
        assert np.isclose(found.pairs.filter(like="probably").sum(axis=1), 1).all()
    elif name == "compare":
        assert {*found.pairs["run_a"], *found.pairs["run_b"]} == {*given["runs"]}
        for column in {"p_value", "corrected", "p_equivalence", "superiority"} & {*found.pairs}:
            own = found.pairs[column]
            assert (own.between(0, 1) | own.isna()).all()
        assert found.to_latex()
        assert found.to_markdown()
        assert str(found).startswith("Under ")
    elif name == "rank_correlation":
        low = 0 if given["correlation"].startswith("rbo") else -1
        assert np.isnan(found) or low - 1e-12 <= found <= 1 + 1e-12
    elif name == "correct_sampled":
        assert np.isfinite(found[["sampled", "corrected"]].to_numpy()).all()
    elif name == "discriminative_power":
        assert ((found["dp"] >= 0) | (found["pairs"] == 0)).all()
        assert not (found["low"] < 0).any()
        assert not (found["high"] > found["pairs"]).any()
    elif name == "preferences":
        numbers = found if isinstance(found, pd.Series) else found[["wins", "ties", "losses"]]
        assert not (numbers > 1 + 1e-12).any(axis=None)
    elif name == "bounds":
        assert not (found["least"] > found["greatest"]).any()
    elif name in ("write_qrels", "write_run"):
        check_written(name, given)
    elif name == "evaluate":
        if given.get("ties") == "input" and "RR" in found and not isinstance(found, pd.DataFrame):
            check_order(given, found["RR"])
        rows = found.to_frame().T if isinstance(found, pd.Series) else found
        if "value" in rows:
            rows = rows[["value"]].T
        for metric in rows.columns.intersection(METRICS):
            bare = metric.partition("@")[0]
            if bare not in UNBOUNDED:
                low = -1 if bare.removeprefix("Average") in SIGNED else 0
                numbers = rows[metric].to_numpy(np.float64)
                sound = (numbers >= low - 1e-12) & (numbers <= 1 + 1e-12) | np.isnan(numbers)
                assert sound.all(), found


def check_units(rng):
    """Raise AssertionError unless p-values of decimals in some unit are those of all signs."""
    most, parts = rng.choice([2, 9, 1000]), rng.choice([1, 2, 10, 100])
    n_users, n_systems = rng.randrange(2, 11), rng.randrange(2, 4)
    k = np.array([[rng.randint(-most, most) for _ in range(n_systems)] for _ in range(n_users)])
    unit = rng.choice([1, 10.0 ** rng.randrange(-300, 300), rng.lognormvariate(0, 9)])
    alternative = rng.choice(["two-sided", "greater", "less"])
    values = k / parts * unit
    if rng.random() < 0.3:  # whole numbers have a part in common, as times have
        shared = rng.choice([0, 2**44, 2**52, 2**53 - most])
        values = rng.choice([k + shared, (k + shared).tolist(), (k + shared).astype(object)])
        if shared > most:
            values = rng.choice([values, (k + shared).astype(np.uint64)])
        large = (k + rng.choice([2**53 + most, 2**60])).tolist()
        if any(int(float(each)) != each for row in large for each in row):
            for function in (rankassay.permutation_test, rankassay.reliability):
                with contextlib.suppress(RankassayError):
                    raise AssertionError(large, function(large))
    found = rankassay.permutation_test(values, alternative=alternative)
    first, second = np.triu_indices(n_systems, k=1)
    d = k[:, first] - k[:, second]
    signs = 1 - 2 * (np.arange(2**n_users)[:, None] >> np.arange(n_users) & 1)
    sums, total, squares = signs @ d, d.sum(axis=0), (d**2).sum(axis=0)
    if alternative == "two-sided":
        p = (abs(sums) >= abs(total)).mean(axis=0)
        # |S| / sqrt(q) >= |T| / sqrt(r) of any pair, in whole numbers.
        larger = (sums**2)[:, None] * squares[:, None] >= (total**2)[:, None] * squares
        larger = (larger & (squares > 0)).any(axis=2) | (total == 0)
        assert (found.adjusted[first, second] == larger.mean(axis=0)).all(), (k, parts, unit)
    else:
        side = 1 if alternative == "greater" else -1
        p = (side * (sums - total) >= 0).mean(axis=0)
    assert (found.p_values[first, second] == p).all(), (k, parts, unit, alternative)


def check_depths(rng):
    """Raise AssertionError if lists lose against the same lists that go on."""
    n_items, users = rng.randrange(4, 30), range(rng.randrange(2, 8))
    qrels = {u: {i: rng.randint(1, 5) for i in range(n_items)} for u in users}
    run = {u: rng.sample(range(n_items), rng.randrange(2, n_items + 1)) for u in users}
    end = rng.randrange(1, max(map(len, run.values())) + 1)
    names = rng.choice([("whole", "cut"), (1, 2), (1, "cut"), (0.5, 2)])
    runs = dict(zip(names, (run, {u: items[:end] for u, items in run.items()}), strict=True))
    metrics = rng.sample([*UNDEMANDING, "R@20", "RR", "AP", "nDCG"], 4)
    how = {"n_permutations": 20, "threshold": 3}
    found = rankassay.compare(qrels, runs, metrics, **how)
    assert (found.pairs["difference"] == 0).all(), (qrels, runs, metrics)
    assert str(found).startswith(f"Under {found.means['metric'][0]}, {names[0]} has the highest")
    assert found.to_markdown(baseline=names[1])
    assert rankassay.preferences(qrels, runs, threshold=3)["ties"].fillna(1).eq(1).all()


def shown(given):
    """Return arguments as text; Python does not write whole numbers of thousands of digits."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return ascii(given)[:2000]
    except RecursionError:
        return ascii([*given])
    finally:
        sys.set_int_max_str_digits(before)


def check_written(name, given):
    """Raise AssertionError for a file that does not hold the rows."""
    frame, value = (given["qrels"], "rating") if name == "write_qrels" else (given["run"], "score")
    if Path(given["path"]).is_symlink():
        assert stat.S_IMODE(Path(given["path"]).stat().st_mode) == 0o600
    read = rankassay.read_qrels if name == "write_qrels" else rankassay.read_run
    again = read(given["path"])
    for column in ("user", "item"):
        own = frame[column].tolist()  # 7.0 is the id 7
        written = [str(int(each)) if isinstance(each, float) else str(each) for each in own]
        assert again[column].tolist() == written
        assert again[column].nunique() == frame[column].nunique()
    assert again[value].tolist() == frame[value].tolist()


def fuzz(cases, seed=0):
    """Run some cases; return how many were taken and how many refused, by function."""
    found = Counter()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for case in range(cases):
            rng = random.Random(f"{seed} {case}")
            if case % 4 == 0:
                check_units(random.Random(f"units {seed} {case}"))
                check_depths(random.Random(f"depths {seed} {case}"))
            with warnings.catch_warnings(action="ignore"):
                name, given = arguments(rng, Path(folder))
            for key in rng.sample([*given], rng.choice([0, 0, 0, 1, 1, 2]) % (len(given) + 1)):
                value = rng.choice(SCALARS)
                slow = key in ("n_permutations", "samples", "replicates") and value is SCALARS[12]
                given[key] = given[key] if slow else value
            try:
                check(name, given, getattr(rankassay, name)(**given))
                found[name, "taken"] += 1
            except RankassayError as error:
                sound = len(str(error).splitlines()) == 1 and " at 0x" not in str(error)
                found[name, "refused"] += sound
            except Exception as error:
                error.add_note(f"fuzz_functions: case {case}, seed {seed}: {name}({shown(given)})")
                raise
    assert sum(found.values()) == cases, found
    return found


def main(cases=2000, seed=0):
    """Call functions and say what became of it."""
    faulthandler.enable()
    logging.disable()
    warnings.simplefilter("error")
    found = fuzz(cases, seed)
    for name in sorted({name for name, _ in found}):
        print(f"{name}: {found[name, 'taken']} taken, {found[name, 'refused']} refused")
    print(f"functions: {cases} cases, no crash")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
