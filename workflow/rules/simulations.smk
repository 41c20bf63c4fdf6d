# Simulations that read no data: their tables are shipped, and a target makes them anew.


rule simulations:
    input:
        plan.simulations.targets,
    message:
        "Done: the simulations that read no data"


rule shipped:
    input:
        parts=plan.simulations.table,
    output:
        "results/constructed/{simulation}.csv",
    log:
        "logs/simulations/shipped/{simulation}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **plan.job("join", lambda wildcards: {"kind": "table"}),
        table=lambda wildcards: plan.simulations.known[wildcards.simulation],
    message:
        "Take the shipped table of {wildcards.simulation}"
    shell:
        UNMEASURED


rule simulate:
    input:
        unpack(plan.simulations.inputs),
    output:
        "results/constructed/simulations/{simulation}.csv",
    log:
        "logs/simulations/{simulation}.log",
    conda:
        "../../environment.yml"
    resources:
        **plan.resources.of("simulate"),
    params:
        **plan.jobs(plan.simulations.jobs, plan.simulations.code),
    message:
        "Simulate {wildcards.simulation}"
    shell:
        JOB
