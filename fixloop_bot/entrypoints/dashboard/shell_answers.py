"""Answers that are acted on by the command that a person would type."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fixloop_bot.adapters.answer_process import AnswerProcesses
from fixloop_bot.adapters.history_cache import HistoryCache
from fixloop_bot.model.answer import Answer, Choice


@dataclass(frozen=True, slots=True)
class ShellAnswers:
    """`fixloop decide`, `approve` and `deny` on the run's worktree, each as a process of its own (port `Answers`)."""

    records: HistoryCache
    env: Mapping[str, str] = field(repr=False)
    processes: AnswerProcesses = field(default_factory=AnswerProcesses)

    def take(self, run_id: str, answer: Answer) -> str:
        """Start the command; what it says at once, if it does, is the answer."""
        run = next((run for run in self.records.read().runs if run.run_id == run_id), None)
        if run is None or not run.repository or not Path(run.repository).is_dir():
            return "The run's worktree is not here: type the command there."
        folder = self.records.folder
        command = answer_command(run_id, answer, state=str(folder.root), worktree=run.repository)
        who = {"LOGNAME": answer.by} if answer.by else {}
        log = folder.state(run_id).with_name("answer.log")
        try:
            return self.processes.start(run_id, command, env={**self.env, **who}, log=log)
        except (OSError, ValueError) as error:
            return f"The command could not be started: {error}"


def answer_command(run_id: str, answer: Answer, *, state: str, worktree: str) -> tuple[str, ...]:
    """Return the command line; `-P` keeps Python from importing what lies where it is started."""
    verb = answer.choice if answer.choice in (Choice.APPROVE, Choice.DENY) else "decide"
    option = (answer.choice,) if verb == "decide" else ()
    text = (answer.text,) if answer.text and verb != Choice.APPROVE else ()
    place = ("--state-dir", state, "--worktree-path", worktree)
    return (sys.executable, "-P", "-m", "fixloop_bot", verb, *place, "--", run_id, *option, *text)
