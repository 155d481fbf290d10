"""How the package uses its patterns: searched for within a text, or matched at a place alone."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path

import fixloop_bot
from fixloop_bot.checks.registry import TOOLS

_AT_A_PLACE = frozenset({"match", "fullmatch"})
_ANYWHERE = frozenset({"search", "sub", "subn", "split", "finditer", "findall"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """A pattern, where it is kept, and whether it is looked for anywhere in a text."""

    name: str
    pattern: re.Pattern[str]
    search: bool


def used_patterns() -> Iterator[Used]:
    """Yield the patterns in the package's globals, those spelled out in a call of `re`, and those of commands."""
    for found in pkgutil.walk_packages(fixloop_bot.__path__, "fixloop_bot."):
        if not found.name.endswith("__main__"):
            yield from _of_module(found.name)
    for tool in TOOLS.values():
        for number, source in enumerate(tool.commands):
            yield Used(name=f"{tool.name}.commands[{number}]", pattern=re.compile(source), search=False)


def _of_module(name: str) -> Iterator[Used]:
    module = importlib.import_module(name)
    if module.__file__ is None:
        return
    source = Path(module.__file__).read_text(encoding="utf-8")
    kept = [(key, *found) for key, value in vars(module).items() for found in _patterns(value, key)]
    if not kept and "re." not in source:  # nothing to look for: most modules, and each takes milliseconds
        return
    nodes = tuple(ast.walk(ast.parse(source)))
    methods = _methods(nodes)
    for key, place, pattern in kept:
        own = methods.get(key, frozenset())
        yield Used(name=f"{name}.{place}", pattern=pattern, search=not own or not own <= _AT_A_PLACE)
    yield from _spelled_out(nodes, name)


def _methods(nodes: Sequence[ast.AST]) -> Mapping[str, frozenset[str]]:
    """Return which methods of a pattern are used on each name, or on what a loop takes from it."""
    found: dict[str, frozenset[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in _AT_A_PLACE | _ANYWHERE:
            used = node.value.value if isinstance(node.value, ast.Subscript) else node.value
            if isinstance(used, ast.Name):
                found[used.id] = found.get(used.id, frozenset()) | {node.attr}
    for variable, table in _walked(nodes):
        found[table] = found.get(table, frozenset()) | found.get(variable, frozenset())
    return found


def _walked(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield the variables of loops and the names of the tables that the loops go through."""
    for node in nodes:
        if isinstance(node, ast.For | ast.comprehension):
            variables = [part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)]
            tables = [part.id for part in ast.walk(node.iter) if isinstance(part, ast.Name)]
            yield from ((variable, table) for variable in variables for table in tables)


def _patterns(value: object, place: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _patterns(item, f"{place}[{key}]")
    elif isinstance(value, tuple | list):
        for number, item in enumerate(value):
            yield from _patterns(item, f"{place}[{number}]")
    elif is_dataclass(value) and not isinstance(value, type):
        for name in (*(one.name for one in fields(value)), "regex"):  # `regex` may be compiled when it is asked for
            yield from _patterns(getattr(value, name, None), f"{place}.{name}")


def _spelled_out(nodes: Sequence[ast.AST], name: str) -> Iterator[Used]:
    """Yield the patterns that are written where they are used, without a variable in them."""
    for node in nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=method), args=[ast.Constant(value=str(source)), *_]
            ) if method in _AT_A_PLACE | _ANYWHERE:
                yield Used(
                    name=f"{name}, line {node.lineno}",
                    pattern=re.compile(source, _flags(node)),
                    search=method not in _AT_A_PLACE,
                )


def _flags(call: ast.Call) -> int:
    names = [node.attr for argument in call.args[1:] for node in ast.walk(argument) if isinstance(node, ast.Attribute)]
    flags = [flag for name in names if isinstance(flag := getattr(re, name, None), re.RegexFlag)]
    return sum(set(flags))
