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
        "python -m assayer fit {input.train} {input.test} {params.arguments} {resources.threshold}"
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
        "python -m assayer rank {input.model} {input.train} {input.test} {params.arguments}"
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
        "python -m assayer join rankings {input.parts} --output {output} 2> {log}"


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
        "python -m assayer join scores {input.scores} --output {output} 2> {log}"
