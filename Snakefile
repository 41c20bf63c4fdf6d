# Which ranking metric can I trust, at which cut-off, on my data?
# This file is the table of contents: the settings, the rules and the targets.

from pathlib import Path

from snakemake.utils import min_version

min_version("9.20")

BASE = Path(workflow.basedir)


configfile: str(BASE / "config/config.yaml")
configfile: str(BASE / "config/datasets.yaml")
configfile: str(BASE / "config/recommenders.yaml")
configfile: str(BASE / "config/tuning.yaml")


report: "workflow/report/workflow.rst"


include: "workflow/lookups/setup.smk"
include: "workflow/lookups/data.smk"
include: "workflow/lookups/systems.smk"
include: "workflow/lookups/analyses.smk"
include: "workflow/lookups/shards.smk"
include: "workflow/lookups/publications.smk"
include: "workflow/lookups/fidelity.smk"
include: "workflow/lookups/tune.smk"
include: "workflow/lookups/export.smk"
include: "workflow/lookups/claims.smk"
include: "workflow/lookups/report.smk"
include: "workflow/lookups/manifest.smk"
include: "workflow/lookups/resources.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/recommend.smk"
include: "workflow/rules/analyse.smk"
include: "workflow/rules/publish.smk"
include: "workflow/rules/fidelity.smk"
include: "workflow/rules/tune.smk"
include: "workflow/rules/export.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/report.smk"


if config["shards"] > 1:

    include: "workflow/rules/shards.smk"


rule all:
    default_target: True
    input:
        rules.robustness.input,
        rules.aggregation.input,
        rules.definitions.input,
        rules.diversity.input,
        rules.goals.input,
        rules.sampling.input,
        rules.claims.input,
        rules.report.input,
    message:
        "Done: every study, and the verdicts on the claims"


onstart:
    if note := left_out():
        print(note)


onsuccess:
    write_manifest()
    print(success_message())


onerror:
    print(failure_message(log))
