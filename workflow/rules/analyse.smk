# The measures of every user and system, and the studies of the metrics.


rule score:
    input:
        plan.systems.rankings,
        test="results/{dataset}/split/test.npz",
        propensities=plan.analyses.propensities,
    output:
        "results/{dataset}/scores.npz",
    log:
        "logs/score/{dataset}.log",
    wildcard_constraints:
        dataset=plan.data.any_of(with_lists=True),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=plan.resources.analyse_memory,
        runtime=plan.resources.analyse_runtime,
    params:
        code=plan.analyses.score_code,
        job=does("score", plan.analyses.for_score),
        files=files,
    message:
        "Compute every measure on {wildcards.dataset}"
    shell:
        JOB


# In its place, of values that others computed.
use rule score as import_scores with:
    input:
        record=plan.data.record,
    log:
        "logs/import-scores/{dataset}.log",
    wildcard_constraints:
        dataset=plan.data.any_of(with_lists=False),
    resources:
        mem_mb=plan.resources.prepare_memory,
        runtime=plan.resources.prepare_runtime,
    params:
        code=plan.code.of_job("import_scores"),
        job=does("import_scores", plan.data.for_scores),
        files=files,
    message:
        "Take over the values of metrics on {wildcards.dataset}"


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
        job=does("means", lambda wildcards: {"aggregate": config["metrics"]["aggregate"]}),
        files=files,
    message:
        "Make means of the users' values on {wildcards.dataset}"
    shell:
        UNMEASURED


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
        resources:
            mem_mb=plan.steps.memory(step),
            runtime=plan.steps.runtime(step),
        params:
            code=plan.steps.code(step),
            job=does_all(plan.steps.jobs(step)),
        message:
            f"Analyse {{wildcards.dataset}}: {step.name}"
        shell:
            JOBS
