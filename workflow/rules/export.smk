# Splits and lists as files for other tools.


rule trec:
    input:
        plan.data.trec_outputs(),
    message:
        "Done: judgements and lists as TREC files"


rule splits:
    input:
        plan.data.split_exports(),


rule export_train:
    input:
        ratings=plan.data.ratings,
        train="results/{dataset}/split/train.npz",
    output:
        "results/{dataset}/trec/train.csv",
    log:
        "logs/export/{dataset}/train.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **plan.job("export"),
    message:
        "Write the training ratings of {wildcards.dataset} as CSV"
    shell:
        UNMEASURED


use rule export_train as export_qrels with:
    input:
        ratings=plan.data.ratings,
        test="results/{dataset}/split/test.npz",
    output:
        "results/{dataset}/trec/qrels.txt",
    log:
        "logs/export/{dataset}/qrels.log",
    message:
        "Write the judgements of {wildcards.dataset} as a TREC file"


use rule export_train as export_truth with:
    input:
        ratings=plan.data.ratings,
        truth=plan.data.truth,
    output:
        "results/{dataset}/trec/truth.txt",
    log:
        "logs/export/{dataset}/truth.log",
    message:
        "Write the judgements of random items of {wildcards.dataset} as a TREC file"


rule export_run:
    input:
        ratings=plan.data.ratings,
        rankings="results/{dataset}/rankings/{recommender}.npz",
    output:
        "results/{dataset}/trec/{recommender}.run",
    log:
        "logs/export/{dataset}/{recommender}.log",
    conda:
        "../../environment.yml"
    resources:
        **plan.resources.of("small"),
    params:
        **plan.job("export", lambda wildcards: {"tag": wildcards.recommender}),
    message:
        "Write the lists of {wildcards.recommender} on {wildcards.dataset} as a TREC file"
    shell:
        JOB
