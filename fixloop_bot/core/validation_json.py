"""A validation as the JSON that `fixloop validate` prints."""

from typing import Any

from fixloop_bot.model.diagnostic import Diagnostic
from fixloop_bot.model.layer import LayerResult, Validation


def validation_json(validation: Validation) -> dict[str, Any]:
    """Return `{project_type, layers: [...], overall_status}`; it is also what a repository's own runner prints."""
    return {
        "project_type": validation.project_type,
        "layers": [_layer(result) for result in validation.layers],
        "overall_status": validation.overall.value,
    }


def diagnostic_json(item: Diagnostic) -> dict[str, Any]:
    """Return a diagnostic with all its fields, those that are unknown as null."""
    return {
        "path": item.path,
        "line": item.line,
        "column": item.column,
        "level": item.level.value,
        "rule_id": item.rule_id,
        "message": item.message,
        "kind": item.kind.value,
        "test_id": item.test_id,
    }


def _layer(result: LayerResult) -> dict[str, Any]:
    return {
        "name": result.name.value,
        "status": result.status.value,
        "output": result.output,
        "error_count": result.error_count,
        "command": [evidence.command for evidence in result.evidence],
        "exit_code": result.exit_code,
        "duration_s": round(result.duration_s, 3),
        "diagnostics": [diagnostic_json(item) for item in result.diagnostics],
        "reason": result.reason,
    } | ({"pictures": list(result.pictures)} if result.pictures else {})
