"""The commands for people, which `rankassay.cli.main.COMMANDS` names, and what starts jobs."""
