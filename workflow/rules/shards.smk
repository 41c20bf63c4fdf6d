# The same results made by several jobs each, where one would be too big: `shards` in the
# configuration. Rankings are split by users, scores by measures.


ruleorder: import_run > join_rankings > recommend_slow > recommend
ruleorder: join_scores > score


rule fit:
    input:
        train="results/{dataset}/split/train.npz",
        test="results/{dataset}/split/test.npz",
    output:
        temp("results/{dataset}/shards/models/{recommender}.npz"),
    log:
        "logs/fit/{dataset}/{recommender}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.recommend_memory,
        runtime=plan.resources.recommend_runtime,
        threshold=plan.data.threshold_choice,
    params:
        code=plan.recommenders.fit_code,
        arguments=plan.recommenders.fit_arguments,
        usage="results/benchmarks/fit/{dataset}/{recommender}.tsv",
    message:
        "Fit {wildcards.recommender} on {wildcards.dataset}"
    shell:
        "python -P -m rankassay fit {input.train} {input.test} {params.arguments} {resources.threshold}"
        " --output {output} --usage {params.usage:q} 2> {log}"


rule rank:
    input:
        model="results/{dataset}/shards/models/{recommender}.npz",
        train="results/{dataset}/split/train.npz",
        test="results/{dataset}/split/test.npz",
    output:
        temp("results/{dataset}/shards/rankings/{recommender}/{shard}.npz"),
    log:
        "logs/rank/{dataset}/{recommender}-{shard}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.recommend_memory,
        runtime=plan.resources.recommend_runtime,
    params:
        code=plan.recommenders.rank_code,
        arguments=plan.shards.rank_arguments,
        usage="results/benchmarks/rank/{dataset}/{recommender}-{shard}.tsv",
    message:
        "Rank {wildcards.recommender} on {wildcards.dataset}, part {wildcards.shard}"
    shell:
        "python -P -m rankassay rank {input.model} {input.train} {input.test} {params.arguments}"
        " --output {output} --usage {params.usage:q} 2> {log}"


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
        code=plan.code.of_job("join"),
    message:
        "Join the rankings of {wildcards.recommender} on {wildcards.dataset}"
    shell:
        "python -P -m rankassay join rankings {input.parts} --output {output} 2> {log}"


use rule score as score_shard with:
    output:
        temp("results/{dataset}/shards/scores/{shard}.npz"),
    log:
        "logs/score/{dataset}-{shard}.log",
    params:
        code=plan.analyses.score_code,
        arguments=plan.shards.score_arguments,
        usage="results/benchmarks/score/{dataset}-{shard}.tsv",
    message:
        "Compute some measures on {wildcards.dataset}, part {wildcards.shard}"


rule join_scores:
    input:
        scores=plan.shards.parts("results/{dataset}/shards/scores/{shard}.npz"),
    output:
        "results/{dataset}/scores.npz",
    log:
        "logs/join/{dataset}/scores.log",
    wildcard_constraints:
        dataset=plan.data.any_of(with_lists=True),
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=plan.code.of_job("join"),
    message:
        "Join the measures on {wildcards.dataset}"
    shell:
        "python -P -m rankassay join scores {input.scores} --output {output} 2> {log}"


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
        threads: 1
        resources:
            mem_mb=plan.steps.memory(step),
            runtime=plan.steps.runtime(step),
        params:
            code=plan.steps.code(step),
            job=plan.steps.part_job(step),
            usage=f"results/benchmarks/analyse/{{dataset}}/{step.name}-{{shard}}.tsv",
        message:
            f"Analyse {{wildcards.dataset}}: {step.name}, part {{wildcards.shard}}"
        shell:
            "python -P -m rankassay {params.job} --usage {params.usage:q} 2> {log}"

    rule:
        name:
            step.rule
        input:
            **plan.shards.parts_of(step.name),
        output:
            step.outputs,
        log:
            f"logs/join/{{dataset}}/{step.name}.log",
        wildcard_constraints:
            dataset=plan.shards.places,
        localrule: True
        conda:
            "../../environment.yml"
        params:
            code=plan.code.of_job("join"),
            within=plan.shards.within(step.name),
            replicates=lambda wildcards, input: words(replicates=[*input.get("replicates", [])]),
        message:
            f"Join the parts of {step.name} on {{wildcards.dataset}}"
        shell:
            "python -P -m rankassay join table {input.parts} {params.within} {params.replicates}"
            " --output {output} 2> {log}"
