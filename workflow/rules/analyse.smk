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
        "python -P -m rankassay score {input.test} {params.arguments}"
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
        "python -P -m rankassay import-scores {input.record} --source {params.source:q}"
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
        "python -P -m rankassay means {input.scores} {params.aggregate} --output {output} 2> {log}"


# The studies of the metrics: a rule for each step, as in robustness_sparsity.
for step in plan.steps.all:

    rule:
        name:
            step.rule
        input:
            plan.steps.inputs(step),
        output:
            step.outputs,
        log:
            f"logs/analyse/{{dataset}}/{step.name}.log",
        wildcard_constraints:
            dataset=plan.steps.places(step),
        priority: step.priority
        group:
            plan.steps.together(workflow)
        conda:
            "../../environment.yml"
        threads: 1
        resources:
            mem_mb=plan.steps.memory(step),
            runtime=plan.steps.runtime(step),
        params:
            code=plan.steps.code(step),
            jobs=plan.steps.jobs(step),
            usage=f"results/benchmarks/analyse/{{dataset}}/{step.name}.tsv",
        message:
            f"Analyse {{wildcards.dataset}}: {step.name}"
        shell:
            "python -P -m rankassay {params.jobs} --usage {params.usage:q} 2> {log}"
