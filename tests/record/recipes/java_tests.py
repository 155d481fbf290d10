"""JUnit's own runners: the console launcher of JUnit 5, and JUnit 4's JUnitCore."""

from tests.record.recipe import BASE, DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.sources import shifted, truth

APP, TEST = "src/shop/App.java", "test/shop/AppTest.java"
JARS = ":".join(
    f"/usr/share/java/{name}.jar"
    for name in (
        "junit-jupiter-api", "junit-jupiter-engine", "junit-jupiter-params", "junit-platform-commons",
        "junit-platform-engine", "junit-platform-launcher", "junit-platform-console", "junit-platform-reporting",
        "opentest4j", "apiguardian-api", "picocli", "open-test-reporting-events", "open-test-reporting-tooling",
    )
)  # fmt: skip
JARS_4 = "/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar"
HOME = "-Duser.home=/srv"
"""So that no report names the home of whoever records."""


def build(jars: str) -> str:
    return f"mkdir -p out && javac -d out -cp {jars} $(find src test -name '*.java' | sort)"


def app(total: str, name: str) -> str:
    """Return a class with two methods that give back these expressions."""
    return f"""\
package shop;

public class App {{
    static int total(int a, int b) {{
        return {total};
    }}

    static String name(String text) {{
        return {name};
    }}
}}
"""


JUPITER = """\
package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AppTest {
    @Test
    void greets() {
        assertEquals(5, "hello".length());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void totals(int number) {
        assertEquals(number + 1, App.total(number, 1));
    }

    @Nested
    class Names {
        @Test
        void names() {
            assertEquals("abc", App.name("abc"));
        }
    }
}
"""
CORE = """\
package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class AppTest {
    @Test
    public void greets() {
        assertEquals(5, "hello".length());
    }

    @Test
    public void totals() {
        assertEquals(5, App.total(2, 3));
    }

    @Test
    public void names() {
        assertEquals("abc", App.name("abc"));
    }
}
"""
ONE, TWO, NAMES = "shop.AppTest.totals(int)[1]", "shop.AppTest.totals(int)[2]", "shop.AppTest$Names.names"
LAUNCH = "org.junit.platform.console.ConsoleLauncher --scan-classpath out --disable-banner"
WRONG = {APP: app("a - b", "text.substring(9)"), TEST: JUPITER}
WRONG_4 = {APP: app("a - b", "text.substring(9)"), TEST: CORE}
_JUNIT5 = tuple(
    Recipe(
        tool="junit5",
        case=case,
        layer="test",
        command=f"{build(JARS)} && java {HOME} -cp {JARS}:out {LAUNCH} {options}",
        needs=("javac",),
        packages="apt: default-jdk-headless junit5",
        files=WRONG,
        variants={
            SHIFTED: shifted(WRONG, APP, TEST),
            PARTIAL: {APP: app("a - b", "text")},
            OTHER: {APP: app("a - b", "text"), TEST: JUPITER.replace('(5, "hello"', '(4, "hello"')},
            DETAIL: {APP: app("a - b", "text.substring(8)")},
        },
        truths={
            BASE: truth((TEST, ONE), (TEST, TWO), (TEST, NAMES)),
            PARTIAL: truth((TEST, ONE), (TEST, TWO)),
            OTHER: truth((TEST, ONE), (TEST, TWO), (TEST, "shop.AppTest.greets")),
            DETAIL: truth((TEST, ONE), (TEST, TWO), (TEST, NAMES)),
        },
    )
    for case, options in (
        ("nested", "--disable-ansi-colors --reports-dir reports"),
        ("ascii", "--details-theme ascii"),
    )
)
_JUNIT4 = (
    Recipe(
        tool="junit4",
        case="assert",
        layer="test",
        command=f"{build(JARS_4)} && java -cp {JARS_4}:out org.junit.runner.JUnitCore shop.AppTest",
        needs=("javac",),
        packages="apt: default-jdk-headless junit4",
        files=WRONG_4,
        variants={
            SHIFTED: shifted(WRONG_4, APP, TEST),
            PARTIAL: {APP: app("a - b", "text")},
            OTHER: {APP: app("a + b", "text.substring(9)"), TEST: CORE.replace('(5, "hello"', '(4, "hello"')},
            DETAIL: {APP: app("a * b", "text.substring(9)")},
        },
        truths={
            BASE: truth((TEST, "shop.AppTest.totals"), (TEST, "shop.AppTest.names")),
            PARTIAL: truth((TEST, "shop.AppTest.totals")),
            OTHER: truth((TEST, "shop.AppTest.greets"), (TEST, "shop.AppTest.names")),
            DETAIL: truth((TEST, "shop.AppTest.totals"), (TEST, "shop.AppTest.names")),
        },
    ),
)
RECIPES = (*_JUNIT5, *_JUNIT4)
