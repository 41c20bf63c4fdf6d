# What a run that has succeeded says of itself.

from assayer.artifacts import manifest


def write_manifest():
    """Write results/manifest.json: what is there, and what made it.

    No job does this, since it would have to run again whenever anything changes, and could not tell
    of versions that changed while all results stayed.
    """
    try:
        manifest.write(Path(), config, BASE)
    except OSError as error:
        print(f"assayer: {manifest.PLACE} cannot be written ({error}).")
