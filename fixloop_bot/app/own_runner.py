"""The repository's own validation runner: called for one layer, believed only where its answer is whole."""

import json
from collections.abc import Mapping

from fixloop_bot.app.read_output import Reading, read_output
from fixloop_bot.app.run_check import Known
from fixloop_bot.checks.registry import GENERIC
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.core.as_typed import as_text
from fixloop_bot.core.normalise import strip_ansi
from fixloop_bot.model.command import CommandOutput, CommandRequest
from fixloop_bot.model.layer import Evidence, Layer, LayerResult, LayerStatus
from fixloop_bot.ports.project import CommandRunner, Project

TIMEOUT_S = {Layer.TEST: 1800.0}
MAX_REASON = 1000
MAX_STARTS = 50
"""Lines at which an answer is looked for, from the end: what comes before it may be the runner's own chatter."""


class _NoAnswerError(Exception):
    """The runner's output is no answer; the text says why."""


def run_own(program: str, layer: Layer, project: Project, runner: CommandRunner, known: Known) -> LayerResult:
    """Call `RUNNER --project-root PATH --layer LAYER` and read its JSON; what is no answer is an `error`."""
    argv = (f"{project.root}/{program}", "--project-root", project.root, "--layer", layer.value)
    output = runner.run(CommandRequest(argv=argv, cwd=project.root, timeout_s=TIMEOUT_S.get(layer, 600.0)))
    try:
        answer = _answer(output, layer, program)
        status = _status(answer, output)
    except _NoAnswerError as error:
        answer, status = {"output": output.text, "reason": str(error)}, LayerStatus.ERROR
    reading = _read(layer, project, output, as_text(str(answer["output"])), known)
    return _result(layer, reading, output, {**answer, "status": status, "program": program})


def _answer(output: CommandOutput, layer: Layer, program: str) -> Mapping[str, object]:
    """Return the layer's object of the runner's JSON, with `overall_status` beside. Raises _NoAnswerError."""
    if output.missing is not None:
        raise _NoAnswerError(f"{program} was not found or is not executable")
    if output.limit is not None:
        raise _NoAnswerError(f"{program}: {output.limit} after {output.duration_s:.0f} s")
    document = _document(output.text)
    if document is None:
        raise _NoAnswerError(f"{program} printed no JSON object with `layers` and `overall_status`")
    layers = document["layers"]
    found = [one for one in layers if isinstance(one, dict) and one.get("name") == layer.value]
    if len(found) != 1:
        raise _NoAnswerError(f"{program} says {'nothing' if not found else 'more than one thing'} of the layer {layer}")
    return {**_checked(found[0], program), "overall": document["overall_status"]}


def _document(text: str) -> dict[str, list[object]] | None:
    """Return the last JSON object of the output that has the two fields of an answer."""
    starts = [index for index, char in enumerate(text) if char == "{" and (index == 0 or text[index - 1] == "\n")]
    decoder = json.JSONDecoder()
    for start in reversed(starts[-MAX_STARTS:]):
        try:
            found, _end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and isinstance(found.get("layers"), list) and "overall_status" in found:
            return found
    return None


def _checked(layer: Mapping[str, object], program: str) -> Mapping[str, object]:
    count = layer.get("error_count")
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise _NoAnswerError(f"{program}: `error_count` must be a whole number, 0 or more")
    if not isinstance(layer.get("output"), str):
        raise _NoAnswerError(f"{program}: `output` must be text")
    if layer.get("status") not in tuple(LayerStatus):
        raise _NoAnswerError(f"{program}: `status` must be pass, fail, skip or error")
    return layer


def _status(answer: Mapping[str, object], output: CommandOutput) -> LayerStatus:
    """Return the status that it claims. Raises _NoAnswerError where it contradicts itself in claiming a pass."""
    status = LayerStatus(str(answer["status"]))
    if status is LayerStatus.PASS:
        if answer["overall"] != LayerStatus.PASS.value:
            raise _NoAnswerError(f"the layer's status is pass, but overall_status is {str(answer['overall'])[:40]}")
        if output.exit_code != 0:
            raise _NoAnswerError(f"the layer's status is pass, but the runner's exit code is {output.exit_code}")
        if answer["error_count"] != 0:
            raise _NoAnswerError(f"the layer's status is pass, but error_count is {answer['error_count']}")
    return status


def _result(layer: Layer, reading: Reading, output: CommandOutput, answer: Mapping[str, object]) -> LayerResult:
    status = LayerStatus(str(answer["status"]))
    bad = status in (LayerStatus.FAIL, LayerStatus.ERROR)
    count = answer.get("error_count")
    return LayerResult(
        name=layer,
        status=status,
        output=reading.excerpt,
        error_count=max(count if isinstance(count, int) else reading.error_count, 1) if bad else 0,
        diagnostics=reading.diagnostics if bad else (),
        reason=as_text(str(answer.get("reason") or ""))[:MAX_REASON],
        evidence=(_evidence(f"{answer['program']} --project-root . --layer {layer}", output),),
        fingerprint=reading.fingerprint if bad else None,
        tests=reading.tests,
        affected_files=reading.affected_files if bad else (),
        missing=reading.missing if bad else (),
        environmental=bad and reading.environmental,
    )


def _read(layer: Layer, project: Project, output: CommandOutput, text: str, known: Known) -> Reading:
    return read_output(
        layer=layer,
        tool=GENERIC,
        output=ToolOutput(
            text=strip_ansi(text),
            exit_code=output.exit_code,
            cwd=project.root,
            root=project.root,
            exists=project.exists,
        ),
        limit=output.limit,
        missing_program=output.missing,
        scratch=project.scratch,
        source_line=lambda _path, _number: None,
        declared=known.declared,
        matchers=known.matchers,
        noise=known.noise,
    )


def _evidence(command: str, output: CommandOutput) -> Evidence:
    return Evidence(
        command=command,
        project=".",
        exit_code=output.exit_code,
        duration_s=round(output.duration_s, 3),
        output_sha256=output.sha256,
    )
