# How near our systems are to the published ones.


rule fidelity:
    input:
        plan.fidelity.outputs,
    message:
        "Done: our systems next to the published ones"


rule compare_systems:
    input:
        test="results/{dataset}/split/test.npz",
        rankings=plan.fidelity.rankings,
        published=plan.fidelity.published,
    output:
        table="results/{dataset}/fidelity.csv",
        summary="results/{dataset}/fidelity-summary.csv",
        pdf="figures/fidelity/{dataset}.pdf",
        png="figures/fidelity/{dataset}.png",
        svg=report(
            "figures/fidelity/{dataset}.svg",
            caption=plan.publications.caption("fidelity/systems"),
            category="fidelity",
            subcategory="Our systems and the published ones",
            labels={"dataset": "{dataset}"},
        ),
    log:
        "logs/fidelity/{dataset}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=plan.resources.analyse_memory,
        runtime=plan.resources.analyse_runtime,
    params:
        code=[plan.fidelity.means_code, plan.fidelity.figure_code],
        arguments=plan.fidelity.arguments,
        figure=plan.fidelity.figure_arguments,
        usage="results/benchmarks/fidelity/{dataset}.tsv",
    message:
        "Compare the systems on {wildcards.dataset} with the published ones"
    shell:
        "python -P -m rankassay fidelity {input.test} {params.arguments} --published {input.published:q}"
        " --output {output.table} --summary {output.summary} --then figure fidelity/systems"
        " {params.figure} --output {output.pdf} --usage {params.usage:q} 2> {log}"
