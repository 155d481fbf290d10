"""`fixloop run` on real Java repositories, Maven's and one without a build tool: a failure in each layer, repaired."""

import pytest

from tests.e2e.workspace import Workspace
from tests.fakes.model_server import ModelServer, edit, finish, turn
from tests.record.recipes.java_builds import POM
from tests.record.recipes.java_tests import JARS, LAUNCH
from tests.system.toolchains import install

TOOLS = {
    "javac": "default-jdk-headless",
    "mvn": "maven",
    "checkstyle": "checkstyle",
    "/usr/share/maven-repo/org/apache/maven/plugins/maven-compiler-plugin/3.10.1": "libmaven-compiler-plugin-java",
    "/usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin/2.22.3": "libsurefire-java",
    "/usr/share/maven-repo/org/apache/maven/plugins/maven-resources-plugin/3.3.0": "libmaven-resources-plugin-java",
    "/usr/share/java/junit4.jar": "junit4",
    "/usr/share/java/junit-platform-console.jar": "junit5",
}
RULES = """\
<?xml version="1.0"?>
<!DOCTYPE module PUBLIC "-//Checkstyle//DTD Checkstyle Configuration 1.3//EN"
    "https://checkstyle.org/dtds/configuration_1_3.dtd">
<module name="Checker">
  <module name="TreeWalker">
    <module name="NeedBraces"/>
  </module>
</module>
"""
PRICE = """\
package shop;

public class Price {
    static int total(int[] prices) {
        int sum = 0
        for (int price : prices) {
            sum += price;
        }
        return sum;
    }
}
"""
STOCK = """\
package shop;

public class Stock {
    static int pages(int items, int perPage) {
        if (items == 0) return 0;
        return items / perPage;
    }
}
"""
JUNIT_4 = """\
package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class ShopTest {
    @Test
    public void totalAddsUp() {
        assertEquals(3, Price.total(new int[] {1, 2}));
    }

    @Test
    public void aStartedPageIsAPage() {
        assertEquals(3, Stock.pages(21, 10));
    }
}
"""
JUNIT_5 = (
    JUNIT_4.replace("org.junit.Assert.", "org.junit.jupiter.api.Assertions.")
    .replace("org.junit.Test", "org.junit.jupiter.api.Test")
)  # fmt: skip
# One process less: forks wait long where the machine has no name that can be looked up.
UNFORKED = "<version>2.22.3</version><configuration><forkCount>0</forkCount></configuration>"
MAVEN = {
    "pom.xml": POM.replace("<version>2.22.3</version>", UNFORKED),
    ".mvn/maven.config": "-o\n-Dmaven.repo.local=/usr/share/maven-repo\n",
    ".gitignore": "target/\n",
    ".fixloop.yml": 'version: 1\nlayers: {lint: "checkstyle -c checkstyle.xml src/main"}\n',
    "checkstyle.xml": RULES,
    "src/main/java/shop/Price.java": PRICE,
    "src/main/java/shop/Stock.java": STOCK,
    "src/test/java/shop/ShopTest.java": JUNIT_4,
}
PLAIN = {
    ".gitignore": "out/\n",
    ".fixloop.yml": f"""\
version: 1
layers:
  compile: mkdir -p out && javac -d out -cp {JARS} src/main/java/shop/*.java src/test/java/shop/*.java
  lint: checkstyle -c checkstyle.xml src/main
  test: java -cp {JARS}:out {LAUNCH}
""",
    **{path: text for path, text in MAVEN.items() if path.endswith(("checkstyle.xml", ".java"))},
    "src/test/java/shop/ShopTest.java": JUNIT_5,
}
REPAIRS = [
    turn(edit("src/main/java/shop/Price.java", "int sum = 0\n", "int sum = 0;\n"), finish("done", hypothesis="a sign")),
    turn(
        edit(
            "src/main/java/shop/Stock.java",
            "        if (items == 0) return 0;\n",
            "        if (items == 0) {\n            return 0;\n        }\n",
        ),
        finish("done", hypothesis="braces"),
    ),
    turn(
        edit("src/main/java/shop/Stock.java", "items / perPage", "(items + perPage - 1) / perPage"),
        finish("done", hypothesis="rounding"),
    ),
]


@pytest.fixture(scope="module", autouse=True)
def toolchain() -> None:
    install(TOOLS)


@pytest.mark.parametrize("files", [MAVEN, PLAIN], ids=["maven", "javac and JUnit's launcher"])
def test_three_layers_of_a_java_repository(workspace: Workspace, files: dict[str, str]) -> None:
    start = workspace.commit(files)
    with ModelServer(REPAIRS) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "5")
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == [
        "fix-loop: compile clean (iteration 1)",
        "fix-loop: lint clean (iteration 2)",
        "fix-loop: test clean (iteration 3)",
    ]
    assert workspace.status == ""
    failing = [record["verification_before"]["failing"] for record in workspace.records()]
    assert [len(one) for one in failing] == [1, 1, 1], failing
    assert "shop.ShopTest.aStartedPageIsAPage" in str(failing[2])
