# One page with all that a run shows.


rule report:
    input:
        "results/report.html",


# In a file, because a command's words may not be as long as its contents become.
rule report_contents:
    output:
        "results/report.json",
    log:
        "logs/report-contents.log",
    localrule: True
    params:
        contents=lambda wildcards: plan.report.digest,
    message:
        "List what the report shows"
    run:
        telling(log[0], write_json)(plan.report.contents, output[0])


rule report_page:
    input:
        plan.report.inputs,
        contents="results/report.json",
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
        **plan.job(
            "report", lambda wildcards: {"benchmarks": "results/benchmarks"}, code=plan.report.code
        ),
    message:
        "Write the report"
    shell:
        UNMEASURED
