"""The fix agent's hands: its file tools, bound to one attempt on one worktree."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from fixloop_bot.adapters.file_search import search
from fixloop_bot.adapters.proposals import Proposals
from fixloop_bot.adapters.safe_files import FileAccessError, SafeFiles
from fixloop_bot.core.edit import NoSuchPlace, replace_once
from fixloop_bot.core.guard.inner_tests import changed_test
from fixloop_bot.core.private_keys import mask_private_keys
from fixloop_bot.core.protect import GIT, Protection
from fixloop_bot.model.agent import Proposal, ToolCall, ToolResult

READ_LINES = 400
READ_CHARS = 20_000
LIST_LIMIT = 200
WRITE_LIMIT = 1_000_000
"""Characters that one call may write."""


PROPOSED = "your change is not made, but kept: finish need_decision to put it to a person as option A"


class _Proposed(FileAccessError):  # noqa: N818 - an answer to the agent, told the way a refusal is
    """A change of a protected file that is kept for a person."""

    def __init__(self, message: str) -> None:
        super().__init__(message, forbidden=True)


class FileWorkbench:
    """The port `Workbench` on real files.

    `list_files` gives the paths that git tracks or does not ignore, relative and POSIX: what git ignores (installed
    packages, say) is in no commit, but the checks would run it. `tracked` gives the committed ones: of what lies
    there uncommitted, which is the person's, the agent edits only what it made itself. `on_create` hears of a new file
    before it is there.
    """

    def __init__(
        self,
        files: SafeFiles,
        protection: Protection,
        list_files: Callable[[], Sequence[str]],
        *,
        tracked: Callable[[], Sequence[str]] | None = None,
        on_create: Callable[[str], None] = lambda _path: None,
    ) -> None:
        self._files = files
        self._protection = protection
        self._list_files = list_files
        # The agent commits nothing itself, so what is committed is asked for once.
        self._tracked = cache(lambda: frozenset(tracked())) if tracked else list_files
        self._on_create = on_create
        self._changed: set[str] = set()
        self._refused: list[str] = []
        self._proposals = Proposals(self._present)
        self._tools: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
            "read_file": self._read,
            "search": self._search,
            "list_files": self._list,
            "edit_file": self._edit,
            "create_file": self._create,
        }

    @property
    def changed(self) -> tuple[str, ...]:
        """Return the paths edited so far, sorted."""
        return tuple(sorted(self._changed))

    @property
    def refused(self) -> tuple[str, ...]:
        """Return the protected or forbidden paths that were asked for, in order."""
        return tuple(self._refused)

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """Return what it would change in protected files, by path."""
        return self._proposals.all()

    def call(self, call: ToolCall) -> ToolResult:
        """Carry out one file tool; whatever the model wrote, the answer is a result."""
        tool = self._tools.get(call.name)
        if tool is None:
            return ToolResult(call.call_id, f"no such tool; there are {', '.join(self._tools)}, finish", is_error=True)
        try:
            return ToolResult(call.call_id, tool(call.arguments))
        except FileAccessError as problem:
            if problem.forbidden:
                self._refused.append(str(call.arguments.get("path", ""))[:200])
            return ToolResult(call.call_id, str(problem), is_error=True, proposed=isinstance(problem, _Proposed))

    def _read(self, arguments: Mapping[str, Any]) -> str:
        lines = _shown(self._files.read(_text(arguments, "path"))).split("\n")
        lines = lines[:-1] if lines[-1] == "" else lines
        first = max(_number(arguments, "start_line", 1), 1)
        last = min(_number(arguments, "end_line", len(lines)), len(lines), first + READ_LINES - 1)
        text = "\n".join(lines[first - 1 : last])
        if first > last:
            return f"[nothing there; the file has {len(lines)} lines]"
        if len(text) > READ_CHARS:
            return text[:READ_CHARS] + f"\n[cut after {READ_CHARS} characters; ask for fewer lines]"
        whole = first == 1 and last == len(lines)
        return text if whole else f"{text}\n[lines {first}-{last} of {len(lines)}]"

    def _search(self, arguments: Mapping[str, Any]) -> str:
        pattern = _text(arguments, "pattern")
        if not pattern:
            raise FileAccessError("pattern is empty")
        return search(pattern, _text(arguments, "glob", ""), self._list_files(), self._files.read)

    def _list(self, arguments: Mapping[str, Any]) -> str:
        path = _text(arguments, "path", "")
        folder = "" if path.strip("./") == "" and ".." not in path else self._files.normal(path) + "/"
        below = sorted(name for name in self._list_files() if name.startswith(folder))
        if len(below) > LIST_LIMIT:
            below = _by_folder(below, folder)
        rest = [f"[{len(below) - LIST_LIMIT} more]"] if len(below) > LIST_LIMIT else []
        return "\n".join(below[:LIST_LIMIT] + rest) or "no files there"

    def _edit(self, arguments: Mapping[str, Any]) -> str:
        path, old, new = (_text(arguments, name) for name in ("path", "old", "new"))
        path = self._files.normal(path)
        _check_written(new)
        self._refuse_protected(path, lambda is_test: self._proposals.edit(path, old, new, is_test=is_test))
        content = self._files.read(path)
        if b"\0" in content:
            raise FileAccessError(f"{path} is binary")
        if path not in self._changed and path not in self._tracked():
            raise FileAccessError(f"{path} is in no commit and cannot be changed", forbidden=True)
        edited = replace_once(content.decode("utf-8", "surrogateescape"), old, new)
        if isinstance(edited, NoSuchPlace):
            raise FileAccessError(f"{path}: {edited.message.encode('utf-8', 'replace').decode()}")
        written = edited.encode("utf-8", "surrogateescape")
        if path in self._tracked() and (test := _changed_test(path, content, written)):
            self._proposals.edit(path, old, new, is_test=True)
            raise _Proposed(f"{path}: this changes the test `{test[:100]}`, which is read-only: {PROPOSED}")
        self._files.replace(path, written)
        self._changed.add(path)
        return "ok"

    def _create(self, arguments: Mapping[str, Any]) -> str:
        path, content = _text(arguments, "path"), _text(arguments, "content")
        path = self._files.normal(path)
        _check_written(content)
        if self._protection.rule_for_new(path):
            self._refuse_protected(path, lambda is_test: self._proposals.create(path, content, is_test=is_test))
        self._on_create(path)
        self._files.create(path, content.encode())
        if path not in self._list_files():
            self._files.remove(path)
            raise FileAccessError(f"git ignores {path}, so it would not be committed", forbidden=True)
        self._changed.add(path)
        return "ok"

    def _refuse_protected(self, path: str, keep: Callable[[bool], NoSuchPlace | None]) -> None:
        """Refuse to change a protected file, and keep what was asked for; what git itself obeys is not even kept."""
        rule = self._protection.rule(path)
        if rule is None:
            return
        if rule == GIT or not (self._present(path) is None or path in self._tracked()):
            raise FileAccessError(f"{path} is protected ({rule}): it is read-only", forbidden=True)
        problem = keep(self._protection.is_of_tests(path))
        if problem is not None:
            raise FileAccessError(f"{path} is protected ({rule}), and {problem.message}", forbidden=True)
        raise _Proposed(f"{path} is protected ({rule}): {PROPOSED}")

    def _present(self, path: str) -> str | None:
        """Return a file's text as an edit would see it, None for none, or none that a text edit can change."""
        try:
            content = self._files.read(path)
        except FileAccessError:
            return None
        return None if b"\0" in content else content.decode("utf-8", "surrogateescape")


def _changed_test(path: str, before: bytes, after: bytes) -> str:
    """Return the test that an edit changes in a product file, as the guard would read both; empty for none."""
    return changed_test(path, before.decode("utf-8", "replace"), after.decode("utf-8", "replace"))


def _shown(content: bytes) -> str:
    """Return the text as the agent sees it: no byte order mark, plain newlines, no private key, whole or in part."""
    if b"\0" in content[:4096]:
        raise FileAccessError("the file is binary")
    text = content.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    return mask_private_keys(text, keep_lines=True)


def _text(arguments: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = arguments.get(name, default)
    if not isinstance(value, str):
        raise FileAccessError(f"{name} must be a string" if name in arguments else f"{name} is missing")
    return value


def _number(arguments: Mapping[str, Any], name: str, default: int) -> int:
    value = arguments.get(name, default)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise FileAccessError(f"{name} must be a line number")
    return value


def _check_written(text: str) -> None:
    if len(text) > WRITE_LIMIT:
        raise FileAccessError(f"too much text at once: {len(text):,} characters")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise FileAccessError("the text has characters that UTF-8 cannot hold") from error
    if "\0" in text:
        raise FileAccessError("the text has a NUL character")


def _by_folder(paths: Sequence[str], folder: str) -> list[str]:
    """Return the entries of one folder, those below its subfolders as one line each with their number."""
    counts: dict[str, int] = {}
    for path in paths:
        head, slash, _ = path[len(folder) :].partition("/")
        counts[folder + head + slash] = counts.get(folder + head + slash, 0) + 1
    return [f"{name} ({count} files)" if name.endswith("/") else name for name, count in counts.items()]
