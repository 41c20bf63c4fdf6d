"""Job: find or download the files of a dataset."""

import argparse

from rankassay.artifacts.files import write_json
from rankassay.data.download import fetch
from rankassay.jobs.arguments import add


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "dataset", "--source", output="record of the files to write (json)")
    parser.add_argument("--raw-dir", required=True, help="has, or gets, a folder of the dataset")
    parser.add_argument("--first-use", help="folder of the checksums of what was used first")


def run(options: argparse.Namespace) -> None:
    """Download or find the files, and record their paths and checksums."""
    found = fetch(options.dataset, options.source, options.raw_dir, first_use=options.first_use)
    write_json(found, options.output)
