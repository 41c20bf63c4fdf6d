"""What a console of Python shows of results: a screen at most, and no progress."""

import doctest
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import rankassay
from rankassay import types
from rankassay.types import HEIGHT, WIDTH, on_screen

N_RUNS = 15
SCORES = np.random.default_rng(3).random((60, 40)) + np.linspace(0, 1, 40)
RATINGS = np.random.default_rng(2).integers(1, 6, size=(50, 40))
QRELS = {u: dict(enumerate(own[:20])) for u, own in enumerate(RATINGS.tolist())}
RUNS = {
    f"a-run-with-a-name-of-some-length-{n}": np.argsort(
        n * np.random.default_rng(n).normal(size=RATINGS.shape) - RATINGS
    )[:, :10]
    for n in range(N_RUNS)
}
MADE = {
    "judge": lambda: rankassay.judge(QRELS, RUNS),
    "findings": lambda: rankassay.judge(QRELS, RUNS, metrics=["nDCG@10", "P@5"]).findings,
    "compare": lambda: rankassay.compare(QRELS, RUNS, ["nDCG@10", "P@5", "RR"], n_permutations=99),
    "judged": lambda: rankassay.judged(QRELS),
    "permutation_test": lambda: rankassay.permutation_test(SCORES, 99),
    "permutation_test of a frame": lambda: rankassay.permutation_test(pd.DataFrame(SCORES), 99),
    "across_datasets": lambda: rankassay.across_datasets(pd.DataFrame(SCORES[:, :15]), samples=9),
    "reliability": lambda: rankassay.reliability(SCORES),
    "reliability.at": lambda: rankassay.reliability(SCORES).at(500),
    "reliability.needed": lambda: rankassay.reliability(SCORES).needed(0.9),
}


def height(text):
    """Return how many lines of a screen a text takes."""
    return sum(max(1, -(-len(line) // WIDTH)) for line in text.split("\n"))


@pytest.mark.parametrize("name", MADE)
def test_a_console_shows_a_screen_at_most(name):
    made = MADE[name]()
    assert 2 <= height(repr(made)) <= HEIGHT
    kept = repr(made).rpartition("\n… and ")[0] or repr(made)
    assert str(made).startswith(kept)  # nothing else than what is printed


def test_a_console_shows_the_answer_of_the_judge_whole():
    answer = rankassay.judge(QRELS, RUNS)
    assert repr(answer) == str(answer)
    assert "How far to trust it" in repr(answer)


@pytest.mark.parametrize("n", [1, HEIGHT, HEIGHT + 1, 500])
def test_a_long_text_says_how_much_it_leaves_out(n):
    for line in ("a", "a" * (WIDTH + 1), "a" * WIDTH * (HEIGHT + 2)):
        text = "\n".join([line] * n)
        found = on_screen(text).split("\n")
        assert height("\n".join(found)) <= HEIGHT
        whole = height(text) <= HEIGHT
        assert (found == [line] * n) == whole
        if not whole:
            left = n - len(found) + 1
            said = "1 more line" if left == 1 else f"{left:,} more lines"
            assert found[-1] == f"… and {said}: print() shows all"


def test_examples_are_true():
    assert doctest.testmod(types).failed == 0


@pytest.mark.slow
def test_a_call_writes_nothing_else_to_a_console():
    code = (
        "import rankassay, numpy as np\n"
        "own = np.random.default_rng(0).integers(1, 6, size=(60, 40))\n"
        "runs = {'a': np.argsort(-own)[:, :9], 'b': np.argsort(own % 3)[:, :9]}\n"
        "qrels = {u: dict(enumerate(row)) for u, row in enumerate(own.tolist())}\n"
        "train = {u: dict(enumerate(row[::-1])) for u, row in enumerate(own.tolist())}\n"
        "rankassay.judge(qrels, runs, train)\n"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (process.stdout, process.stderr) == ("", "")
