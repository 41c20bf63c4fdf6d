"""Record other tools' values of metrics, user by user, on simulated lists.

    PYTHON tests/peers/record_metrics.py PEER [FILE] > tests/peers/metrics/PEER.csv

PYTHON is that of an environment with the tool (`pip install cwl-eval ranx pytrec-eval-terrier`),
which need not have rankassay; FILE is compatibility.py of github.com/claclark/Compatibility
(Clarke, Vtyurina and Smucker, TOIS 2021), which has no version: its SHA-256 stands in its place.
tests/unit/metrics/test_metric_peers.py simulates the same lists and compares.
"""

import argparse
import csv
import hashlib
import importlib.metadata
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

N_USERS, N_ITEMS, LONGEST, TOP = 12, 120, 60, 4
FIELDS = ("peer", "version", "call", "metric", "threshold", "user", "value")
FAR = 2_000_000  # places that cwl_eval looks at; the measure has no end


def made_up():
    """Return judgements from 0 to TOP, each user's as a dict, and lists of items, best first."""
    state = np.random.RandomState(11)  # whose numbers are the same in all versions of numpy
    qrels, lists = {}, {}
    for user in map(str, range(N_USERS)):
        judged = state.permutation(N_ITEMS)[: state.randint(4, 40)]
        qrels[user] = {f"i{item}": int(state.randint(0, TOP + 1)) for item in judged}
        qrels[user][f"i{judged[0]}"] = TOP
        taste = [qrels[user].get(f"i{item}", 0) for item in range(N_ITEMS)]
        order = np.argsort(-np.array(taste) - 5 * state.random_sample(N_ITEMS))
        lists[user] = [f"i{item}" for item in order[: state.randint(1, LONGEST + 1)]]
    return qrels, lists


def scores(lists):
    return {u: {item: float(-k) for k, item in enumerate(own)} for u, own in lists.items()}


def cwl(qrels, lists, _):
    """cwl_eval takes gains from 0 to 1."""
    from cwl.ruler import cwl_ruler
    from cwl.ruler.ranking import Ranking

    calls = {
        "INST-T=1": (cwl_ruler.INSTCWLMetric(1.0), "INST(gain='rating') 0"),
        "INST-T=2.5": (cwl_ruler.INSTCWLMetric(2.5), "INST(gain='rating', T=2.5) 0"),
        "INSQ-T=1": (cwl_ruler.INSQCWLMetric(1.0), "INSQ(gain='rating') 0"),
        "INSQ-T=3": (cwl_ruler.INSQCWLMetric(3.0), "INSQ(gain='rating', T=3) 0"),
        "RBP@0.7": (cwl_ruler.RBPCWLMetric(0.7), "RBP(p=0.7, gain='rating') 0"),
        "NDCG-k@5": (cwl_ruler.NDCGCWLMetric(5), "SDCG@5 0"),
        "NDCG-k@20": (cwl_ruler.NDCGCWLMetric(20), "SDCG@20 0"),
    }
    for call, (measure, own) in calls.items():
        for user, items in lists.items():
            gains = np.array([qrels[user].get(item, 0) / TOP for item in items])
            ranking = Ranking(user, gains, np.ones(len(gains)), max_n=FAR)
            yield call, own, user, measure.measure(ranking)


def pytrec_eval(qrels, lists, _):
    import pytrec_eval as peer

    for level in (1, 3):
        evaluator = peer.RelevanceEvaluator(qrels, {"Rprec"}, relevance_level=level)
        for user, found in evaluator.evaluate(scores(lists)).items():
            yield f"Rprec -l {level}", f"Rprec {level}", user, found["Rprec"]


def ranx(qrels, lists, _):
    """ranx sums gains as they are: its rbp is divided by TOP here."""
    import ranx as peer

    for call, own, top in (("r-precision", "Rprec 1", 1), ("rbp.80", "RBP(gain='rating') 0", TOP)):
        run = peer.Run(scores(lists))
        peer.evaluate(peer.Qrels(qrels), run, call, threads=1)
        for user in lists:
            yield call, own, user, run.scores[call][user] / top


def compatibility(qrels, lists, path):
    """The authors' script reads files and prints all that it says."""
    with tempfile.TemporaryDirectory() as place:
        judged, run = Path(place, "qrels"), Path(place, "run")
        lines = [f"{u} 0 {i} {r}" for u, own in qrels.items() for i, r in own.items()]
        judged.write_text("\n".join(lines) + "\n", encoding="utf-8")
        lines = [
            f"{u} Q0 {i} {k} {1000 - k} run"
            for u, own in lists.items()
            for k, i in enumerate(own, start=1)
        ]
        run.write_text("\n".join(lines) + "\n", encoding="utf-8")
        for p in (0.8, 0.95):
            command = [sys.executable, str(path), "-p", str(p), str(judged), str(run)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            for line in done.stdout.splitlines()[1:-1]:
                _, user, value = line.split(",")
                yield f"compatibility.py -p {p}", f"Compat(p={p}) 1", user, float(value)


PEERS = {
    "cwl-eval": cwl,
    "pytrec-eval-terrier": pytrec_eval,
    "ranx": ranx,
    "compatibility": compatibility,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("path", type=Path, nargs="?")
    given = parser.parse_args()
    if given.path:
        version = hashlib.sha256(given.path.read_bytes()).hexdigest()[:12]
    else:
        version = importlib.metadata.version(given.peer)
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(FIELDS)
    for call, metric, user, value in PEERS[given.peer](*made_up(), given.path):
        metric, _, threshold = metric.rpartition(" ")
        rows.writerow((given.peer, version, call, metric, threshold, user, f"{value:.12g}"))


if __name__ == "__main__":
    main()
