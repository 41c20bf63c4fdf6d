# Which ranking metric can I trust, at which cut-off, on my data?
# This file is the table of contents: the settings, the rules and the targets.

from pathlib import Path

from snakemake.utils import min_version

min_version("9.20")

BASE = Path(str(workflow.current_basedir))  # here, also where another workflow imports this one


include: "workflow/rules/console.smk"


configfile: str(BASE / "config/config.yaml")
configfile: str(BASE / "config/datasets.yaml")
configfile: str(BASE / "config/protocols.yaml")
configfile: str(BASE / "config/recommenders.yaml")
configfile: str(BASE / "config/tuning.yaml")


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/recommend.smk"
include: "workflow/rules/analyse.smk"
include: "workflow/rules/publish.smk"
include: "workflow/rules/fidelity.smk"
include: "workflow/rules/tune.smk"
include: "workflow/rules/export.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/advice.smk"
include: "workflow/rules/report.smk"


if config["shards"] > 1:

    include: "workflow/rules/shards.smk"


rule all:
    default_target: True
    input:
        plan.targets,
    message:
        "Done: every study, and the verdicts on the claims"


onstart:
    interrupts.leave()
    look_after_jobs(workflow)
    keep_python_here(workflow)
    fork_server.start(workflow)
    check_artifacts(Path())
    for note in notes():
        print(note)


onsuccess:
    from assayer.plan import found  # on use: it imports pandas, which takes its time

    asked = set() if touches(workflow) else asked_for(workflow)
    if gone := write_manifest(Path(), config, BASE, asked):
        print(messages.gone(gone))
    shown = plan.report.advice(), plan.report.summaries()
    print(found.success(*shown, plan.report.answers(), plan.report.titles(), asked))


onerror:
    print(messages.interrupted() if interrupts.asked else messages.failure(log))
