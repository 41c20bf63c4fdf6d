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
        **plan.resources.of("analyse"),
    params:
        **plan.job("score", plan.analyses.for_score, code=plan.analyses.score_code),
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
        **plan.resources.of("prepare"),
    params:
        **plan.job("import_scores", plan.data.for_scores),
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
        **plan.job("means", lambda wildcards: {"aggregate": config["metrics"]["aggregate"]}),
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
            **plan.steps.asked(step),
        params:
            **plan.jobs(plan.steps.jobs(step), plan.steps.code(step)),
        message:
            f"Analyse {{wildcards.dataset}}: {step.name}"
        shell:
            JOB
