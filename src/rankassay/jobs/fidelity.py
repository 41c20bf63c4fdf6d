"""Job: compare the means of the systems with the published ones."""

import argparse
import logging

import pandas as pd

from rankassay.artifacts.arrays import Rankings, read_matrix
from rankassay.artifacts.tables import read_table, write_table
from rankassay.errors import RankassayError
from rankassay.jobs.arguments import add, add_paths
from rankassay.metrics.evaluate import Measure, evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.studies.fidelity.means import compare, summarise

log = logging.getLogger(__name__)

# The definitions behind the published means; a run's own profile and cut-offs may be others.
PROFILE = "paper"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "test", published="published means (csv)", dataset="its name there")
    meaning = "a recommender's name in the published table, its label, and its rankings (npz)"
    add_paths(parser, "rankings", "RECOMMENDER:LABEL=RANKINGS", meaning)
    parser.add_argument("--threshold", type=float, required=True, help="of relevant ratings")
    add(parser, output="comparison to write (csv)", summary="summary of it to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Evaluate the published measures on all systems and save how far they are off."""
    published = read_table(options.published)
    published = published[published["dataset"] == options.dataset]
    if published.empty:
        raise RankassayError(f"{options.published} has no means for the dataset {options.dataset}.")
    judgements = Judgements.of(read_matrix(options.test), options.threshold)
    measures = list(dict.fromkeys(published["measure"]))
    means = pd.concat(
        system_means(judgements, name, path, measures) for name, path in options.rankings
    )
    table = compare(means, published)
    summary = summarise(table)
    write_table(table, options.output)
    write_table(summary, options.summary)
    for quantity, value in summary.itertuples(index=False):
        log.info("%s: %.4g", quantity, value)


def system_means(judgements: Judgements, name: str, path: str, measures: list[str]) -> pd.DataFrame:
    """Return one system's means over users: recommender, system, metric, ours."""
    recommender, _, label = name.partition(":")
    rankings = Rankings.load(path)
    depth = max(Measure.parse(measure).cutoff for measure in measures)
    if rankings.depth < depth:
        raise RankassayError(
            f"{path}: the published means are of lists of {depth} items, found lists of "
            f"{rankings.depth}; set depth to {depth} or more in the configuration."
        )
    values = evaluate(judgements, [Lists.of(rankings, judgements)], measures, PROFILE, depth)
    return pd.DataFrame(
        {
            "recommender": recommender,
            "system": label,
            "metric": measures,
            "ours": values.mean(axis=(0, 1)),
        }
    )
