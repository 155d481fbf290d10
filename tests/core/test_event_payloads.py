"""Single fields of payloads."""

from collections.abc import Callable

import pytest

from fixloop_bot.core.event_payloads import MAX_ITEMS, MAX_TEXT, Field, MalformedError, to_actor, to_origin
from fixloop_bot.model.event import Actor, RepositoryRef
from tests.core.github_events import NOON, NOON_S, REPOSITORY


def test_a_time_counts_with_its_zone_alone() -> None:
    assert Field(NOON).time() == NOON_S
    assert Field("2026-11-30T13:00:00+01:00").time() == NOON_S
    for text in ("2026-11-30T12:00:00", "yesterday", ""):
        with pytest.raises(MalformedError):
            Field(text).time()


def test_a_lone_surrogate_becomes_something_that_can_be_written() -> None:
    assert Field("a\ud800b").text() == "a?b"


def test_long_lists_end() -> None:
    assert len(list(Field([1] * 1000).items())) == MAX_ITEMS
    assert list(Field("abc").items()) == []


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (Field.text, "x" * (MAX_TEXT + 1)),
        (Field.text, 7),
        (Field.text_or, []),
        (Field.name, ""),
        (Field.name, "-x"),
        (Field.name, "a\0b"),
        (Field.name_or, {}),
        (Field.number, 0),
        (Field.number, 1.0),
        (Field.number, True),
        (Field.number, 2**63),
        (Field.number_or_none, "7"),
        (Field.sha, "A" * 40),
        (Field.sha, "a" * 41),
        (Field.sha, "a" * 40 + "\n"),
    ],
)
def test_what_is_of_the_wrong_kind_is_named_but_never_quoted(read: Callable[[Field], object], value: object) -> None:
    with pytest.raises(MalformedError, match=r"^`the\.way` is not a ") as caught:
        read(Field({"the": {"way": value}}).at("the", "way"))
    assert "xxx" not in str(caught.value)


@pytest.mark.parametrize("read", [Field.text_or, Field.name_or])
def test_null_and_absence_are_the_same(read: Callable[[Field], str]) -> None:
    assert read(Field({"here": None}).at("here")) == read(Field({}).at("here")) == ""


def test_commit_ids_of_both_kinds() -> None:
    assert Field("a" * 40).sha() == "a" * 40
    assert Field("a" * 64).sha() == "a" * 64


def test_an_old_account_has_no_type_and_is_a_person() -> None:
    assert to_actor(Field({"login": "alice", "id": 1})) == Actor(login="alice", id=1, type="User")
    assert to_actor(Field({"login": "x[bot]", "id": 2, "type": "Bot"})).is_bot


def test_the_payloads_own_repository_goes_before_the_edges() -> None:
    edge = RepositoryRef(full_name="octo/edge", id=3)
    assert to_origin(Field({"repository": REPOSITORY}), edge).repository.id == REPOSITORY["id"]
    assert to_origin(Field({}), edge).repository == edge
