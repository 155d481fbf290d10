"""Runs to tell of, from the first look to every kind of end."""

from dataclasses import replace

from fixloop_bot.core.render.report import to_report
from fixloop_bot.model.agent import ModelAlias, Usage
from fixloop_bot.model.attempt import Attempt, Failure, FailureMode, FixCommit, IterationOutcome, Verdict
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Fingerprint, Tier
from fixloop_bot.model.guard import Finding, Severity
from fixloop_bot.model.layer import ORDER, Evidence, Layer, LayerResult, LayerStatus, TestReport, Validation
from fixloop_bot.model.outcome import Breaker, Question, Status, TerminalState
from fixloop_bot.model.report import Links, Report, Surroundings
from fixloop_bot.model.state import End, LoopState, Phase

STARTED = 1_800_000_000.0
NOW = STARTED + 260
HEAD = "a" * 40
COMMITS = ("1" * 40, "2" * 40, "3" * 40)
LINKS = Links(repository="https://github.com/shop/web", run="https://github.com/shop/web/actions/runs/7")
HERE = Surroundings(links=LINKS)

LOG = """\
=================================== FAILURES ===================================
___________________________________ test_total _________________________________
tests/test_prices.py:9: in test_total
    assert total([2, 3]) == 5
E   assert -1 == 5
"""
WRONG_TOTAL = Diagnostic(
    path="tests/test_prices.py",
    line=9,
    message="assert -1 == 5\nwhere -1 = total([2, 3])",
    kind=DiagnosticKind.TEST_FAILURE,
    test_id="tests/test_prices.py::test_total",
)
UNUSED = Diagnostic(
    path="shop/prices.py",
    line=3,
    column=8,
    rule_id="F401",
    message="`os` imported but unused",
    kind=DiagnosticKind.LINT_ERROR,
)


def result(layer: Layer, *diagnostics: Diagnostic, output: str = LOG, **more: object) -> LayerResult:
    """Return a layer that fails with these diagnostics; without any it passes."""
    failed = bool(diagnostics)
    values: dict[str, object] = {
        "name": layer,
        "status": LayerStatus.FAIL if failed else LayerStatus.PASS,
        "output": output if failed else "",
        "error_count": len(diagnostics),
        "diagnostics": diagnostics,
        "evidence": (_ran(layer, exit_code=int(failed)),),
        "fingerprint": Fingerprint(tier=Tier.PARSED, fine="f" * 64, coarse="c" * 64) if failed else None,
        "tests": TestReport(executed=12) if layer is Layer.TEST and not failed else None,
    }
    return LayerResult(**(values | more))  # type: ignore[arg-type]


def _ran(layer: Layer, *, exit_code: int) -> Evidence:
    command = {Layer.COMPILE: "python -m compileall -q .", Layer.LINT: "ruff check", Layer.TEST: "pytest"}[layer]
    return Evidence(command=command, project=".", exit_code=exit_code, duration_s=1.5, output_sha256="e" * 64)


def validation(*layers: LayerResult) -> Validation:
    """Return one run of the pyramid."""
    return Validation(project_type="python", layers=layers, planned=ORDER[:3])


def failure(failed: LayerResult, mode: FailureMode = FailureMode.DETERMINISTIC_FAIL) -> Failure:
    """Return the failure that the loop works on."""
    return Failure(layer=failed.name, result=failed, mode=mode, score=0.5)


def attempt(iteration: int, layer: Layer, verdict: Verdict | None = Verdict.CLEAN, **more: object) -> Attempt:
    """Return a judged attempt that made the layer clean unless told otherwise."""
    clean = verdict is Verdict.CLEAN
    values: dict[str, object] = {
        "iteration": iteration,
        "layer": layer,
        "mode": FailureMode.DETERMINISTIC_FAIL,
        "model": ModelAlias.SONNET,
        "hypothesis": "the operands are swapped",
        "repair_action": "put them back in order",
        "changed": ("shop/prices.py",),
        "commit": str(iteration) * 40,
        "usage": Usage(2_400, 310, 1_100, 0),
        "cost_usd": 0.0124,
        "hash_before": "f" * 64,
        "hash_after": "" if clean else "f" * 64,
        "score_before": 0.5,
        "score_after": 0.75 if clean else 0.5,
        "failing_before": (f"{layer}: shop/prices.py F401",),
        "failing_after": () if clean else (f"{layer}: shop/prices.py F401",),
        "errors_before": 1,
        "errors_after": 0 if clean else 1,
        "diff_stat": "1 file changed, 1 insertion(+), 1 deletion(-)",
        "verdict": verdict,
        "outcome": IterationOutcome.DONE if clean else IterationOutcome.FAILED,
    }
    return Attempt(**(values | more))  # type: ignore[arg-type]


FIRST = LoopState(
    run_id="run-20270115-080000-abcd",
    story_id="SHOP-12",
    branch="fix/totals",
    started_at=STARTED,
    start_commit=HEAD,
    head=HEAD,
    clean_commit=HEAD,
)
LINT = failure(result(Layer.LINT, UNUSED, output="shop/prices.py:3:8: F401 `os` imported but unused"))
TEST = failure(result(Layer.TEST, WRONG_TOTAL))
GREEN = validation(result(Layer.COMPILE), result(Layer.LINT), result(Layer.TEST))

RUNNING = replace(
    FIRST,
    phase=Phase.FIX,
    iteration_count=1,
    attempts=(attempt(1, Layer.LINT, Verdict.SAME, salvage="s1", cost_usd=0.03),),
    pending=attempt(2, Layer.LINT, None, usage=Usage(), cost_usd=0.0, commit=None, hypothesis="", repair_action=""),
    failure=LINT,
    validation=validation(result(Layer.COMPILE), LINT.result),
    total_cost_usd=0.03,
)
DONE = replace(
    FIRST,
    phase=Phase.ENDED,
    iteration_count=3,
    attempts=(
        attempt(1, Layer.COMPILE, hypothesis="a bracket is missing", repair_action="closed it"),
        attempt(2, Layer.TEST, Verdict.SAME, salvage="s2"),
        attempt(3, Layer.TEST, model=ModelAlias.OPUS, cost_usd=0.05, hypothesis="rounding comes too early"),
    ),
    fix_commits=(
        FixCommit(layer=Layer.COMPILE, commit=COMMITS[0], iteration=1),
        FixCommit(layer=Layer.LINT, commit=COMMITS[1], iteration=0),
        FixCommit(layer=Layer.TEST, commit=COMMITS[2], iteration=3),
    ),
    head=COMMITS[2],
    clean_commit=COMMITS[2],
    total_cost_usd=0.0748,
    escalated=True,
    gate=GREEN,
    validation=GREEN,
    end=End(status=Status.DONE, terminal=TerminalState.SUCCEEDED, reason="all validation layers passed"),
)
NOTHING_TO_FIX = replace(FIRST, phase=Phase.ENDED, gate=GREEN, validation=GREEN, end=DONE.end)
NEED_DECISION = replace(
    FIRST,
    phase=Phase.DECISION_WAIT,
    iteration_count=2,
    attempts=(attempt(1, Layer.LINT), attempt(2, Layer.TEST, Verdict.SAME, commit=None, cost_usd=0.03)),
    fix_commits=(FixCommit(layer=Layer.LINT, commit=COMMITS[0], iteration=1),),
    total_cost_usd=0.0424,
    failure=TEST,
    validation=validation(result(Layer.COMPILE), result(Layer.LINT), TEST.result),
    end=End(
        status=Status.NEED_DECISION,
        terminal=None,
        breaker=Breaker.DECISION,
        reason="Is a total of nothing 0 or an error?",
        question=Question(
            layer="test",
            question="Is a total of nothing 0 or an error?",
            option_a="0, and the test expects that",
            option_b="ValueError, which all callers would have to handle from now on",
        ),
    ),
)
MAX_RETRIES = replace(
    FIRST,
    phase=Phase.ENDED,
    iteration_count=3,
    attempts=tuple(attempt(n, Layer.TEST, Verdict.SAME, salvage=f"s{n}") for n in (1, 2, 3)),
    error_hash_trail=("a", "b", "a"),
    total_cost_usd=0.0372,
    cost_unknown=True,
    failure=TEST,
    validation=validation(result(Layer.COMPILE), result(Layer.LINT), TEST.result),
    end=End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_BUDGET,
        breaker=Breaker.MAX_RETRIES,
        reason="all attempts are used",
    ),
)
SKIPPED = Finding(
    rule_id="skip-added",
    severity=Severity.HIGH,
    path="shop/prices.py",
    line=4,
    message="a test is skipped or not counted: `SkipTest`",
)
LINKED = Finding(
    rule_id="protected-file-changed",
    severity=Severity.CRITICAL,
    path="tests/test_prices.py",
    line=None,
    message="was replaced by a link, which is protected (test)",
)
GUARDED = replace(
    FIRST,
    phase=Phase.ENDED,
    iteration_count=2,
    attempts=(
        attempt(1, Layer.TEST, Verdict.REFUSED, salvage="s1", guard=(SKIPPED,), commit=None),
        attempt(2, Layer.TEST, Verdict.REFUSED, salvage="s2", guard=(LINKED,), commit=None),
    ),
    total_cost_usd=0.0248,
    failure=TEST,
    validation=validation(result(Layer.COMPILE), result(Layer.LINT), TEST.result),
    violations=("tests/test_prices.py was replaced by a link, which is protected (test) [protected-file-changed]",),
    end=End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_SAFETY,
        breaker=Breaker.SAFETY,
        reason="tests/test_prices.py was replaced by a link, which is protected (test) [protected-file-changed]",
    ),
)
NO_RUFF = LayerResult(
    name=Layer.LINT,
    status=LayerStatus.ERROR,
    output="sh: 1: ruff: not found",
    error_count=1,
    reason="ruff was not found",
    missing=("the program `ruff`",),
    environmental=True,
    fingerprint=Fingerprint(tier=Tier.TEXT, fine="d" * 64, coarse="d" * 64),
)
ENVIRONMENT = replace(
    FIRST,
    phase=Phase.ENDED,
    failure=failure(NO_RUFF, FailureMode.ENVIRONMENTAL),
    validation=validation(result(Layer.COMPILE), NO_RUFF),
    end=End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_BLOCKED,
        breaker=Breaker.ENVIRONMENT,
        reason="the program `ruff`",
        suggestion="the program `ruff`",
    ),
)

NO_MONEY_TODAY = End(
    status=Status.BLOCKED,
    terminal=TerminalState.FAILED_BUDGET,
    breaker=Breaker.BUDGET,
    reason="the day's budget of the repository shop/web is used up: $24.96 of $25.00 are spent or reserved",
    suggestion="wait until 2027-01-16 00:00 UTC, or have FIXLOOP_BUDGET_REPOSITORY_DAY_USD of the service raised",
)
OUT_OF_MONEY = replace(MAX_RETRIES, end=NO_MONEY_TODAY)
NEVER_BEGUN = replace(FIRST, phase=Phase.ENDED, end=NO_MONEY_TODAY)

MANY = replace(
    MAX_RETRIES,
    iteration_count=200,
    attempts=tuple(
        attempt(
            n,
            Layer.TEST,
            Verdict.SAME,
            salvage=f"s{n}",
            hypothesis=f"hypothesis {n}: " + "and then " * 100,
            failing_before=tuple(f"test: item {i} of {n}" for i in range(50)),
        )
        for n in range(1, 201)
    ),
    failure=replace(
        TEST,
        result=replace(
            TEST.result,
            output="\n".join(f"line {n} " + "\u65e5" * 390 for n in range(100)),
            error_count=5_000,
            diagnostics=tuple(
                replace(WRONG_TOTAL, line=n, level=list(Level)[n % 3], test_id=f"t{n}") for n in range(1, 131)
            ),
        ),
    ),
)


def told(state: LoopState, surroundings: Surroundings = HERE, *, secret: str = "hunter2-hunter2") -> Report:
    """Return the report of a state, four minutes after its start."""
    return to_report(state, now=NOW, redact=lambda text: text.replace(secret, "***"), surroundings=surroundings)
