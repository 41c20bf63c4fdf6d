"""The command line, `python -m assayer COMMAND ...`: a command or a stage of the pipeline."""

import argparse
import importlib
import logging
import sys
from collections.abc import Sequence

from assayer import __version__
from assayer.errors import AssayerError

COMMANDS = {
    "evaluate": "evaluate lists in TREC files against judgements, with any of the metrics",
    "compare": "test which differences between systems are significant, from TREC files",
    "verify": "compare the artifacts of two runs, and tell what explains a difference",
    "guide": "ask what is to be measured, and answer with metrics and what is known of them",
}

STAGES = {
    "fetch": "find or download the files of a dataset",
    "prepare": "read a dataset's files, or make a synthetic one, and write its statistics",
    "split": "split each user's ratings into training and test",
    "recommend": "fit one recommender and rank the candidates for every user",
    "fit": "fit one recommender, to be ranked by several jobs",
    "rank": "rank the candidates for a block of the users with a recommender that was fitted",
    "score": "compute every measure for every user and system",
    "fidelity": "compare the means of the systems with the published ones",
    "analyse": "run one analysis of a study",
    "gather": "join what several jobs made",
    "claims": "put the verdicts on a paper's claims on all datasets into one table",
    "figure": "draw one figure of a study",
    "table": "write one table of a study",
    "tune": "score one point of a recommender's grid on a part of the training ratings",
    "collect": "order the points of a recommender's grid by their scores, and draw them",
    "choose": "write the best points of the grids on a dataset as a configuration",
    "export": "write judgements or the lists of one recommender as a TREC file",
}

ALL = COMMANDS | STAGES


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command or stage and return the exit status.

    That is 0 when it is done, 1 after an error that the user can act on, and 2 for wrong usage.
    """
    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    logging.getLogger("assayer").setLevel(logging.INFO)
    options = _parser().parse_args(arguments)
    stage = importlib.import_module(f"assayer.stages.{options.stage}")
    parser = argparse.ArgumentParser(
        prog=f"python -m assayer {options.stage}", description=f"{ALL[options.stage]}."
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
    parser = argparse.ArgumentParser(
        prog="python -m assayer",
        description="Which ranking metric can I trust, at which cut-off, on my data?",
        epilog=f"commands for people:\n{_listed(COMMANDS)}\n\n"
        f"stages, in the order in which the workflow calls them:\n{_listed(STAGES)}\n\n"
        "The workflow (snakemake --cores N) runs the stages; "
        "'python -m assayer COMMAND --help' explains one.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"assayer {__version__}")
    parser.add_argument(
        "stage", metavar="COMMAND", choices=ALL, help="one of the commands and stages below"
    )
    parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser


def _listed(names: dict[str, str]) -> str:
    width = max(map(len, ALL))
    return "\n".join(f"  {name:{width}}  {what}" for name, what in names.items())
