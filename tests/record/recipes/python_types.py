"""compileall, mypy and pyright."""

from tests.record.recipe import DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.sources import shifted, truth

A, B = "app/a.py", "app/b.py"
TYPES = {
    A: 'def double(x: int) -> int:\n    return "2"\n',
    B: "from app.a import double\n\nprint(double('4'))\n",
}
TYPES_VARIANTS = {
    SHIFTED: shifted(TYPES, A, B),
    PARTIAL: {B: "from app.a import double\n\nprint(double(4))\n"},
    OTHER: {B: "from app.a import double\n\nprint(double(4).wide)\n"},
    DETAIL: {A: "def double(x: int) -> int:\n    return 2.5\n"},
}
IMPORTS = {
    A: "def double(x: int) -> int:\n    return 2 * x\n",
    B: "from app.a import doubled\nfrom app.missing import x\n\nprint(doubled, x)\n",
}
IMPORTS_VARIANTS = {
    SHIFTED: shifted(IMPORTS, A, B),
    PARTIAL: {B: "from app.a import double\nfrom app.missing import x\n\nprint(double, x)\n"},
    OTHER: {B: "from app.a import doubled\n\nprint(doubled, 1 + '1')\n"},
    DETAIL: {B: "from app.a import triple\nfrom app.missing import x\n\nprint(triple, x)\n"},
}
SYNTAX = {A: "def double(x:\n    return 2 * x\n", B: "def total(items):\nreturn sum(items)\n"}
PACKAGE = {"app/__init__.py": ""}

COMPILEALL = (
    Recipe(
        tool="compileall",
        case="syntax",
        layer="compile",
        command="python3 -m compileall -q -f app",
        needs=("python3",),
        files=SYNTAX,
        variants={
            SHIFTED: shifted(SYNTAX, A, B),
            PARTIAL: {B: "def total(items):\n    return sum(items)\n"},
            OTHER: {B: "def total(items)\n    return sum(items)\n"},
            DETAIL: {A: "def double(x]:\n    return 2 * x\n"},
        },
        truths={
            "base": truth((A, "SyntaxError"), (B, "IndentationError")),
            PARTIAL: truth((A, "SyntaxError")),
            OTHER: truth((A, "SyntaxError"), (B, "SyntaxError")),
            DETAIL: truth((A, "SyntaxError"), (B, "IndentationError")),
        },
    ),
    Recipe(
        tool="compileall",
        case="py-compile",
        layer="compile",
        command='for f in *.py; do python3 -m py_compile "$f" || rc=1; echo; done; exit ${rc:-0}',
        needs=("python3",),
        files={"a.py": SYNTAX[A], "b.py": SYNTAX[B]},
        variants={
            SHIFTED: shifted({"a.py": SYNTAX[A], "b.py": SYNTAX[B]}, "a.py", "b.py"),
            PARTIAL: {"b.py": "def total(items):\n    return sum(items)\n"},
            OTHER: {"a.py": "def double(x):\n\treturn 2 * x\n        return 3\n"},
            DETAIL: {"a.py": "def double(x]:\n    return 2 * x\n"},
        },
        truths={
            "base": truth(("a.py", "SyntaxError"), ("b.py", "IndentationError")),
            PARTIAL: truth(("a.py", "SyntaxError")),
            OTHER: truth(("a.py", "TabError"), ("b.py", "IndentationError")),
            DETAIL: truth(("a.py", "SyntaxError"), ("b.py", "IndentationError")),
        },
    ),
)
MYPY = (
    Recipe(
        tool="mypy",
        case="types",
        layer="compile",
        command="mypy app",
        needs=("mypy",),
        packages="pip: mypy",
        files=TYPES | PACKAGE,
        variants=TYPES_VARIANTS,
        truths={
            "base": truth((A, "return-value"), (B, "arg-type")),
            PARTIAL: truth((A, "return-value")),
            OTHER: truth((A, "return-value"), (B, "attr-defined")),
            DETAIL: truth((A, "return-value"), (B, "arg-type")),
        },
    ),
    Recipe(
        tool="mypy",
        case="imports",
        layer="compile",
        command="mypy --pretty --show-column-numbers app",
        needs=("mypy",),
        packages="pip: mypy",
        files=IMPORTS | PACKAGE,
        variants=IMPORTS_VARIANTS,
        truths={
            "base": truth((B, "attr-defined"), (B, "import-not-found")),
            PARTIAL: truth((B, "import-not-found")),
            OTHER: truth((B, "attr-defined"), (B, "operator")),
            DETAIL: truth((B, "attr-defined"), (B, "import-not-found")),
        },
    ),
)
PYRIGHT = (
    Recipe(
        tool="pyright",
        case="types",
        layer="compile",
        command="pyright",
        needs=("pyright",),
        packages="pip: pyright",
        files=TYPES | PACKAGE,
        variants=TYPES_VARIANTS,
        truths={
            "base": truth((A, "reportReturnType"), (B, "reportArgumentType")),
            PARTIAL: truth((A, "reportReturnType")),
            OTHER: truth((A, "reportReturnType"), (B, "reportAttributeAccessIssue")),
            DETAIL: truth((A, "reportReturnType"), (B, "reportArgumentType")),
        },
    ),
    Recipe(
        tool="pyright",
        case="imports",
        layer="compile",
        command="pyright --outputjson",
        needs=("pyright",),
        packages="pip: pyright",
        files=IMPORTS | PACKAGE,
        variants=IMPORTS_VARIANTS,
        truths={
            "base": truth((B, "reportAttributeAccessIssue"), (B, "reportMissingImports")),
            PARTIAL: truth((B, "reportMissingImports")),
            OTHER: truth((B, "reportAttributeAccessIssue"), (B, "reportOperatorIssue")),
            DETAIL: truth((B, "reportAttributeAccessIssue"), (B, "reportMissingImports")),
        },
    ),
)
RECIPES: tuple[Recipe, ...] = (*COMPILEALL, *MYPY, *PYRIGHT)
