# How near our systems are to the published ones.


rule fidelity:
    input:
        plan.fidelity.outputs,
    message:
        "Done: our systems next to the published ones"


rule compare_systems:
    input:
        "results/{dataset}/split/test.npz",
        plan.fidelity.rankings,
        plan.fidelity.published,
    output:
        "results/{dataset}/fidelity.csv",
        "results/{dataset}/fidelity-summary.csv",
        "figures/fidelity/{dataset}.pdf",
        "figures/fidelity/{dataset}.png",
        report(
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
    resources:
        **plan.resources.of("analyse"),
    params:
        **plan.jobs(plan.fidelity.jobs, plan.fidelity.code),
    message:
        "Compare the systems on {wildcards.dataset} with the published ones"
    shell:
        JOB
