"""Job: take over the users' values of metrics that others computed."""

import argparse
import logging

from rankassay.artifacts.files import read_json
from rankassay.data.scores import read
from rankassay.jobs.arguments import add

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "record", "--source", output="scores to write (npz)")


def run(options: argparse.Namespace) -> None:
    """Read the values and save them."""
    scores = read(read_json(options.record), options.source)
    scores.save(options.output)
    users, systems, measures = scores.values.shape
    log.info("%d systems, %d users, %d measures", systems, users, measures)
