"""Environment or code: rules in order, and the code is at fault where none applies."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fixloop_bot.model.attempt import FailureMode
from fixloop_bot.model.command import Limit
from fixloop_bot.model.diagnostic import Diagnostic, Level
from fixloop_bot.model.environment import Lack, Unresolved, Weight

_NOT_RUNNABLE = {126: "cannot be executed", 127: "was not found"}
_KILLED = frozenset({137, -9})
"""SIGKILL that fixloop did not send: the kernel or the runner was out of something."""
_ENDED = frozenset({124, 143, -15})
"""`timeout` and SIGTERM."""
INSTALL = "install it, or declare a `setup` command that does"


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptoms:
    """All that speaks for or against the environment."""

    exit_code: int | None
    limit: Limit | None = None
    missing_program: str | None = None
    diagnostics: Sequence[Diagnostic] = ()
    unresolved: Sequence[Unresolved] = ()
    lacks: Sequence[Lack] = ()


@dataclass(frozen=True, slots=True)
class Classification:
    """The failure mode, and what the environment lacks where that is the mode."""

    mode: FailureMode
    missing: tuple[str, ...] = ()
    ambiguous: bool = False
    """No rule found anything to go by: the code is blamed for want of evidence alone."""


def classify(symptoms: Symptoms) -> Classification:
    """Tell an environment's fault from the code's.

    In this order: the command could not run; it was killed; a module is unresolved; a line speaks of the
    environment; else the code, and where nothing at all speaks for either, that is told.
    """
    for rule in (_not_runnable, _killed, _unresolved, _lacking):
        missing = rule(symptoms)
        if missing is not None:
            return Classification(FailureMode.ENVIRONMENTAL, missing) if missing else _CODE
    return replace(_CODE, ambiguous=_without_evidence(symptoms))


def _without_evidence(symptoms: Symptoms) -> bool:
    """Return whether a command ran, failed, and said nothing that any parser or rule knows. A crash is the code's."""
    nothing_known = not (symptoms.diagnostics or symptoms.unresolved or symptoms.lacks)
    return nothing_known and symptoms.limit is None and (symptoms.exit_code or 0) > 0


_CODE = Classification(FailureMode.DETERMINISTIC_FAIL)


def _not_runnable(symptoms: Symptoms) -> tuple[str, ...] | None:
    if symptoms.missing_program:
        return (f"{symptoms.missing_program} is not installed in the project's environment; {INSTALL}",)
    what = _NOT_RUNNABLE.get(symptoms.exit_code or 0)
    if what is None or any(item.test_id for item in symptoms.diagnostics):
        return None
    named = tuple(lack.words for lack in symptoms.lacks)
    return named or (f"a program of the command {what} (exit {symptoms.exit_code}); {INSTALL}",)


def _killed(symptoms: Symptoms) -> tuple[str, ...] | None:
    """Blame the machine for a kill that came from elsewhere; a limit of fixloop's own speaks of the code."""
    if symptoms.limit is not None:
        return ()
    if symptoms.exit_code in _KILLED:
        return ("memory: the command was killed from outside (SIGKILL); give it more, or let it use less",)
    if symptoms.exit_code in _ENDED and not _placed(symptoms.diagnostics):
        return ("time: the command was ended from outside; give it more, or let it use less",)
    return None


def _unresolved(symptoms: Symptoms) -> tuple[str, ...] | None:
    if not symptoms.unresolved:
        return None
    absent = [item for item in symptoms.unresolved if item.declared and not item.in_repository]
    if len(absent) < len(symptoms.unresolved) or not _all_speak_of(symptoms.diagnostics, absent):
        return None if any(lack.weight is Weight.DECISIVE for lack in symptoms.lacks) else ()
    names = dict.fromkeys(item.name for item in absent)
    return tuple(f"{name} is declared but not installed in the project's environment; {INSTALL}" for name in names)


def _lacking(symptoms: Symptoms) -> tuple[str, ...] | None:
    return tuple(dict.fromkeys(lack.words for lack in symptoms.lacks if _counts(lack, symptoms.diagnostics))) or None


def _counts(lack: Lack, diagnostics: Sequence[Diagnostic]) -> bool:
    if lack.weight is Weight.EXPLAINING:
        errors = [item for item in diagnostics if item.level is Level.ERROR]
        return all(any(part in item.message for part in lack.told) for item in errors)
    if any(item.test_id for item in diagnostics):
        return False
    return lack.weight is Weight.DECISIVE or not _placed(diagnostics)


def _placed(diagnostics: Sequence[Diagnostic]) -> bool:
    return any(item.level is Level.ERROR and (item.path or item.test_id) for item in diagnostics)


def _all_speak_of(diagnostics: Sequence[Diagnostic], absent: Sequence[Unresolved]) -> bool:
    """Return whether no error is left that something not installed does not explain."""
    errors = [item for item in diagnostics if item.level is Level.ERROR]
    return all(any(one.name in item.message for one in absent) for item in errors)
