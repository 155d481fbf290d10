"""What must hold of everything that reads foreign text, whatever the text: checked by the tests and by the fuzzer."""

from collections.abc import Sequence

from fixloop_bot.app.read_output import read_output
from fixloop_bot.checks import problem_matcher, text
from fixloop_bot.checks.registry import TOOLS
from fixloop_bot.checks.tool import Parsed, ToolOutput
from fixloop_bot.checks.tool_errors import MOST, tool_errors
from fixloop_bot.core.errorlines import count_error_lines, error_lines
from fixloop_bot.core.excerpt import LIMIT, MAX_LINE, excerpt
from fixloop_bot.core.fingerprint import fingerprint, normal_lines, with_noise
from fixloop_bot.core.learn import TEXT_LIMIT, lessons
from fixloop_bot.core.noise import Noise, learned_noise, noise_between
from fixloop_bot.core.normalise import Masker, strip_ansi
from fixloop_bot.core.redact import redact_json, redactor
from fixloop_bot.core.render.told import tried_in
from fixloop_bot.core.triage import lack_in
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Fingerprint, Tier
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus
from fixloop_bot.model.matcher import MatcherError

CWD = "/srv/work"
SECRET = "hunter2-hunter2"
MAX_ID = 8_000
"""Characters of a rule's or a test's name: no more than two lines that a parser looks at."""
MASKER = Masker(cwd=(CWD,), tmp=("/tmp/fixloop-x",))
REDACT = redactor([SECRET])


def output_of(content: str, *, is_report: bool) -> ToolOutput:
    """Return an output that is nothing but this text, or nothing but this report."""
    return ToolOutput(
        text="" if is_report else strip_ansi(content),
        report=content if is_report else None,
        reports=(content,) if is_report else (),
        exit_code=1,
        cwd=CWD,
        root=CWD,
        exists=lambda path: not path.endswith("missing"),
        read=lambda path: content[:2_000] if path.endswith(("xml", "gradle", "txt")) else None,
    )


def parser_claims(tool: str, content: str, *, is_report: bool) -> None:
    """Read a text or a report twice with one tool's parser."""
    output = output_of(content, is_report=is_report)
    parsed = TOOLS[tool].parse(output)
    assert parsed == TOOLS[tool].parse(output), "the same output is read in two ways"
    bounded(parsed, len(content))


def bounded(parsed: Parsed, size: int) -> None:
    """Hold the findings to their bounds: of number and of size, and their paths to the worktree."""
    assert len(parsed.diagnostics) <= 3 * text.MAX_DIAGNOSTICS
    for item in parsed.diagnostics:
        assert item.path is None or (item.path and not item.path.startswith(("/", "../"))), item.path
        assert item.line is None or 0 <= item.line < 10**9
        assert len(item.message) <= 2 * text.MAX_MESSAGE
        assert len(item.rule_id or "") <= MAX_ID
        assert len(item.test_id or "") <= MAX_ID
    if parsed.tests is not None:
        assert parsed.tests.executed >= 0
        named = [*parsed.tests.passed, *parsed.tests.failed, *parsed.tests.skipped]
        assert sum(map(len, named)) <= 64 * (size + 1_000)


def core_claims(content: str) -> None:
    """Normalise, identify, shorten and redact a text."""
    plain = strip_ansi(content)
    assert "\x1b[0m" not in plain
    lines = MASKER.lines(content)
    assert len(lines) == plain.count("\n") + 1
    assert all(MASKER.line(line) == MASKER.line(line) for line in lines[:50])
    normal_lines(content, MASKER)
    _excerpt(plain)
    _identity(plain)
    assert sum(1 for _ in error_lines(plain)) <= plain.count("\n") + 1
    assert 1 <= count_error_lines(plain) <= plain.count("\n") + 1
    _redacted(content)
    _learned(plain)
    _taught(content)


def _taught(content: str) -> None:
    """Look for tool errors, and for what a comment of this text would tell of attempts."""
    errors = tool_errors(content.split("\n"))
    assert len(errors) <= MOST
    taught = lessons(LayerResult(name=Layer.LINT, status=LayerStatus.FAIL, missing=(content,)), errors)
    assert all(len(lesson.evidence) <= TEXT_LIMIT and "\n" not in lesson.pattern for lesson in taught)
    assert len(tried_in(content)) <= MOST
    assert "\n" not in lack_in(content)


def _diagnostics(content: str) -> tuple[Diagnostic, ...]:
    said = content[:40]
    return (
        Diagnostic(path="a.py", line=3, message=said, test_id=content[:9], kind=DiagnosticKind.TEST_FAILURE),
        Diagnostic(path=None, message=content[-300:], rule_id="E1", kind=DiagnosticKind.LINT_ERROR),
    )


def _excerpt(content: str) -> None:
    for diagnostics in ((), _diagnostics(content)):
        shown = excerpt(content, diagnostics).split("\n")
        assert len(shown) <= LIMIT
        assert all(len(line) <= MAX_LINE for line in shown)


def _identity(content: str) -> None:
    for diagnostics in ((), _diagnostics(content)):
        first = identity(content, diagnostics)
        assert first == identity(content, diagnostics), "one failure has two identities"
        assert len(first.fine) == len(first.coarse) == 64
        noise = noise_between(first, identity(f"{content}\nx", diagnostics))
        assert len(with_noise(Layer.TEST, first, Noise(noise)).fine) == 64


def identity(content: str, diagnostics: Sequence[Diagnostic]) -> Fingerprint:
    """Return a text's fingerprint, its findings taken from the text."""
    return fingerprint(
        Layer.TEST,
        tier=Tier.PARSED,
        diagnostics=diagnostics,
        text=content,
        masks=(MASKER, Noise()),
        source_line=lambda _path, _line: content[:200],
    )


def _redacted(content: str) -> None:
    redacted = REDACT(f"{content}{SECRET}{content}")
    assert SECRET not in redacted
    assert redact_json({content: [content, 1, None]}, REDACT) == {REDACT(content): [REDACT(content), 1, None]}


def _learned(content: str) -> None:
    lines = content.split("\n")
    assert learned_noise(lines, lines) == frozenset()
    noise = Noise(learned_noise(lines, lines[::2]))
    assert all(len(noise.without(line)) <= len(line) for line in lines[:200])


def matcher_claims(document: str, content: str) -> None:
    """Read a file of problem matchers, and an output with what it holds."""
    found = problem_matcher.parse_matchers(document)
    if isinstance(found, MatcherError):
        assert found.message
        assert len(found.message) <= 4_000
        return
    bounded(problem_matcher.read(found, output_of(content, is_report=False)), len(content))


def reading_claims(tool: str, content: str, report: str | None) -> None:
    """Read an output as a whole, as a run does."""
    output = ToolOutput(text=content, report=report, exit_code=1, cwd=CWD, root=CWD)
    reading = read_output(
        layer=Layer.TEST,
        tool=tool,
        output=output,
        limit=None,
        missing_program=None,
        scratch="/tmp/fixloop-x",
        source_line=lambda _path, _line: None,
        declared=frozenset,
    )
    assert reading.error_count >= 1
    assert len(reading.excerpt.split("\n")) <= LIMIT
    assert len(reading.affected_files) <= 50
