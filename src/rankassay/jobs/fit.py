"""Job: fit one recommender, to be ranked by several jobs."""

import argparse
import inspect

from rankassay.artifacts.arrays import read_held_out, read_matrix
from rankassay.artifacts.models import about, write_model
from rankassay.data.feedback import check_reached
from rankassay.jobs.arguments import add, made
from rankassay.lookup import blamed
from rankassay.recommenders.folding import fitted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "train", "test", "--method", "--settings", "--seed", "--dataset", "--threshold")
    add(parser, output="what was learned (npz)")


def run(options: argparse.Namespace) -> None:
    """Fit and save the model."""
    check_reached(read_matrix(options.test), options.threshold, options.dataset)
    train, held_out = read_matrix(options.train), read_held_out(options.train)
    with blamed(options.method):
        model = fitted(made(options), train, options.seed, held_out)
    settings = inspect.signature(type(model)).parameters
    learned = {name: value for name, value in vars(model).items() if name not in settings}
    write_model(learned, options.output, about(options.method, options.settings, train))
