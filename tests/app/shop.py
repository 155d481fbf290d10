"""A repository with real commands, and a person who watches it being validated."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fixloop_bot.adapters.process import ProcessRunner
from fixloop_bot.adapters.project import GitProject
from fixloop_bot.app.free_fix import run_fixers
from fixloop_bot.app.validate import validate
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus, Validation
from fixloop_bot.model.state import LoopState
from tests.fakes.clock import FakeClock
from tests.toolchain import node_modules


@dataclass
class Watcher:
    """`Progress` that remembers what it was told."""

    told: list[str] = field(default_factory=list)

    def layer_started(self, layer: Layer, *, purpose: str) -> None:
        self.told.append(f"{purpose} {layer}")

    def layer_finished(self, result: LayerResult) -> None:
        self.told.append(f"{result.name}: {result.status}")

    def state_changed(self, state: LoopState) -> None:
        self.told.append(f"{state.phase}")

    def note(self, text: str) -> None:
        self.told.append(text)


@dataclass
class Shop:
    """One repository under a temporary folder; git is left out, as validation asks it for file names alone."""

    folder: Path
    watcher: Watcher = field(default_factory=Watcher)

    @property
    def root(self) -> Path:
        return self.folder / "a repository"

    @property
    def base_env(self) -> Mapping[str, str]:
        node = Path(shutil.which("node") or "/usr/bin/node").parent
        return {"PATH": f"/usr/local/bin:/usr/bin:/bin:{node}"}

    @property
    def project(self) -> GitProject:
        scratch = self.folder / "scratch"
        return GitProject(self.root, scratch=scratch, list_files=self.files, base_env=self.base_env)

    @property
    def runner(self) -> ProcessRunner:
        return ProcessRunner(self.base_env, self.folder / "scratch")

    def files(self) -> list[str]:
        found = (path.relative_to(self.root) for path in self.root.rglob("*") if path.is_file())
        return [path.as_posix() for path in found if "node_modules" not in path.parts]

    def write(self, files: Mapping[str, str]) -> "Shop":
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return self

    def with_node_tools(self, project: str = ".") -> "Shop":
        (self.root / project / "node_modules").symlink_to(node_modules())
        return self

    def validate(self, *, from_layer: Layer = Layer.COMPILE, only: Layer | None = None) -> Validation:
        project = self.project
        return validate(
            project.plan(), project, self.runner, self.watcher, from_layer=from_layer, only=only, clock=FakeClock()
        )

    def result(self, layer: Layer) -> LayerResult:
        result = self.validate(only=layer).result(layer)
        assert result is not None
        return result

    def fix(self, layer: Layer) -> tuple[str, ...]:
        project = self.project
        return run_fixers(project.plan(), layer, project, self.runner)


def statuses(validation: Validation) -> dict[str, str]:
    return {result.name.value: result.status.value for result in validation.layers}


PASS, FAIL, SKIP, ERROR = LayerStatus.PASS, LayerStatus.FAIL, LayerStatus.SKIP, LayerStatus.ERROR
