"""JSON amid a log's other lines."""

import json

import pytest

from fixloop_bot.checks.text import json_documents


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ('[{"a": 1}]\n', [[{"a": 1}]]),
        ('> lint\n\n[{"a": 1}]\ndone [1]\n', [[{"a": 1}]]),
        ('x\n{"a":\n  [1]\n}\n{"b": 2}\ny', [{"a": [1]}, {"b": 2}]),
        ("[INFO] build\n[12:30] x\n{ not json }\n", []),
        ('say {"a": 1}', []),
        ("", []),
    ],
    ids=["an object", "an array", "after a banner", "several", "what looks like it", "within a line", "empty"],
)
def test_what_begins_a_line_is_found(text: str, found: list[object]) -> None:
    assert list(json_documents(text)) == found


def test_their_number_is_bounded() -> None:
    assert len(list(json_documents("x\n" + '{"a": 1}\n' * 10_000))) == 200


@pytest.mark.parametrize(
    "text",
    ['{"a": ' * 300_000, '[{"a": 1},\n' * 30_000, "[" * 100_000, '["' + "a" * 3_000_000, '{"a"\n' * 200_000],
    ids=["never closed", "arrays never closed", "deep", "a string never closed", "broken lines"],
)
def test_what_is_never_closed_is_read_to_its_end(text: str) -> None:
    assert list(json_documents(f"x\n{text}")) == []


def test_a_linters_json_after_a_banner_is_read() -> None:
    log = "> shop@1.0.0 lint\n\n" + json.dumps([{"filePath": "a.js", "messages": []}]) + "\nnpm error code 1\n"
    assert list(json_documents(log)) == [[{"filePath": "a.js", "messages": []}]]
