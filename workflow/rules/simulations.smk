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
        code=plan.code.of_job("join"),
        table=lambda wildcards: plan.simulations.known[wildcards.simulation],
        job=does("join", lambda wildcards: {"kind": "table"}),
        files=files,
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
        mem_mb=plan.resources.simulate_memory,
        runtime=plan.resources.simulate_runtime,
    params:
        code=plan.simulations.code,
        job=does("analyse", plan.simulations.for_analyse),
    message:
        "Simulate {wildcards.simulation}"
    shell:
        JOBS
