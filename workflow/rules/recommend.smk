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
    resources:
        **plan.resources.of("recommend"),
    params:
        **plan.job(
            "recommend",
            plan.recommenders.for_recommend,
            code=plan.recommenders.recommend_code,
            unseen=plan.data.checked,
        ),
    message:
        "Fit {wildcards.recommender} on {wildcards.dataset} and rank"
    shell:
        JOB


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
    resources:
        **plan.resources.of("import"),
    params:
        **plan.job("import_run", plan.systems.for_import_run),
        stamp=plan.systems.run_stamp,
    message:
        "Take over the run {wildcards.run} on {wildcards.dataset}"
    shell:
        JOB
