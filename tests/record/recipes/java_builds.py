"""Maven and Gradle, offline, with what Debian packages."""

from tests.record.recipe import BASE, DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.recipes.java_tests import CORE, app
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
    maven("maven", "assert", "test", "test"),
    maven("maven", "compile", "test", "test"),
    maven("maven-build", "types", "compile", "test-compile"),
    gradle("gradle", "assert", "test", "test"),
    gradle("gradle", "compile", "test", "test"),
    gradle("gradle-build", "types", "compile", "classes testClasses"),
)
