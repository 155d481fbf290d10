"""The App's manifest: the least that it may, and what GitHub would take of it."""

from dataclasses import replace

import pytest

from fixloop_bot.core.app_environment import environment_lines
from fixloop_bot.core.app_manifest import PERMISSIONS, WHY, order_problem, registration_page, to_api_url, to_manifest
from fixloop_bot.core.events import PARSED_EVENTS
from fixloop_bot.core.render.app_page import app_page
from fixloop_bot.model.app import AppOrder, RegisteredApp
from tests.fakes.github import contract

ORDER = AppOrder(name="fixloop octo", url="https://fixloop.example.com")
APP = RegisteredApp(
    app_id=12,
    slug="fixloop",
    page="https://github.com/apps/fixloop",
    client_id="Iv1.a",
    client_secret="0c" * 20,
    webhook_secret="0d" * 20,
    private_key="-----BEGIN RSA PRIVATE KEY-----\n",
)


def test_it_asks_for_the_least_and_for_nothing_that_github_does_not_know() -> None:
    permissions = to_manifest(ORDER)["default_permissions"]
    assert permissions == PERMISSIONS
    assert contract.permission_faults(permissions) == []
    assert {name for name, level in PERMISSIONS.items() if level == "write"} == {
        "checks", "contents", "issues", "pull_requests",
    }  # fmt: skip
    assert not {"workflows", "administration", "members", "secrets"} & set(PERMISSIONS)
    assert set(WHY) == set(PERMISSIONS)


def test_it_hears_of_all_that_the_parser_acts_on_and_of_no_more() -> None:
    events = to_manifest(ORDER)["default_events"]
    assert events == ["check_run", "check_suite", "issue_comment", "issues", "pull_request", "workflow_run"]
    assert set(events) < PARSED_EVENTS


def test_hooks_go_to_the_service_and_the_browser_comes_back_to_it() -> None:
    manifest = to_manifest(replace(ORDER, url="https://example.com/bots/fixloop"))
    assert manifest["hook_attributes"] == {"url": "https://example.com/bots/fixloop/webhook", "active": True}
    assert manifest["redirect_url"] == "https://example.com/bots/fixloop/registered"
    assert manifest["callback_urls"] == ["https://example.com/bots/fixloop/dashboard/sign-in/done"]
    assert manifest["public"] is False


@pytest.mark.parametrize(
    ("order", "page", "api"),
    [
        pytest.param(ORDER, "https://github.com/settings/apps/new", "https://api.github.com", id="oneself"),
        pytest.param(
            replace(ORDER, organisation="octo"),
            "https://github.com/organizations/octo/settings/apps/new",
            "https://api.github.com",
            id="an organisation",
        ),
        pytest.param(
            replace(ORDER, server_url="https://git.example.com:8443"),
            "https://git.example.com:8443/settings/apps/new",
            "https://git.example.com:8443/api/v3",
            id="a server of one's own",
        ),
        pytest.param(
            replace(ORDER, server_url="https://octo.ghe.com"),
            "https://octo.ghe.com/settings/apps/new",
            "https://api.octo.ghe.com",
            id="GitHub's data residency",
        ),
    ],
)
def test_the_form_goes_to_the_owner_s_page_and_the_code_to_the_api_beside_it(
    order: AppOrder, page: str, api: str
) -> None:
    assert order_problem(order) == ""
    assert registration_page(order) == page
    assert to_api_url(order.server_url) == api


@pytest.mark.parametrize(
    "order",
    [
        pytest.param(replace(ORDER, name=""), id="no name"),
        pytest.param(replace(ORDER, name="x" * 35), id="a name over GitHub's limit"),
        pytest.param(replace(ORDER, name='x"><script>'), id="a name that is HTML"),
        pytest.param(replace(ORDER, organisation="octo/evil"), id="an organisation that is a path"),
        pytest.param(replace(ORDER, url="http://fixloop.example.com"), id="webhooks in the clear"),
        pytest.param(replace(ORDER, url="https://me:pw@example.com"), id="an address with a password"),
        pytest.param(replace(ORDER, url="https://example.com/?a=b"), id="an address with a query"),
        pytest.param(replace(ORDER, url="https://example.com:99999"), id="a port that is none"),
        pytest.param(replace(ORDER, url="https://exa mple.com"), id="a host that is none"),
        pytest.param(replace(ORDER, url="javascript:alert(1)"), id="no address"),
        pytest.param(replace(ORDER, server_url="http://github.com"), id="GitHub in the clear"),
    ],
)
def test_what_github_or_a_browser_would_misread_is_refused(order: AppOrder) -> None:
    assert order_problem(order).startswith("--")


def test_the_page_may_send_its_form_to_github_and_do_nothing_else() -> None:
    page = app_page(ORDER, then="fixloop init --app --code CODE")
    assert "form-action https://github.com&quot;" in page.replace('"', "&quot;")
    assert "default-src &#x27;none&#x27;" in page
    assert "<script" not in page
    assert "http://" not in page


def test_the_environment_file_can_be_read_by_all_who_start_services() -> None:
    lines = environment_lines(
        APP, key_path="/etc/my fixloop/key.pem", server_url="https://github.com", api_url="https://api.github.com"
    )
    assert lines[:2] == ["FIXLOOP_APP_ID=12", "FIXLOOP_APP_PRIVATE_KEY_FILE='/etc/my fixloop/key.pem'"]
    assert [line for line in lines if line.startswith("GITHUB_")] == []
    own = environment_lines(APP, key_path="/k", server_url="https://git.example.com", api_url="https://x/api/v3")
    assert own[-2:] == ["GITHUB_SERVER_URL=https://git.example.com", "GITHUB_API_URL=https://x/api/v3"]


@pytest.mark.parametrize(
    "app",
    [
        pytest.param(replace(APP, webhook_secret=""), id="no webhook secret"),
        pytest.param(replace(APP, client_secret="a\nFIXLOOP_APP_ID=1"), id="a value of two lines"),
        pytest.param(replace(APP, client_id="$(id)"), id="a value that a shell would run"),
    ],
)
def test_an_answer_that_could_say_more_than_its_value_is_refused_by_its_name(app: RegisteredApp) -> None:
    with pytest.raises(ValueError, match="FIXLOOP_") as caught:
        environment_lines(app, key_path="/k", server_url="https://github.com", api_url="")
    assert "$(" not in str(caught.value)
