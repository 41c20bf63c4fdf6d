# Before all else, so that the terminal shows one line a job from the start.

import sys

# Where the package is: here, or, installed with the workflow in its folder `pipeline`, around it.
SOURCE = BASE / "src" if (BASE / "src").is_dir() else BASE.parents[1]
sys.path.insert(0, str(SOURCE))

from assayer.plan import console

console.shorten(workflow)
