"""Job: rank the candidates for a block of the users with a recommender that was fitted."""

import argparse

from rankassay.artifacts.mapped import map_matrix
from rankassay.artifacts.models import about, read_model
from rankassay.jobs.arguments import COMMON, add, made
from rankassay.lookup import blamed
from rankassay.recommenders.rank import CANDIDATES, rank


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    parser.add_argument("model", help="what the recommender learned (npz)")
    add(parser, "train", "test", "--method", "--settings", "--depth", "--shard")
    parser.add_argument("--candidates", choices=CANDIDATES, **COMMON["--candidates"])
    add(parser, output="rankings to write (npz)")


def run(options: argparse.Namespace) -> None:
    """Rank and save."""
    model = made(options)
    train, test = map_matrix(options.train), map_matrix(options.test)
    making = about(options.method, options.settings, train)
    for name, learned in read_model(options.model, making).items():
        setattr(model, name, learned)
    chosen = {"candidates": options.candidates, "shard": options.shard}
    with blamed(options.method):
        rankings = rank(model, train, test, options.depth, **chosen)
    rankings.save(options.output)
