"""Time of evaluation, against pytrec_eval and ranx where they are installed.

    ./run python benchmarks/metrics.py
    ./run python benchmarks/metrics.py --test TEST.npz --rankings RANKINGS.npz

Seven metrics (P, R, AP, nDCG, RR, Bpref, infAP) at eleven cut-offs (5, 10, 20, ..., 100). Data is
of the size of MovieLens 1M's test set: 6,040 users with some 33 judged items, lists of 100 that
hold 15 of them; or the test matrix and one system's rankings of a run. Prints rows as Markdown:
CPU seconds with one thread, medians of rounds in which all take turns, the first of them not
counted. The peers compute less: pytrec_eval has no cut-offs for RR, Bpref and infAP, and ranx has
none for Bpref and no infAP.
"""

import argparse
import gc
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

import rankassay  # noqa: E402
from rankassay.artifacts.arrays import Rankings, read_matrix  # noqa: E402
from rankassay.data.frames import Rows, lists_of  # noqa: E402
from rankassay.data.trec import judgements as judgement_rows  # noqa: E402
from rankassay.data.trec import lists as list_rows  # noqa: E402
from rankassay.data.trec import write_qrels, write_run  # noqa: E402
from rankassay.metrics.evaluate import grid, measure_values  # noqa: E402
from rankassay.metrics.judged import judge  # noqa: E402
from rankassay.metrics.judgements import Judgements, Lists  # noqa: E402

try:
    import pytrec_eval
except ImportError:
    pytrec_eval = None
try:
    import ranx
except ImportError:
    ranx = None

CUTOFFS = (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
METRICS = grid(["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"], CUTOFFS)
DEPTH, THRESHOLD, SEED = 100, 4, 1
LEVELS, SHARES = (1, 2, 3, 4, 5), (0.06, 0.11, 0.26, 0.35, 0.22)

_cuts = ",".join(map(str, CUTOFFS))
TREC_EVAL = {f"{name}.{_cuts}" for name in ("P", "recall", "map_cut", "ndcg_cut")}
TREC_EVAL |= {"recip_rank", "bpref", "infAP"}
RANX = [
    f"{name}@{cutoff}-l{THRESHOLD}"
    for name in ("precision", "recall", "map", "ndcg", "mrr")
    for cutoff in CUTOFFS
] + [f"bpref-l{THRESHOLD}"]

FIRST_CALL = """
import time
began = time.perf_counter()
{}
print(time.perf_counter() - began, time.process_time())
"""
FIRST = {
    "rankassay": "import rankassay; rankassay.evaluate({'u': {'i': 5}}, {'u': {'i': 1.0}}"
    ", METRICS)",
    "pytrec_eval": "import pytrec_eval; pytrec_eval.RelevanceEvaluator({'u': {'i': 5}}, TREC_EVAL)"
    ".evaluate({'u': {'i': 1.0}})",
    "ranx": "import ranx; ranx.evaluate(ranx.Qrels({'u': {'i': 5}}), ranx.Run({'u': {'i': 1.0}}), "
    "RANX)",
}


def synthetic(users: int = 6040, items: int = 3706) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return judgements and lists as frames; a hit is the likelier the higher the place."""
    rng = np.random.default_rng(SEED)
    ids = np.array([str(i) for i in rng.choice(100_000, items, replace=False)], dtype=object)
    judged, listed = [], []
    likely = 1 / (np.arange(DEPTH) + 20)
    for count in np.clip(rng.geometric(1 / 34, users), 1, 400):
        drawn = rng.permutation(items)
        hits = min(rng.binomial(count, 0.47), DEPTH)
        places = rng.choice(DEPTH, hits, replace=False, p=likely / likely.sum())
        judged.append(np.concatenate([drawn[places], drawn[DEPTH : DEPTH + count - hits]]))
        listed.append(drawn[:DEPTH])
    users_of = [[f"user-{u}" for u in range(users) for _ in part[u]] for part in (judged, listed)]
    rating = rng.choice(LEVELS, len(users_of[0]), p=SHARES).astype(np.float64)
    score = -np.sort(-rng.random((users, DEPTH)), axis=1).ravel()
    parts = (judged, listed)
    # Strings that rows share would be found faster than those that a file is read into.
    columns = [[f"{id_}" for id_ in ids[np.concatenate(part)]] for part in parts]
    return (
        pd.DataFrame({"user": users_of[0], "item": columns[0], "rating": rating}),
        pd.DataFrame({"user": users_of[1], "item": columns[1], "score": score}),
    )


def of_run(test: str, rankings: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the test ratings and one system's lists of a run as frames."""
    matrix, ranked = read_matrix(test), Rankings.load(rankings)
    ids = [np.array([f"{i}" for i in range(n)], dtype=object) for n in matrix.shape]
    qrels, run = judgement_rows(matrix, *ids), list_rows(ranked, *ids)
    return qrels.astype({"rating": float}), run.drop(columns="rank").astype({"score": float})


def nested(frame: pd.DataFrame, value: str, kind: type) -> dict:
    """Return {user: {item: value}}, by the loop that most people write."""
    result = {}
    columns = (frame[name].tolist() for name in ("user", "item"))
    for user, item, number in zip(*columns, frame[value].astype(kind).tolist(), strict=True):
        result.setdefault(user, {})[item] = number
    return result


def trec_eval(qrels: dict, run: dict) -> dict:
    """Return the means of pytrec_eval's values."""
    found = pytrec_eval.RelevanceEvaluator(qrels, TREC_EVAL, relevance_level=THRESHOLD)
    return trec_eval_means(found.evaluate(run))


def trec_eval_means(found: dict) -> dict:
    """Return the means over users."""
    names = next(iter(found.values()))
    return {name: np.mean([values[name] for values in found.values()]) for name in names}


def ranx_frames(qrels: pd.DataFrame, run: pd.DataFrame) -> dict:
    """Return the means of ranx's values."""
    names = {"q_id_col": "user", "doc_id_col": "item", "score_col": "score"}
    judged = qrels.rename(columns={"rating": "score"}).astype({"score": int})
    return ranx.evaluate(ranx.Qrels.from_df(judged, **names), ranx.Run.from_df(run, **names), RANX)


def contests(qrels: pd.DataFrame, run: pd.DataFrame, folder: str) -> dict:
    """Return what is compared: by title, a function for each competitor."""
    judged = rankassay.judged(qrels, THRESHOLD)
    own = judged.judgements
    lists = lists_of(Rows.of_frame(run, "the run", "score"), judged, "item")
    paths = [str(Path(folder, name)) for name in ("qrels.txt", "lists.run")]
    write_qrels(qrels, paths[0])
    write_run(run.assign(rank=0), paths[1], "run")
    arrays = "arrays or dicts made before, every user's values"
    frames = "frames with ids that are strings, means"
    files = "TREC files, means"
    table = {
        arrays: {
            "rankassay": lambda: measure_values(judge(own, lists, DEPTH), METRICS),
            "rankassay, new judgements": lambda: measure_values(
                judge(own.block(0, own.n_users), lists, DEPTH), METRICS
            ),
        },
        frames: {"rankassay": lambda: rankassay.evaluate(qrels, run, METRICS)},
        files: {"rankassay": lambda: rankassay.evaluate(*paths, METRICS)},
    }
    dicts = nested(qrels, "rating", int), nested(run, "score", float)
    if pytrec_eval:
        made = pytrec_eval.RelevanceEvaluator(dicts[0], TREC_EVAL, relevance_level=THRESHOLD)
        table[arrays]["pytrec_eval"] = lambda: made.evaluate(dicts[1])
        table[frames]["pytrec_eval"] = lambda: trec_eval(
            nested(qrels, "rating", int), nested(run, "score", float)
        )
        table[files]["pytrec_eval"] = lambda: trec_eval(*_parsed(*paths))
    if ranx:
        built = ranx.Qrels(dicts[0]), ranx.Run(dicts[1])
        table[arrays]["ranx"] = lambda: ranx.evaluate(*built, RANX, return_mean=False)
        ids = {"user": object, "item": object}
        judged_frame, run_frame = qrels.astype(ids), run.astype(ids)
        table[frames]["ranx"] = lambda: ranx_frames(judged_frame, run_frame)
    return table


def _parsed(qrels: str, run: str) -> tuple[dict, dict]:
    with open(qrels, encoding="utf-8") as judged, open(run, encoding="utf-8") as listed:
        return pytrec_eval.parse_qrel(judged), pytrec_eval.parse_run(listed)


def contest(title: str, competitors: dict, rounds: int) -> None:
    """Let all take turns and print a row for each."""
    gc.collect()
    gc.freeze()  # or each would pay for looking through what the others keep
    seconds = {name: [] for name in competitors}
    for _ in range(rounds + 1):
        for name, function in competitors.items():
            began = time.process_time()
            function()
            seconds[name].append(time.process_time() - began)
    median = {name: statistics.median(values[1:]) for name, values in seconds.items()}
    for name, value in median.items():
        row(title, name, f"{value:.4f}", f"{value / median['rankassay']:.1f}")


def first_calls() -> None:
    """Print the seconds of a first call in a new process, compiled before and not."""
    row("first call in a new process", "", "s", "CPU s")
    row(*["---"] * 2, *["---:"] * 2)
    for name, code in FIRST.items():
        if {"pytrec_eval": pytrec_eval, "ranx": ranx}.get(name, True) is None:
            continue
        code = FIRST_CALL.format(code)
        for constant in ("METRICS", "TREC_EVAL", "RANX"):
            code = code.replace(constant, repr(globals()[constant]))
        with tempfile.TemporaryDirectory() as cache:
            for state in ("nothing compiled", "compiled before"):
                found = subprocess.run(
                    [sys.executable, "-c", code],
                    env=os.environ | {"NUMBA_CACHE_DIR": cache},
                    capture_output=True,
                    text=True,
                    check=True,
                )
                row(state, name, *(f"{float(x):.2f}" for x in found.stdout.split()))


def million(users: int) -> None:
    """Print time and memory of aggregates over many users, from arrays."""
    rng = np.random.default_rng(SEED)
    count = np.clip(rng.geometric(1 / 34, users), 1, 400)
    start = np.concatenate(([0], np.cumsum(count)))
    rating = rng.choice(np.array(LEVELS, dtype=np.float64), start[-1], p=SHARES)
    judgements = Judgements(np.arange(users, dtype=np.int32), start, rating, THRESHOLD)
    ranks = np.zeros(start[-1], dtype=np.int32)
    for u in range(users):
        hits = rng.random(min(count[u], DEPTH)) < 0.47
        ranks[start[u] : start[u] + len(hits)] = rng.permutation(DEPTH)[: len(hits)] * hits
    lists = Lists(ranks, np.full(users, DEPTH, dtype=np.int32))
    rankassay.evaluate({"u": {"i": 5}}, {"u": {"i": 1.0}}, METRICS)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    began = time.process_time()
    rankassay.evaluate(judgements, lists, METRICS)
    seconds = time.process_time() - began
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"\n{users} users, {start[-1]} judgements, means: {seconds:.1f} s of CPU time; peak "
        f"{after:.0f} MB, {before:.0f} MB of it before the call."
    )


def row(*cells: object) -> None:
    """Print a row of a table."""
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--test", help="test matrix of a run (npz)")
    parser.add_argument("--rankings", help="rankings of the same run (npz)")
    parser.add_argument("--rounds", type=int, default=9, help="of the contests (9)")
    parser.add_argument("--users", type=int, default=1_000_000, help="of the largest test")
    options = parser.parse_args()
    if bool(options.test) != bool(options.rankings):
        parser.error("give both --test and --rankings, or none of them")
    for name, module in (("pytrec_eval", pytrec_eval), ("ranx", ranx)):
        print(f"{name}: {'measured' if module else 'not installed, left out'}")
    chosen = of_run(options.test, options.rankings) if options.test else synthetic()
    hits = len(chosen[0].merge(chosen[1], on=["user", "item"]))
    users = chosen[0]["user"].nunique()
    print(f"\n{users} users, {len(chosen[0]) / users:.1f} judged, {hits / users:.1f} listed\n")
    row("from", "", "CPU s", "/ rankassay")
    row(*["---"] * 2, *["---:"] * 2)
    with tempfile.TemporaryDirectory() as folder:
        for title, competitors in contests(*chosen, folder).items():
            contest(title, competitors, options.rounds)
    print()
    first_calls()
    million(options.users)


if __name__ == "__main__":
    main()
