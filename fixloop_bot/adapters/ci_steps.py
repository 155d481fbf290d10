"""The steps of GitHub workflows that look like checks; read, never run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

import yaml

from fixloop_bot.adapters.workflow_yaml import FOLDER, MAX_BYTES, MOST_FILES
from fixloop_bot.model.explanation import CiStep
from fixloop_bot.model.layer import Layer

MAX_STEPS = 50
MAX_READ = 5_000
"""Steps of one file that are looked at, as aliases may repeat a list without end."""


def ci_steps(
    files: Sequence[str], read: Callable[[str], str | None], layer_of: Callable[[str], Layer | None]
) -> tuple[CiStep, ...]:
    """Return at most `MAX_STEPS` distinct lines in the order of the files; what cannot be read is passed over."""
    workflows = sorted(path for path in files if path.startswith(f"{FOLDER}/") and path.endswith((".yml", ".yaml")))
    found: dict[tuple[str, str], CiStep] = {}
    for path in workflows[:MOST_FILES]:
        for step in _of_file(path, read(path) or "", layer_of):
            found.setdefault((step.folder, step.run), step)
            if len(found) >= MAX_STEPS:
                return tuple(found.values())
    return tuple(found.values())


def _of_file(path: str, text: str, layer_of: Callable[[str], Layer | None]) -> Iterator[CiStep]:
    for job, step in islice(_steps(_table(_load(text)).get("jobs")), MAX_READ):
        yield from _of_step(path, job, step, layer_of)


def _load(text: str) -> object:
    """Return the document with every scalar as text; None for what is too large or no YAML."""
    if len(text) > MAX_BYTES:
        return None
    loader = yaml.BaseLoader(text)
    try:
        return loader.get_single_data()
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        return None
    finally:
        loader.dispose()


def _steps(jobs: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    for job, given in _table(jobs).items():
        steps = _table(given).get("steps")
        for step in steps if isinstance(steps, list) else []:
            yield job, _table(step)


def _of_step(
    path: str, job: str, step: Mapping[str, object], layer_of: Callable[[str], Layer | None]
) -> Iterator[CiStep]:
    script, folder = step.get("run"), step.get("working-directory")
    for line in script.splitlines() if isinstance(script, str) else []:
        layer = layer_of(line)
        if layer is not None:
            where = folder if isinstance(folder, str) else "."
            yield CiStep(file=path, job=job, run=line.strip(), layer=layer, folder=where)


def _table(value: object) -> Mapping[str, object]:
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {}
