"""Takes out of fixloop's own environment what it never reads: half of it is descriptions of clouds and languages.

Run by the Dockerfile with the folder of the installed libraries; it says what it saved.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

KEPT: dict[str, frozenset[str]] = {
    # Sessions and the services that hand out credentials; the SDK signs the calls to the model itself.
    "botocore/data": frozenset({"sts", "sso", "sso-oidc", "signin", "bedrock-runtime"}),
    # rich and pytest name the language they colour; fixloop's own output is never coloured code.
    "pygments/lexers": frozenset({"__init__.py", "_mapping.py", "python.py", "special.py", "diff.py"}),
}
"""What stays of folders whose every entry stands for a service or a language."""


def main() -> int:
    """Prune, print megabytes saved, and fail where a folder to prune is not where it is expected."""
    libraries = Path(sys.argv[1])
    saved = 0
    for place, kept in KEPT.items():
        entries = list(_pruned(libraries / place, kept))
        if not entries:
            sys.stderr.write(f"nothing to prune in {place}: has it moved?\n")
            return 1
        saved += sum(map(_size, entries))
        for entry in entries:
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    sys.stdout.write(f"pruned {saved / 1e6:.0f} MB\n")
    return 0


def _pruned(folder: Path, kept: frozenset[str]) -> Iterator[Path]:
    """Yield what goes; beside named entries, data files that serve all services stay."""
    for entry in sorted(folder.iterdir() if folder.is_dir() else ()):
        if entry.name not in kept and (entry.is_dir() or entry.suffix == ".py"):
            yield entry


def _size(entry: Path) -> int:
    files = entry.rglob("*") if entry.is_dir() else (entry,)
    return sum(file.stat().st_size for file in files if file.is_file())


if __name__ == "__main__":
    sys.exit(main())
