"""docs/toolchains.md speaks of what is built."""

import re
from typing import Any

import yaml

from tests.packaging import ROOT, load, read

DOCUMENT = read("docs/toolchains.md")
DOCKERFILE = read("Dockerfile")
PROGRAMS = {
    "Go": "golang-go", "clippy": "rust-clippy", "rustfmt": "rustfmt", "Java 21": "default-jdk-headless",
    "Maven": "maven", "Ruby": "ruby", "Bundler": "bundler", "PHP": "php-cli", "Composer": "composer", "gcc": "gcc",
    "g++": "g++", "make": "make", "CMake": "cmake", "Ninja": "ninja-build", "ShellCheck": "shellcheck",
}  # fmt: skip
"""What the page names of the full flavour, and the Debian package that brings it."""


def rows() -> dict[str, list[str]]:
    """Return the table's cells by flavour."""
    lines = [line.strip("|").split("|") for line in DOCUMENT.splitlines() if line.startswith("| ")]
    return {cells[0].strip(): [cell.strip() for cell in cells[1:]] for cells in lines[1:]}


def workflows() -> list[dict[str, Any]]:
    """Return the page's examples."""
    return [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.+?)```", DOCUMENT, re.DOTALL)]


def test_every_flavour_has_its_row_in_the_order_of_the_dockerfile() -> None:
    stages = re.findall(r"^FROM \S+ AS (\S+)$", DOCKERFILE, re.MULTILINE)
    assert list(rows()) == [stage for stage in stages if stage in rows()]
    assert list(rows()) == ["slim", "default", "full"]


def test_the_full_flavour_has_what_the_page_names() -> None:
    installed = re.findall(r"[\w.+-]+", DOCKERFILE[DOCKERFILE.index("AS full") :])
    named = rows()["full"][1]
    assert [name for name in PROGRAMS if name not in named] == []
    assert [package for package in PROGRAMS.values() if package not in installed] == []


def test_the_examples_use_inputs_that_exist() -> None:
    inputs = load("action.yml")["inputs"]
    steps = [step for flow in workflows() for job in flow.get("jobs", {}).values() for step in job["steps"]]
    given = [name for step in steps if "fixloop" in step.get("uses", "") for name in step["with"]]
    assert given
    assert [name for name in given if name not in inputs] == []


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", DOCUMENT + read("docs/adr/0005-the-image.md"))
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
