"""The command line: `python -m assayer STAGE ...`, one stage of the pipeline a call."""

import argparse
import importlib
import logging
import sys
from collections.abc import Sequence

from assayer import __version__
from assayer.errors import AssayerError

STAGES = {
    "fetch": "find or download the files of a dataset",
    "prepare": "read a dataset's files, or make a synthetic one, and write its statistics",
    "split": "split each user's ratings into training and test",
    "recommend": "fit one recommender and rank the candidates for every user",
    "score": "compute every measure for every user and system",
    "fidelity": "compare the means of the systems with the published ones",
    "analyse": "run one analysis of a study",
    "figure": "draw one figure of a study",
    "table": "write one table of a study",
    "tune": "score one point of a recommender's grid on a part of the training ratings",
    "collect": "order the points of a recommender's grid by their scores, and draw them",
    "choose": "write the best points of the grids on a dataset as a configuration",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one stage and return the exit status: 0 done, 1 an error the user can act on, 2 usage."""
    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    logging.getLogger("assayer").setLevel(logging.INFO)
    options = _parser().parse_args(arguments)
    stage = importlib.import_module(f"assayer.stages.{options.stage}")
    parser = argparse.ArgumentParser(
        prog=f"python -m assayer {options.stage}", description=f"{STAGES[options.stage]}."
    )
    stage.add_arguments(parser)
    try:
        stage.run(parser.parse_args(options.rest))
    except AssayerError as error:
        print(f"assayer {options.stage}: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        print(f"assayer {options.stage}: {error.strerror or error}{where}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    width = max(map(len, STAGES))
    parser = argparse.ArgumentParser(
        prog="python -m assayer",
        description="Which ranking metric can I trust, at which cut-off, on my data?",
        epilog="stages, in the order in which the workflow calls them:\n"
        + "\n".join(f"  {name:{width}}  {what}" for name, what in STAGES.items())
        + "\n\nThe workflow (snakemake --cores N) runs them all; "
        "'python -m assayer STAGE --help' explains one.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"assayer {__version__}")
    parser.add_argument("stage", metavar="STAGE", choices=STAGES, help="one of the stages below")
    parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser
