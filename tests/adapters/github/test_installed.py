"""Where the App is installed, as GitHub lists it."""

from dataclasses import replace

from fixloop_bot.adapters.github.access import GitHubAccess
from fixloop_bot.adapters.github.installed import list_installations, list_repositories
from fixloop_bot.model.installation import Standing
from tests.adapters.github.scene import QUICK, Scene


def test_every_installation_is_listed_with_how_it_stands_and_what_it_reaches(stage: Scene) -> None:
    github = stage.github
    first = stage.app()
    app = github.app("fixloop")
    more = [github.repository(f"big/r{number:03}") for number in range(3)]
    second = github.install(app, *more)
    asleep = github.install(app, github.repository("slow/one"))
    asleep.suspended_at = github.now()

    access = GitHubAccess(full_name="", credential=first, api_url=github.url, patience=QUICK)
    found = list(list_installations(access))
    assert [(one.account, one.standing) for one in found] == [
        ("octo", Standing.ACTIVE),
        ("big", Standing.ACTIVE),
        ("slow", Standing.SUSPENDED),
    ]
    credential = replace(first, installation_id=second.id, permissions={"metadata": "read"})
    names = [one.full_name for one in list_repositories(replace(access, credential=credential))]
    assert names == ["big/r000", "big/r001", "big/r002"]
    assert [token.permissions for token in github.tokens.values()] == [{"metadata": "read"}]


def test_lists_are_read_to_their_last_page(stage: Scene) -> None:
    first, app = stage.app(), stage.github.app("fixloop")
    for _ in range(104):
        stage.github.install(app, stage.shop)
    access = GitHubAccess(full_name="", credential=first, api_url=stage.github.url, patience=QUICK)
    assert len(list(list_installations(access))) == 105
