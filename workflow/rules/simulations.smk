# Simulations that read no data: their tables are shipped, and a target makes them anew.


simulation = plan.simulations.of


rule simulations:
    input:
        plan.simulations.targets,
    message:
        "Done: the simulations that read no data"


rule shipped:
    input:
        plan.simulations.table,
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
    message:
        "Take the shipped table of {wildcards.simulation}"
    shell:
        "python -P -m rankassay join table {input} --output {output} 2> {log}"


rule simulate:
    input:
        unpack(lambda wildcards: plan.analyses.inputs(simulation(wildcards))),
    output:
        "results/constructed/simulations/{simulation}.csv",
    log:
        "logs/simulations/{simulation}.log",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: plan.resources.analyse_memory(
            simulation(wildcards), attempt
        ),
        runtime=lambda wildcards, attempt: plan.resources.analyse_runtime(
            simulation(wildcards), attempt
        ),
    params:
        code=lambda wildcards: plan.analyses.code(simulation(wildcards)),
        arguments=lambda wildcards: plan.analyses.arguments(simulation(wildcards)),
        usage="results/benchmarks/simulations/{simulation}.tsv",
    message:
        "Simulate {wildcards.simulation}"
    shell:
        "python -P -m rankassay analyse {wildcards.simulation} {params.arguments}"
        " --output {output} --usage {params.usage:q} 2> {log}"
