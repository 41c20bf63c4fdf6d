"""Job: join what several jobs made: rankings of users, scores by measures, or rows of a table."""

import argparse

from assayer.artifacts.arrays import Rankings, Replicates, Scores
from assayer.artifacts.shards import join_tables
from assayer.jobs.arguments import add

JOINED = ("rankings", "scores", "table", "replicates")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    parser.add_argument("kind", choices=JOINED, help="what the parts are of")
    parser.add_argument("parts", nargs="+", help="in order")
    add(parser, output="file to write")


def run(options: argparse.Namespace) -> None:
    """Join the parts; the result is what one job would have made, byte for byte."""
    if options.kind == "rankings":
        Rankings.joined([Rankings.load(part) for part in options.parts]).save(options.output)
    elif options.kind == "replicates":
        Replicates.joined([Replicates.load(part) for part in options.parts]).save(options.output)
    elif options.kind == "scores":
        Scores.join(options.parts, options.output)
    else:
        join_tables(options.parts, options.output)
