# Before all else: a mistake in a file of the configuration, such as a key that stands twice, is told
# before Snakemake passes it over.

import signal
import sys

# Where the package is: here, or, installed with the workflow in its folder `pipeline`, around it.
SOURCE = BASE / "src" if (BASE / "src").is_dir() else BASE.parents[1]
# Snakemake looks for modules where the workflow lies, which may also be where the user's files are.
sys.path[:] = [str(SOURCE), *(folder for folder in sys.path if folder != str(BASE))]

from rankassay.cli import console, process
from rankassay.plan.snakemake_private import configfiles, is_main

process.escape_unknown()

# Until jobs start, when Snakemake has its own way to stop.
if is_main(workflow) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    process.expect_interrupt()

if is_main(workflow):
    from rankassay.artifacts import yaml_files
    from rankassay.config.layers import check_words
    from rankassay.plan.rules import ending

    ending(check_words)(sys.argv[1:])
    for path in (*sorted((BASE / "config").glob("*.yaml")), *configfiles(workflow)):
        ending(yaml_files.read_settings)(path)
