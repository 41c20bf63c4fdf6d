# The plan of the run: the rules look everything up in it.

import os
import shlex
import sys

sys.path.insert(0, str(BASE / "src"))
sys.path.append(os.getcwd())  # for recommenders and metrics of the user's own
shell.prefix(f"export PYTHONPATH={shlex.quote(str(BASE / 'src'))}; ")

from assayer.artifacts import manifest
from assayer.artifacts.files import write_json
from assayer.errors import AssayerError
from assayer.plan import Plan, messages
from assayer.studies import STUDIES

try:
    plan = Plan(config, BASE, check=workflow.is_main_process)
except AssayerError as error:
    sys.exit(f"assayer: {error}")
config |= plan.config


wildcard_constraints:
    **plan.constraints,


def check_artifacts():
    """End the run before its first job if artifacts of earlier runs were altered."""
    try:
        manifest.check(Path())
    except (AssayerError, OSError) as error:
        sys.exit(f"assayer: {error}")


def write_manifest():
    """Write results/manifest.json, which no job can: it would run again whenever anything changes."""
    try:
        manifest.write(Path(), config, BASE)
    except (AssayerError, OSError) as error:
        sys.exit(f"assayer: {manifest.PLACE} cannot be written: {error}")
