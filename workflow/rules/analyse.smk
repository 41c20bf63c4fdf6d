# The measures of every user and system, and the studies of the metrics.


rule score:
    input:
        test="results/{dataset}/split/test.npz",
        rankings=plan.systems.rankings,
        propensities=plan.analyses.propensities,
    output:
        "results/{dataset}/scores.npz",
    log:
        "logs/score/{dataset}.log",
    wildcard_constraints:
        dataset=plan.data.any_of(with_lists=True),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.analyse_memory,
        runtime=plan.resources.analyse_runtime,
    params:
        code=plan.analyses.score_code,
        arguments=plan.analyses.score_arguments,
        usage="results/benchmarks/score/{dataset}.tsv",
    message:
        "Compute every measure on {wildcards.dataset}"
    shell:
        "python -m assayer score {input.test} {params.arguments}"
        " --output {output} --usage {params.usage:q} 2> {log}"


# In its place, of values that others computed.
rule import_scores:
    input:
        record=plan.data.record,
    output:
        "results/{dataset}/scores.npz",
    log:
        "logs/import-scores/{dataset}.log",
    wildcard_constraints:
        dataset=plan.data.any_of(with_lists=False),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.prepare_memory,
        runtime=plan.resources.prepare_runtime,
    params:
        code=plan.code.of_job("import_scores"),
        source=plan.data.source,
        usage="results/benchmarks/import-scores/{dataset}.tsv",
    message:
        "Take over the values of metrics on {wildcards.dataset}"
    shell:
        "python -m assayer import-scores {input.record} --source {params.source:q}"
        " --output {output} --usage {params.usage:q} 2> {log}"


rule means:
    input:
        scores="results/{dataset}/scores.npz",
    output:
        "results/{dataset}/means.csv",
    log:
        "logs/means/{dataset}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=plan.resources.analyse_memory,
        runtime=plan.resources.small_runtime,
    params:
        code=plan.code.of_job("means"),
        aggregate=f"--aggregate {config['metrics']['aggregate']}",
    message:
        "Make means of the users' values on {wildcards.dataset}"
    shell:
        "python -m assayer means {input.scores} {params.aggregate} --output {output} 2> {log}"


rule analyse:
    input:
        unpack(plan.analyses.inputs),
    output:
        "results/{dataset}/{name}.csv",
    log:
        "logs/analyse/{dataset}/{name}.log",
    wildcard_constraints:
        name=plan.analyses.plain,
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.analyse_memory,
        runtime=plan.resources.analyse_runtime,
    params:
        code=plan.analyses.code,
        arguments=plan.analyses.arguments,
        usage="results/benchmarks/analyse/{dataset}/{name}.tsv",
    message:
        "Analyse {wildcards.dataset}: {wildcards.name}"
    shell:
        "python -m assayer analyse {wildcards.name} {params.arguments}"
        " --output {output} --usage {params.usage:q} 2> {log}"


# The same after all else that is ready, so that each recommender is compiled by its own job: two of
# these at a time would both compile all recommenders.
use rule analyse as analyse_late with:
    wildcard_constraints:
        name=plan.analyses.late,
    priority: -1


# The same with replicates for resampled users; first, as most of the longest analyses have some.
use rule analyse as analyse_replicated with:
    output:
        table="results/{dataset}/{name}.csv",
        replicates="results/{dataset}/{name}.npz",
    wildcard_constraints:
        name=plan.analyses.replicated,
    priority: 1
