# One page with all that a run shows.


rule report:
    input:
        "results/report.html",


rule report_page:
    input:
        report_inputs,
        code=report_code(),
    output:
        report(
            "results/report.html",
            caption="../report/report.rst",
            category="Overview",
            labels={"page": "everything on one page"},
        ),
    log:
        "logs/report.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        contents=lambda wildcards: json.dumps(report_contents()),
    message:
        "Write the report"
    shell:
        "python -m assayer report {params.contents:q} --benchmarks results/benchmarks"
        " --output {output} 2> {log}"
