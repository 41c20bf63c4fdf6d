# The systems: one job fits one recommender on one dataset and ranks for every user, or takes over a
# run of another library.


ruleorder: adopt > recommend


rule recommend:
    input:
        train="results/{dataset}/split/train.npz",
        test="results/{dataset}/split/test.npz",
        code=recommender_code,
    output:
        "results/{dataset}/rankings/{recommender}.npz",
    log:
        "logs/recommend/{dataset}/{recommender}.log",
    benchmark:
        "results/benchmarks/recommend/{dataset}/{recommender}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=recommend_memory,
        runtime=recommend_runtime,
    params:
        method=partial(recommender_spec, key="method"),
        settings=partial(recommender_spec, key="settings"),
        depth=config["depth"],
        candidates=config["candidates"],
        seed=recommender_seed,
    message:
        "Fit {wildcards.recommender} on {wildcards.dataset} and rank"
    shell:
        "python -m assayer recommend {input.train} {input.test} --method {params.method:q}"
        " --settings {params.settings:q} --depth {params.depth} --candidates {params.candidates}"
        " --seed {params.seed} --output {output} 2> {log}"


rule adopt:
    input:
        run=run_file,
        ratings=ratings_path,
        train="results/{dataset}/split/train.npz",
        test="results/{dataset}/split/test.npz",
        code=stage_code("adopt"),
    output:
        "results/{dataset}/rankings/{run}.npz",
    log:
        "logs/adopt/{dataset}/{run}.log",
    benchmark:
        "results/benchmarks/adopt/{dataset}/{run}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=adopt_memory,
        runtime=adopt_runtime,
    params:
        choices=run_choices,
        depth=config["depth"],
    message:
        "Take over the run {wildcards.run} on {wildcards.dataset}"
    shell:
        "python -m assayer adopt {input.run:q} {input.ratings} {input.train} {input.test}"
        " --depth {params.depth} {params.choices} --output {output} 2> {log}"
