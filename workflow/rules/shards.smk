# The same results made by several jobs each, where one would be too big: `shards` in the
# configuration. Rankings are split by users, scores and analyses by measures.


ruleorder: adopt > gather_rankings > recommend
ruleorder: gather_scores > score
ruleorder: gather_analysis > analyse
ruleorder: gather_replicated > analyse_replicated > analyse


rule fit:
    input:
        train="results/{dataset}/split/train.npz",
        code=partial(recommender_code, stage="fit"),
    output:
        temp("results/{dataset}/shards/models/{recommender}.npz"),
    log:
        "logs/fit/{dataset}/{recommender}.log",
    benchmark:
        "results/benchmarks/fit/{dataset}/{recommender}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=recommend_memory,
        runtime=recommend_runtime,
    params:
        method=partial(recommender_spec, key="method"),
        settings=partial(recommender_spec, key="settings"),
        seed=recommender_seed,
    message:
        "Fit {wildcards.recommender} on {wildcards.dataset}"
    shell:
        "python -m assayer fit {input.train} --method {params.method:q}"
        " --settings {params.settings:q} --seed {params.seed} --output {output} 2> {log}"


rule rank:
    input:
        model="results/{dataset}/shards/models/{recommender}.npz",
        train="results/{dataset}/split/train.npz",
        test="results/{dataset}/split/test.npz",
        code=partial(recommender_code, stage="rank"),
    output:
        temp("results/{dataset}/shards/rankings/{recommender}/{shard}.npz"),
    log:
        "logs/rank/{dataset}/{recommender}-{shard}.log",
    benchmark:
        "results/benchmarks/rank/{dataset}/{recommender}-{shard}.tsv"
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
        shards=config["shards"],
    message:
        "Rank {wildcards.recommender} on {wildcards.dataset}, part {wildcards.shard}"
    shell:
        "python -m assayer rank {input.model} {input.train} {input.test}"
        " --method {params.method:q} --settings {params.settings:q} --depth {params.depth}"
        " --candidates {params.candidates} --shard {wildcards.shard}/{params.shards}"
        " --output {output} 2> {log}"


rule gather_rankings:
    input:
        parts=parts("results/{dataset}/shards/rankings/{recommender}/{shard}.npz", config["shards"]),
        code=stage_code("gather"),
    output:
        "results/{dataset}/rankings/{recommender}.npz",
    log:
        "logs/gather/{dataset}/rankings/{recommender}.log",
    localrule: True
    conda:
        "../../environment.yml"
    message:
        "Join the rankings of {wildcards.recommender} on {wildcards.dataset}"
    shell:
        "python -m assayer gather rankings {input.parts} --output {output} 2> {log}"


rule score_shard:
    input:
        test="results/{dataset}/split/test.npz",
        rankings=ranking_paths,
        code=stage_code("score", *metric_targets()),
    output:
        scores=temp("results/{dataset}/shards/scores/{shard}.npz"),
        means=temp("results/{dataset}/shards/means/{shard}.csv"),
    log:
        "logs/score/{dataset}-{shard}.log",
    benchmark:
        "results/benchmarks/score/{dataset}-{shard}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=analyse_memory,
        runtime=analyse_runtime,
    params:
        systems=ranking_arguments,
        evaluation=evaluation_spec,
        shards=measure_shards(),
    message:
        "Compute some measures on {wildcards.dataset}, part {wildcards.shard}"
    shell:
        "python -m assayer score {input.test} {params.systems}"
        " --evaluation {params.evaluation:q} --shard {wildcards.shard}/{params.shards}"
        " --output {output.scores} --means {output.means} 2> {log}"


rule gather_scores:
    input:
        scores=parts("results/{dataset}/shards/scores/{shard}.npz", measure_shards()),
        means=parts("results/{dataset}/shards/means/{shard}.csv", measure_shards()),
        code=stage_code("gather"),
    output:
        scores="results/{dataset}/scores.npz",
        means="results/{dataset}/means.csv",
    log:
        "logs/gather/{dataset}/scores.log",
    localrule: True
    conda:
        "../../environment.yml"
    message:
        "Join the measures on {wildcards.dataset}"
    shell:
        "(python -m assayer gather scores {input.scores} --output {output.scores} &&"
        " python -m assayer gather table {input.means} --output {output.means}) 2> {log}"


rule analyse_shard:
    input:
        unpack(shard_inputs),
        code=lambda wildcards: analysis_code(as_analysis(wildcards)),
    output:
        table=temp("results/{dataset}/shards/{name}/{shard}.csv"),
        replicates=temp("results/{dataset}/shards/{name}/{shard}.npz"),
    log:
        "logs/analyse/{dataset}/{name}-{shard}.log",
    benchmark:
        "results/benchmarks/analyse/{dataset}/{name}-{shard}.tsv"
    wildcard_constraints:
        name="|".join(BY_MEASURE),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=analyse_memory,
        runtime=analyse_runtime,
    params:
        inputs=shard_arguments,
        evaluation=evaluation_spec,
        settings=lambda wildcards: analysis_settings(as_analysis(wildcards)),
        seed=config["seed"],
        shards=measure_shards(),
    message:
        "Analyse {wildcards.dataset}: {wildcards.name}, part {wildcards.shard}"
    shell:
        "python -m assayer analyse {wildcards.name} {params.inputs}"
        " --dataset {wildcards.dataset} --evaluation {params.evaluation:q}"
        " --settings {params.settings:q} --seed {params.seed}"
        " --shard {wildcards.shard}/{params.shards} --output {output} 2> {log}"


rule gather_analysis:
    input:
        parts=parts("results/{dataset}/shards/{name}/{shard}.csv", measure_shards()),
        code=stage_code("gather"),
    output:
        "results/{dataset}/{name}.csv",
    log:
        "logs/gather/{dataset}/{name}.log",
    wildcard_constraints:
        name="|".join(sorted(set(BY_MEASURE).difference(REPLICATED))),
    localrule: True
    conda:
        "../../environment.yml"
    message:
        "Join the parts of {wildcards.name} on {wildcards.dataset}"
    shell:
        "python -m assayer gather table {input.parts} --output {output} 2> {log}"


rule gather_replicated:
    input:
        parts=parts("results/{dataset}/shards/{name}/{shard}.csv", measure_shards()),
        replicates=parts("results/{dataset}/shards/{name}/{shard}.npz", measure_shards()),
        code=stage_code("gather"),
    output:
        table="results/{dataset}/{name}.csv",
        replicates="results/{dataset}/{name}.npz",
    log:
        "logs/gather/{dataset}/{name}.log",
    wildcard_constraints:
        name="|".join(sorted(set(BY_MEASURE).intersection(REPLICATED))),
    localrule: True
    conda:
        "../../environment.yml"
    message:
        "Join the parts of {wildcards.name} on {wildcards.dataset}"
    shell:
        "(python -m assayer gather table {input.parts} --output {output.table} &&"
        " python -m assayer gather replicates {input.replicates}"
        " --output {output.replicates}) 2> {log}"
