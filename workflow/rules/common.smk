# The plan of the run: the rules look everything up in it.

from rankassay.artifacts import manifest
from rankassay.artifacts.files import check_folders, write_json
from rankassay.cli import fork_server
from rankassay.config import layers
from rankassay.config.layers import typed
from rankassay.plan import Plan, messages, studies_named
from rankassay.plan.messages import watch
from rankassay.plan.rules import ending, lead_python_path, telling
from rankassay.plan.snakemake_private import (
    asked_for,
    config_arguments,
    configured,
    is_module,
    look_when_jobs_end,
    makes_all,
    recorded,
    rules_asked_for,
    targets,
    touches,
)
from rankassay.studies import STUDIES

# Jobs find the package of this workflow before any other; the path of another is its own.
lead_python_path(SOURCE, safe=not is_module(workflow))
if is_main(workflow):
    ending(check_folders)("data", "results", "figures", "logs")
    ending(manifest.former)(Path())  # which refuses that of another program, for all that is asked
if not is_module(workflow):  # what is typed after --config is of the workflow that imports it
    config |= ending(typed)(config, config_arguments(workflow))
# Not as `configfile`: Snakemake would merge an entry of a catalogue with the user's of that name.
config |= ending(layers.whole)(ending(layers.shipped)(BASE), config)
plan = ending(Plan)(config, BASE, check=is_main(workflow))
config |= plan.config


# A rule's job, of which Snakemake sees changes, and the files that the rule names. What a job takes is
# in results/benchmarks, under the name of its log.
ASKED = "<<< {params.job:q}$'\\n'{params.files:q} 2> {log:q}"
JOB = f"python -P -m rankassay job --log {{log:q}} {ASKED}"
UNMEASURED = f"python -P -m rankassay job {ASKED}"


wildcard_constraints:
    **plan.constraints,


# No job can write the manifest: it would run again whenever anything changes.
check_artifacts = ending(manifest.check)
write_manifest = ending(manifest.write)


def check_before():
    """Look at what is there, before jobs are planned; a run that makes all again needs nothing."""
    if not makes_all(workflow):
        ending(plan.data.check_raw)()
        if (known := recorded(Path())) is not None:
            ending(manifest.check_known)(Path(), config, BASE, known)


def notes():
    """Return what the run's systems and analyses are short of, in words."""
    named = studies_named(rules_asked_for(workflow), configured(workflow))
    short = plan.systems.left_out_in_short() if named is None else plan.systems.left_out(named)
    found = plan.systems.shortened(), short, plan.analyses.left_out()
    return [note for note in found if note]


if is_main(workflow):
    watched = watch(check_before, notes)
