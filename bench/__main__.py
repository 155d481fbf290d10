"""`python -m bench [NAME …] [--small] [--no-page]`: run all benchmarks, or those named, and show what they measured."""

import argparse
from collections.abc import Callable

from bench import growth, guard, installed, log, overhead, sandbox, service, sweep
from bench.locate import measure
from bench.peers import measure as peers
from bench.table import Section, publish, written

BENCHES: dict[str, Callable[..., Section]] = {
    "growth": growth.run,
    "guard": guard.run,
    "installed": installed.run,
    "locate": measure.run,
    "log": log.run,
    "overhead": overhead.run,
    "peers": peers.run,
    "sandbox": sandbox.run,
    "service": service.run,
    "sweep": sweep.run,
}


def main() -> None:
    """Run, print each table, and put it into docs/benchmarks.md."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(sorted(BENCHES))}; all by default")
    parser.add_argument("--small", action="store_true", help="less data, for a first look")
    parser.add_argument("--no-page", action="store_true", help="leave docs/benchmarks.md as it is")
    given = parser.parse_args()
    unknown = set(given.names) - BENCHES.keys()
    if unknown:
        parser.error(f"no benchmark is named {', '.join(sorted(unknown))}")
    for name in given.names or sorted(BENCHES):
        section = BENCHES[name](small=given.small)
        print(written(section), flush=True)
        if not given.no_page:
            publish(section)


if __name__ == "__main__":
    main()
