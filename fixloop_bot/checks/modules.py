"""Modules that a tool could not find: the repository's own, declared ones, and mere slips of the pen."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType

from fixloop_bot.checks import text
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.environment import Unresolved

_NODE = re.compile(
    r"(?:Cannot find (?:module|package) |Could not resolve |Failed to resolve import |Can't resolve )"
    r"['\"]([^'\"\n]{1,300})['\"]"
)
_PYTHON = re.compile(r"(?:ModuleNotFoundError|ImportError): No module named '?([\w.]+)'?")
_MYPY = re.compile(r"Cannot find implementation or library stub for module named \"([\w.]+)\"")
_PYRIGHT = re.compile(r"Import \"([\w.]+)\" could not be resolved")
_PYLINT = re.compile(r"Unable to import '([\w.]+)' \(import-error\)")
_GO = re.compile(r"(?:cannot find module providing package|no required module provides package) ([\w./~-]+)")
_RUBY = re.compile(r"cannot load such file -- (\S+)(?: \(LoadError\)|$)")
_PYTHON_PATTERNS = (_PYTHON, _MYPY, _PYRIGHT, _PYLINT)
_DISTRIBUTIONS: Mapping[str, str] = MappingProxyType(
    {
        "attr": "attrs",
        "bs4": "beautifulsoup4",
        "cv2": "opencv-python",
        "dateutil": "python-dateutil",
        "dotenv": "python-dotenv",
        "git": "gitpython",
        "jwt": "pyjwt",
        "openssl": "pyopenssl",
        "pil": "pillow",
        "pkg_resources": "setuptools",
        "serial": "pyserial",
        "sklearn": "scikit-learn",
        "yaml": "pyyaml",
    }
)
"""Import names whose distribution is named otherwise."""
_MAX = 50

Declared = Callable[[], frozenset[str]]


def unresolved(output: ToolOutput, declared: Declared) -> tuple[Unresolved, ...]:
    """Return the modules that could not be found, at most 50, in order and without repetition.

    `declared` gives the names of the project's dependencies. It is asked where a module is missing, and once at most:
    most outputs name none, and whoever answers reads every manifest.
    """
    names = cache(lambda: frozenset(map(_canonical, declared())))
    found: dict[Unresolved, None] = {}
    for item in _unresolved(output, names):
        found[item] = None
        if len(found) >= _MAX:
            break
    return tuple(found)


def _unresolved(output: ToolOutput, declared: Declared) -> Iterator[Unresolved]:
    for line in text.lines(output.text):
        yield from (_node(match[1], output, declared) for match in _NODE.finditer(line))
        for pattern in _PYTHON_PATTERNS:
            yield from (_python(match[1], output, declared) for match in pattern.finditer(line))
        for pattern in (_GO, _RUBY):
            yield from (_plain(match[1], declared) for match in pattern.finditer(line))


def _node(name: str, output: ToolOutput, declared: Declared) -> Unresolved:
    if name.startswith((".", "/", "#", "~", "@/")):
        return Unresolved(name=name, in_repository="/node_modules/" not in name)
    package = "/".join(name.split("/")[: 2 if name.startswith("@") else 1])
    inside = any(output.exists(f"{name}{suffix}") for suffix in ("", ".js", ".ts", "/index.js", "/index.ts"))
    return Unresolved(name=package, in_repository=inside, declared=_canonical(package) in declared())


def _python(name: str, output: ToolOutput, declared: Declared) -> Unresolved:
    top = name.partition(".")[0]
    bases = ("", "src/", f"{output.project}/", f"{output.project}/src/")
    own = (f"{base}{top}{end}".removeprefix("./") for base in bases for end in (".py", "/__init__.py"))
    inside = any(output.exists(path) for path in own)
    known = {_canonical(top), _canonical(_DISTRIBUTIONS.get(top.lower(), top)), f"python-{_canonical(top)}"}
    return Unresolved(name=top if not inside else name, in_repository=inside, declared=not declared().isdisjoint(known))


def _plain(name: str, declared: Declared) -> Unresolved:
    relative = name.startswith((".", "/"))
    parts = name.split("/")
    known = {_canonical("/".join(parts[:count])) for count in range(1, len(parts[:8]) + 1)}
    return Unresolved(name=name, in_repository=relative, declared=not declared().isdisjoint(known))


def _canonical(name: str) -> str:
    """Return a name as PEP 503 compares distributions; names of other ecosystems come out unharmed."""
    return re.sub(r"[-_.]+", "-", name).lower()
