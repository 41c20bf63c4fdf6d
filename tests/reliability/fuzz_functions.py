"""Call public functions with whatever comes: `.../fuzz_functions.py [CASES] [SEED]`.

A case takes arguments that are right and puts one to three wrong ones in their place. The function
returns something sound, or raises an AssayerError of one line. A crash of the interpreter ends the
run, and faulthandler says in which case.
"""

import contextlib
import datetime
import faulthandler
import logging
import math
import random
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

import assayer
from assayer.artifacts.arrays import Rankings
from assayer.errors import AssayerError
from assayer.metrics.judgements import Judgements, Lists
from assayer.statistics.paired import CORRECTIONS
from assayer.statistics.significance import TESTS

SCALARS = [
    *(None, True, False, 0, 1, 2, 3, 7, -1, -0.0, 0.5, 3.7, 1e5, 2**31, 2**53 + 1, 10**30),
    *(math.nan, math.inf, -math.inf, 1e308, 5e-324),
    *("", "x", "P", "PR", "P@10", "nDCG@0", "nDCG(", "P@99999999999", "a\0b", "ä\n", b"P@10"),
    *([], ["P@10"], ["P@10", "P@10"], ["P@5", None], [0.5], [math.nan], [100, 50], [[1]], (), {}),
    *({"a": 1}, {1: {}}, {"ann": {"film": 1}}, {"ann": ["film"]}, {"ann": {"film": "x"}}, {1, 2}),
    *(object(), len, Decimal(3), Fraction(1, 2), 1 + 2j, datetime.date(2020, 1, 1), pd.NA, pd.NaT),
    *(np.int64(3), np.float32(0.5), np.array(4), np.array([1, 2]), np.array([]), np.array("P@5")),
    *(pd.Series([1, 2]), pd.DataFrame(), pd.DataFrame({"user": [1]}), sp.eye(3, format="csr")),
    *(iter(["P@5"]), Path("nowhere"), Path("/"), "nowhere/at all", "results"),
]
PROFILES = ("paper", "trec", "as-run", "blog", "rendle")
METRICS = ["P@5", "nDCG@10", "AP@10", "RR@10", "Bpref", "infAP", "AUC", "MAE", "F1@5", "MCC@5"]
COLUMNS = ["user", "item", "rating", "score", "rank", "n_items"]


IDS = ([*range(6)], [*"abcdef"], [float(i) for i in range(6)], [(i, "x") for i in range(6)])


def a_frame(rng, value, ids):
    """Return rows of users and items, which are sound unless something is done to them."""
    pairs = [(user, item) for user in ids[:4] for item in ids if rng.random() < 0.6]
    frame = pd.DataFrame(pairs or [(ids[0], ids[0])], columns=["user", "item"])
    frame[value] = [rng.choice([1.0, 2.0, 3.0, 4.0, 5.0, 3.5]) for _ in range(len(frame))]
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
        kinds += ["datetime64[ns]", "uint64"]
        try:
            return frame.astype({column: rng.choice(kinds)})
        except (ValueError, TypeError, KeyError, AttributeError):
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
    value = rng.choice([*SCALARS[:32], 2.0**60, (1, 2), "7", 10**400, -(2**63)])
    for _ in range(rng.choice([1, 1, len(cells)])):
        cells[rng.randrange(len(cells))] = value
    return frame.assign(**{str(column): pd.Series(cells, index=frame.index)})


def rows(rng, value, ids):
    """Return judgements or lists in one of their forms, sound or not."""
    frame = a_frame(rng, value, ids if rng.random() < 0.9 else rng.choice(IDS))
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
        matrix = sp.random(
            rng.randrange(4), 6, 0.7, rng.choice(["csr", "coo"]), random_state=numbers
        )
        return rng.choice([matrix, matrix.toarray(), numbers.integers(-1, 6, (3, 4))])
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
        array = rng.choice([*kinds, np.ma.masked_invalid(array)])
    return array


def pipeline(rng):
    """Return Judgements, and Lists or Rankings that need not belong to them."""
    numbers = np.random.default_rng(rng.randrange(2**31))
    matrix = sp.random(6, 9, 0.5, "csr", np.float32, numbers)
    judgements = Judgements.of(matrix, 0.5)
    n = matrix.nnz + rng.choice([0, 0, 0, -1, 1, 5])
    users = len(judgements.users) + rng.choice([0, 0, 0, -1, 2])
    ranks = numbers.integers(rng.choice([0, 0, -3]), 9, n).astype(np.int32)
    length = np.full(users, 9, dtype=np.int32)
    if rng.random() < 0.5:
        return judgements, Lists(ranks, length)
    items = numbers.integers(0, 9, (6, 4)).astype(np.int32)
    count = np.full(rng.choice([6, 6, 2]), 9, dtype=np.int32)
    return judgements, Rankings(items, ranks, count, count)


def arguments(rng, folder):
    """Return a function's name and arguments, before anything is replaced."""
    name = rng.choice([*assayer.__all__[1:], "evaluate", "evaluate", "permutation_test"])
    seed, ids = rng.randrange(9), rng.choice(IDS)
    if name == "evaluate" and rng.random() < 0.2:
        qrels, run = pipeline(rng)
        return name, {"qrels": qrels, "run": run, "metrics": METRICS[: rng.randrange(1, 6)]}
    if name in ("compare", "evaluate", "robustness", "judged"):
        given = {"qrels": rows(rng, "rating", ids), "threshold": 4}
        if name == "judged":
            return name, given
        given |= {"metrics": rng.sample(METRICS, 2), "profile": rng.choice(PROFILES)}
        runs = {"a": rows(rng, "score", ids), "b": rows(rng, "score", ids)}
        if name == "compare":
            given |= {"runs": runs, "n_permutations": 200, "seed": seed, "depth": None}
            given |= {"test": rng.choice([*TESTS]), "correction": rng.choice(CORRECTIONS)}
            return name, given | {"alpha": 0.05, "confidence": 0.95, "ties": None}
        given |= {"aggregate": "mean", "depth": None, "seed": seed, "ties": None}
        given |= {"without_relevant": None}
        if name == "evaluate":
            run = runs if rng.random() < 0.1 else rows(rng, "score", ids)
            given |= {"run": run, "per_user": False, "users": "judged"}
            return name, given | {"n_items": rng.choice([None, 20]), "confidence": None}
        given |= {"runs": runs, "levels": [100, 50]}
        given |= {"kind": rng.choice(["sparsity", "popularity"]), "samples": 3, "train": None}
        given |= {"persistence": 0.9, "round_means": None, "stratified": False, "of": "items"}
        return name, given | {"correlation": "tau_b", "unjudged_users": "drop"}
    if name in ("permutation_test", "discriminative_power"):
        given = {"values": values(rng), "n_permutations": 200, "seed": seed, "add_one": True}
        if name == "permutation_test":
            return name, given | {"alternative": "two-sided"}
        return name, given | {"measures": None, "replicates": 50, "level": 0.95}
    if name == "summary":
        return name, {"folder": folder, "study": None, "datasets": None, "cutoff": None}
    if name == "results":
        return name, {"name": "robustness/sparsity", "folder": folder, "datasets": None}
    if name == "draw":
        table = pd.DataFrame({"metric": ["P", "RR"], "cutoff": 10, "level": 50, "tau": [0.9, 0.7]})
        given = {"name": "robustness/figure-6", "source": table.assign(dataset="mine")}
        return name, given | {"datasets": None, "metrics": None, "cutoff": None, "titles": None}
    path = folder / "file"
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


def check(name, given, found):
    """Raise AssertionError for a result that cannot be right."""
    if name == "permutation_test":
        for p in (found.p_values, found.adjusted):
            assert p is None or ((p >= 0) & (p <= 1) | np.isnan(p)).all()
        assert not isinstance(given["values"], np.ma.MaskedArray)
    elif name == "compare":
        for column in ("p_value", "corrected"):
            own = found.pairs[column]
            assert (own.between(0, 1) | own.isna()).all()
        assert found.to_latex()
        assert found.to_markdown()
    elif name == "discriminative_power":
        assert ((found["dp"] >= 0) | (found["pairs"] == 0)).all()
        assert not (found["low"] < 0).any()
        assert not (found["high"] > found["pairs"]).any()
    elif name in ("write_qrels", "write_run"):
        check_written(name, given)
    elif name == "evaluate" and not isinstance(found, pd.DataFrame):
        bounded = [metric for metric in found.index if not metric.startswith(("MAE", "MCC"))]
        numbers = found[bounded].to_numpy()
        assert ((numbers >= 0) & (numbers <= 1 + 1e-12) | np.isnan(numbers)).all(), found


def check_written(name, given):
    """Raise AssertionError for a file that does not hold the rows."""
    frame, value = (given["qrels"], "rating") if name == "write_qrels" else (given["run"], "score")
    read = assayer.read_qrels if name == "write_qrels" else assayer.read_run
    again = read(given["path"])
    for column in ("user", "item"):
        assert again[column].tolist() == [*map(str, frame[column].tolist())]
        assert again[column].nunique() == frame[column].nunique()
    assert again[value].tolist() == frame[value].tolist()


def fuzz(cases, seed=0):
    """Run some cases; return how many were taken and how many refused, by function."""
    found = Counter()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for case in range(cases):
            rng = random.Random(f"{seed} {case}")
            with warnings.catch_warnings(action="ignore"):
                name, given = arguments(rng, Path(folder))
            for key in rng.sample([*given], rng.choice([0, 0, 0, 1, 1, 2]) % (len(given) + 1)):
                value = rng.choice(SCALARS)
                slow = key in ("n_permutations", "samples", "replicates") and value is SCALARS[12]
                given[key] = given[key] if slow else value
            try:
                check(name, given, getattr(assayer, name)(**given))
                found[name, "taken"] += 1
            except AssayerError as error:
                found[name, "refused"] += len(str(error).splitlines()) == 1
            except Exception as error:
                error.add_note(f"fuzz_functions: case {case}, seed {seed}: {name}({given!r:.2000})")
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
