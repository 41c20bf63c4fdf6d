# Which measure to report on each dataset, why, and what to do next.


rule advise:
    input:
        unpack(plan.advice.inputs),
    output:
        "results/{dataset}/advice.json",
    log:
        "logs/advise/{dataset}.log",
    wildcard_constraints:
        dataset=plan.data.any_of(with_lists=True),
    conda:
        "../../environment.yml"
    resources:
        **plan.resources.of("advise"),
    params:
        **plan.job("advise", plan.advice.for_advise, code=plan.advice.code),
    message:
        "Say which measure to report on {wildcards.dataset}"
    shell:
        JOB
