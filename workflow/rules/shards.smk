# The same results made by several jobs each, where one would be too big: `shards` in the
# configuration. Rankings are split by users, scores by measures.


ruleorder: import_run > join_rankings > recommend_slow > recommend
ruleorder: join_scores > score


use rule recommend as fit with:
    output:
        temp("results/{dataset}/shards/models/{recommender}.npz"),
    log:
        "logs/fit/{dataset}/{recommender}.log",
    priority: 0
    params:
        **plan.job(
            "fit",
            plan.recommenders.for_fit,
            code=plan.recommenders.fit_code,
            unseen=plan.data.checked,
        ),
    message:
        "Fit {wildcards.recommender} on {wildcards.dataset}"


use rule recommend as rank with:
    input:
        model="results/{dataset}/shards/models/{recommender}.npz",
        train="results/{dataset}/split/train.npz",
        test="results/{dataset}/split/test.npz",
    output:
        temp("results/{dataset}/shards/rankings/{recommender}/{shard}.npz"),
    log:
        "logs/rank/{dataset}/{recommender}-{shard}.log",
    priority: 0
    params:
        **plan.job("rank", plan.shards.for_rank, code=plan.recommenders.rank_code),
    message:
        "Rank {wildcards.recommender} on {wildcards.dataset}, part {wildcards.shard}"


rule join_rankings:
    input:
        parts=plan.shards.parts("results/{dataset}/shards/rankings/{recommender}/{shard}.npz"),
    output:
        "results/{dataset}/rankings/{recommender}.npz",
    log:
        "logs/join/{dataset}/rankings/{recommender}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **plan.job("join", lambda wildcards: {"kind": "rankings"}),
    message:
        "Join the rankings of {wildcards.recommender} on {wildcards.dataset}"
    shell:
        UNMEASURED


use rule score as score_shard with:
    output:
        temp("results/{dataset}/shards/scores/{shard}.npz"),
    log:
        "logs/score/{dataset}-{shard}.log",
    params:
        **plan.job("score", plan.shards.for_score, code=plan.analyses.score_code),
    message:
        "Compute some measures on {wildcards.dataset}, part {wildcards.shard}"


use rule join_rankings as join_scores with:
    input:
        parts=plan.shards.parts("results/{dataset}/shards/scores/{shard}.npz"),
    output:
        "results/{dataset}/scores.npz",
    log:
        "logs/join/{dataset}/scores.log",
    wildcard_constraints:
        dataset=plan.data.any_of(with_lists=True),
    params:
        **plan.job("join", lambda wildcards: {"kind": "scores"}),
    message:
        "Join the measures on {wildcards.dataset}"


# Analyses are shared by measures, or by the entries of a setting: each has a rule of its parts, and one
# that joins them.
for step in plan.steps.shared:

    rule:
        name:
            f"{step.rule}_part"
        input:
            plan.steps.part_inputs(step),
        output:
            [temp(path) for path in step.part_files],
        log:
            f"logs/analyse/{{dataset}}/{step.name}-{{shard}}.log",
        wildcard_constraints:
            dataset=plan.shards.places,
        conda:
            "../../environment.yml"
        resources:
            **plan.steps.asked(step),
        params:
            **plan.jobs(plan.steps.part_jobs(step), plan.steps.code(step)),
        message:
            f"Analyse {{wildcards.dataset}}: {step.name}, part {{wildcards.shard}}"
        shell:
            JOB

    rule:
        name:
            step.rule
        input:
            **plan.shards.parts_of(step.name),
        output:
            **plan.shards.joined(step.name),
        log:
            f"logs/join/{{dataset}}/{step.name}.log",
        wildcard_constraints:
            dataset=plan.shards.places,
        localrule: True
        conda:
            "../../environment.yml"
        params:
            **plan.job("join", plan.shards.for_join(step.name)),
        message:
            f"Join the parts of {step.name} on {{wildcards.dataset}}"
        shell:
            UNMEASURED
