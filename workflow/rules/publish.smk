# Figures and tables, and the targets that ask for them.


for study in plan.config["studies"]:

    rule:
        name:
            study
        input:
            plan.publications.of_study(study),
        message:
            f"Done: {STUDIES[study].done}"


rule figure:
    input:
        tables=plan.publications.figure_tables,
        advice=plan.advice.of_cutoff,
    output:
        pdf="figures/{study}/{figure}.pdf",
        png="figures/{study}/{figure}.png",
        svg=report(
            "figures/{study}/{figure}.svg",
            caption="../report/caption.rst",
            category="{study}",
            subcategory="Figures of the paper",
            labels={"figure": "{figure}"},
        ),
    log:
        "logs/figure/{study}/{figure}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=plan.publications.figure_code,
        arguments=plan.publications.figure_arguments,
        caption=plan.publications.caption,
    message:
        "Draw {wildcards.study}, {wildcards.figure}"
    shell:
        "python -m assayer figure {wildcards.study}/{wildcards.figure} {params.arguments}"
        " --output {output.pdf} 2> {log}"


# The same for all metrics on one dataset.
use rule figure as dataset_figure with:
    output:
        pdf="figures/{study}/{dataset}/{figure}.pdf",
        png="figures/{study}/{dataset}/{figure}.png",
        svg=report(
            "figures/{study}/{dataset}/{figure}.svg",
            caption="../report/caption.rst",
            category="{study}",
            subcategory="All metrics on {dataset}",
            labels={"figure": "{figure}"},
        ),
    log:
        "logs/figure/{study}/{dataset}/{figure}.log",
    localrule: True


rule table:
    input:
        unpack(plan.publications.table_inputs),
        advice=plan.advice.of_cutoff,
    output:
        csv=report(
            "results/tables/{study}/{table}.csv",
            caption="../report/caption.rst",
            category="{study}",
            subcategory="Tables",
            labels={"table": "{table}"},
        ),
        md="results/tables/{study}/{table}.md",
        tex="results/tables/{study}/{table}.tex",
    log:
        "logs/table/{study}/{table}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=plan.publications.table_code,
        arguments=plan.publications.table_arguments,
        caption=plan.publications.caption,
    message:
        "Write {wildcards.study}, {wildcards.table}"
    shell:
        "python -m assayer table {wildcards.study}/{wildcards.table} {params.arguments}"
        " --output {output.csv} 2> {log}"
