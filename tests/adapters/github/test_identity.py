"""Who fixloop is with each kind of credential."""

from fixloop_bot.model.forge import Comment
from fixloop_bot.model.ticket import Identity
from tests.adapters.github.scene import WORKFLOW, Scene


def test_a_workflows_token_is_the_actions_bot_and_no_app_of_ours(stage: Scene) -> None:
    with stage.forge(workflow_path=WORKFLOW) as forge:
        assert forge.identity() == Identity(actor_ids=frozenset({41898282}), workflow_path=WORKFLOW)
        assert forge.may_change_workflows() is False


def test_another_apps_token_is_that_apps_bot(stage: Scene) -> None:
    app = stage.github.app("own-fixer")
    token = stage.github.installation_token(stage.github.install(app, stage.shop))
    with stage.forge(token) as forge:
        assert forge.identity() == Identity(actor_ids=frozenset({app.bot.id}))
        assert forge.may_change_workflows() is None


def test_an_app_knows_itself_and_what_it_was_granted(stage: Scene) -> None:
    credential = stage.app()
    with stage.forge(app=credential) as forge:
        bot = stage.github.app("fixloop").bot
        assert forge.identity() == Identity(actor_ids=frozenset({bot.id}), app_id=credential.app_id)
        granted = stage.github.app("fixloop").permissions.get("workflows") == "write"
        assert forge.may_change_workflows() is granted
        assert isinstance(forge.write_comment(1, "hello"), Comment)
    assert [one.author for one in stage.shop.comments_on(1)] == [bot]


def test_a_persons_id_never_counts_as_fixloops(stage: Scene) -> None:
    with stage.forge(stage.github.user_token("pat")) as forge:
        assert forge.identity() == Identity()
        assert forge.may_change_workflows() is True
    with stage.forge(stage.github.user_token("pat", scopes=("repo",))) as narrow:
        assert narrow.may_change_workflows() is False


def _minted(stage: Scene) -> int:
    return sum(one.path.endswith("/access_tokens") for one in stage.github.requests)


def test_an_apps_token_is_minted_once_and_anew_when_it_is_about_to_end(stage: Scene) -> None:
    with stage.forge(app=stage.app()) as forge:
        forge.branch_head("main")
        forge.branch_head("main")
        assert _minted(stage) == 1
    stage.github.advance(-3_590)
    with stage.forge(app=stage.app()) as forge:
        forge.branch_head("main")
        forge.branch_head("main")
        assert _minted(stage) == 3


def test_a_server_error_while_a_token_is_minted_is_not_noticed(stage: Scene) -> None:
    stage.github.conditions.fail(status=502, method="POST", path="*/access_tokens", times=2)
    with stage.forge(app=stage.app()) as forge:
        assert isinstance(forge.write_comment(1, "hello"), Comment)
    assert (_minted(stage), len(stage.shop.comments_on(1))) == (3, 1)
