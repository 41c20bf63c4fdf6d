# Settings chosen on a part of the training ratings: no rule here reads the test ratings. Their code
# is looked up when they are asked for, which keeps planning the study as quick as without them.


rule tune:
    input:
        plan.tuning.outputs,
    message:
        "Done: settings by validation"


rule tune_point:
    input:
        train="results/{dataset}/split/train.npz",
    output:
        "results/{dataset}/tuning/{recommender}/{point}.csv",
    log:
        "logs/tune/{dataset}/{recommender}/{point}.log",
    wildcard_constraints:
        point="[^/~]+~.+",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.recommend_memory,
        runtime=plan.resources.recommend_runtime,
    params:
        code=plan.tuning.code,
        arguments=plan.tuning.point_arguments,
        usage="results/benchmarks/tune/{dataset}/{recommender}/{point}.tsv",
    message:
        "Score {wildcards.recommender} on {wildcards.dataset} with {wildcards.point}"
    shell:
        "python -P -m rankassay tune {input.train} {params.arguments} --output {output:q}"
        " --usage {params.usage:q} 2> {log:q}"


rule order_grid:
    input:
        scores=plan.tuning.scores,
    output:
        table="results/{dataset}/tuning/{recommender}.csv",
        pdf="figures/tuning/{dataset}/{recommender}.pdf",
        png="figures/tuning/{dataset}/{recommender}.png",
        svg=report(
            "figures/tuning/{dataset}/{recommender}.svg",
            category="tuning",
            subcategory="{dataset}",
            labels={"recommender": "{recommender}"},
        ),
    log:
        "logs/order-grid/{dataset}/{recommender}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=plan.tuning.order_code,
        arguments=plan.tuning.order_arguments,
    message:
        "Order the points of {wildcards.recommender} on {wildcards.dataset}"
    shell:
        "python -P -m rankassay order-grid {input.scores:q} {params.arguments}"
        " --table {output.table} --figure {output.pdf} 2> {log}"


rule write_best:
    input:
        tables=plan.tuning.tables,
    output:
        "results/{dataset}/tuning/chosen.yaml",
    log:
        "logs/write-best/{dataset}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=plan.tuning.best_code,
        arguments=plan.tuning.best_arguments,
    message:
        "Choose the settings of the recommenders on {wildcards.dataset}"
    shell:
        "python -P -m rankassay write-best {wildcards.dataset} {params.arguments}"
        " --output {output} 2> {log}"
