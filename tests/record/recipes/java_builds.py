"""Maven and Gradle, offline, with what Debian packages."""

from tests.record.recipe import BASE, DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.recipes.java_tests import CORE, JUPITER, app
from tests.record.sources import shifted, truth

APP, TEST = "src/main/java/shop/App.java", "src/test/java/shop/AppTest.java"
OFFLINE = "-B -o -Dmaven.repo.local=/usr/share/maven-repo"
HOME = "-Duser.home=/srv"
"""So that no report names the home of whoever records."""
MAVEN = "apt: maven libsurefire-java libmaven-resources-plugin-java junit4"
POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId>
  <artifactId>shop</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>4.x</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-resources-plugin</artifactId>
        <version>3.3.0</version>
      </plugin>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.10.1</version>
      </plugin>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>2.22.3</version>
      </plugin>
    </plugins>
  </build>
</project>
"""
SCRIPT = """\
apply plugin: 'java'
repositories { flatDir { dirs '/usr/share/java' } }
dependencies {
    testCompile name: 'junit4'
    testCompile name: 'hamcrest-core'
}
test { testLogging { exceptionFormat 'full' } }
"""


WRONG = {APP: app("a - b", "text.substring(9)"), TEST: CORE}
WRONG_VARIANTS = {
    SHIFTED: shifted(WRONG, APP, TEST),
    PARTIAL: {APP: app("a - b", "text")},
    OTHER: {APP: app("a + b", "text.substring(9)"), TEST: CORE.replace('(5, "hello"', '(4, "hello"')},
    DETAIL: {APP: app("a * b", "text.substring(9)")},
}
WRONG_TRUTHS = {
    BASE: truth((TEST, "shop.AppTest.totals"), (TEST, "shop.AppTest.names")),
    PARTIAL: truth((TEST, "shop.AppTest.totals")),
    OTHER: truth((TEST, "shop.AppTest.greets"), (TEST, "shop.AppTest.names")),
    DETAIL: truth((TEST, "shop.AppTest.totals"), (TEST, "shop.AppTest.names")),
}
BROKEN = {APP: app('"none"', "text.trimm()"), TEST: CORE}
BROKEN_VARIANTS = {
    SHIFTED: shifted(BROKEN, APP),
    PARTIAL: {APP: app('"none"', "text")},
    OTHER: {APP: app('"none"', "1")},
    DETAIL: {APP: app('"none"', "text.small()")},
}
BROKEN_TRUTHS = {
    BASE: truth((APP, "incompatible-types"), (APP, "cannot-find-symbol")),
    PARTIAL: truth((APP, "incompatible-types")),
    OTHER: truth((APP, "incompatible-types"), (APP, "incompatible-types")),
    DETAIL: truth((APP, "incompatible-types"), (APP, "cannot-find-symbol")),
}
ONE, TWO, NAMES = "shop.AppTest.totals{int}[1]", "shop.AppTest.totals{int}[2]", "shop.AppTest$Names.names"
JUPITER_POM = (
    POM.replace("<groupId>junit<", "<groupId>org.junit.jupiter<")
    .replace("<artifactId>junit<", "<artifactId>junit-jupiter<")
    .replace("<version>4.x<", "<version>5.9.2<")
)
NESTED = {"pom.xml": JUPITER_POM, APP: app("a - b", "text.substring(9)"), TEST: JUPITER}
_JUPITER = Recipe(
    tool="maven",
    case="jupiter",
    layer="test",
    command=f"MAVEN_OPTS={HOME} mvn {OFFLINE} -DargLine={HOME} test",
    needs=("mvn",),
    packages=f"{MAVEN} junit5",
    version="mvn --version | grep -o 'Apache Maven [0-9.]*'",
    files=NESTED,
    variants={
        SHIFTED: shifted(NESTED, APP, TEST),
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

PARENT = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId>
  <artifactId>all</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <modules>
    <module>core</module>
    <module>web</module>
  </modules>
</project>
"""
MODULES = {
    "pom.xml": PARENT,
    **{
        f"{module}/pom.xml": POM.replace("<artifactId>shop<", f"<artifactId>shop-{module}<")
        for module in ("core", "web")
    },
    **{f"{module}/{path}": text for module in ("core", "web") for path, text in WRONG.items()},
    f"core/{APP}": app("a - b", "text"),
    f"web/{APP}": app("a + b", "text.substring(9)"),
}
CORE_TEST, WEB_TEST = f"core/{TEST}", f"web/{TEST}"
_MODULES = Recipe(
    tool="maven",
    case="modules",
    layer="test",
    command=f"MAVEN_OPTS={HOME} mvn {OFFLINE} -fae -DargLine={HOME} test",
    needs=("mvn",),
    packages=MAVEN,
    version="mvn --version | grep -o 'Apache Maven [0-9.]*'",
    files=MODULES,
    variants={
        SHIFTED: shifted(MODULES, f"core/{APP}", CORE_TEST),
        PARTIAL: {f"web/{APP}": app("a + b", "text")},
        OTHER: {f"web/{APP}": app("a * b", "text")},
        DETAIL: {f"core/{APP}": app("a * b", "text")},
    },
    truths={
        BASE: truth((CORE_TEST, "shop.AppTest.totals"), (WEB_TEST, "shop.AppTest.names")),
        PARTIAL: truth((CORE_TEST, "shop.AppTest.totals")),
        OTHER: truth((CORE_TEST, "shop.AppTest.totals"), (WEB_TEST, "shop.AppTest.totals")),
        DETAIL: truth((CORE_TEST, "shop.AppTest.totals"), (WEB_TEST, "shop.AppTest.names")),
    },
)


def maven(tool: str, case: str, layer: str, goal: str) -> Recipe:
    tested = case == "assert"
    return Recipe(
        tool=tool,
        case=case,
        layer=layer,
        command=f"MAVEN_OPTS={HOME} mvn {OFFLINE} -DargLine={HOME} {goal}",
        needs=("mvn",),
        packages=MAVEN,
        version="mvn --version | grep -o 'Apache Maven [0-9.]*'",
        files={"pom.xml": POM, **(WRONG if tested else BROKEN)},
        variants=WRONG_VARIANTS if tested else BROKEN_VARIANTS,
        truths=WRONG_TRUTHS if tested else BROKEN_TRUTHS,
    )


def gradle(tool: str, case: str, layer: str, task: str) -> Recipe:
    tested = case == "assert"
    return Recipe(
        tool=tool,
        case=case,
        layer=layer,
        command=f"gradle --no-daemon --offline --console=plain {task}",
        needs=("gradle",),
        packages="apt: gradle junit4",
        version="gradle --version | grep '^Gradle'",
        files={"build.gradle": SCRIPT, **(WRONG if tested else BROKEN)},
        variants=WRONG_VARIANTS if tested else BROKEN_VARIANTS,
        truths=WRONG_TRUTHS if tested else BROKEN_TRUTHS,
    )


RECIPES = (
    _JUPITER,
    _MODULES,
    maven("maven", "assert", "test", "test"),
    maven("maven", "compile", "test", "test"),
    maven("maven-build", "types", "compile", "test-compile"),
    gradle("gradle", "assert", "test", "test"),
    gradle("gradle", "compile", "test", "test"),
    gradle("gradle-build", "types", "compile", "classes testClasses"),
)
