# From a dataset's source to its training and test matrices, and how likely test ratings were.


rule fetch:
    input:
        plan.data.local_files,
    output:
        "data/processed/{dataset}/source.json",
    log:
        "logs/fetch/{dataset}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **plan.job("fetch", plan.data.for_fetch),
        stamp=plan.data.local_stamp,
    message:
        "Find or download the files of {wildcards.dataset}"
    shell:
        UNMEASURED


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
    resources:
        **plan.resources.of("prepare"),
    params:
        **plan.job("prepare", plan.data.for_prepare, code=plan.data.prepare_code),
    message:
        "Read the ratings of {wildcards.dataset}"
    shell:
        JOB


use rule prepare as truth with:
    input:
        record=plan.data.record,
        ratings=plan.data.ratings,
    output:
        truth="data/processed/{dataset}/truth.npz",
        summary="results/{dataset}/truth.csv",
    log:
        "logs/truth/{dataset}.log",
    params:
        **plan.job("truth", plan.data.for_truth, code=plan.data.truth_code),
    message:
        "Read the judgements of random items of {wildcards.dataset}"


use rule prepare as propensities with:
    input:
        record=plan.data.record,
        ratings=plan.data.ratings,
    output:
        "data/processed/{dataset}/propensities.npz",
    log:
        "logs/propensities/{dataset}.log",
    params:
        **plan.job("propensities", plan.data.for_propensities, code=plan.data.propensities_code),
    message:
        "Read the propensities of the ratings of {wildcards.dataset}"


use rule prepare as attributes with:
    input:
        record=plan.data.attributes_record,
        ratings=plan.data.ratings,
    output:
        "results/{dataset}/split/attributes.npz",
    log:
        "logs/attributes/{dataset}.log",
    params:
        **plan.job("attributes", plan.data.for_attributes),
    message:
        "Read the attributes of users and items of {wildcards.dataset}"


use rule prepare as filter with:
    input:
        ratings=plan.data.prepared,
    output:
        filtered="data/processed/{dataset}/filtered/{filter}.npz",
        counts="data/processed/{dataset}/filtered/{filter}.csv",
    log:
        "logs/filter/{dataset}/{filter}.log",
    params:
        **plan.job("filter", plan.data.for_filter),
    message:
        "Filter the ratings of {wildcards.dataset}"


use rule prepare as split with:
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
    params:
        **plan.job("split", plan.data.for_split, unseen=plan.data.checked),
    message:
        "Split the ratings of {wildcards.dataset}"


use rule prepare as estimate_propensities with:
    input:
        train="results/{dataset}/split/train.npz",
        test="results/{dataset}/split/test.npz",
        known=plan.data.known_propensities,
    output:
        "results/{dataset}/split/propensities.npz",
    log:
        "logs/estimate-propensities/{dataset}.log",
    params:
        **plan.job("estimate_propensities", plan.data.for_estimate),
    message:
        "Estimate how likely the test ratings of {wildcards.dataset} were"
