"""Workflow files: from text to what fixloop looks at, in bounded time and without ever raising."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from fixloop_bot.core.workflow_file import NOBODY
from fixloop_bot.model.workflow import BadWorkflow, WorkflowFile

FOLDER = ".github/workflows"
MAX_BYTES = 256 * 1024
MOST_FILES = 100
_RANK = {"none": 0, "read": 1, "write": 2}


def parse_workflow(text: str, path: str) -> WorkflowFile | BadWorkflow:
    """Return what the workflow says. Keys stay texts, `on` among them, which YAML 1.1 takes for a truth value."""
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        return BadWorkflow(path, f"it is larger than {MAX_BYTES // 1024} KB")
    try:
        data = _load(text)
    except (yaml.YAMLError, RecursionError, ValueError, TypeError) as error:
        mark = getattr(error, "problem_mark", None)
        return BadWorkflow(path, f"it is not valid YAML{f', line {mark.line + 1}' if mark else ''}")
    if not isinstance(data, dict):
        return BadWorkflow(path, "it is no table of keys and values")
    return _workflow(data, path)


def local_workflows(root: Path) -> Iterator[WorkflowFile]:
    """Yield the workflows below a folder that can be read; links and what is too large are left out."""
    folder = root / FOLDER
    if (root / ".github").is_symlink() or folder.is_symlink() or not folder.is_dir():
        return
    found = sorted(path for path in folder.iterdir() if path.suffix in (".yml", ".yaml"))
    for path in found[:MOST_FILES]:
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= MAX_BYTES:
            read = parse_workflow(path.read_text(encoding="utf-8", errors="replace"), f"{FOLDER}/{path.name}")
            if isinstance(read, WorkflowFile):
                yield read


def _load(text: str) -> object:
    loader = yaml.BaseLoader(text)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()


def _workflow(data: Mapping[object, object], path: str) -> WorkflowFile:
    jobs = [job for job in _table(data.get("jobs")).values() if isinstance(job, dict)]
    ours = [job for job in jobs if any(_is_ours(step) for step in _steps(job))]
    used = [str(step.get("uses", "")) for job in ours for step in _steps(job)]
    said = [job.get("permissions", data.get("permissions")) for job in ours]
    name = data.get("name")
    return WorkflowFile(
        path=path,
        name=name[:200] if isinstance(name, str) and name else path,
        events=_events(data.get("on")),
        uses_fixloop=bool(ours),
        placeholder=any(one.startswith(NOBODY) for one in used),
        permissions=None if None in said else _most(said),
    )


def _events(on: object) -> frozenset[str]:
    given = [on] if isinstance(on, str) else list(on) if isinstance(on, list | dict) else []
    return frozenset(one for one in given if isinstance(one, str))


def _steps(job: Mapping[object, object]) -> list[Mapping[object, object]]:
    steps = job.get("steps")
    return [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []


def _is_ours(step: Mapping[object, object]) -> bool:
    """Return whether the step runs fixloop, under whatever name it is published: by the name or by its inputs."""
    given = _table(step.get("with"))
    return "fixloop" in str(step.get("uses", "")).lower() or {"github-token", "anthropic-api-key"} <= set(given)


def _most(said: list[object]) -> Mapping[str, str]:
    most: dict[str, str] = {}
    for one in said:
        for name, level in _permissions(one).items():
            if _RANK.get(level, 0) > _RANK.get(most.get(name, "none"), 0):
                most[name] = level
    return most


def _permissions(said: object) -> Mapping[str, str]:
    if isinstance(said, str):
        return {"*": said.removesuffix("-all")}
    return {name: level for name, level in _table(said).items() if isinstance(name, str) and isinstance(level, str)}


def _table(value: object) -> Mapping[object, object]:
    return value if isinstance(value, dict) else {}
