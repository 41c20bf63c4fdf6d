"""Stage: fit one recommender, to be ranked by several jobs."""

import argparse
import inspect

from assayer.artifacts.arrays import read_matrix
from assayer.artifacts.models import write_model
from assayer.jobs.arguments import json_object
from assayer.lookup import load
from assayer.recommenders.catalogue import recommender


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument("train", help="training matrix (npz)")
    parser.add_argument("--method", required=True, help="name in the registry, or module:class")
    parser.add_argument("--settings", type=json_object, default={}, help="its settings (JSON)")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", required=True, help="what was learned, to write (npz)")


def run(options: argparse.Namespace) -> None:
    """Fit and save what was learned."""
    method = load(recommender(options.method))
    model = method(**options.settings).fit(read_matrix(options.train), options.seed)
    settings = inspect.signature(method).parameters
    learned = {name: value for name, value in vars(model).items() if name not in settings}
    write_model(learned, options.output)
