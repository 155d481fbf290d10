"""What was seen in a copy is told of the worktree."""

from fixloop_bot.core.relocated import inside, relocated
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus, Validation

COPY, SCRATCH = "/tmp/copy/tree/shop", "/tmp/copy/scratch"


def test_every_text_that_a_person_sees_names_the_worktree() -> None:
    item = Diagnostic(
        path="a.py", line=3, column=None, level=Level.ERROR, rule_id=None, kind=DiagnosticKind.TEST_FAILURE,
        message=f"no {COPY}/b.txt",
    )  # fmt: skip
    result = LayerResult(
        name=Layer.TEST, status=LayerStatus.FAIL, output=f"{COPY}/a.py:3: no {SCRATCH}/tmp/x", reason=f"{COPY}: slow",
        diagnostics=(item,), missing=(f"{COPY}/tool",),
    )  # fmt: skip
    seen = Validation(project_type="x", layers=(result,), tree="t")
    told = relocated(seen, {COPY: "/work/shop", SCRATCH: "/tmp/run"})
    assert COPY not in repr(told)
    assert told.layers[0].output == "/work/shop/a.py:3: no /tmp/run/tmp/x"
    assert told.layers[0].diagnostics[0].message == "no /work/shop/b.txt"
    assert (told.layers[0].reason, told.layers[0].missing) == ("/work/shop: slow", ("/work/shop/tool",))
    assert told.tree == "t"


def test_paths_of_the_worktree_are_told_from_its_top() -> None:
    text = 'File "/w/repo/app/a.py", line 3\n/w/repo/.x:1 /x/w/repo/b.py /w/repo2/c.py /w/repo/ end'
    assert inside(text, "/w/repo") == 'File "app/a.py", line 3\n.x:1 /x/w/repo/b.py /w/repo2/c.py /w/repo/ end'
