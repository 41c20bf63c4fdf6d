"""Job: fit one recommender, to be ranked by several jobs."""

import argparse
import inspect

from assayer.artifacts.arrays import read_matrix
from assayer.artifacts.models import about, write_model
from assayer.jobs.arguments import add, made
from assayer.recommenders.folding import fitted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "train", "--method", "--settings", "--seed", "--held-out")
    add(parser, output="what was learned (npz)")


def run(options: argparse.Namespace) -> None:
    """Fit and save what was learned."""
    train = read_matrix(options.train)
    model = fitted(made(options), train, options.seed, options.held_out)
    settings = inspect.signature(type(model)).parameters
    learned = {name: value for name, value in vars(model).items() if name not in settings}
    write_model(learned, options.output, about(options.method, options.settings, train))
