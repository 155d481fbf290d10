"""The JSON of `fixloop validate`, whole."""

from fixloop_bot.core.validation_json import validation_json
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import Evidence, Layer, LayerResult, LayerStatus, Validation


def ran(command: str, exit_code: int, duration_s: float) -> Evidence:
    return Evidence(command=command, project=".", exit_code=exit_code, duration_s=duration_s, output_sha256="00")


def test_the_whole_document() -> None:
    problem = Diagnostic(path="a.py", line=3, rule_id="F401", message="unused", kind=DiagnosticKind.LINT_ERROR)
    lint = LayerResult(
        name=Layer.LINT,
        status=LayerStatus.FAIL,
        output="a.py:3: unused",
        error_count=1,
        diagnostics=(problem,),
        evidence=(ran("ruff check .", 0, 0.1), ran("mypy .", 2, 0.2)),
    )
    skipped = LayerResult(name=Layer.COMPILE, status=LayerStatus.SKIP, reason="no command")
    assert validation_json(Validation(project_type="python", layers=(skipped, lint))) == {
        "project_type": "python",
        "layers": [
            {
                "name": "compile",
                "status": "skip",
                "output": "",
                "error_count": 0,
                "command": [],
                "exit_code": None,
                "duration_s": 0,
                "diagnostics": [],
                "reason": "no command",
            },
            {
                "name": "lint",
                "status": "fail",
                "output": "a.py:3: unused",
                "error_count": 1,
                "command": ["ruff check .", "mypy ."],
                "exit_code": 2,
                "duration_s": 0.3,
                "diagnostics": [
                    {
                        "path": "a.py",
                        "line": 3,
                        "column": None,
                        "level": "error",
                        "rule_id": "F401",
                        "message": "unused",
                        "kind": "lint-error",
                        "test_id": None,
                    }
                ],
                "reason": "",
            },
        ],
        "overall_status": "fail",
    }
