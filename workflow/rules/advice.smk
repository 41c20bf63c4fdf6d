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
    threads: 1
    resources:
        mem_mb=plan.resources.advise_memory,
        runtime=plan.resources.advise_runtime,
    params:
        code=plan.advice.code,
        arguments=plan.advice.arguments,
        usage="results/benchmarks/advise/{dataset}.tsv",
    message:
        "Say which measure to report on {wildcards.dataset}"
    shell:
        "python -P -m rankassay advise {input.test} {params.arguments}"
        " --output {output} --usage {params.usage:q} 2> {log}"
