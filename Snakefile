# Which ranking metric can I trust, at which cut-off, on my data?
# The workflow is in the folder of that name: settings, rules and targets.


include: "workflow/Snakefile"


# What is made where nothing is asked for: that of an included file does not count.
rule default:
    default_target: True
    input:
        rules.all.input,
    message:
        "Done: every study, and the verdicts on the claims"
