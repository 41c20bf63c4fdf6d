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
    resources:
        **plan.resources.of("recommend"),
    params:
        **plan.job("tune", plan.tuning.for_tune, code=plan.tuning.code),
    message:
        "Score {wildcards.recommender} on {wildcards.dataset} with {wildcards.point}"
    shell:
        JOB


rule order_grid:
    input:
        scores=plan.tuning.scores,
    output:
        "figures/tuning/{dataset}/{recommender}.png",
        report(
            "figures/tuning/{dataset}/{recommender}.svg",
            category="tuning",
            subcategory="{dataset}",
            labels={"recommender": "{recommender}"},
        ),
        table="results/{dataset}/tuning/{recommender}.csv",
        figure="figures/tuning/{dataset}/{recommender}.pdf",
    log:
        "logs/order-grid/{dataset}/{recommender}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **plan.job("order_grid", plan.tuning.for_order_grid),
    message:
        "Order the points of {wildcards.recommender} on {wildcards.dataset}"
    shell:
        UNMEASURED


rule write_best:
    input:
        plan.tuning.tables,
    output:
        "results/{dataset}/tuning/chosen.yaml",
    log:
        "logs/write-best/{dataset}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **plan.job("write_best", plan.tuning.for_write_best),
    message:
        "Choose the settings of the recommenders on {wildcards.dataset}"
    shell:
        UNMEASURED
