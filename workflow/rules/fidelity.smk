# How near our systems are to the published ones.


rule fidelity:
    input:
        plan.fidelity.outputs,
    message:
        "Done: our systems beside the published ones"


rule compare_systems:
    input:
        test="results/{dataset}/split/test.npz",
        rankings=plan.fidelity.rankings,
        published=plan.fidelity.published,
    output:
        table="results/{dataset}/fidelity.csv",
        summary="results/{dataset}/fidelity-summary.csv",
    log:
        "logs/fidelity/{dataset}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.analyse_memory,
        runtime=plan.resources.analyse_runtime,
    params:
        code=plan.fidelity.means_code,
        arguments=plan.fidelity.arguments,
        usage="results/benchmarks/fidelity/{dataset}.tsv",
    message:
        "Compare the systems on {wildcards.dataset} with the published ones"
    shell:
        "python -m assayer fidelity {input.test} {params.arguments} --published {input.published:q}"
        " --output {output.table} --summary {output.summary} --usage {params.usage:q} 2> {log}"


rule fidelity_figure:
    input:
        table="results/{dataset}/fidelity.csv",
    output:
        pdf="figures/fidelity/{dataset}.pdf",
        png="figures/fidelity/{dataset}.png",
        svg=report(
            "figures/fidelity/{dataset}.svg",
            caption="../../src/assayer/studies/fidelity/captions/systems.rst",
            category="fidelity",
            subcategory="Our systems and the published ones",
            labels={"dataset": "{dataset}"},
        ),
    log:
        "logs/figure/fidelity/{dataset}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=plan.fidelity.figure_code,
        arguments=plan.fidelity.figure_arguments,
    message:
        "Draw the systems on {wildcards.dataset} beside the published ones"
    shell:
        "python -m assayer figure fidelity/systems {params.arguments}"
        " --output {output.pdf} 2> {log}"
