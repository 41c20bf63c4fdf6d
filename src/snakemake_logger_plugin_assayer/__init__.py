"""Snakemake finds `--logger assayer` by this package's name; `assayer.cli.console` has it."""

from assayer.cli.console import LogHandler, LogHandlerSettings

__all__ = ["LogHandler", "LogHandlerSettings"]
