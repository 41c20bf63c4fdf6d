# Figures and tables, and the targets that ask for them.


rule robustness:
    input:
        study_outputs("robustness"),
    message:
        "Done: robustness and discriminative power, as in the paper"


rule aggregation:
    input:
        study_outputs("aggregation"),
    message:
        "Done: averages over users, and groups of users"


rule definitions:
    input:
        study_outputs("definitions"),
    message:
        "Done: what goes by a metric's name"


rule diversity:
    input:
        study_outputs("diversity"),
    message:
        "Done: metrics of diversity"


rule goals:
    input:
        study_outputs("goals"),
    message:
        "Done: goals of metrics"


rule sampling:
    input:
        study_outputs("sampling"),
    message:
        "Done: metrics on sampled items"


rule figure:
    input:
        tables=figure_tables,
        code=figure_code,
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
        tables=figure_arguments,
        panels=figure_panels,
        caption=caption,
    message:
        "Draw {wildcards.study}, {wildcards.figure}"
    shell:
        "python -m assayer figure {wildcards.study}/{wildcards.figure} {params.tables}"
        " --panels {params.panels:q} --output {output.pdf} 2> {log}"


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


rule table:
    input:
        unpack(table_inputs),
        code=table_code,
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
        tables=table_arguments,
        settings=table_settings,
        caption=caption,
    message:
        "Write {wildcards.study}, {wildcards.table}"
    shell:
        "python -m assayer table {wildcards.study}/{wildcards.table} {params.tables}"
        " --settings {params.settings:q} --output {output.csv}"
        " 2> {log}"
