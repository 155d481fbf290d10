"""Pages with Link headers, as all of GitHub's lists have them."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from tests.fakes.github.call import Call, Reply

T = TypeVar("T")


def page(call: Call, items: Sequence[T], render: Callable[[T], Any], *, wrap: str | None = None) -> Reply:
    """Return one page of `items`: `per_page` is 30 unless asked, 100 at most.

    `wrap` names the list inside an object with `total_count`.
    """
    size = min(max(int(call.query.get("per_page", "30")), 1), 100)
    number = max(int(call.query.get("page", "1")), 1)
    shown = [render(item) for item in items[(number - 1) * size : number * size]]
    body: Any = {"total_count": len(items), wrap: shown} if wrap else shown
    headers = link(call, number, max(-(-len(items) // size), 1))
    return Reply(body=body, headers=headers)


def link(call: Call, number: int, last: int) -> dict[str, str]:
    """Return the Link header for page `number` of `last`; a single page has none."""
    relations: dict[str, int] = {}
    if number > 1:
        relations |= {"prev": min(number - 1, last), "first": 1}
    if number < last:
        relations |= {"next": number + 1, "last": last}
    if not relations:
        return {}
    start = call.urls.api() + call.request.path
    parts = [
        f'<{start}?{urlencode({**call.query, "page": str(target)})}>; rel="{name}"'
        for name, target in relations.items()
    ]
    return {"Link": ", ".join(parts)}
