"""How a run is asked to stop: its check run is ended by somebody else, which its process watches."""

from fixloop_bot.core.render.escape import plain
from fixloop_bot.model.check_run import CheckRun, Conclusion

TITLE = "Stopping"


def stopped_check_run(*, run_id: str, head_sha: str, by: str) -> CheckRun:
    """Return the check run that tells the run's process to stop; the process replaces it by its own last word."""
    return CheckRun(
        external_id=run_id,
        head_sha=head_sha,
        conclusion=Conclusion.CANCELLED,
        title=TITLE,
        summary=f"{plain(by, 100)} asked fixloop to stop. The run ends within seconds; verified commits stay.",
        text="",
    )
