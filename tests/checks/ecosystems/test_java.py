"""What validates a Maven or Gradle repository."""

import pytest

from fixloop_bot.checks.ecosystems.java import detect
from fixloop_bot.model.layer import Layer
from tests.checks.ecosystems.repository import fixers, plan, snapshot, told_of

APP, TEST = "src/main/java/shop/App.java", "src/test/java/shop/AppTest.java"
SOURCES = {APP: "", TEST: ""}


def pom(inside: str = "") -> str:
    return f'<project xmlns="http://maven.apache.org/POM/4.0.0"><artifactId>shop</artifactId>{inside}</project>'


def plugins(*artifacts: str, settings: str = "") -> str:
    named = (f"<plugin><artifactId>{name}</artifactId>{settings}</plugin>" for name in artifacts)
    return f"<build><plugins>{''.join(named)}</plugins></build>"


CONFIGURED = "<configuration><configLocation>checkstyle.xml</configLocation></configuration>"
MANAGED = f"<plugins><plugin><artifactId>maven-checkstyle-plugin</artifactId>{CONFIGURED}</plugin></plugins>"
BOUND = "<executions><execution><id>style</id><goals><goal>check</goal></goals></execution></executions>"


def test_maven_compiles_its_tests_too_and_then_runs_them() -> None:
    files = SOURCES | {"pom.xml": pom()}
    assert told_of(files, Layer.COMPILE) == ["mvn -B -fae test-compile [maven-build]"]
    assert told_of(files, Layer.LINT) == []
    assert told_of(files, Layer.TEST) == ["mvn -B -fae test [maven]"]
    assert plan(files).project_type == "java"


def test_without_tests_nothing_is_tested() -> None:
    assert told_of({APP: "", "pom.xml": pom()}, Layer.TEST) == []
    elsewhere = pom("<build><testSourceDirectory>checks</testSourceDirectory></build>")
    assert told_of({APP: "", "pom.xml": elsewhere}, Layer.TEST) == ["mvn -B -fae test [maven]"]


def test_a_pom_without_sources_is_no_project() -> None:
    assert plan({"pom.xml": pom()}).checks == ()


WRAPPED = {"mvnw": "", ".mvn/wrapper/maven-wrapper.properties": ""}


@pytest.mark.parametrize(
    ("more", "program"),
    [
        pytest.param(WRAPPED, "./mvnw", id="the wrapper comes first"),
        pytest.param({"mvnw": ""}, "mvn", id="a wrapper without its properties cannot run"),
        pytest.param({}, "mvn", id="no wrapper"),
    ],
)
def test_the_wrapper_runs_where_it_is_whole(more: dict[str, str], program: str) -> None:
    assert told_of(SOURCES | {"pom.xml": pom()} | more, Layer.TEST) == [f"{program} -B -fae test [maven]"]


def test_a_project_inside_uses_the_wrapper_around_it() -> None:
    files = {f"tools/gen/{path}": "" for path in SOURCES} | {"tools/gen/pom.xml": pom()} | WRAPPED
    assert told_of(files, Layer.TEST) == ["tools/gen: ../../mvnw -B -fae test [maven]"]


@pytest.mark.parametrize(
    ("settings", "goal"),
    [
        pytest.param(CONFIGURED, "checkstyle:check", id="configured for every call"),
        pytest.param(BOUND, "checkstyle:check@style", id="configured for one execution"),
        pytest.param(BOUND.replace("<id>style</id>", ""), "checkstyle:check@default", id="an execution without a name"),
        pytest.param(BOUND + CONFIGURED, "checkstyle:check@style", id="both"),
    ],
)
def test_checkstyle_runs_with_the_projects_own_settings(settings: str, goal: str) -> None:
    files = SOURCES | {"pom.xml": pom(plugins("maven-checkstyle-plugin", settings=settings))}
    assert told_of(files, Layer.LINT) == [f"mvn -B -fae {goal} [maven-build]"]


def test_a_linter_stays_out_of_the_layers_of_others() -> None:
    files = SOURCES | {"pom.xml": pom(plugins("maven-checkstyle-plugin", settings=BOUND))}
    assert told_of(files, Layer.COMPILE) == ["mvn -B -fae -Dcheckstyle.skip test-compile [maven-build]"]
    assert told_of(files, Layer.TEST) == ["mvn -B -fae -Dcheckstyle.skip test [maven]"]


@pytest.mark.parametrize(
    "inside",
    [
        pytest.param(plugins("maven-checkstyle-plugin"), id="named alone, it would bring rules that nobody chose"),
        pytest.param(
            f"<build><pluginManagement>{MANAGED}</pluginManagement></build>",
            id="managed, but used by nobody",
        ),
        pytest.param(plugins("maven-checkstyle-plugin", settings="<configuration/>"), id="an empty configuration"),
    ],
)
def test_a_linter_that_is_not_set_up_does_not_run(inside: str) -> None:
    assert told_of(SOURCES | {"pom.xml": pom(inside)}, Layer.LINT) == []


def test_formatters_check_and_repair() -> None:
    files = SOURCES | {"pom.xml": pom(plugins("spotless-maven-plugin", "ktlint-maven-plugin"))}
    assert told_of(files, Layer.LINT) == [
        "mvn -B -fae spotless:check [maven-build]",
        "mvn -B -fae ktlint:check [maven-build]",
    ]
    assert fixers(files) == ["mvn -B -fae spotless:apply", "mvn -B -fae ktlint:format"]


MODULES = "<modules><module>core</module><module>web/pom.xml</module></modules>"
REACTOR = {
    "pom.xml": pom(MODULES),
    "core/pom.xml": pom(plugins("maven-checkstyle-plugin", settings=CONFIGURED)),
    f"core/{APP}": "",
    "web/pom.xml": pom("<profiles><profile><modules><module>../extra</module></modules></profile></profiles>"),
    f"web/{TEST}": "",
    "extra/pom.xml": pom(),
    f"extra/{TEST}": "",
    "old/pom.xml": pom(),
    f"old/{APP}": "",
}


def test_a_reactor_is_one_project_and_a_pom_that_nobody_names_another() -> None:
    assert told_of(REACTOR, Layer.TEST) == ["mvn -B -fae -Dcheckstyle.skip test [maven]"]
    assert told_of(REACTOR, Layer.COMPILE)[1:] == ["old: mvn -B -fae test-compile [maven-build]"]


def test_a_modules_own_linter_runs_there_alone() -> None:
    assert told_of(REACTOR, Layer.LINT) == ["mvn -B -fae -pl core checkstyle:check [maven-build]"]


def test_a_linter_of_the_whole_reactor_runs_after_the_modules_know_each_other() -> None:
    root = pom(MODULES + plugins("maven-checkstyle-plugin", settings=BOUND))
    assert told_of(REACTOR | {"pom.xml": root}, Layer.LINT) == [
        "mvn -B -fae test-compile checkstyle:check@style [maven-build]"
    ]


def test_modules_in_a_circle_come_to_an_end() -> None:
    files = {
        "a/pom.xml": pom("<modules><module>../b</module></modules>"),
        "b/pom.xml": pom("<modules><module>../a</module><module>../../../out</module></modules>"),
        f"b/{APP}": "",
    }
    assert told_of(files, Layer.COMPILE) == ["a: mvn -B -fae test-compile [maven-build]"]


@pytest.mark.parametrize(
    "text",
    ["", "<project", "<!DOCTYPE a><project/>", "<html/>", "<project>" * 5_000, pom("<modules><module/></modules>")],
    ids=["empty", "cut off", "a DTD", "no pom", "nested without end", "a module without a name"],
)
def test_a_broken_pom_is_still_maven(text: str) -> None:
    assert told_of(SOURCES | {"pom.xml": text}, Layer.TEST) == ["mvn -B -fae test [maven]"]


GRADLE = SOURCES | {"settings.gradle": "", "build.gradle": "plugins { id 'java' }\n"}


def test_gradle_compiles_and_tests_anew() -> None:
    assert told_of(GRADLE, Layer.COMPILE) == ["gradle --no-daemon --continue classes testClasses [gradle-build]"]
    assert told_of(GRADLE, Layer.LINT) == []
    assert told_of(GRADLE, Layer.TEST) == [
        "gradle --no-daemon --continue --no-build-cache cleanTest test [gradle]",
    ]


def test_gradles_wrapper_comes_first() -> None:
    files = GRADLE | {"gradlew": "", "gradle/wrapper/gradle-wrapper.properties": ""}
    assert told_of(files, Layer.COMPILE) == ["./gradlew --no-daemon --continue classes testClasses [gradle-build]"]


@pytest.mark.parametrize(
    ("script", "fixer"),
    [
        pytest.param("plugins { id 'checkstyle' }", [], id="Groovy"),
        pytest.param("apply plugin: 'pmd'", [], id="applied the old way"),
        pytest.param("plugins {\n    checkstyle\n}", [], id="Kotlin's bare name"),
        pytest.param("plugins {\n    `checkstyle`\n}", [], id="Kotlin's quoted name"),
        pytest.param('plugins { id("com.diffplug.spotless") version "6" }', ["spotlessApply"], id="Spotless"),
        pytest.param('plugins { id("org.jlleitschuh.gradle.ktlint") }', ["ktlintFormat"], id="ktlint"),
    ],
)
def test_a_lint_plugin_adds_gradles_own_check_without_the_tests(script: str, fixer: list[str]) -> None:
    files = GRADLE | {"build.gradle": script}
    assert told_of(files, Layer.LINT) == ["gradle --no-daemon --continue check -x test [gradle-build]"]
    assert fixers(files) == [f"gradle --no-daemon --continue {name}" for name in fixer]


def test_a_plugin_of_the_version_catalogue_counts() -> None:
    catalogue = '[plugins]\nspotless = { id = "com.diffplug.spotless", version = "6.25.0" }\n'
    assert told_of(GRADLE | {"gradle/libs.versions.toml": catalogue}, Layer.LINT) != []


@pytest.mark.parametrize(
    "script", ["// checkstyle is for later", "dependencies { api 'com.puppycrawl.tools:checkstyle:10' }"]
)
def test_a_mere_mention_is_no_plugin(script: str) -> None:
    assert told_of(GRADLE | {"build.gradle": script}, Layer.LINT) == []


@pytest.mark.parametrize(
    ("script", "compile_tasks", "test_task"),
    [
        (
            'plugins { id("com.android.application") }',
            "compileDebugSources compileDebugUnitTestSources",
            "testDebugUnitTest",
        ),
        ('plugins { kotlin("multiplatform") }', "assemble", "allTests"),
    ],
    ids=["Android", "Kotlin multiplatform"],
)
def test_other_builds_have_other_tasks(script: str, compile_tasks: str, test_task: str) -> None:
    files = GRADLE | {"build.gradle": script}
    assert told_of(files, Layer.COMPILE) == [f"gradle --no-daemon --continue {compile_tasks} [gradle-build]"]
    (told,) = told_of(files, Layer.TEST)
    assert told.endswith(f" {test_task} [gradle]")


def test_subprojects_and_included_builds_belong_to_the_build_around_them() -> None:
    files = GRADLE | {
        "settings.gradle": "includeBuild('plugins')\n",
        "core/build.gradle": "",
        f"core/{APP}": "",
        "buildSrc/build.gradle": "",
        f"buildSrc/{APP}": "",
        "plugins/settings.gradle": "",
        f"plugins/{APP}": "",
        "other/settings.gradle": "",
        f"other/{APP}": "",
    }
    assert [found.path for found in detect(snapshot(files))] == [".", "other"]


def test_of_maven_and_gradle_in_one_folder_one_is_built() -> None:
    both = GRADLE | {"pom.xml": pom()}
    assert told_of(both, Layer.TEST) == ["mvn -B -fae test [maven]"]
    wrapped = both | {"gradlew": "", "gradle/wrapper/gradle-wrapper.properties": ""}
    (told,) = told_of(wrapped, Layer.TEST)
    assert told.startswith("./gradlew ")


def test_each_build_says_what_would_fetch_its_dependencies() -> None:
    assert [found.setup for found in detect(snapshot(REACTOR))] == ["mvn -B dependency:go-offline"] * 2
    assert [found.setup for found in detect(snapshot(GRADLE))] == ["gradle --no-daemon classes testClasses"]


def test_sources_without_a_build_tool_are_not_guessed_at() -> None:
    assert plan(SOURCES).project_type == "unknown"
