"""Where the logs of jobs lie: another store, which takes a signed address and no credential."""

import io
import zipfile
from typing import TYPE_CHECKING

from tests.fakes.github.call import Reply, Request

if TYPE_CHECKING:
    from tests.fakes.github.fake import FakeGitHub

PREFIX = "/_logs/"


def answer(github: "FakeGitHub", request: Request) -> Reply:
    """Return a log, or refuse a client that brings its GitHub credential along."""
    if "authorization" in request.headers:
        return Reply(status=400, body=b"<Error><Code>InvalidAuthenticationInfo</Code></Error>")
    if request.query.get("sig") != "signed":
        return Reply(status=403, body=b"<Error><Code>AuthenticationFailed</Code></Error>")
    owner, name, file = request.path.removeprefix(PREFIX).split("/", 2)
    repository = github.repositories[f"{owner}/{name}".lower()]
    kind, _, number = file.partition(".")[0].partition("-")
    if kind == "job":
        text = repository.jobs[int(number)][1].log.encode("utf-8", "surrogateescape")
        return Reply(body=b"\xef\xbb\xbf" + text, headers={"Content-Type": "text/plain; charset=utf-8"})
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for position, job in enumerate(repository.runs[int(number)].jobs):
            archive.writestr(f"{position}_{job.name}.txt", job.log)
    return Reply(body=packed.getvalue(), headers={"Content-Type": "application/zip"})
