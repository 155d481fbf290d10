"""biome's text, its JSON and its workflow commands."""

import json

import pytest

from fixloop_bot.checks.registry import recognise
from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier
from tests.checks.reading import parsed, place

RULE = "━" * 40
CROSS = "\u00d7"
TEXT = f"""\
src/a b.js:1:1 lint/style/useConst  FIXABLE  {RULE}

  ! This let declares a variable that is only assigned once.
\x20\x20
  > 1 │ let a = 1;
      │ ^^^
  i 'a' is never reassigned.

src/a b.js:2:7 lint/suspicious/noDoubleEquals  FIXABLE  {RULE}

  {CROSS} Using == may be unsafe if you are relying on type coercion.

src/b.ts:1:8 parse {RULE}

  ✖ Expected an identifier.

src/b.ts format {RULE}

  {CROSS} Code formatting aborted due to parsing errors. To format code with errors, enable an option.

src/a b.js format {RULE}

  {CROSS} Formatter would have printed the following content:
\x20\x20
    3   │ - ··console.log(a)

Checked 5 files in 4ms. No fixes applied.
Found 3 errors.
check {RULE}

  {CROSS} Some errors were emitted while running checks.
"""
COMMANDS = """\
::warning title=lint/style/useConst,file=/p/src/a b.js,line=1,endLine=1,col=1,endColumn=4::This let declares a variable.
::error title=lint/suspicious/noDoubleEquals,file=/p/src/a b.js,line=2,endLine=2,col=7,endColumn=9::50%25 of it
::error title=parse,file=/p/src/b.ts,line=1,endLine=1,col=8,endColumn=11::Expected an identifier.
::error title=format,file=/p/src/a b.js,line=1,endLine=1,col=2,endColumn=2::File content differs from formatting output
"""


def said(severity: str, category: str, path: object, line: int, column: int) -> dict[str, object]:
    start = {"line": line, "column": column}
    return {
        "severity": severity,
        "message": "m",
        "category": category,
        "location": {"path": path, "start": start, "end": start},
    }


JSON = "The `json` reporter is experimental.\n" + json.dumps(
    {
        "summary": {"changed": 0},
        "diagnostics": [
            said("warning", "lint/style/useConst", "src/a b.js", 1, 1),
            said("error", "lint/suspicious/noDoubleEquals", {"file": "src/a b.js"}, 2, 7),
            said("error", "parse", "src/b.ts", 1, 8),
            said("error", "format", "src/a b.js", 0, 0),
        ],
    },
    separators=(",", ":"),
)


@pytest.mark.parametrize("text", [TEXT, COMMANDS, JSON], ids=["text", "workflow commands", "JSON"])
def test_every_form_tells_the_same(text: str) -> None:
    found = parsed("biome", text).diagnostics
    assert [(place(item), item.level) for item in found] == [
        (("src/a b.js", 1, 1, "lint/style/useConst"), Level.WARNING),
        (("src/a b.js", 2, 7, "lint/suspicious/noDoubleEquals"), Level.ERROR),
        (("src/b.ts", 1, 8, "parse"), Level.ERROR),
        (("src/a b.js", None, None, "format"), Level.ERROR),
    ]
    assert found[2].kind is DiagnosticKind.SYNTAX_ERROR


def test_a_workflow_command_is_unescaped() -> None:
    assert parsed("biome", COMMANDS).diagnostics[1].message == "50% of it"


def test_json_is_the_better_tier() -> None:
    assert (parsed("biome", JSON).tier, parsed("biome", TEXT).tier) == (Tier.STRUCTURED, Tier.PARSED)


@pytest.mark.parametrize(
    "text",
    [
        f"Report {RULE}\n\n  {CROSS} not biome's\n",
        f"a.js:1:1 lint/x/y {RULE}\n",
        '{"summary":{',
        '{"summary":{},"diagnostics":[{"category":"parse","location":{"path":{}}}]}',
        "::error title=mine,file=a.js,line=1,endLine=1,col=1,endColumn=1::from an action of one's own",
    ],
)
def test_what_is_not_its_own_says_nothing(text: str) -> None:
    assert parsed("biome", text).diagnostics == ()


@pytest.mark.parametrize("command", ["biome ci .", "npx biome check", "npx @biomejs/biome ci", "pnpm exec biome lint"])
def test_its_commands_are_known(command: str) -> None:
    assert recognise(command) == "biome"
