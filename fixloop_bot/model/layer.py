"""The layers of the validation pyramid and what running one of them gave."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fixloop_bot.model.diagnostic import Diagnostic
from fixloop_bot.model.fingerprint import Fingerprint


class Layer(StrEnum):
    """A layer of the pyramid; `ORDER` has them lowest first."""

    COMPILE = "compile"
    LINT = "lint"
    TEST = "test"
    VISUAL = "visual"
    RUBRIC = "rubric"

    @property
    def rank(self) -> int:
        """Return the position in the pyramid, 0 being the lowest."""
        return ORDER.index(self)


ORDER: tuple[Layer, ...] = (Layer.COMPILE, Layer.LINT, Layer.TEST, Layer.VISUAL, Layer.RUBRIC)


class LayerStatus(StrEnum):
    """What a layer's run means; only `PASS` is a pass."""

    PASS = "pass"  # noqa: S105
    FAIL = "fail"
    SKIP = "skip"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class TestReport:
    """What a test runner says of the tests that it ran; ids as the runner names them."""

    __test__ = False

    executed: int
    """Tests that ran to a verdict (passed or failed)."""
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One command of a layer as it was run: enough to run it again and compare."""

    command: str
    """As a person would type it in `project`."""
    project: str
    """Root of the project inside the worktree, `.` for the worktree itself."""
    exit_code: int | None
    """Negative: ended by that signal. None: it could not be started."""
    duration_s: float
    output_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerResult:
    """One layer's run over all projects of the worktree."""

    name: Layer
    status: LayerStatus
    output: str = ""
    """At most 100 lines, chosen so that the failure is in them."""
    error_count: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()
    reason: str = ""
    """Why it was skipped or is in error, or which limit ended it; empty for a plain pass or fail."""
    evidence: tuple[Evidence, ...] = ()
    fingerprint: Fingerprint | None = None
    """Set exactly when the layer failed or is in error."""
    tests: TestReport | None = None
    affected_files: tuple[str, ...] = ()
    """Paths of the diagnostics and stack traces that exist in the worktree, most telling first."""
    pictures: tuple[str, ...] = ()
    """Where pictures of the failure are kept, relative to the state folder (in a validation alone: absolute)."""
    missing: tuple[str, ...] = ()
    """What the environment lacks, in words that a person can act on."""
    environmental: bool = False
    """The failure is the environment's, not the code's."""
    ambiguous: bool = False
    """No rule found anything that speaks for the environment or for the code; then it counts as the code's."""

    @property
    def exit_code(self) -> int | None:
        """Return the exit code that decided the status: the first that is not 0, else 0."""
        return next((e.exit_code for e in self.evidence if e.exit_code != 0), 0 if self.evidence else None)

    @property
    def duration_s(self) -> float:
        """Return the wall-clock seconds of all its commands."""
        return sum(e.duration_s for e in self.evidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """One run of the pyramid, lowest layer first; layers above a failing one are absent."""

    project_type: str
    layers: tuple[LayerResult, ...]
    planned: tuple[Layer, ...] = ()
    """Layers that have something to run, whether or not this run came to them."""
    tree: str = ""
    """git tree that was validated, where known."""
    setup: tuple[str, ...] = ()
    """The `setup` commands that ran before, where nothing but the commit's own files had lain; empty: in a worktree."""
    started_from: Layer = Layer.COMPILE
    extra: Mapping[str, str] = field(default_factory=dict)

    @property
    def overall(self) -> LayerStatus:
        """Return `fail`, else `error`, else `skip` if nothing ran, else `pass`."""
        seen = {result.status for result in self.layers}
        for status in (LayerStatus.FAIL, LayerStatus.ERROR):
            if status in seen:
                return status
        return LayerStatus.PASS if LayerStatus.PASS in seen else LayerStatus.SKIP

    @property
    def failing(self) -> LayerResult | None:
        """Return the lowest layer that failed or is in error."""
        bad = (LayerStatus.FAIL, LayerStatus.ERROR)
        return next((result for result in self.layers if result.status in bad), None)

    @property
    def passed(self) -> tuple[Layer, ...]:
        """Return the layers that passed."""
        return tuple(result.name for result in self.layers if result.status is LayerStatus.PASS)

    def result(self, layer: Layer) -> LayerResult | None:
        """Return the result of one layer, None if this run did not come to it."""
        return next((result for result in self.layers if result.name is layer), None)
