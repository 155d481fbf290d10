"""A new user's path to the bot service, by the README's own lines, in an environment with nothing in it."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

from tests.e2e.conftest import open_hub
from tests.e2e.github_stage import REPAIR
from tests.e2e.service_stage import Service, Worker
from tests.e2e.workspace import KEY, person_environment
from tests.entrypoints.test_init_app import Form
from tests.fakes.github import FakeGitHub, deliver
from tests.fakes.model_server import ModelServer
from tests.fakes.until import ended, until

ROOT: Final = Path(__file__).parents[2]


def lines() -> list[str]:
    """Return the commands of the README's section, without their comments."""
    block = re.search(r"<!-- service: .*?```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert block is not None
    return [line.partition("  #")[0].rstrip() for line in block[1].splitlines()]


def test_from_nothing_to_the_first_repaired_pull_request(tmp_path: Path) -> None:
    install, page, code, load, key, serve = lines()
    folder = tmp_path / "a new machine"
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    environment = person_environment() | {"PATH": f"{folder / 'venv' / 'bin'}:/usr/bin:/bin", "VIRTUAL_ENV": ""}

    def type_in(line: str, **more: str) -> None:
        done = subprocess.run(
            line, shell=True, cwd=folder, env=environment | more, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, line + done.stdout + done.stderr

    assert install == "pip install '.[service]'"
    type_in(f"pip install --quiet --disable-pip-version-check '{ROOT}[service]' pytest")
    with FakeGitHub(enterprise=True) as github, ModelServer([REPAIR]) as model:
        hub = open_hub(github, tmp_path)
        type_in(f"{page} --server-url {github.site}")
        sent_to = urlsplit(Form(folder / "fixloop-app.html").press())
        type_in(code.replace("CODE", parse_qs(sent_to.query)["code"][0]) + f" --server-url {github.site}")
        app = github.apps["fixloop"]
        pull = hub.break_it()
        start, installed = pull.head_sha, github.install(app, hub.shop)
        script = "\n".join([load, key.replace("...", KEY), f"exec {serve} --port 0 --state-dir '{folder}/state'"])
        more = {"ANTHROPIC_BASE_URL": model.url, "FIXLOOP_WRITE_EVERY": "0"}
        log = folder / "log"
        with (
            log.open("w") as stream,
            ended(
                subprocess.Popen(["sh", "-c", script], cwd=folder, env=environment | more, stderr=stream, text=True),
                gently=True,
            ) as process,
        ):
            worker = Worker(process, log, folder / "state")
            until(lambda: worker.has("listening"), process)
            service = Service(process, log, worker.state, url=f"http://127.0.0.1:{worker.told('listening')[0]['port']}")
            payload = github.payloads_for(installed).pull_request(pull)
            assert service.send(deliver("pull_request", payload, secret=app.webhook_secret)) == (202, "accepted")
            service.settle()
        assert process.returncode == 0, log.read_text()
        assert hub.subjects("feature", start) == ["fix-loop: test clean (iteration 1)"], log.read_text()
        assert "DONE: all validation layers passed" in hub.report(pull)
