"""The evidence of a verification in unique lines, and what such lines claim of a termination gate."""

import re
from collections.abc import Iterable, Iterator, Mapping

from fixloop_bot.core.status_line import one_line
from fixloop_bot.model.layer import Evidence, Layer, LayerResult, LayerStatus, TestReport
from fixloop_bot.model.outcome import Status
from fixloop_bot.model.proof import Claim, Ended, TestCounts
from fixloop_bot.model.state import LoopState

SETUP_LIMIT = 400
"""Characters of the `setup` commands that the evidence names."""
_ID = r"(?:[0-9a-f]{40}|[0-9a-f]{64})"
_COMMIT = re.compile(rf"commit ({_ID})")
_TREE = re.compile(rf"tree ({_ID})")
_PROTECTED = re.compile(rf"protected files as on ({_ID})")
_ALLOWED = re.compile(r"but for (.{1,4000}), sha256 ([0-9a-f]{64}|gone), as allowed by .*")
_ENDED = re.compile(r" -> exit (-?[0-9]{1,10}|none), output sha256 ([0-9a-f]{64})\Z")
_TESTS = re.compile(rf"({'|'.join(Layer)}): ([0-9]{{1,9}}) tests ran, ([0-9]{{1,9}}) failed, ([0-9]{{1,9}}) skipped")
_COMMAND = tuple(f"{layer}: [" for layer in Layer)


def evidence(state: LoopState) -> tuple[str, ...]:
    """Return unique lines: of the termination gate for a run that is DONE, of the last verification for any other.

    Which tree, then each command with exit code and output hash, and the tests.
    """
    done = state.end is not None and state.end.status is Status.DONE
    validation = state.gate or state.validation
    lines = list(_of_gate(state) if done else _of_last_look(state))
    for result in validation.layers if validation else ():
        lines.extend(_of_layer(result))
    return tuple(dict.fromkeys(lines))


def command_key(layer: str, project: str, command: str) -> str:
    """Return what names a command in the evidence, on one line."""
    return f"{layer}: [{project}] {command}".replace("\n", "\\n").replace("\r", "\\r")


def one_text(text: str) -> str:
    """Return a name as it stands in the evidence, on one line."""
    return text.replace("\n", "\\n").replace("\r", "\\r")


def counts_of(tests: TestReport) -> TestCounts:
    """Return the numbers of a test report."""
    return TestCounts(tests.executed, len(tests.failed), len(tests.skipped))


def claim_of(lines: Iterable[str], *, run_id: str, attempt_commit: str = "") -> Claim:
    """Return what the evidence of a DONE claims. Raises ValueError for evidence that is no termination gate's."""
    known = list(lines)
    return Claim(
        run_id=run_id,
        commit=_one(_COMMIT, known, "commit"),
        tree=_one(_TREE, known, "tree"),
        person_head=_one(_PROTECTED, known, "protected files"),
        allowed=_allowed(known),
        attempt_commit=attempt_commit,
        commands=_commands(known),
        tests=_tests(known),
    )


def _of_gate(state: LoopState) -> Iterator[str]:
    """Yield what the commands ran on. The gate looks that no protected file differs before it runs them."""
    yield f"commit {state.head}"
    if state.gate and state.gate.tree:
        yield f"tree {state.gate.tree}"
    yield f"protected files as on {state.start_commit}"
    for one in state.approved:
        yield f"but for {one_text(one.path)}, sha256 {one.sha256 or 'gone'}, as allowed by {one_text(one.by)}"
    if state.gate and state.gate.setup:
        yield f"in a fresh checkout, after setup: {one_line(' && '.join(state.gate.setup), limit=SETUP_LIMIT)}"


def _of_last_look(state: LoopState) -> Iterator[str]:
    """Yield where the branch is, and what was looked at last, which may be undone by now."""
    if state.head:
        yield f"branch at {state.head}"
    if state.validation and state.validation.tree:
        yield f"last verified tree {state.validation.tree}"


def _of_layer(result: LayerResult) -> Iterator[str]:
    if result.status is LayerStatus.SKIP:
        yield f"{result.name}: skipped ({' '.join(result.reason.split())})"
    for one in result.evidence:
        yield _of_command(result.name, one)
    if result.name is Layer.RUBRIC and not result.evidence and result.status is LayerStatus.PASS:
        yield from (f"{result.name} judged: {line}" for line in result.output.splitlines())
    if result.tests:
        yield f"{result.name}: {counts_of(result.tests)}"


def _of_command(layer: Layer, one: Evidence) -> str:
    code = "none" if one.exit_code is None else one.exit_code
    return f"{command_key(layer, one.project, one.command)} -> exit {code}, output sha256 {one.output_sha256}"


def _one(pattern: re.Pattern[str], lines: Iterable[str], what: str) -> str:
    found = [match[1] for line in lines if (match := pattern.fullmatch(line))]
    if len(found) != 1:
        raise ValueError(f"its evidence names {'no' if not found else 'more than one'} {what}")
    return found[0]


def _allowed(lines: Iterable[str]) -> Mapping[str, str]:
    found = [match for line in lines if (match := _ALLOWED.fullmatch(line))]
    return {match[1]: "" if match[2] == "gone" else match[2] for match in found}


def _commands(lines: Iterable[str]) -> Mapping[str, Ended]:
    found: dict[str, Ended] = {}
    for line in lines:
        if not line.startswith(_COMMAND):
            continue
        ended = _ENDED.search(line)
        if ended is None:
            raise ValueError(f"its evidence does not say how a command ended: {line[:200]}")
        key, code = line[: ended.start()], None if ended[1] == "none" else int(ended[1])
        if code != 0:
            raise ValueError(f"it claims DONE, but of `{key[:200]}` exit {ended[1]}")
        found[key] = Ended(code, ended[2])
    if not found:
        raise ValueError("its evidence names no command")
    return found


def _tests(lines: Iterable[str]) -> Mapping[str, TestCounts]:
    found: dict[str, TestCounts] = {}
    for line in lines:
        if match := _TESTS.fullmatch(line):
            if match[1] in found:
                raise ValueError(f"its evidence counts the {match[1]} layer twice")
            found[match[1]] = TestCounts(int(match[2]), int(match[3]), int(match[4]))
    return found
