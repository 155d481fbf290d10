"""What fixloop takes on the disk."""

from bench.installed import SDK, closure, total


def test_without_the_sdk_it_takes_at_most_sixty_megabytes() -> None:
    whole, lean = closure(), closure(without=SDK)
    assert SDK in whole
    assert SDK not in lean
    assert {"fixloop-bot", "cryptography", "pydantic-core"} <= lean.keys() <= whole.keys()
    (with_sdk, _), (brought, _) = total(whole), total(lean)
    assert 30 < brought <= min(60, with_sdk)
