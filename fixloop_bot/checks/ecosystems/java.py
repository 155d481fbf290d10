"""Java, Kotlin and their kin: every Maven reactor and every Gradle build of a repository."""

from collections.abc import Iterator

from fixloop_bot.checks.ecosystems.found import Found
from fixloop_bot.checks.ecosystems.gradle import gradle_builds
from fixloop_bot.checks.ecosystems.maven import maven_builds
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, join


def detect(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return the builds, outermost first. Where a folder has both, Maven counts, unless only Gradle has a wrapper."""
    maven, gradle = maven_builds(snapshot), gradle_builds(snapshot)
    both = {found.path for found in maven} & {found.path for found in gradle}
    by_gradle = {path for path in both if _wrapped_by_gradle_alone(snapshot, path)}
    return tuple(_chosen(maven, by_gradle)) + tuple(_chosen(gradle, both - by_gradle))


def _chosen(builds: tuple[Found, ...], without: set[str]) -> Iterator[Found]:
    yield from (found for found in builds if found.path not in without)


def _wrapped_by_gradle_alone(snapshot: Snapshot, path: str) -> bool:
    return snapshot.has(join(path, "gradlew")) and not snapshot.has(join(path, "mvnw"))
