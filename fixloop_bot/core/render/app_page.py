"""The page with which a person registers the GitHub App: one form, no script, and it speaks to GitHub alone."""

import base64
import hashlib
import json

from fixloop_bot.core.app_manifest import PERMISSIONS, WHY, app_events, registration_page, to_manifest
from fixloop_bot.core.render.html import Markup, element, joined
from fixloop_bot.core.render.page_style import STYLE
from fixloop_bot.model.app import AppOrder

_STYLE = STYLE + "button { font: inherit; padding: .5rem 1rem; cursor: pointer; }\n"


def app_page(order: AppOrder, *, then: str) -> str:
    """Return the page; `then` is the command to type when GitHub has made the App."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(order)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", "fixloop: register the GitHub App"),
        element("style", Markup(_STYLE)),
    )
    sections = (_form(order), _then(order, then), _may(), _hears())
    body = element("body", element("header", element("h1", "Register the GitHub App")), element("main", *sections))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en').text}\n"


def _policy(order: AppOrder) -> str:
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action {order.server_url}"


def _form(order: AppOrder) -> Markup:
    manifest = json.dumps(to_manifest(order))
    owner = f"the organisation {order.organisation}" if order.organisation else "your own account"
    return element(
        "form",
        element(
            "p", f"Sign in to GitHub in this browser first. The App will belong to {owner}; its name can be changed."
        ),
        element("input", type="hidden", name="manifest", value=manifest),
        element("p", element("button", f"Register {order.name} on {order.server_url}", type="submit")),
        action=registration_page(order),
        method="post",
    )


def _then(order: AppOrder, then: str) -> Markup:
    arrived = f"{order.url}/registered?code=…"
    steps = (
        element("li", "Press the button, then “Create GitHub App” on GitHub's page."),
        element("li", "GitHub sends the browser to ", element("code", arrived), ". Nothing needs to answer there."),
        element("li", "Within an hour, copy the code from the address bar and type: ", element("code", then)),
        element("li", "That command says how to install the App on repositories and how to start the service."),
    )
    return element("section", element("h2", "What to do"), element("ol", *steps))


def _may() -> Markup:
    head = element("tr", *(element("th", name, scope="col") for name in ("permission", "level", "for")))
    rows = (
        element("tr", element("th", name, scope="row"), element("td", level), element("td", WHY[name], class_="prose"))
        for name, level in PERMISSIONS.items()
    )
    table = element("table", element("thead", head), element("tbody", joined(rows, "\n")))
    return element("section", element("h2", "What it may"), element("div", table, class_="frame", tabindex="0"))


def _hears() -> Markup:
    events = ", ".join(app_events())
    return element(
        "section",
        element("h2", "What it hears of"),
        element("p", f"{events}; and, as every App, where it is installed and suspended."),
    )
