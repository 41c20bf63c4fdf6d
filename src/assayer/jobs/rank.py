"""Job: rank the candidates for a block of the users with a recommender that was fitted."""

import argparse

from assayer.artifacts.mapped import map_matrix
from assayer.artifacts.models import read_model
from assayer.jobs.arguments import COMMON, add, made
from assayer.recommenders.rank import CANDIDATES, rank


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    parser.add_argument("model", help="what the recommender learned (npz)")
    add(parser, "train", "test", "--method", "--settings", "--depth", "--shard")
    parser.add_argument("--candidates", choices=CANDIDATES, **COMMON["--candidates"])
    add(parser, output="rankings to write (npz)")


def run(options: argparse.Namespace) -> None:
    """Rank and save."""
    model = made(options)
    for name, learned in read_model(options.model).items():
        setattr(model, name, learned)
    train, test = map_matrix(options.train), map_matrix(options.test)
    chosen = {"candidates": options.candidates, "shard": options.shard}
    rank(model, train, test, options.depth, **chosen).save(options.output)
