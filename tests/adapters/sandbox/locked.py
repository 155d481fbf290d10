"""Commands run in a box, by the real runner."""

from pathlib import Path

from fixloop_bot.adapters.process import ProcessRunner
from fixloop_bot.adapters.sandbox.box import Box
from fixloop_bot.adapters.sandbox.paths import DEVICES, SYSTEM
from fixloop_bot.model.command import CommandOutput, CommandRequest

PATH = "/usr/local/bin:/usr/bin:/bin"


def run(box: Box | None, scratch: Path, line: str, *, cwd: Path | None = None) -> CommandOutput:
    """Run a shell line to its end."""
    runner = ProcessRunner({"PATH": PATH}, scratch, box=box)
    try:
        return runner.run(CommandRequest(argv=("sh", "-c", line), cwd=str(cwd or scratch), timeout_s=60))
    finally:
        runner.close()


def box(scratch: Path, *, uid: int | None = None, network: bool = True, **limits: int) -> Box:
    """Return a box with all that the kernel has, that writes below `scratch` alone."""
    return Box(
        uid=uid,
        readable=(*SYSTEM, "/etc"),
        writable=(str(scratch), *DEVICES),
        landlock=True,
        seccomp=True,
        network=network,
        limits=limits,
    )


def status(output: CommandOutput) -> dict[str, str]:
    """Return the fields of proc_pid_status(5) that the command printed."""
    pairs = (line.split(":\t", 1) for line in output.text.splitlines() if ":\t" in line)
    return {name: " ".join(value.split()) for name, value in pairs}
