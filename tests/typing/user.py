"""What a user of the library writes, which `mypy --strict` accepts and Python runs."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

import rankassay
from rankassay.api.comparison import Comparison
from rankassay.api.judge import Advice

RATINGS: dict[str, dict[str, int]] = {
    "ann": {"film": 5, "book": 2},
    "bob": {"song": 4, "film": 1},
    "cal": {"song": 5, "book": 4},
}
MINE = {
    "ann": {"film": 0.9, "game": 0.8},
    "bob": {"film": 0.7, "song": 0.1},
    "cal": {"book": 0.7},
}
THEIRS: list[tuple[str, str, float]] = [("ann", "book", 2.0), ("bob", "song", 1.5)]


def lines() -> Iterator[str]:
    for user, items in MINE.items():
        for item, score in items.items():
            yield f"{user} Q0 {item} 1 {score} mine"


def best(values: "pd.Series[float]") -> str:
    return str(values.idxmax())


qrels = rankassay.judged(RATINGS, threshold=4)
one = rankassay.evaluate(qrels, MINE, ["P@2", "nDCG@2"])
print(best(one), one["P@2"])
print(best(rankassay.evaluate(RATINGS, lines(), "P@2")))
print(best(rankassay.evaluate(RATINGS, THEIRS, "P@2", profile="trec", ties="trec")))
print(best(rankassay.evaluate(RATINGS, {user: [*own] for user, own in MINE.items()}, "P@2")))

users: pd.DataFrame = rankassay.evaluate(qrels, MINE, per_user=True)
intervals: pd.DataFrame = rankassay.evaluate(qrels, MINE, confidence=0.95)
both: pd.DataFrame = rankassay.evaluate(qrels, {"mine": MINE, "again": MINE}, "P@2")
mixed: pd.DataFrame = rankassay.evaluate(qrels, {"mine": MINE, "theirs": THEIRS}, "P@2")
triples: pd.DataFrame = rankassay.evaluate(
    RATINGS, {"theirs": THEIRS, "again": THEIRS}, "P@2", threshold=None
)
print(triples.shape, best(rankassay.evaluate(qrels, MINE, "P@2", threshold=None)))
print(users.shape, intervals.shape, both.shape, mixed.attrs["definitions"]["profile"])

runs = {"mine": MINE, "again": {user: MINE[user] for user in ("ann", "cal")}}
print(rankassay.compare(RATINGS, runs, "P@2").pairs["significant"].any())
print(rankassay.robustness(qrels, runs, ["P@2"], levels=[50], samples=2).shape)
gammas: pd.DataFrame = rankassay.sensitivity(qrels, runs, "P@2", train=RATINGS, gamma=2)
print(gammas["gamma"].tolist())
advice: Advice = rankassay.judge(RATINGS, runs, metrics=["P@2"], seed=1)
report: str | None = advice.recommendation["measure"]
print(report, advice, advice.table.shape, advice.systems.shape, advice.to_dict()["schema"])
found: Comparison = rankassay.compare(qrels, {"mine": MINE, "theirs": THEIRS}, "P@2", seed=1)
print(found.means.shape, found.pairs.shape, found.definitions["rankassay"])
text: str = rankassay.describe(found) + rankassay.describe(one)
print(text, len(found.to_latex()), len(found.to_markdown(digits=3)))

scores = pd.DataFrame({"mine": [0.1, 0.5, 0.4], "theirs": [0.2, 0.9, 0.6]})
labelled: pd.DataFrame = rankassay.permutation_test(scores).p_values
plain = rankassay.permutation_test(scores.to_numpy(), alternative="greater")
print(labelled.loc["mine", "theirs"], float(np.max(plain.p_values)), plain.exact)

try:
    rankassay.evaluate(qrels, MINE, "nDGC@2")
except rankassay.RankassayError as error:
    print(error)
