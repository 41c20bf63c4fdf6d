"""Snakemake finds `--logger rankassay` by this package's name; `rankassay.cli.console` has it."""

from rankassay.cli.console import LogHandler, LogHandlerSettings

__all__ = ["LogHandler", "LogHandlerSettings"]
