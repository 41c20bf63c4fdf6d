# The systems: one job fits one recommender on one dataset and ranks for every user, or takes over a
# run of another library.


ruleorder: import_run > recommend_slow > recommend


rule recommend:
    input:
        train="results/{dataset}/split/train.npz",
        test="results/{dataset}/split/test.npz",
    output:
        "results/{dataset}/rankings/{recommender}.npz",
    log:
        "logs/recommend/{dataset}/{recommender}.log",
    priority: 1  # before what trains all of them in one job: each is compiled by its own job then
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.recommend_memory,
        runtime=plan.resources.recommend_runtime,
        threshold=plan.data.threshold_choice,
    params:
        code=plan.recommenders.recommend_code,
        arguments=plan.recommenders.recommend_arguments,
        usage="results/benchmarks/recommend/{dataset}/{recommender}.tsv",
    message:
        "Fit {wildcards.recommender} on {wildcards.dataset} and rank"
    shell:
        "python -P -m rankassay recommend {input.train} {input.test} {params.arguments} {resources.threshold}"
        " --output {output} --usage {params.usage:q} 2> {log}"


# The same before all others, so that what takes longest is not what the run waits for in the end; and
# submitted alone.
use rule recommend as recommend_slow with:
    wildcard_constraints:
        recommender=plan.recommenders.slow,
    priority: 2


rule import_run:
    input:
        run=plan.systems.run_file,
        ratings=plan.data.ratings,
        train="results/{dataset}/split/train.npz",
        test="results/{dataset}/split/test.npz",
    output:
        "results/{dataset}/rankings/{run}.npz",
    log:
        "logs/import-run/{dataset}/{run}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.import_memory,
        runtime=plan.resources.import_runtime,
    params:
        code=plan.code.of_job("import_run"),
        stamp=plan.systems.run_stamp,
        choices=plan.systems.run_choices,
        usage="results/benchmarks/import-run/{dataset}/{run}.tsv",
    message:
        "Take over the run {wildcards.run} on {wildcards.dataset}"
    shell:
        "python -P -m rankassay import-run {input.run:q} {input.ratings} {input.train} {input.test}"
        " {params.choices} --output {output}"
        " --usage {params.usage:q} 2> {log}"
