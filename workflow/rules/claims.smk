# What papers claim, and what was measured here.


rule claims:
    input:
        plan.claims_targets,
    message:
        "Done: the verdicts on the claims"


rule collect_claims:
    input:
        plan.analyses.verdicts(),
        plan.claims.files.values(),
    output:
        output=report(
            "results/claims.csv",
            caption="../report/claims.rst",
            category="Claims",
            labels={"table": "verdicts"},
        ),
        totals="results/claims-totals.csv",
        sentences="results/claims-sentences.csv",
    log:
        "logs/claims.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=plan.resources.small_memory,
        runtime=plan.resources.small_runtime,
    params:
        code=plan.code.of_job("collect_claims"),
        job=does("collect_claims", plan.analyses.for_collect_claims),
        files=files,
    message:
        "Collect the verdicts on the claims"
    shell:
        JOB
