# The plan of the run: the rules look everything up in it.

import copy
import os
import shlex
import sys

from snakemake.utils import update_config

sys.path.append(os.getcwd())  # for recommenders and metrics of the user's own
# The package of this workflow, before what else the user's environment has.
shell.prefix(f"export PYTHONPATH={shlex.quote(str(SOURCE))}" + '"${{PYTHONPATH:+:$PYTHONPATH}}"; ')

from assayer.artifacts import manifest, yaml_files
from assayer.artifacts.files import check_folders, write_json
from assayer.cli import fork_server
from assayer.config.command_line import typed
from assayer.plan import Plan, messages
from assayer.plan.arguments import ending, telling, words
from assayer.plan.scheduler import (
    asked_for,
    go_on,
    keep_python_here,
    look_after_jobs,
    studies_named,
    touches,
)
from assayer.studies import STUDIES

if workflow.is_main_process:
    ending(check_folders)("data", "results", "figures", "logs")
if workflow.modifier.skip_configfile:  # a module's configuration: it goes before what is shipped
    given = copy.deepcopy(config)
    for name in ("config", "datasets", "protocols", "recommenders", "tuning"):
        update_config(config, ending(yaml_files.read_settings)(BASE / f"config/{name}.yaml"))
    update_config(config, given)
config |= ending(typed)(config, workflow.config_settings.config_args)
plan = ending(Plan)(config, BASE, check=workflow.is_main_process)
config |= plan.config
if workflow.is_main_process:
    known = ending(lambda: manifest.check_known(Path(), config, BASE))
    go_on(workflow, ending(plan.data.check_raw), known)


wildcard_constraints:
    **plan.constraints,


# No job can write the manifest: it would run again whenever anything changes.
check_artifacts = ending(manifest.check)
write_manifest = ending(manifest.write)


def notes():
    """Return what the run's systems and analyses are short of, in words."""
    named = studies_named(workflow)
    short = plan.systems.left_out_in_short() if named is None else plan.systems.left_out(named)
    found = plan.systems.shortened(), short, plan.analyses.left_out()
    return [note for note in found if note]
