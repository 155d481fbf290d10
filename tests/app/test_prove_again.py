"""A recorded gate is run again as the commit's own checks, or it is said why it cannot be."""

from pathlib import Path

import pytest

from fixloop_bot.app.prove_again import Again, planned_keys, prove_again
from fixloop_bot.model.proof import Claim, Ended, Proof, TestCounts, Verdict
from tests.app.shop import Shop
from tests.fakes.clock import FakeClock

PASSED = Ended(0, "0" * 64)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def prove(shop: Shop, *keys: str, tests: TestCounts | None = None) -> Proof:
    """Return what comes of claiming that exactly these commands passed."""
    claim = Claim(
        run_id="r",
        commit="a" * 40,
        tree="b" * 40,
        person_head="c" * 40,
        commands=dict.fromkeys(keys, PASSED),
        tests={"test": tests} if tests else {},
    )
    project = shop.project
    return prove_again(
        claim,
        Again(
            plan=project.plan(),
            project=project,
            runner=shop.runner,
            progress=shop.watcher,
            clock=FakeClock(),
            redact=str,
        ),
    )


@pytest.mark.parametrize(
    ("config", "keys", "verdict", "why"),
    [
        pytest.param("layers: {test: 'true'}", ("test: [.] true",), Verdict.HOLDS, "", id="the same commands pass"),
        pytest.param("layers: {test: 'false'}", ("test: [.] false",), Verdict.BROKEN, "exit 1", id="one fails now"),
        pytest.param(
            "layers: {test: 'touch ran'}", ("test: [.] true",), Verdict.BROKEN, "has no such check: test: [.] true",
            id="the commit has another command",
        ),
        pytest.param(
            "layers: {lint: 'touch ran', test: 'true'}", ("test: [.] true",), Verdict.BROKEN, "lacks a check: lint",
            id="the record has not all of them",
        ),
        pytest.param(
            "layers: {test: 'true'}\nsetup: ['exit 3']", ("test: [.] true",), Verdict.UNCHECKED, "exit code 3",
            id="the project cannot be set up",
        ),
        pytest.param(
            "layers: {test: 'no-such-tool-here'}", ("test: [.] no-such-tool-here",), Verdict.UNCHECKED, "no-such-tool",
            id="a tool is missing",
        ),
    ],
)  # fmt: skip
def test_a_claim_holds_only_where_everything_is_as_recorded(
    shop: Shop, config: str, keys: tuple[str, ...], verdict: Verdict, why: str
) -> None:
    shop.write({".fixloop.yml": config})
    proof = prove(shop, *keys)
    assert (proof.verdict, why in "; ".join(proof.why)) == (verdict, True), proof
    assert not (shop.root / "ran").exists(), "nothing runs where the commands differ"


def test_a_runner_of_the_repository_s_own_is_planned_as_its_evidence_names_it(shop: Shop) -> None:
    shop.write({".fixloop.yml": "runner: check.sh", "check.sh": "#!/bin/sh\n"})
    assert list(planned_keys(shop.project.plan()))[2] == "test: [.] check.sh --project-root . --layer test"
