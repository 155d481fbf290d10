"""A burst of deliveries, some repeated, forged or broken: each honest one has its effect, once."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import Final

from tests.e2e.github_stage import Hub
from tests.e2e.service_stage import SECRET, commented, payloads, serving
from tests.e2e.test_action_commands import replies
from tests.fakes.github import Delivery, deliver

ALL: Final = 500
REPEATED: Final = ALL // 10
FORGED: Final = ALL // 20
BROKEN: Final = ALL // 20
ASKED: Final = 8
"""Of the honest ones those that have an answer which people see; GitHub wants a second between two of these."""


def failures(hub: Hub, number: int) -> list[Delivery]:
    """Return deliveries that are judged, but ask for nothing: the pull request whose CI failed is closed by now."""
    pull = hub.break_it("given-up")
    run = hub.shop.workflow_run(pull.head_sha, [("test", "failure", "")])
    payload = payloads(hub).workflow_run(hub.shop, run)
    hub.shop.close(pull)
    told = [{**payload, "workflow_run": {**payload["workflow_run"], "id": 10_000 + one}} for one in range(number)]
    return [deliver("workflow_run", one, secret=SECRET) for one in told]


def forged(delivery: Delivery) -> Delivery:
    """Return the delivery as somebody sends it who has not the secret."""
    event = delivery.headers["x-github-event"]
    return deliver(event, {**json.loads(delivery.body), "forged": True}, secret="a guess")


def broken(delivery: Delivery, chance: Random) -> Delivery:
    """Return the delivery cut off, with bytes of no text, without its name, or without a signature."""
    cut = chance.randrange(1, len(delivery.body))
    headers = {name: value for name, value in delivery.headers.items() if name != "x-hub-signature-256"}
    return chance.choice([
        replace(delivery, body=delivery.body[:cut]),
        replace(delivery, body=b"\xff" + delivery.body),
        Delivery(headers=headers, body=delivery.body),
        Delivery(headers={**delivery.headers, "x-github-delivery": "no id"}, body=delivery.body),
    ])  # fmt: skip


def a_burst(hub: Hub, chance: Random) -> tuple[list[Delivery], list[Delivery]]:
    """Return the honest deliveries, and all in the order in which they are sent."""
    pull = hub.break_it()
    asked = [commented(hub, pull, "/fixloop help") for _ in range(ASKED)]
    honest = [*asked, *failures(hub, ALL - REPEATED - FORGED - BROKEN - ASKED)]
    foreign = [forged(chance.choice(honest)) for _ in range(FORGED)]
    damaged = [broken(chance.choice(honest), chance) for _ in range(BROKEN)]
    sent = [*honest, *chance.sample(honest, REPEATED), *foreign, *damaged]
    chance.shuffle(sent)
    return honest, sent


def test_a_burst_of_five_hundred_loses_nothing_and_repeats_nothing(hub: Hub) -> None:
    honest, sent = a_burst(hub, Random(7))
    with serving(hub, None, workers=1) as service:
        with ThreadPoolExecutor(40) as senders:
            answers = list(senders.map(service.send, sent))
        service.settle()
        told = service.get("/metrics")
    assert {code for code, _ in answers} == {202, 400, 401}
    said = [word for _, word in answers]
    assert (said.count("accepted"), said.count("known")) == (len(honest), REPEATED)
    assert said.count("forged") + said.count("malformed") == FORGED + BROKEN
    assert said.count("forged") >= FORGED
    assert f'fixloop_jobs{{state="done"}} {float(len(honest))}' in told, service.log.read_text()[-3000:]
    assert sum(len(replies(hub, pull)) for pull in hub.shop.pulls.values()) == ASKED
