"""flake8, pylint, black, isort and ruff."""

from tests.record.recipe import DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.sources import shifted, truth

A, B, BROKEN = "app/a.py", "app/b.py", "app/c.py"
NAMES = {
    A: "import os\n\n\ndef double(x):\n    return 2 * x\n",
    B: "def total(items):\n    return summ(items)\n",
}
SHIFT = shifted(NAMES, A, B)
MENDED = {B: "def total(items):\n    return sum(items)\n"}
OTHER_FAULT = {B: "def total(items):\n    count = 0\n    return sum(items)\n"}
OTHER_NAME = {B: "def total(items):\n    return sum_of(items)\n"}
SYNTAX = {A: NAMES[A], B: "def total(items:\n    return sum(items)\n"}
SYNTAX_MENDED = {A: "def double(x):\n    return 2 * x\n"}
SYNTAX_OTHER = {A: "import re\n\n\ndef double(x):\n    return 2 * x\n"}
UNFORMATTED = {A: "def double( x ):\n    return 2*x\n", B: "def total(items) :\n    return sum( items )\n"}
UNREADABLE = {A: UNFORMATTED[A], B: "def total(items:\n    return sum(items)\n"}
UNSORTED = {A: "import sys\nimport os\n\nprint(os, sys)\n", B: "import re\nimport json\n\nprint(re, json)\n"}

FLAKE8 = (
    Recipe(
        tool="flake8",
        case="names",
        layer="lint",
        command="flake8 app",
        needs=("flake8",),
        packages="pip: flake8",
        files=NAMES,
        variants={SHIFTED: SHIFT, PARTIAL: MENDED, OTHER: OTHER_FAULT, DETAIL: OTHER_NAME},
        truths={
            "base": truth((A, "F401"), (B, "F821")),
            PARTIAL: truth((A, "F401")),
            OTHER: truth((A, "F401"), (B, "F841")),
            DETAIL: truth((A, "F401"), (B, "F821")),
        },
    ),
    Recipe(
        tool="flake8",
        case="syntax",
        layer="lint",
        command="flake8 --format=pylint --count app",
        needs=("flake8",),
        packages="pip: flake8",
        files=SYNTAX,
        variants={SHIFTED: shifted(SYNTAX, A, B), PARTIAL: SYNTAX_MENDED, DETAIL: SYNTAX_OTHER},
        truths={
            "base": truth((A, "F401"), (B, "E999")),
            PARTIAL: truth((B, "E999")),
            DETAIL: truth((A, "F401"), (B, "E999")),
        },
    ),
)
PYLINT = (
    Recipe(
        tool="pylint",
        case="names",
        layer="lint",
        command="pylint --disable=C,R app",
        needs=("pylint",),
        packages="pip: pylint",
        files=NAMES | {"app/__init__.py": ""},
        variants={SHIFTED: SHIFT, PARTIAL: MENDED, OTHER: OTHER_FAULT, DETAIL: OTHER_NAME},
        truths={
            "base": truth((A, "W0611"), (B, "E0602")),
            PARTIAL: truth((A, "W0611")),
            OTHER: truth((A, "W0611"), (B, "W0612")),
            DETAIL: truth((A, "W0611"), (B, "E0602")),
        },
    ),
    Recipe(
        tool="pylint",
        case="json",
        layer="lint",
        command="pylint --disable=C,R --output-format=json2 app",
        needs=("pylint",),
        packages="pip: pylint",
        files=SYNTAX | {"app/__init__.py": ""},
        variants={SHIFTED: shifted(SYNTAX, A, B), PARTIAL: SYNTAX_MENDED, OTHER: {B: NAMES[B]}, DETAIL: SYNTAX_OTHER},
        truths={
            "base": truth((A, "W0611"), (B, "E0001")),
            PARTIAL: truth((B, "E0001")),
            OTHER: truth((A, "W0611"), (B, "E0602")),
            DETAIL: truth((A, "W0611"), (B, "E0001")),
        },
    ),
)
BLACK = (
    Recipe(
        tool="black",
        case="format",
        layer="lint",
        command="black --check .",
        needs=("black",),
        packages="pip: black",
        files=UNFORMATTED,
        variants={
            SHIFTED: shifted(UNFORMATTED, A, B),
            PARTIAL: {B: "def total(items):\n    return sum(items)\n"},
            OTHER: {B: UNREADABLE[B]},
        },
        truths={
            "base": truth((A, "format"), (B, "format")),
            PARTIAL: truth((A, "format")),
            OTHER: truth((A, "format"), (B, "invalid-syntax")),
        },
    ),
    Recipe(
        tool="black",
        case="syntax",
        layer="lint",
        command="black --check --diff .",
        needs=("black",),
        packages="pip: black",
        files=UNREADABLE,
        variants={
            SHIFTED: shifted(UNREADABLE, A, B),
            PARTIAL: {A: "def double(x):\n    return 2 * x\n"},
            OTHER: {B: UNFORMATTED[B]},
            DETAIL: {B: "def total(items):\n    return sum(items]\n"},
        },
        truths={
            "base": truth((A, "format"), (B, "invalid-syntax")),
            PARTIAL: truth((B, "invalid-syntax")),
            OTHER: truth((A, "format"), (B, "format")),
            DETAIL: truth((A, "format"), (B, "invalid-syntax")),
        },
    ),
)
ISORT = tuple(
    Recipe(
        tool="isort",
        case=case,
        layer="lint",
        command=command,
        needs=("isort",),
        packages="pip: isort",
        files=UNSORTED,
        variants={SHIFTED: shifted(UNSORTED, A, B), PARTIAL: {B: "import json\nimport re\n\nprint(re, json)\n"}},
        truths={"base": truth((A, "imports"), (B, "imports")), PARTIAL: truth((A, "imports"))},
    )
    for case, command in (("check", "isort --check ."), ("diff", "isort --check-only --diff ."))
)
RUFF = (
    Recipe(
        tool="ruff",
        case="names",
        layer="lint",
        command="ruff check --no-cache .",
        needs=("ruff",),
        packages="pip: ruff",
        files=NAMES,
        variants={SHIFTED: SHIFT, PARTIAL: MENDED, OTHER: OTHER_FAULT, DETAIL: OTHER_NAME},
        truths={
            "base": truth((A, "F401"), (B, "F821")),
            PARTIAL: truth((A, "F401")),
            OTHER: truth((A, "F401"), (B, "F841")),
            DETAIL: truth((A, "F401"), (B, "F821")),
        },
    ),
    Recipe(
        tool="ruff",
        case="format",
        layer="lint",
        command="ruff format --no-cache --check .",
        needs=("ruff",),
        packages="pip: ruff",
        files=UNFORMATTED,
        variants={
            SHIFTED: shifted(UNFORMATTED, A, B),
            PARTIAL: {B: "def total(items):\n    return sum(items)\n"},
            OTHER: {B: UNREADABLE[B]},
        },
        truths={
            "base": truth((A, "format"), (B, "format")),
            PARTIAL: truth((A, "format")),
            OTHER: truth((A, "format"), (B, "invalid-syntax")),
        },
    ),
)
RECIPES: tuple[Recipe, ...] = (*FLAKE8, *PYLINT, *BLACK, *ISORT, *RUFF)
