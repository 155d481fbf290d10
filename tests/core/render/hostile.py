"""One text with every trick that foreign text is known for, and a run that has it everywhere."""

from dataclasses import replace

from fixloop_bot.model.attempt import Verdict
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.outcome import Breaker, Question, Status, TerminalState
from fixloop_bot.model.report import GuardFinding, PatchOffered, Surroundings
from fixloop_bot.model.state import End, LoopState
from tests.core.render.states import LINKS, MAX_RETRIES, attempt, failure, result, validation

SECRET = "hunter2-hunter2"
HOSTILE = (
    "@octocat and @shop/owners fixes #1, GH-2, shop/web#3 https://github.com/shop/web/issues/4 www.evil.example\n"
    "```\n~~~~\n</details></summary><script>alert(1)</script><img src=x onerror=y> <!-- --> &lt;b&gt;\n"
    "| a | b |\n|---|---|\n# head *em* _em_ ~~gone~~ [link](https://evil.example) ![pic](//evil.example/x.png) `code`\n"
    "/lgtm\n/fixloop run\n@dependabot merge\n::set-output name=x::y\n##[error]z\r::add-mask::w\n"
    "\x1b[31mred\x1b[0m \u202eright to left\u202c zero\u200bwidth \ud800 \x00 $a$ hunter2-hun\u200bter2 " + SECRET
)

_DIAGNOSTICS = (
    Diagnostic(
        path="a`b|c\n.py", line=1, rule_id=HOSTILE, message=HOSTILE, kind=DiagnosticKind.TEST_FAILURE, test_id=HOSTILE
    ),
    Diagnostic(path="../../etc/passwd", line=1, message=HOSTILE, kind=DiagnosticKind.TEST_FAILURE),
)
_FAILURE = failure(result(Layer.TEST, *_DIAGNOSTICS, output=HOSTILE, reason=HOSTILE, missing=(HOSTILE,)))

EVERYWHERE: LoopState = replace(
    MAX_RETRIES,
    run_id="r --> @octocat",
    branch=HOSTILE,
    attempts=(
        attempt(
            1,
            Layer.TEST,
            Verdict.SAME,
            hypothesis=HOSTILE,
            repair_action=HOSTILE,
            failing_before=(HOSTILE,),
            diff_stat=HOSTILE,
        ),
    ),
    failure=_FAILURE,
    validation=validation(_FAILURE.result),
    end=End(
        status=Status.NEED_DECISION,
        terminal=None,
        breaker=Breaker.DECISION,
        reason=HOSTILE,
        suggestion=HOSTILE,
        question=Question(layer=HOSTILE, question=HOSTILE, option_a=HOSTILE, option_b=HOSTILE),
    ),
)
BLOCKED_EVERYWHERE: LoopState = replace(
    EVERYWHERE,
    end=End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_BLOCKED,
        breaker=Breaker.AGENT,
        reason=HOSTILE,
        suggestion=HOSTILE,
    ),
)
AROUND = Surroundings(
    links=LINKS,
    delivery=PatchOffered(
        patch="diff --git a/x b/x\n" + "".join(f"+{line}\n" for line in HOSTILE.split("\n")),
        reason=HOSTILE,
        url=f"https://x/{HOSTILE}",
    ),
    sandbox=HOSTILE,
    guard=(GuardFinding(rule_id=HOSTILE, severity=HOSTILE, path=HOSTILE, line=None, message=HOSTILE),),
    budgets=(HOSTILE,),
)
