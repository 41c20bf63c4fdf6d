# The measures of every user and system, and the studies of the metrics.


ruleorder: analyse_replicated > analyse


rule score:
    input:
        test="results/{dataset}/split/test.npz",
        rankings=ranking_paths,
        code=stage_code("score", *metric_targets()),
    output:
        scores="results/{dataset}/scores.npz",
        means="results/{dataset}/means.csv",
    log:
        "logs/score/{dataset}.log",
    benchmark:
        "results/benchmarks/score/{dataset}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=analyse_memory,
        runtime=analyse_runtime,
    params:
        systems=ranking_arguments,
        evaluation=evaluation_spec,
    message:
        "Compute every measure on {wildcards.dataset}"
    shell:
        "python -m assayer score {input.test} {params.systems}"
        " --evaluation {params.evaluation:q} --output {output.scores} --means {output.means}"
        " 2> {log}"


rule analyse:
    input:
        unpack(analysis_inputs),
        code=analysis_code,
    output:
        "results/{dataset}/{study}/{analysis}.csv",
    log:
        "logs/analyse/{dataset}/{study}/{analysis}.log",
    benchmark:
        "results/benchmarks/analyse/{dataset}/{study}/{analysis}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=analyse_memory,
        runtime=analyse_runtime,
    params:
        inputs=analysis_arguments,
        evaluation=evaluation_spec,
        settings=analysis_settings,
        claims=claims_choice,
        seed=config["seed"],
    message:
        "Analyse {wildcards.dataset}: {wildcards.study}, {wildcards.analysis}"
    shell:
        "python -m assayer analyse {wildcards.study}/{wildcards.analysis} {params.inputs}"
        " --dataset {wildcards.dataset} {params.claims}"
        " --evaluation {params.evaluation:q} --settings {params.settings:q}"
        " --seed {params.seed} --output {output} 2> {log}"


rule analyse_replicated:
    input:
        unpack(lambda wildcards: analysis_inputs(as_analysis(wildcards))),
        code=lambda wildcards: analysis_code(as_analysis(wildcards)),
    output:
        table="results/{dataset}/{name}.csv",
        replicates="results/{dataset}/{name}.npz",
    log:
        "logs/analyse/{dataset}/{name}.log",
    benchmark:
        "results/benchmarks/analyse/{dataset}/{name}.tsv"
    wildcard_constraints:
        name="|".join(REPLICATED),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=analyse_memory,
        runtime=analyse_runtime,
    params:
        inputs=lambda wildcards, input: analysis_arguments(as_analysis(wildcards), input),
        evaluation=evaluation_spec,
        settings=lambda wildcards: analysis_settings(as_analysis(wildcards)),
        seed=config["seed"],
    message:
        "Analyse {wildcards.dataset}: {wildcards.name}"
    shell:
        "python -m assayer analyse {wildcards.name} {params.inputs}"
        " --dataset {wildcards.dataset}"
        " --evaluation {params.evaluation:q} --settings {params.settings:q}"
        " --seed {params.seed} --output {output} 2> {log}"
