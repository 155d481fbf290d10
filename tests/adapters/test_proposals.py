"""Edits of protected files: on no disk, kept as one exact diff for a person."""

from tests.adapters.test_workbench import Place, place
from tests.fakes.model_script import create, edit

__all__ = ["place"]
TEST = "def test_a():\n    assert f() == 1\n    assert g() == 1\n"


def test_edits_of_one_protected_file_build_on_each_other_and_stay_off_the_disk(place: Place) -> None:
    target = place.put("tests/test_a.py", TEST)
    first = place.bench.call(edit("tests/test_a.py", "f() == 1", "f() == 2"))
    second = place.bench.call(edit("tests/test_a.py", "g() == 1", "g() == 3"))
    assert (first.is_error, first.proposed, second.proposed) == (True, True, True)
    assert target.read_text() == TEST
    (proposal,) = place.bench.proposals
    assert proposal.before == TEST
    assert proposal.after == "def test_a():\n    assert f() == 2\n    assert g() == 3\n"
    assert proposal.is_test


def test_an_edit_that_fits_nowhere_is_refused_with_its_reason_and_not_kept(place: Place) -> None:
    place.put("tests/test_a.py", TEST)
    answer = place.bench.call(edit("tests/test_a.py", "== 1", "== 2"))
    assert (answer.is_error, answer.proposed) == (True, False)
    assert "2 times" in answer.content
    assert place.bench.proposals == ()


def test_a_test_inside_a_product_file_is_proposed_on_top_of_the_edits_that_were_made(place: Place) -> None:
    tests = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() { assert_eq!(super::f(), 1); }\n}\n"
    rust = f"pub fn f() -> i32 {{ 1 }}\n\n{tests}"
    target = place.put("src/lib.rs", rust)
    assert place.bench.call(edit("src/lib.rs", "assert_eq!(super::f(), 1)", "assert_eq!(super::f(), 2)")).proposed
    assert place.bench.call(edit("src/lib.rs", "{ 1 }", "{ 2 }")).content == "ok"
    (proposal,) = place.bench.proposals
    assert "assert_eq!(super::f(), 1)" in target.read_text()
    assert "{ 2 }" in proposal.after
    assert "assert_eq!(super::f(), 2)" in proposal.after
    assert proposal.is_test


def test_configuration_is_proposed_as_what_it_is_and_git_s_own_files_are_not_even_kept(place: Place) -> None:
    place.put("pyproject.toml", "x = 1\n")
    place.put(".gitattributes", "* text\n")
    assert place.bench.call(edit("pyproject.toml", "x = 1", "x = 2")).proposed
    assert place.bench.call(create(".github/workflows/ci.yml", "on: push\n")).proposed
    assert not place.bench.call(edit(".gitattributes", "* text", "* -text")).proposed
    assert [(one.path, one.is_test) for one in place.bench.proposals] == [
        (".github/workflows/ci.yml", False),
        ("pyproject.toml", False),
    ]
    assert not (place.root / ".github").exists()


def test_a_question_changes_a_bounded_number_of_files(place: Place) -> None:
    answers = [place.bench.call(create(f"tests/data/{number}.json", "{}\n")) for number in range(25)]
    assert [answer.proposed for answer in answers].count(True) == 20
    assert len(place.bench.proposals) == 20
