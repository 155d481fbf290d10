"""The Anthropic adapter against servers that speak as Vertex and Bedrock do, through the SDK and the clouds' own."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from botocore.eventstream import EventStreamBuffer

from fixloop_bot.adapters.anthropic_model import AnthropicModel
from fixloop_bot.adapters.anthropic_settings import AnthropicSettings, Provider
from fixloop_bot.adapters.journal import FileJournal
from fixloop_bot.adapters.safe_files import SafeFiles
from fixloop_bot.adapters.workbench import FileWorkbench
from fixloop_bot.app.converse import Bounds, converse
from fixloop_bot.core.protect import Protection
from fixloop_bot.model.agent import ModelAlias, ModelReply, ModelRequest, PromptTooLong, ProviderDown, Usage, UserTurn
from fixloop_bot.model.config import ModelPrice
from fixloop_bot.model.context import FixContext
from fixloop_bot.model.layer import Layer
from tests.fakes import aws_event_stream
from tests.fakes.clock import FakeClock
from tests.fakes.model_clouds import ACCESS_TOKEN, google_sign_in
from tests.fakes.model_server import Fault, ModelServer, edit, finish, overloaded, prompt_too_long, say, turn

ROOT = Path(__file__).parents[2]
CLOUDS = [Provider.VERTEX, Provider.BEDROCK]
SECRET = "aws-secret-access-key"
VARIABLES = ("AWS_BEARER_TOKEN_BEDROCK", "AWS_PROFILE", "AWS_SESSION_TOKEN")


@pytest.fixture(autouse=True)
def signed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give the environment of a job that has signed in at both clouds, and nothing of this machine's own."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "shop-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with google_sign_in(tmp_path) as path:
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
        yield


def reached(provider: Provider, server: ModelServer | None = None, /, **changes: object) -> AnthropicSettings:
    """Return settings that reach a server as that provider."""
    values: dict[str, object] = {
        "provider": provider,
        "base_url": server.url if server else "",
        "region": "global" if provider is Provider.VERTEX else "eu-central-1",
        "project": "shop-1" if provider is Provider.VERTEX else "",
    }
    return AnthropicSettings(**(values | changes))  # type: ignore[arg-type]


def model(settings: AnthropicSettings, clock: FakeClock | None = None) -> AnthropicModel:
    """Return the adapter on a clock that costs no time."""
    clock = clock or FakeClock()
    return AnthropicModel(settings, clock, sleep=clock.sleep)


def request(**changes: object) -> ModelRequest:
    """Return a short request."""
    values: dict[str, object] = {"model": ModelAlias.SONNET, "system": "Repair it.", "max_tokens": 1_000}
    values |= {"turns": (UserTurn("It fails"),), "deadline": 1_000_600.0, "key": "1.1"}
    return ModelRequest(**(values | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("provider", CLOUDS)
def test_an_edit_and_its_finish_are_one_call(provider: Provider, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.py").write_text("def add(a, b):\n    return a - b\n")
    clock = FakeClock()
    bench = FileWorkbench(SafeFiles(str(tree)), Protection(), lambda: ["a.py"])
    context = FixContext(
        iteration=1, max_retries=3, story_id="S-1", branch="fix/add", layer=Layer.TEST, diagnosis="E assert -1 == 5"
    )
    with ModelServer([turn(edit("a.py", "a - b", "a + b"), finish("done", "wrong sign"), text="I see.")]) as server:
        reply = converse(
            context,
            model=model(reached(provider, server), clock),
            journal=FileJournal(tmp_path / "receipts/r.jsonl", tmp_path / "transcript/r.jsonl", clock),
            workbench=bench,
            clock=clock,
            bounds=Bounds(alias=ModelAlias.SONNET),
        )
    assert reply.finish is not None
    assert (reply.finish.hypothesis, reply.changed, reply.calls, reply.said) == ("wrong sign", ("a.py",), 1, "I see.")
    assert (tree / "a.py").read_text() == "def add(a, b):\n    return a + b\n"


def test_vertex_is_asked_with_the_token_that_google_gave() -> None:
    with ModelServer([say("fine")]) as server:
        assert isinstance(model(reached(Provider.VERTEX, server)).reply(request()), ModelReply)
    (asked,) = server.requests
    assert (
        asked.path == "/projects/shop-1/locations/global/publishers/anthropic/models/claude-sonnet-5-5:streamRawPredict"
    )
    assert asked.headers["authorization"] == f"Bearer {ACCESS_TOKEN}"


def test_bedrock_is_asked_with_a_signature_for_the_region_and_never_the_secret() -> None:
    with ModelServer([say("fine")]) as server:
        assert isinstance(model(reached(Provider.BEDROCK, server)).reply(request()), ModelReply)
    (asked,) = server.requests
    assert asked.path == "/model/global.anthropic.claude-sonnet-5-5/invoke-with-response-stream"
    assert asked.headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/")
    assert "/eu-central-1/bedrock/aws4_request" in asked.headers["authorization"]
    assert SECRET not in repr(asked)


def test_bedrock_takes_a_bearer_token_instead() -> None:
    with ModelServer([say("fine")]) as server:
        settings = reached(Provider.BEDROCK, server, api_key="bedrock-api-key-1")
        assert isinstance(model(settings).reply(request()), ModelReply)
    assert server.requests[0].headers["authorization"] == "Bearer bedrock-api-key-1"
    assert "bedrock-api-key-1" not in repr(settings)


@pytest.mark.parametrize(
    ("provider", "region", "ids", "dollars"),
    [
        pytest.param(Provider.VERTEX, "global", {}, 2.0, id="vertex at its global endpoint"),
        pytest.param(Provider.VERTEX, "europe-west1", {}, 2.2, id="vertex in a region, a tenth dearer"),
        pytest.param(Provider.BEDROCK, "us-east-1", {}, 2.0, id="bedrock by the global id"),
        pytest.param(
            Provider.BEDROCK, "eu-west-1", {"sonnet": "eu.anthropic.claude-sonnet-5-5"}, 2.2, id="bedrock's eu id"
        ),
    ],
)
def test_a_call_costs_what_that_cloud_charges(
    provider: Provider, region: str, ids: dict[str, str], dollars: float
) -> None:
    with ModelServer([say("fine")], usage=Usage(1_000_000, 0)) as server:
        reply = model(reached(provider, server, region=region, ids=ids)).reply(request())
    assert isinstance(reply, ModelReply)
    assert reply.cost_usd == pytest.approx(dollars)


def test_a_model_without_a_price_has_no_quote_unless_the_settings_have_one() -> None:
    ids = {"sonnet": "arn:aws:bedrock:eu-west-1:1:application-inference-profile/x"}
    assert model(reached(Provider.BEDROCK, ids=ids)).quote(request()) is None
    priced = reached(Provider.BEDROCK, ids=ids, prices={"sonnet": ModelPrice(input=3, output=15)})
    assert model(priced).quote(request()) is not None


@pytest.mark.parametrize(
    ("provider", "trouble"),
    [
        *((provider, overloaded()) for provider in CLOUDS),
        *((provider, Fault(kind=kind)) for provider in CLOUDS for kind in ("garbage", "cut", "short", "error-event")),
    ],
)
def test_passing_trouble_is_tried_again_by_our_one_layer(provider: Provider, trouble: Fault) -> None:
    clock = FakeClock()
    with ModelServer([trouble, say("fine")]) as server:
        reply = model(reached(provider, server), clock).reply(request())
    assert isinstance(reply, ModelReply)
    assert (reply.turn.text, len(server.requests), len(clock.slept)) == ("fine", 2, 1)


@pytest.mark.parametrize("provider", CLOUDS)
@pytest.mark.parametrize("status", [401, 403])
def test_credentials_that_the_cloud_refuses_are_not_tried_again(provider: Provider, status: int) -> None:
    with ModelServer([Fault(status=status, message="not for you")]) as server:
        outcome = model(reached(provider, server)).reply(request())
    assert isinstance(outcome, ProviderDown)
    assert f"{status}" in outcome.detail
    assert "not for you" in outcome.detail
    assert ("AWS_ACCESS_KEY_ID" if provider is Provider.BEDROCK else "GOOGLE_APPLICATION") in outcome.advice
    assert len(server.requests) == 1


def test_an_identity_that_google_refuses_is_said_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    with ModelServer([]) as server, google_sign_in(folder, refuse=True) as path:
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
        outcome = model(reached(Provider.VERTEX, server)).reply(request())
    assert isinstance(outcome, ProviderDown)
    assert "The identity is not known." in outcome.detail
    assert "GOOGLE_APPLICATION_CREDENTIALS" in outcome.advice
    assert server.requests == []


@pytest.mark.parametrize("provider", CLOUDS)
def test_no_credentials_at_all_are_said_before_anything_is_asked(
    provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    clock = FakeClock()
    with ModelServer([]) as server:
        outcome = model(reached(provider, server), clock).reply(request())
    assert isinstance(outcome, ProviderDown)
    assert outcome.advice.startswith("Give ")
    assert (server.requests, clock.slept) == ([], [])


@pytest.mark.parametrize(
    ("provider", "changes", "advice"),
    [
        pytest.param(Provider.VERTEX, {"region": ""}, "CLOUD_ML_REGION", id="vertex without a region"),
        pytest.param(
            Provider.VERTEX, {"region": "x.evil.example/"}, "CLOUD_ML_REGION", id="a region that is another host"
        ),
        pytest.param(Provider.VERTEX, {"project": ""}, "ANTHROPIC_VERTEX_PROJECT_ID", id="vertex without a project"),
        pytest.param(Provider.BEDROCK, {"region": ""}, "AWS_REGION", id="bedrock without a region"),
    ],
)
def test_what_is_missing_is_named(provider: Provider, changes: dict[str, object], advice: str) -> None:
    outcome = model(reached(provider, None, **changes)).reply(request())
    assert isinstance(outcome, ProviderDown)
    assert advice in outcome.advice


@pytest.mark.parametrize(("provider", "package"), [("vertex", "google.auth"), ("bedrock", "boto3")])
def test_a_package_that_is_not_installed_is_named_with_the_command_for_it(provider: str, package: str) -> None:
    program = f"""
import sys
sys.modules[{package!r}] = None
from fixloop_bot.adapters.anthropic_settings import AnthropicSettings, Provider
print(AnthropicSettings(provider=Provider({provider!r}), region="global", project="p").missing().advice)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    assert f"pip install 'fixloop-bot[{provider}]'" in done.stdout


@pytest.mark.parametrize(
    "refusal",
    [prompt_too_long(), Fault(status=400, message="Input is too long for requested model.")],
    ids=["in Anthropic's words", "in Amazon's words"],
)
def test_a_prompt_that_is_too_long_is_told_apart(refusal: Fault) -> None:
    with ModelServer([refusal]) as server:
        outcome = model(reached(Provider.BEDROCK, server)).reply(request())
    assert isinstance(outcome, PromptTooLong)


def test_the_fake_s_framing_is_what_amazon_s_own_code_reads() -> None:
    buffer = EventStreamBuffer()
    buffer.add_data(aws_event_stream.chunk(b"{}") + aws_event_stream.exception("throttlingException", "slow down"))
    read: Sequence[dict[str, object]] = [event.to_response_dict() for event in buffer]
    assert [event["status_code"] for event in read] == [200, 400]
