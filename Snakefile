# Which ranking metric can I trust, at which cut-off, on my data?
# The workflow is in the folder of that name: settings, rules and targets.


include: "workflow/Snakefile"
