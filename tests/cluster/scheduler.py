"""Start and stop a real SLURM on this machine, everything in one folder.

python tests/cluster/scheduler.py up FOLDER      prints what the shell has to export
python tests/cluster/scheduler.py down FOLDER

Two nodes, both this machine, listen on the loopback only. The daemons run as the user who starts
them, with a key, a configuration, logs and a state of their own: nothing in /etc is read or
written. The settings fit a container: processes are followed without cgroups, there is no
accounting, and systemd is not needed. A job step that takes more memory than its job asked for is
killed, and a job in the partition `urgent` takes the place of those in `main`.
"""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

NODES = ("n1", "n2")
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "scontrol")
SYSTEM_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/sbin", "/usr/sbin", "/sbin"])

CONFIGURATION = """\
ClusterName=rankassay
SlurmctldHost=localhost
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
# A job that lost its node starts again when its first credential has expired.
AuthInfo=socket={folder}/munge.socket,cred_expire=15
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
# No cgroups and no plugins that need them.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
# Without cgroups, memory is looked at once a second, each step of a job by itself.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill,UsePss
AccountingStorageType=accounting_storage/none
MpiDefault=none
# Processors and memory are what a job takes of a node, in the numbers below whatever is there.
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
# Finished jobs stay visible to squeue, which is asked for want of accounting.
MinJobAge=3600
# A node that was set down stays down.
ReturnToService=0
KillWait=5
SchedulerParameters=sched_interval=2,batch_sched_delay=1
{nodes}
# An urgent job takes the place of others, which start again if they said so: none does by default.
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=0
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE PriorityTier=1
PartitionName=urgent Nodes=ALL MaxTime=INFINITE PriorityTier=2
"""
NODE = (
    "NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs={processors}"
    " RealMemory=32000"
)


def missing() -> str:
    """Return why there can be no SLURM here, or an empty text."""
    programs = [name for name in PROGRAMS if not shutil.which(name, path=SYSTEM_PATH)]
    if not programs:
        return ""
    return f"no {', '.join(programs)} here; on Debian and Ubuntu: apt-get install slurm-wlm munge"


def environment(folder: Path) -> dict[str, str]:
    """Return what a program needs in its environment to use the cluster in a folder."""
    path = os.pathsep.join([str(folder / "bin"), SYSTEM_PATH])
    return {"SLURM_CONF": str(folder / "slurm.conf"), "PATH": path}


def run(folder: Path, *command: str) -> str:
    """Run a program against the cluster and return its output; what it says if it fails."""
    process = subprocess.run(
        [shutil.which(command[0], path=SYSTEM_PATH), *command[1:]],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment(folder),
    )
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: {process.stderr.strip() or process.stdout}")
    return process.stdout


def up(folder: Path, processors: int = 4) -> None:
    """Start munge, the controller and the nodes, and wait until the nodes take jobs.

    Each node has this number of processors, whether this machine has them or not.
    """
    if reason := missing():
        raise RuntimeError(reason)
    (folder / "state").mkdir(parents=True)
    folder.chmod(0o755)  # munge asks for a folder in which nobody else can write
    ports = free_ports(1 + len(NODES))
    nodes = [
        NODE.format(name=name, port=port, processors=processors)
        for name, port in zip(NODES, ports[1:], strict=True)
    ]
    (folder / "slurm.conf").write_text(
        CONFIGURATION.format(
            folder=folder, user=getpass.getuser(), ports=ports, nodes="\n".join(nodes)
        )
    )
    wrap_srun(folder)
    try:
        start_munge(folder)
        run(folder, "slurmctld")
        for name in NODES:
            run(folder, "slurmd", "-N", name)
        wait(
            lambda: run(folder, "sinfo", "-h", "-t", "idle", "-o", "%D").strip() == str(len(NODES))
        )
    except (RuntimeError, TimeoutError) as error:
        logs = "\n".join(f"{path.name}: {last_line(path)}" for path in folder.glob("*.log"))
        down(folder)
        raise RuntimeError(f"SLURM did not start in {folder}: {error}\n{logs}") from None


def wrap_srun(folder: Path) -> None:
    """Write a `srun` that finds the configuration: Snakemake's job step hides the variable."""
    (folder / "bin").mkdir()
    script = folder / "bin/srun"
    real, configuration = shutil.which("srun", path=SYSTEM_PATH), folder / "slurm.conf"
    script.write_text(f'#!/bin/sh\nSLURM_CONF="{configuration}" exec {real} "$@"\n')
    script.chmod(0o755)


def start_munge(folder: Path) -> None:
    """Start the daemon that vouches for users, with a key of its own."""
    key = folder / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(os.urandom(128))
    files = {"socket": "munge.socket", "pid-file": "munged.pid", "log-file": "munged.log"}
    files |= {"key-file": "munge.key", "seed-file": "munge.seed"}
    # It prefers a user of its own, which a folder of the caller's cannot be owned by.
    run(folder, "munged", "--force", *(f"--{name}={folder / file}" for name, file in files.items()))


def down(folder: Path) -> None:
    """Cancel what runs and stop every daemon of the cluster in a folder."""
    for command in (("scancel", "--user", getpass.getuser()), ("scontrol", "shutdown")):
        try:
            run(folder, *command)
        except RuntimeError as error:
            print(error, file=sys.stderr)
    processes = [int(path.read_text()) for path in folder.glob("*.pid") if path.read_text().strip()]
    for process in processes:
        stop(process)


def stop(process: int) -> None:
    """Ask a daemon to stop; after some seconds, end it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(process, number)
            wait(lambda: not Path(f"/proc/{process}").exists(), seconds=10)
        except ProcessLookupError:
            return
        except TimeoutError:
            continue


def wait(condition, seconds: float = 60) -> None:
    """Wait until a condition holds."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError(f"nothing happened for {seconds:g} s")
        time.sleep(0.2)


def free_ports(n: int) -> list[int]:
    """Return ports of the loopback that nothing listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [server.getsockname()[1] for server in sockets]
    for server in sockets:
        server.close()
    return ports


def last_line(path: Path) -> str:
    """Return the last line of a log."""
    return path.read_text(errors="replace").strip().rpartition("\n")[2]


def main(arguments: list[str]) -> None:
    """Do what the command line says."""
    if len(arguments) != 2 or arguments[0] not in ("up", "down"):
        sys.exit(__doc__)
    folder = Path(arguments[1]).resolve()
    try:
        {"up": up, "down": down}[arguments[0]](folder)
    except (RuntimeError, OSError) as error:
        sys.exit(f"scheduler: {error}")
    if arguments[0] == "up":
        print(f"export SLURM_CONF={folder / 'slurm.conf'} PATH={folder / 'bin'}:$PATH")


if __name__ == "__main__":
    main(sys.argv[1:])
