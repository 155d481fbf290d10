"""Programs that leave a mark, named wherever git can be told of a program."""

from pathlib import Path

import pytest


class Trap:
    """A program that leaves a mark when it runs."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "sprung"
        self.program = folder / "trap.sh"
        self.program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{self.mark}'\ncat 2>/dev/null\n")
        self.program.chmod(0o755)

    @property
    def sprung(self) -> str:
        return self.mark.read_text() if self.mark.exists() else ""

    def config(self) -> str:
        """Return a git configuration in which everything that can name a program names the trap."""
        program = f"sh '{self.program}'"
        return (
            f'[core]\n\tfsmonitor = {self.program}\n\tsshCommand = "{program}"\n\talternateRefsCommand = "{program}"\n'
            f"\thooksPath = {self.program.parent / 'hooks'}\n\tpager = {self.program}\n\taskPass = {self.program}\n"
            f'[filter "evil"]\n\tclean = "{program}"\n\tsmudge = "{program}"\n\trequired = true\n'
            f'[diff]\n\texternal = {self.program}\n[diff "evil"]\n\ttextconv = {self.program}\n'
            f'[merge "evil"]\n\tdriver = "{program} %A"\n[credential]\n\thelper = "!{program}"\n'
            f'[uploadpack]\n\tpackObjectsHook = "{program}"\n[gpg]\n\tprogram = {self.program}\n'
            "[commit]\n\tgpgSign = true\n[extensions]\n\tworktreeConfig = true\n"
            f'[url "ext::{self.program}"]\n\tinsteadOf = file://\n'
        )


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    made = Trap(tmp_path)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in (
        "post-checkout",
        "pre-push",
        "post-index-change",
        "reference-transaction",
        "pre-commit",
        "post-rewrite",
    ):
        (hooks / name).symlink_to(made.program)
    return made
