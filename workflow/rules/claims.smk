# What papers claim, and what was measured here.


rule claims:
    input:
        "results/claims.csv",
        "results/claims-totals.csv",
        verdict_publications(),
    message:
        "Done: the verdicts on the claims"


rule collect_verdicts:
    input:
        verdicts=verdict_paths(),
        claims=claims_paths(),
        code=stage_code("claims"),
    output:
        verdicts=report(
            "results/claims.csv",
            caption="../report/claims.rst",
            category="Claims",
            labels={"table": "verdicts"},
        ),
        totals="results/claims-totals.csv",
    log:
        "logs/claims.log",
    benchmark:
        "results/benchmarks/claims.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=small_memory,
        runtime=small_runtime,
    params:
        verdicts=verdict_arguments,
        claims=claims_arguments,
    message:
        "Collect the verdicts on the claims"
    shell:
        "python -m assayer claims {params.verdicts} --claims {params.claims}"
        " --output {output.verdicts} --totals {output.totals} 2> {log}"
