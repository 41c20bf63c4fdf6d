"""Kernels give the same bits whether they are compiled or not."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from beyond_values import computed, means

import rankassay
from rankassay import kernels
from rankassay.declared.correlations import CORRELATIONS
from rankassay.kernels import Kernel, kernel
from rankassay.metrics.beyond.lists import Catalogue, Shown
from rankassay.metrics.catalogue import DIVERSITY_METRICS, METRICS
from rankassay.metrics.diversity.lists import AspectLists, Aspects, Interests
from rankassay.metrics.diversity.metrics import unified_model
from rankassay.metrics.evaluate import diversity_values
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.preferences import (
    Places,
    differences,
    lexiprecision,
    lexirecall,
    recall_paired_preference,
)
from rankassay.metrics.profiles import PROFILES
from rankassay.metrics.ties import expected_preference, expected_stops
from rankassay.metrics.totals import grouped_sums
from rankassay.metrics.unjudged import shared_places
from rankassay.selection import largest, nonzero, select
from rankassay.statistics import small_differences
from rankassay.statistics.bootstrap import Pairs
from rankassay.statistics.orders import settled
from rankassay.statistics.rank_correlation import resampled_spearman
from rankassay.studies.diversity import incompleteness
from rankassay.studies.validity.candidates import listed, lists_among, targets_by_size

SOURCE = Path(rankassay.__file__).parent
ENVIRONMENT = os.environ | {"PYTHONPATH": str(SOURCE.parent)}


def bits(value):
    """Return what a value is, to the last bit, with its type and form."""
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return np.asarray(value, dtype=np.float64).tobytes()


def copied(arguments):
    return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]


def tied():
    """Call the kernels of metrics over all orders of tied items."""
    first, last = np.array([1, 1, 2]), np.array([1, 3, 4])
    expected_stops(
        np.array([0, 1, 3]), first, last, np.array([0.5, 0.3, 1]), 1 / np.arange(1.0, 5), last[:1]
    )
    expected_preference(first, last, last - 1, np.array([0, 2, 1]), last, np.array([1, 3]))


@pytest.fixture
def both(monkeypatch):
    """Call every kernel in both ways, compare, and return the names of those that were called."""
    seen = set()

    def call(self, *arguments):
        first, second = copied(arguments), copied(arguments)
        with np.errstate(all="ignore"):
            plain = self.function(*first)
        compiled = self.compiled(*second)
        if "fastmath" in self.options:  # a sum in any order
            assert plain == pytest.approx(compiled, rel=1e-12)
        else:
            assert bits(plain) == bits(compiled), self.__qualname__
        assert [*map(bits, first)] == [*map(bits, second)], self.__qualname__  # written in place
        for own, given in zip(first, arguments, strict=True):
            if isinstance(own, np.ndarray) and given.flags.writeable:
                given[...] = own
        seen.add(f"{self.__module__}.{self.__name__}")
        return plain

    monkeypatch.setattr(Kernel, "__call__", call)
    return seen


def kernels_of_the_package():
    """Yield the full name of every function that is a kernel."""
    for path in SOURCE.rglob("*.py"):
        module = ".".join(["rankassay", *path.relative_to(SOURCE).with_suffix("").parts])
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                marks = [ast.unparse(mark).partition("(")[0] for mark in node.decorator_list]
                if "kernel" in marks:
                    yield f"{module}.{node.name}"


def frames(seed, n_users=25, n_items=60, ties=False):
    """Return judgements, and the lists of three systems in no order."""
    rng = np.random.default_rng(seed)

    def rows(length, column, values):
        items = [rng.choice(n_items, length, replace=False) for _ in range(n_users)]
        users = np.repeat(np.arange(n_users), length)
        table = {"user": users, "item": np.concatenate(items), column: values(len(users))}
        return pd.DataFrame(table).sample(frac=1, random_state=seed)

    qrels = rows(12, "rating", lambda n: rng.integers(1, 6, n))
    scores = (lambda n: rng.integers(0, 9, n)) if ties else rng.random
    return qrels, {name: rows(30, "score", scores) for name in "abc"}


def evaluate_all(ties):
    qrels, runs = frames(1, ties=ties)
    cut = [f"{name}@{cutoff}" for name in METRICS for cutoff in (1, 5, 20)]
    for profile in PROFILES:
        more = {"n_items": 60, "propensities": {item: 1 / (1 + item) for item in range(60)}}
        rankassay.evaluate(qrels, runs["a"], cut, profile, **more)
        rankassay.evaluate(qrels, runs["a"], cut, profile, depth=5, **more)
    named = ["nDCG@5", "nDCG@9", "AP", "Success@5", "nDCG(ideal='retrieved')@10"]
    rankassay.evaluate(qrels, runs["a"], named, depth=2000)
    rankassay.evaluate(qrels, runs["a"], named, aggregate="median", confidence=0.9)
    for correlation in CORRELATIONS:
        for kind in ("sparsity", "popularity"):
            rankassay.robustness(
                qrels, runs, named[:4], [60, 20], 3, kind, correlation=correlation, stratified=ties
            )


def of_lists():
    """Evaluate lists that are given by the ranks of the judged items."""
    whole = [np.array(numbers, np.int32) for numbers in ([0, 1], [1, 0, 3], [3, 4])]
    judged = Judgements(whole[0], np.array([0, 2, 3]), np.array([5.0, 1.0, 4.0]), 4.0)
    rankassay.evaluate(judged, Lists(whole[1], whole[2]), ["P@1", "AP"])


def unjudged_items():
    """Bound metrics over the judgements of unjudged items, and condense lists."""
    qrels, runs = frames(4)
    named = ["P@5", "AP@5", "infAP@5", "nDCG@5", "nDCG(ideal='retrieved')@5", "Bpref@5"]
    rankassay.bounds(qrels, runs["a"], named)
    rankassay.evaluate(qrels, runs["a"], named, unjudged="condensed")
    items = np.array([[[0, 1, 2]], [[2, 3, -1]]], dtype=np.int32)
    shared_places(items, sp.csr_matrix(np.array([[0, 5.0, 0, 0]])))


def diversity():
    """Compute every diversity metric, by both kinds of gain of an item and both of weights."""
    rng = np.random.default_rng(3)
    shown = rng.random((20, 4)) < 0.4
    shown[0] = True
    ratings = sp.csr_matrix(rng.integers(0, 6, (8, 20)) * (rng.random((8, 20)) < 0.6))
    ratings = ratings.astype(np.float32)
    interests = Interests.of(ratings, ratings, Aspects.of(shown), 4, 5)
    items = np.array([rng.permutation(20)[:10] for _ in range(8)], dtype=np.int32)
    diversity_values(AspectLists.of(items, interests), [*DIVERSITY_METRICS], [1, 5, 10])
    lists = Shown.of(items, np.arange(8), ratings, 4, Catalogue(ratings, interests.aspects))
    for metric in ("ILD", "ILD(distance='jaccard')", "Serendipity(expected='similar')"):
        computed(lists, metric, [1, 5])
    computed(lists, "Serendipity", [5])
    means(lists, "Gini", [5])
    orders = np.arange(len(interests.item))
    models = [unified_model(interests, 0.005, beta) for beta in (0.1, 0.9)]
    parts = np.array([incompleteness.proportional_part(interests, 60, 0, n) for n in range(2)])
    incompleteness.means(models, interests, orders[None], parts, np.array([2, 30]), 10)


def preferences():
    """Compare the places of relevant items, of a user who has none among others."""
    judged = Judgements(
        np.arange(3, dtype=np.int32), np.array([0, 3, 4, 6]), np.array([5.0, 5, 4, 1, 5, 5]), 4.0
    )
    length = np.array([9, 9, 9], np.int32)
    lists = [
        Lists(np.array(ranks, np.int32), length)
        for ranks in ([3, 1, 0, 1, 2, 4], [2, 5, 1, 0, 2, 4])
    ]
    places = Places.of(judged, lists)
    recall_paired_preference(places)
    lexirecall(places)
    lexiprecision(places, by="reciprocal")
    differences(np.array([[0.5, 0.25, 0.5], [np.nan, 1.0, 0.0]]))


def target_items():
    """Rank targets of which one user has none, and another no scores."""
    rng = np.random.default_rng(4)
    orders = rng.permuted(np.tile(np.arange(6), (3, 1)), axis=1)
    train = np.array([0, 2, 8, 9], np.int32), np.array([0, 3, 0, 1, 2, 3, 4, 5, 2], np.int32)
    test = np.array([0, 2, 2, 3], np.int32), np.array([1, 5, 0], np.int32)
    targets = targets_by_size(orders, np.array([0, 2, 6]), train, test)
    scores = rng.integers(0, 3, (3, 6)).astype(float)
    scores[2] = -np.inf
    listed(scores, *targets, rng.permutation(6), np.array([0, 4, 2]), test, 2)


def pairs_of_systems():
    """Sum what pairs differ by: by nothing, by little, by a lot, or for some users alone."""
    x = np.random.default_rng(6).random((5, 5))
    x[:, 1], x[:, 2] = x[:, 0], x[:, 0] + 1e-9
    x[2, 3] = np.nan
    for values in (x, x[:, [0, 4]]):
        Pairs.of(values).sums()
        Pairs.of(values).sums(np.ones((2, 5)))
        small_differences.sums(values)
    user, ranks = np.repeat(np.arange(3), 4), np.array([2, 4, 0, 1] * 3, dtype=np.int32)
    lists_among(user, ranks, np.arange(12) % 5 > 0, np.arange(3))


def selection():
    """Ask how much selection it takes to reverse systems, along popularity as well."""
    qrels, runs = frames(7, ties=True)
    rankassay.sensitivity(qrels, runs, ["P@5", "nDCG@20"], train=qrels, gamma=1.01)


@pytest.mark.slow
def test_every_kernel_gives_the_same_bits_in_both_ways(both):
    evaluate_all(False)
    evaluate_all(True)
    of_lists()
    unjudged_items()
    rng = np.random.default_rng(2)
    x = rng.random((4, 9))
    x[:, 3] = x[:, 4]
    times = rng.multinomial(9, np.full(9, 1 / 9), size=5).astype(np.float64)
    resampled_spearman(x, x[0], times, np.arange(9))
    grouped_sums(np.where(x > 0.9, np.nan, x), np.array([0, 1, 1, 0]), 2)
    select(x.ravel().copy(), 17)
    largest(x.ravel(), 5)
    nonzero(x.ravel(), np.empty(x.size, np.int64))
    settled(x, 20)
    diversity()
    preferences()
    target_items()
    tied()
    pairs_of_systems()
    selection()
    assert both == {*kernels_of_the_package()}


@kernel
def doubled(numbers):
    return numbers * 2


def test_few_numbers_do_not_wait_for_numba(monkeypatch):
    monkeypatch.setattr(kernels, "FEW", 10)
    own = Kernel(doubled.function, doubled.steps, {})
    assert [*own(np.arange(5))] == [0, 2, 4, 6, 8]
    assert "compiled" not in vars(own)
    own(np.arange(6))  # eleven numbers in all
    assert "compiled" in vars(own)
    assert len(own.compiled.signatures) == 1


def test_a_first_evaluation_imports_no_numba():
    code = (
        "import sys, rankassay\n"
        "run = {'ann': {'book': 2, 'film': 1}}\n"
        "rankassay.evaluate({'ann': {'film': 5}}, run, ['nDCG@10', 'AP', 'Bpref', 'infAP'])\n"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=ENVIRONMENT)


def kept_by(tmp_path, file, monkeypatch):
    """Return a function of a file, as numba keeps it, and the folder that it is kept in."""
    import numba

    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(kernels._Kept, "said", False)
    found = {}
    exec(compile("def twice(n): return 2 * n", str(file), "exec"), found)
    return kernels.njit(found["twice"])


@pytest.mark.parametrize("fault", ["no folder", "no file may be written", "nothing"])
def test_what_cannot_be_kept_is_compiled_and_said_once(tmp_path, monkeypatch, caplog, fault):
    file = tmp_path / "mine.py"
    file.write_text("")
    if fault == "no folder":  # a source without a file of its own has none for numba
        file = tmp_path / "none.py"
    twice = kept_by(tmp_path, file, monkeypatch)
    if fault == "no file may be written":
        [index] = {Path(twice._cache.cache._cache_file._index_path)}
        (index / "full").mkdir(parents=True)
    assert (twice(2), twice(2.5)) == (4, 5.0)
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == (fault != "nothing")
    assert all("NUMBA_CACHE_DIR" in line for line in said)


def test_what_is_kept_damaged_is_compiled_and_kept_again(tmp_path, monkeypatch, caplog):
    (tmp_path / "mine.py").write_text("")
    assert kept_by(tmp_path, tmp_path / "mine.py", monkeypatch)(2) == 4
    kept = [path for path in (tmp_path / "kept").rglob("*") if path.is_file()]
    assert len(kept) == 2
    for path in kept:
        path.write_bytes(b"")
    assert kept_by(tmp_path, tmp_path / "mine.py", monkeypatch)(2) == 4
    assert all(path.stat().st_size for path in kept)
    assert not caplog.records


def test_all_loops_are_compiled_in_one_place():
    for path in SOURCE.rglob("*.py"):
        direct = [
            node
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if (isinstance(node, ast.ImportFrom) and node.module == "numba")
            or (
                isinstance(node, ast.Attribute) and ast.unparse(node) in ("numba.njit", "numba.jit")
            )
        ]
        assert path == SOURCE / "kernels.py" or not direct, path
