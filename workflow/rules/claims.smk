# What papers claim, and what was measured here.


rule claims:
    input:
        plan.claims_targets,
    message:
        "Done: the verdicts on the claims"


rule collect_claims:
    input:
        verdicts=plan.analyses.verdicts(),
        claims=plan.claims.files.values(),
    output:
        verdicts=report(
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
    threads: 1
    resources:
        mem_mb=plan.resources.small_memory,
        runtime=plan.resources.small_runtime,
    params:
        code=plan.code.of_job("collect_claims"),
        arguments=fixed(plan.analyses.collect_arguments()),
        usage="results/benchmarks/claims.tsv",
    message:
        "Collect the verdicts on the claims"
    shell:
        "python -P -m rankassay collect-claims {params.arguments}"
        " --output {output.verdicts} --totals {output.totals} --sentences {output.sentences}"
        " --usage {params.usage:q} 2> {log}"
