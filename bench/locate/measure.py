"""How often the faulty line is in the first prompt, and how much code it takes."""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from bench.locate.corpus import KINDS, LANGUAGES, Fault, faults, program
from bench.locate.recording import Replayed, Run, load
from bench.table import Section
from fixloop_bot.app.change import code_for
from fixloop_bot.app.validate import run_layer
from fixloop_bot.core.outline import Definition, outline
from fixloop_bot.core.prompt import first_message
from fixloop_bot.core.protect import Protection
from fixloop_bot.model.context import ChangedLines, FixContext
from fixloop_bot.model.layer import Layer, LayerStatus

GOAL_PERCENT = 95
GOAL_CHARS = 2_500
BESIDES = 6
"""Right definitions that a pull request changed."""
FAR = 3
"""Calls from the test."""
ABOUT = (
    "Programs of our own with one fault each, in {languages}; their tests' outputs are real, recorded once with"
    " {tools} by `python -m bench.locate.record`. How often the faulty line is in the first prompt (goal: at least"
    " {percent} %), and how many characters the chosen code has (goal: at most {chars:,} at the median):"
    " nothing is known but what the tests say. In a pull request: it has changed the faulty line, and {besides} right"
    " functions; beside one: those alone, and the fault is older. No model is asked. {misses}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the first prompt of one fault holds."""

    fault: Fault
    hit: bool
    """The faulty line is in it."""
    chars: int
    """Of the chosen code."""
    prompt: int
    """Of the first message as a whole."""


def run(*, small: bool = False) -> Section:
    """Measure every fault; `small` takes every fourth."""
    every = 4 if small else 1
    found, within, beside = (
        [one for language in LANGUAGES for one in measured(language, every=every, changed=changed)]
        for changed in (nothing_known, with_the_fault, beside_the_fault)
    )
    missed = [f"{one.fault.language}: {one.fault.name}" for one in found if not one.hit]
    about = ABOUT.format(
        languages=", ".join(LANGUAGES),
        tools=", ".join(load(language).tools for language in LANGUAGES),
        percent=GOAL_PERCENT,
        chars=GOAL_CHARS,
        besides=BESIDES,
        misses=f"Missed: {'; '.join(missed)}." if missed else "None is missed.",
    )
    rows = [*_rows(found), _all_of("all, in a pull request", within), _all_of("all, beside a pull request", beside)]
    head = ("faults", "number", "in the first prompt", "code, median", "code, 90 of 100", "first message, median")
    return Section(name="locate", about=about, head=head, rows=rows)


def nothing_known(_fault: Fault, _right: Mapping[str, str]) -> ChangedLines:
    """Return no lines."""
    return {}


def with_the_fault(fault: Fault, right: Mapping[str, str]) -> ChangedLines:
    """Return the lines that a pull request with the fault has changed: its own, and those beside it."""
    lines = beside_the_fault(fault, right)
    return {**lines, fault.path: lines.get(fault.path, frozenset()) | {fault.line(right)}}


def beside_the_fault(fault: Fault, right: Mapping[str, str]) -> ChangedLines:
    """Return a line in each of `BESIDES` right definitions, which follow from their names and the fault's alone."""
    protection = Protection()
    places = [
        (path, definition)
        for path, text in sorted(right.items())
        if protection.rule(path) is None
        for definition in outline(path, text)
        if not (definition.container or (path == fault.path and fault.line(right) in range(*_span(definition))))
    ]
    places.sort(key=lambda place: sha256(f"{fault.name} {place[0]} {place[1].name}".encode()).digest())
    lines: dict[str, set[int]] = {}
    for path, definition in places[:BESIDES]:
        lines.setdefault(path, set()).add(definition.last)
    return {path: frozenset(numbers) for path, numbers in lines.items()}


def _span(definition: Definition) -> tuple[int, int]:
    return definition.first, definition.last + 1


def measured(
    language: str, *, every: int = 1, changed: Callable[[Fault, Mapping[str, str]], ChangedLines] = nothing_known
) -> list[Found]:
    """Return what the first prompts of a language's faults hold, of every n-th fault alone where it is told.

    `changed` says which lines the branch has changed.
    """
    right, recording = program(language), load(language)
    return [
        look(fault, right, recording.runs[fault.name], changed(fault, right)) for fault in faults(language)[::every]
    ]


def look(fault: Fault, right: Mapping[str, str], runs: Sequence[Run], new: ChangedLines) -> Found:
    """Read what the tests said of the program with the fault, and choose the code as for the first prompt."""
    project = Replayed(fault.put_into(right), runs)
    result = run_layer(project.plan(), Layer.TEST, project, project)
    if result.status is not LayerStatus.FAIL:
        raise ValueError(f"{fault.language}: {fault.name}: the tests {result.status}")
    protection = Protection()
    snippets = code_for(result, project, protection, changed=lambda _: new)
    line = fault.line(right)
    shown = any(
        snippet.path == fault.path and snippet.start_line <= line <= snippet.start_line + snippet.text.count("\n")
        for snippet in snippets
    )
    context = FixContext(
        iteration=1,
        max_retries=3,
        story_id="",
        branch="main",
        layer=Layer.TEST,
        diagnosis=result.output,
        snippets=snippets,
    )
    return Found(
        fault=fault,
        hit=shown or fault.new.strip() in result.output,
        chars=sum(len(snippet.text) for snippet in snippets),
        prompt=len(first_message(context)),
    )


def _rows(found: Sequence[Found]) -> Iterator[Sequence[str]]:
    yield _all_of("all", found)
    for language in LANGUAGES:
        yield language, *_row([one for one in found if one.fault.language == language])
    for kind in KINDS:
        yield kind, *_row([one for one in found if one.fault.kind == kind])
    yield f"at least {FAR} calls from the test", *_row([one for one in found if one.fault.calls >= FAR])


def _all_of(name: str, found: Sequence[Found]) -> Sequence[str]:
    return name, *_row(found)


def _row(found: Sequence[Found]) -> Iterator[str]:
    chars = sorted(one.chars for one in found)
    yield str(len(found))
    yield f"{100 * sum(one.hit for one in found) / len(found):.1f} %"
    yield f"{statistics.median(chars):,.0f}"
    yield f"{chars[(len(chars) * 9) // 10 - 1 if len(chars) > 1 else 0]:,}"
    yield f"{statistics.median(one.prompt for one in found):,.0f}"
