"""Stage: rank the candidates for a block of the users with a recommender that was fitted."""

import argparse

from assayer.artifacts.mapped import map_matrix
from assayer.artifacts.models import read_model
from assayer.jobs.arguments import json_object, shard
from assayer.lookup import load
from assayer.recommenders.catalogue import recommender
from assayer.recommenders.rank import CANDIDATES, rank


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument("model", help="what the recommender learned (npz)")
    parser.add_argument("train", help="training matrix (npz)")
    parser.add_argument("test", help="test matrix (npz): whose items are ranked")
    parser.add_argument("--method", required=True, help="name in the registry, or module:class")
    parser.add_argument("--settings", type=json_object, default={}, help="its settings (JSON)")
    parser.add_argument("--depth", type=int, required=True, help="length of the lists")
    parser.add_argument("--candidates", choices=CANDIDATES, required=True)
    parser.add_argument("--shard", type=shard, required=True, help="which block, as in 2/7")
    parser.add_argument("--output", required=True, help="rankings to write (npz)")


def run(options: argparse.Namespace) -> None:
    """Rank and save."""
    model = load(recommender(options.method))(**options.settings)
    for name, learned in read_model(options.model).items():
        setattr(model, name, learned)
    train, test = map_matrix(options.train), map_matrix(options.test)
    chosen = {"candidates": options.candidates, "shard": options.shard}
    rank(model, train, test, options.depth, **chosen).save(options.output)
