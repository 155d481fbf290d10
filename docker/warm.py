"""Imports what a run imports, so that the image holds its bytecode: without, each job would compile it anew."""

import importlib
import pkgutil
import subprocess
import sys
import tempfile


def main() -> int:
    """Import every module of fixloop, and what the libraries load only when they are used."""
    import fixloop_bot

    for module in pkgutil.walk_packages(fixloop_bot.__path__, "fixloop_bot."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    import anthropic
    import github

    _ = anthropic.Anthropic(api_key="none").messages
    github.Github().close()
    with tempfile.TemporaryDirectory() as folder:
        # pytest's exit code 5: no test is there to be collected.
        return subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=folder).returncode - 5


if __name__ == "__main__":
    sys.exit(main())
