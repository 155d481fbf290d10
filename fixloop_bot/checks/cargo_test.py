"""`cargo test`: unit, integration and documentation tests."""

from collections.abc import Iterator, Sequence

from fixloop_bot.checks import cargo_check, libtest, rust_panic, rustc_text, text
from fixloop_bot.checks.libtest import Binary
from fixloop_bot.checks.paths import in_repository, locate
from fixloop_bot.checks.rust_panic import Panic
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_DETAIL_ENDS = ("error: aborting due to", "For more information about this error", "Couldn't compile the test.")


def parse(output: ToolOutput) -> Parsed:
    """Read the text. Errors of the compiler are those outside of what failed tests printed."""
    binaries, rest = libtest.read(text.lines(output.text))
    if not binaries:  # nothing was run: what there is to read is the compiler's, as under `cargo check`
        return Parsed()
    found = text.distinct(_diagnostics(output, binaries, rest))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT, tests=_tests(binaries))


def _diagnostics(output: ToolOutput, binaries: Sequence[Binary], rest: Sequence[str]) -> Iterator[Diagnostic]:
    yield from rustc_text.diagnostics(output, rest)
    for binary, names in libtest.results(binaries):
        thrown = {panic.thread: panic for panic in rust_panic.panics(binary.lines)}
        for name in binary.failed:
            yield _failure(output, binary, (name, names[name]), thrown.get(name))
        if binary.ended and (binary.executed is None):
            yield _died(output, binary, names)


def _failure(output: ToolOutput, binary: Binary, test: tuple[str, str], thrown: Panic | None) -> Diagnostic:
    printed, name = test
    block = binary.blocks.get(printed, [])
    panic = next(rust_panic.panics(block), thrown)
    path, line = _place(output, binary, printed, panic)
    message = panic.message if panic else rust_panic.before_notes(_without_end(block))
    return Diagnostic(path=path, line=line, message=message, kind=DiagnosticKind.TEST_FAILURE, test_id=name)


def _place(output: ToolOutput, binary: Binary, name: str, panic: Panic | None) -> tuple[str | None, int | None]:
    """Return where it panicked, if that is in the repository, else where the doctest or the binary's tests are."""
    doc = libtest.doc_place(name)
    if doc:
        return locate(output, doc[0]), text.number(doc[1])
    where = in_repository(output, panic.path) if panic else None
    if panic and where:
        return where, text.number(panic.line)
    return _source(output, binary), None


def _source(output: ToolOutput, binary: Binary) -> str | None:
    """Return the binary's source. cargo names it relative to its package, which in a workspace is a folder below."""
    hyphened = binary.crate.replace("_", "-")
    folders = (f"{place}{name}/" for name in (binary.crate, hyphened) for place in ("", "crates/"))
    tried = (f"{folder}{binary.source}" for folder in (*folders, "")) if binary.source else ()
    return next((path for one in tried if (path := in_repository(output, one))), None)


def _without_end(block: Sequence[str]) -> list[str]:
    return [line for line in block if not line.startswith(_DETAIL_ENDS)]


def _died(output: ToolOutput, binary: Binary, names: dict[str, str]) -> Diagnostic:
    """Return what tells of a binary that ended before its tests did, which hides those that had not run."""
    name = names.get(binary.pending) if binary.pending else None
    return Diagnostic(
        path=_source(output, binary),
        message=f"the test binary ended early ({binary.ended})",
        kind=DiagnosticKind.TEST_FAILURE,
        test_id=name or binary.crate or None,
    )


def _tests(binaries: Sequence[Binary]) -> TestReport:
    """Return which tests ran; of a binary that died, those whose verdict was printed."""
    executed, passed, failed, skipped = 0, list[str](), list[str](), list[str]()
    for binary, names in libtest.results(binaries):
        told = len(binary.passed) + len(binary.failed)
        executed += told if binary.executed is None else binary.executed
        passed += [names[name] for name in binary.passed]
        failed += [names[name] for name in binary.failed]
        skipped += [names[name] for name in binary.skipped]
    return TestReport(executed, tuple(passed), tuple(failed), tuple(skipped))


TOOL = Tool(
    name="cargo-test",
    commands=(cargo_check.CARGO + r"(?:test|t)\b",),
    parse=parse,
    runs_tests=True,
    ecosystem="rust",
)
