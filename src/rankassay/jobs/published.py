"""Jobs: compare results with what was published: means of systems, and claims of papers."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from rankassay.artifacts.arrays import Rankings, Replicates, read_matrix
from rankassay.artifacts.tables import read_table, write_table
from rankassay.claims import totals as collected
from rankassay.claims.conditions import REPRODUCED, WORDS
from rankassay.claims.lists import read
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import Measure, evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.replicated import Replicated
from rankassay.studies.fidelity.means import compare, summarise

log = logging.getLogger(__name__)

# The definitions behind the published means; a run's own profile and cut-offs may be others.
PROFILE = "paper"


def fidelity(
    test: str,
    published: str,
    dataset: str,
    systems: Mapping[str, Mapping[str, str]],
    threshold: float,
    table: str,
    summary: str,
) -> None:
    """Evaluate the published measures on our systems, and save how far they are off.

    `systems` are by the name of their recommender: label, and file of rankings.
    """
    means = read_table(published)
    means = means[means["dataset"] == dataset]
    if means.empty:
        raise RankassayError(f"{published} has no means for the dataset {dataset}.")
    judgements = Judgements.of(read_matrix(test), threshold)
    measures = list(dict.fromkeys(means["measure"]))
    ours = pd.concat(
        system_means(judgements, recommender, own["label"], own["rankings"], measures)
        for recommender, own in systems.items()
    )
    compared = compare(ours, means)
    short = summarise(compared)
    write_table(compared, table)
    write_table(short, summary)
    for quantity, value in short.itertuples(index=False):
        log.info("%s: %.4g", quantity, value)


def system_means(
    judgements: Judgements, recommender: str, label: str, path: str, measures: Sequence[str]
) -> pd.DataFrame:
    """Return one system's means over users: recommender, system, metric, ours."""
    rankings = Rankings.load(path)
    depth = max(Measure.parse(measure).cutoff for measure in measures)
    if rankings.depth < depth:
        raise RankassayError(
            f"{path}: the published means are of lists of {depth} items, found lists of "
            f"{rankings.depth}; set depth to {depth} or more in the configuration."
        )
    values = evaluate(judgements, [Lists.of(rankings, judgements)], measures, PROFILE, depth)
    ours = values.mean(axis=(0, 1))
    named = {"recommender": recommender, "system": label, "metric": measures}
    return pd.DataFrame(named | {"ours": ours})


def collect_claims(
    verdicts: Sequence[tuple[str, str]],
    claims: Mapping[str, str],
    left_out: Sequence[tuple[str, str]],
    variants: Mapping[str, Mapping[str, Any]],
    output: str,
    totals: str,
    sentences: str,
) -> None:
    """Put the verdicts on all datasets into one table, with claims that no data could test.

    `verdicts` are studies with the file of one dataset, `claims` the files of what each study
    judges, and `left_out` analyses with datasets. Also saved are the numbers of the verdicts, and
    those of the sentences that the claims are of.
    """
    lists = {study: read(path) for study, path in claims.items()}
    judged = [(study, _judged(path)) for study, path in verdicts]
    table = collected.collect(lists, judged, [tuple(pair) for pair in left_out], variants)
    write_table(table[collected.COLUMNS], output)
    write_table(collected.totals(table), totals)
    write_table(collected.sentences(table), sentences)
    counts = table[REPRODUCED].value_counts()
    log.info(", ".join(f"{counts[word]} {word}" for word in WORDS if word in counts))


def _judged(path: str) -> Replicated | pd.DataFrame:
    """Return the verdicts on a dataset, with the numbers of resampled users where they are kept."""
    table, drawn = read_table(path), Path(path).with_suffix(".npz")
    if not drawn.is_file():
        return table
    return Replicated(table, "measured", Replicates.load(drawn).values)
