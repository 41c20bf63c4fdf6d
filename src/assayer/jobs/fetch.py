"""Stage: find or download the files of a dataset."""

import argparse

from assayer.artifacts.files import write_json
from assayer.data.download import fetch
from assayer.jobs.arguments import json_object


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument("dataset", help="name of the dataset, and of its folder in the raw folder")
    parser.add_argument("--source", type=json_object, required=True, help="catalogue entry (JSON)")
    parser.add_argument("--raw-dir", required=True, help="folder that is searched, and kept in")
    parser.add_argument("--output", required=True, help="record of the files to write (json)")


def run(options: argparse.Namespace) -> None:
    """Have the files in place and record where they are and what they hold."""
    write_json(fetch(options.dataset, options.source, options.raw_dir), options.output)
