# From a dataset's source to its training and test matrices, and how likely test ratings were.


rule fetch:
    input:
        files=plan.data.local_files,
    output:
        "data/processed/{dataset}/source.json",
    log:
        "logs/fetch/{dataset}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=plan.code.of_job("fetch"),
        stamp=plan.data.local_stamp,
        source=plan.data.source,
        raw_dir=fixed(config["raw_dir"]),
    message:
        "Find or download the files of {wildcards.dataset}"
    shell:
        "python -P -m rankassay fetch {wildcards.dataset} --source {params.source:q}"
        " --raw-dir {params.raw_dir:q} --first-use data/first-use --output {output} 2> {log}"


rule prepare:
    input:
        record=plan.data.record,
    output:
        ratings="data/processed/{dataset}/ratings.npz",
        statistics="results/{dataset}/statistics.csv",
    log:
        "logs/prepare/{dataset}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.prepare_memory,
        runtime=plan.resources.prepare_runtime,
    params:
        code=plan.data.prepare_code,
        source=plan.data.source,
        seed=plan.data.seed,
        usage="results/benchmarks/prepare/{dataset}.tsv",
    message:
        "Read the ratings of {wildcards.dataset}"
    shell:
        "python -P -m rankassay prepare {wildcards.dataset} {input.record} --source {params.source:q}"
        " {params.seed} --ratings {output.ratings} --statistics {output.statistics}"
        " --usage {params.usage:q} 2> {log}"


rule truth:
    input:
        record=plan.data.record,
        ratings=plan.data.ratings,
    output:
        truth="data/processed/{dataset}/truth.npz",
        summary="results/{dataset}/truth.csv",
    log:
        "logs/truth/{dataset}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.prepare_memory,
        runtime=plan.resources.prepare_runtime,
    params:
        code=plan.data.truth_code,
        source=plan.data.truth_source,
        seed=plan.data.seed,
        usage="results/benchmarks/truth/{dataset}.tsv",
    message:
        "Read the judgements of random items of {wildcards.dataset}"
    shell:
        "python -P -m rankassay truth {input.ratings} {input.record} --source {params.source:q}"
        " {params.seed} --truth {output.truth} --summary {output.summary} --usage {params.usage:q} 2> {log}"


rule propensities:
    input:
        record=plan.data.record,
        ratings=plan.data.ratings,
    output:
        "data/processed/{dataset}/propensities.npz",
    log:
        "logs/propensities/{dataset}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.prepare_memory,
        runtime=plan.resources.prepare_runtime,
    params:
        code=plan.data.propensities_code,
        source=plan.data.propensity_source,
        usage="results/benchmarks/propensities/{dataset}.tsv",
    message:
        "Read the propensities of the ratings of {wildcards.dataset}"
    shell:
        "python -P -m rankassay propensities {input.ratings} {input.record} --source {params.source:q}"
        " --output {output} --usage {params.usage:q} 2> {log}"


rule attributes:
    input:
        record=plan.data.attributes_record,
        ratings=plan.data.ratings,
    output:
        "results/{dataset}/split/attributes.npz",
    log:
        "logs/attributes/{dataset}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.prepare_memory,
        runtime=plan.resources.prepare_runtime,
    params:
        code=plan.code.of_job("attributes"),
        source=plan.data.attributes_source,
        usage="results/benchmarks/attributes/{dataset}.tsv",
    message:
        "Read the attributes of users and items of {wildcards.dataset}"
    shell:
        "python -P -m rankassay attributes {input.ratings} {input.record} --source {params.source:q}"
        " --output {output} --usage {params.usage:q} 2> {log}"


rule filter:
    input:
        ratings=plan.data.prepared,
    output:
        ratings="data/processed/{dataset}/filtered/{filter}.npz",
        counts="data/processed/{dataset}/filtered/{filter}.csv",
    log:
        "logs/filter/{dataset}/{filter}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.prepare_memory,
        runtime=plan.resources.prepare_runtime,
    params:
        code=plan.code.of_job("filter"),
        steps=plan.data.filter_steps,
        seed=plan.data.seed,
        usage="results/benchmarks/filter/{dataset}/{filter}.tsv",
    message:
        "Filter the ratings of {wildcards.dataset}"
    shell:
        "python -P -m rankassay filter {input.ratings} --steps {params.steps:q} {params.seed}"
        " --output {output.ratings} --counts {output.counts} --usage {params.usage:q} 2> {log}"


rule split:
    input:
        ratings=plan.data.ratings,
        counts=plan.data.filter_counts,
    output:
        train="results/{dataset}/split/train.npz",
        test="results/{dataset}/split/test.npz",
        summary="results/{dataset}/split/summary.csv",
        leakage="results/{dataset}/split/leakage.csv",
        removed="results/{dataset}/split/filter.csv",
    log:
        "logs/split/{dataset}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.prepare_memory,
        runtime=plan.resources.prepare_runtime,
        threshold=plan.data.threshold_choice,
    params:
        code=plan.code.of_job("split"),
        arguments=plan.data.split_arguments,
        usage="results/benchmarks/split/{dataset}.tsv",
    message:
        "Split the ratings of {wildcards.dataset}"
    shell:
        "python -P -m rankassay split {input.ratings} {params.arguments} {resources.threshold}"
        " --train {output.train} --test {output.test} --summary {output.summary} --leakage {output.leakage}"
        " --removed {output.removed} --usage {params.usage:q} 2> {log}"


rule estimate_propensities:
    input:
        train="results/{dataset}/split/train.npz",
        test="results/{dataset}/split/test.npz",
        known=plan.data.known_propensities,
    output:
        "results/{dataset}/split/propensities.npz",
    log:
        "logs/estimate-propensities/{dataset}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.prepare_memory,
        runtime=plan.resources.prepare_runtime,
    params:
        code=plan.code.of_job("estimate_propensities"),
        choice=plan.data.propensity_choice,
        usage="results/benchmarks/estimate-propensities/{dataset}.tsv",
    message:
        "Estimate how likely the test ratings of {wildcards.dataset} were"
    shell:
        "python -P -m rankassay estimate-propensities {input.train} {input.test} {params.choice}"
        " --output {output} --usage {params.usage:q} 2> {log}"
