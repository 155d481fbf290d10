"""What actions/checkout leaves in the workspace before fixloop's step."""

import base64
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tests.fakes.github.state.git_store import git_environment
from tests.fakes.github.state.repository import Repository

if TYPE_CHECKING:
    from tests.fakes.github.fake import FakeGitHub


def check_out(github: "FakeGitHub", repository: Repository, environment: Mapping[str, str], token: str) -> Path:
    """Check the step's commit out into GITHUB_WORKSPACE and return that folder.

    As with actions/checkout the clone is shallow, a pull request's is detached, and the token stands in .git/config.
    """
    workspace, sha, ref = (Path(environment[f"GITHUB_{name}"]) for name in ("WORKSPACE", "SHA", "REF"))
    tracked = f"refs/remotes/{str(ref).removeprefix('refs/').replace('heads/', 'origin/', 1)}"
    basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    branch = ["-B", ref.relative_to("refs/heads").as_posix()] if ref.is_relative_to("refs/heads") else ["--detach"]
    for argv in (
        ["init", "--quiet"],
        ["remote", "add", "origin", github.clone_url(repository).removesuffix(".git")],
        ["config", f"http.{github.site}/.extraheader", f"AUTHORIZATION: basic {basic}"],
        ["fetch", "--quiet", "--no-tags", "--depth=1", "origin", f"+{sha}:{tracked}"],
        ["checkout", "--quiet", "--force", *branch, tracked],
    ):
        subprocess.run(["git", *argv], cwd=workspace, env=git_environment(), check=True, capture_output=True)
    return workspace
