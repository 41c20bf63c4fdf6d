# Settings chosen on a part of the training ratings: no rule here reads the test ratings. Their code
# is looked up when they are asked for, which keeps planning the study as quick as without them.


rule tune:
    input:
        tuning_outputs,
    message:
        "Done: settings by validation"


rule tune_point:
    input:
        train="results/{dataset}/split/train.npz",
        code=tuning_code,
    output:
        "results/{dataset}/tuning/{recommender}/{point}.csv",
    log:
        "logs/tune/{dataset}/{recommender}/{point}.log",
    benchmark:
        "results/benchmarks/tune/{dataset}/{recommender}/{point}.tsv"
    wildcard_constraints:
        point="[^/~]+~.+",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=recommend_memory,
        runtime=recommend_runtime,
    params:
        method=partial(recommender_spec, key="method"),
        settings=point_settings,
        evaluation=tuning_evaluation,
        fraction=config["tuning"]["test_fraction"],
        rounding=config["split"]["rounding"],
        depth=config["depth"],
        candidates=config["candidates"],
        seed=tuning_seed,
    message:
        "Score {wildcards.recommender} on {wildcards.dataset} with {wildcards.point}"
    shell:
        "python -m assayer tune {input.train} --method {params.method:q}"
        " --settings {params.settings:q} --evaluation {params.evaluation:q}"
        " --test-fraction {params.fraction} --rounding {params.rounding} --depth {params.depth}"
        " --candidates {params.candidates} --seed {params.seed} --output {output:q} 2> {log:q}"


rule collect_points:
    input:
        scores=point_paths,
        code=lambda wildcards: stage_code("collect"),
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
        "logs/collect/{dataset}/{recommender}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        grid=lambda wildcards: json.dumps(tuning_grid(wildcards.recommender)),
        title=tuning_title,
    message:
        "Order the points of {wildcards.recommender} on {wildcards.dataset}"
    shell:
        "python -m assayer collect {input.scores:q} --grid {params.grid:q}"
        " --title {params.title:q} --table {output.table} --figure {output.pdf} 2> {log}"


rule choose:
    input:
        tables=tuning_tables,
        code=lambda wildcards: stage_code("choose"),
    output:
        "results/{dataset}/tuning/chosen.yaml",
    log:
        "logs/choose/{dataset}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        tables=tuning_arguments,
        grids=tuning_grids,
    message:
        "Choose the settings of the recommenders on {wildcards.dataset}"
    shell:
        "python -m assayer choose {wildcards.dataset} {params.tables} --grids {params.grids:q}"
        " --output {output} 2> {log}"
