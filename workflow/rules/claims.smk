# What papers claim, and what was measured here.


rule claims:
    input:
        plan.claims_targets,
    message:
        "Done: the verdicts on the claims"


rule collect_claims:
    input:
        plan.publications.verdicts(),
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
        **plan.resources.of("small"),
    params:
        **plan.job("collect_claims", plan.publications.for_collect_claims),
    message:
        "Collect the verdicts on the claims"
    shell:
        JOB
