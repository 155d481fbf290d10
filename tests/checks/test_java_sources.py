"""Where the source of a class lies."""

import pytest

from fixloop_bot.checks.java_sources import JavaSources, before_frames
from fixloop_bot.checks.tool import ToolOutput


def sources(*files: str, modules: tuple[str, ...] = (), project: str = ".") -> JavaSources:
    return JavaSources(
        ToolOutput(text="", cwd="/p", root="/p", project=project, exists=frozenset(files).__contains__), modules
    )


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("shop.AppTest", "src/test/java/shop/AppTest.java"),
        ("shop.AppTest$Inner$Deep", "src/test/java/shop/AppTest.java"),
        ("shop.PriceTest", "src/test/kotlin/shop/PriceTest.kt"),
        ("Loose", "test/Loose.java"),
        ("shop.Spec", "src/integrationTest/java/shop/Spec.java"),
        ("org.junit.Assert", "src/test/java/org/junit/Assert.java"),
    ],
    ids=["a test", "a class within", "Kotlin", "no package", "another set of tests", "a library's own name"],
)
def test_a_class_is_found_by_its_package(name: str, file: str) -> None:
    assert sources(file).of_class(name) == (None if name.startswith("org.junit") else file)


def test_the_module_that_was_named_first_counts() -> None:
    files = ("core/src/test/java/A.java", "web/src/test/java/A.java")
    found = sources(*files, modules=("/p/core/", "web"))
    assert found.of_class("A") == files[0]
    assert found.of_class("A", ("/p/web",)) == files[1]


def test_a_module_outside_the_worktree_has_no_sources() -> None:
    found = sources("elsewhere/src/test/java/A.java", modules=("/elsewhere", "../elsewhere"))
    assert found.of_class("A") is None


def test_frames_name_the_files_that_are_here_innermost_first() -> None:
    found = sources("src/main/java/shop/App.java", "src/test/java/shop/AppTest.java", "src/main/kotlin/shop/Tools.kt")
    lines = [
        "\tat java.base/java.lang.String.substring(String.java:2709)",
        "\tat shop.ToolsKt.cut(Tools.kt:3)",
        "\tat app//shop.App.name(App.java:4)",
        "       shop.AppTest$Inner.lambda$names$0(AppTest.java:6)",
        "\tat shop.Gone.name(Gone.java:4)",
        "\tat shop.App.native(Native Method)",
        "\t... 12 more",
    ]
    assert found.frames(lines) == [
        ("src/main/kotlin/shop/Tools.kt", 3),
        ("src/main/java/shop/App.java", 4),
        ("src/test/java/shop/AppTest.java", 6),
    ]
    assert found.place("shop.AppTest", lines) == ("src/test/java/shop/AppTest.java", 6)
    assert found.place("shop.Elsewhere", lines) == ("src/main/kotlin/shop/Tools.kt", 3)


def test_a_message_ends_where_the_stack_begins() -> None:
    assert before_frames(["a.B: one", "two", "\tat x.Y.z(Y.java:1)", "Caused by: c"]) == "a.B: one\ntwo"


def test_a_thousand_strange_classes_do_not_ask_without_end() -> None:
    asked: list[str] = []

    def exists(path: str) -> bool:
        asked.append(path)
        return False

    found = JavaSources(ToolOutput(text="", exists=exists), [f"m{number}" for number in range(1_000)])
    assert [found.of_class(f"x.C{number}") for number in range(1_000)] == [None] * 1_000
    assert len(asked) < 200_000
