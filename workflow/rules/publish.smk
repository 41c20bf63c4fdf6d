# Figures and tables, and the targets that ask for them.


def shown(path):
    """Return a figure or table as an output: what a browser can show is in Snakemake's report."""
    where = plan.publications.in_report(path)
    return report(path, **where) if where else path


for study in plan.config["studies"]:

    rule:
        name:
            study
        input:
            plan.publications.of_study(study),
        message:
            f"Done: {STUDIES[study].done}"


# All figures and tables of a study, drawn and written one after another.
for study in filter(plan.publications.shown, STUDIES):

    rule:
        name:
            f"{study}_figures"
        input:
            plan.publications.inputs(study),
        output:
            [*map(shown, plan.publications.shown(study))],
        log:
            f"logs/figures/{study}.log",
        localrule: True
        conda:
            "../../environment.yml"
        params:
            **plan.jobs(plan.publications.jobs(study), plan.publications.code(study)),
        message:
            f"Draw the figures and write the tables of {study}"
        shell:
            UNMEASURED
