"""The commands for people, which `assayer.cli.main.COMMANDS` names, and what starts jobs."""
