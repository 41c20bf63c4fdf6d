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
        inputs=plan.advice.arguments,
        evaluation=plan.analyses.advised,
        settings=plan.advice.settings,
        about=plan.advice.about,
        seed=plan.data.seed,
        usage="results/benchmarks/advise/{dataset}.tsv",
    message:
        "Say which measure to report on {wildcards.dataset}"
    shell:
        "python -m assayer advise {input.test} {params.inputs} --evaluation {params.evaluation:q}"
        " --settings {params.settings:q} --about {params.about:q} {params.seed}"
        " --output {output} --usage {params.usage:q} 2> {log}"
