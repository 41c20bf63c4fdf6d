# Analyses that several jobs share, by measures or by the entries of a setting: all that can be
# shared where the configuration has `shards`, and always those that would be among the longest jobs.


ruleorder: join_analysis > analyse_before > analyse
ruleorder: join_analysis > analyse_late
ruleorder: join_replicated > analyse_replicated


use rule analyse as analyse_before with:
    wildcard_constraints:
        name=plan.shards.before,
    group:
        plan.shards.together(workflow)


use rule analyse as analyse_shard with:
    input:
        unpack(plan.shards.inputs),
    output:
        table=temp("results/{dataset}/shards/{name}/{shard}.csv"),
        replicates=temp("results/{dataset}/shards/{name}/{shard}.npz"),
    log:
        "logs/analyse/{dataset}/{name}-{shard}.log",
    wildcard_constraints:
        dataset=plan.shards.places,
        name=plan.shards.shared,
    group:
        plan.shards.together(workflow)
    params:
        code=plan.analyses.code,
        arguments=plan.shards.arguments,
        usage="results/benchmarks/analyse/{dataset}/{name}-{shard}.tsv",
    message:
        "Analyse {wildcards.dataset}: {wildcards.name}, part {wildcards.shard}"


rule join_analysis:
    input:
        parts=plan.shards.parts("results/{dataset}/shards/{name}/{shard}.csv"),
    output:
        "results/{dataset}/{name}.csv",
    log:
        "logs/join/{dataset}/{name}.log",
    wildcard_constraints:
        dataset=plan.shards.places,
        name=plan.shards.tables,
    group:
        plan.shards.together(workflow)
    localrule: config["shards"] > 1
    conda:
        "../../environment.yml"
    resources:
        mem_mb=plan.resources.small_memory,
        runtime=plan.resources.small_runtime,
    params:
        code=plan.code.of_job("join"),
        within=plan.shards.within,
        replicates="",
    message:
        "Join the parts of {wildcards.name} on {wildcards.dataset}"
    shell:
        "python -m assayer join table {input.parts} {params.within} {params.replicates}"
        " --output {output} 2> {log}"


use rule join_analysis as join_replicated with:
    input:
        parts=plan.shards.parts("results/{dataset}/shards/{name}/{shard}.csv"),
        replicates=plan.shards.parts("results/{dataset}/shards/{name}/{shard}.npz"),
    output:
        table="results/{dataset}/{name}.csv",
        replicates="results/{dataset}/{name}.npz",
    wildcard_constraints:
        dataset=plan.shards.places,
        name=plan.shards.replicated,
    params:
        code=plan.code.of_job("join"),
        within=plan.shards.within,
        replicates=lambda wildcards, input: f"--replicates {input.replicates}",
