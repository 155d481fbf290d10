"""rspec, minitest and test-unit, beyond what the recordings hold."""

import pytest

from fixloop_bot.checks.registry import parse
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import DiagnosticKind
from fixloop_bot.model.layer import TestReport
from tests.checks.reading import parsed, place

RSPEC = """\
F*F.

Pending: (Failures listed here are expected and do not affect your suite's status)

  1) App skips
     # later
     # ./spec/a_spec.rb:9

Failures:

  1) App fixed one FIXED
     Expected pending 'No reason given' to fail. No error was raised.
     # ./spec/a_spec.rb:11

  2) App many
     Got 2 failures:

     2.1) Failure/Error: expect(1).to eq(2)

            expected: 2
                 got: 1
          # ./spec/support/shared.rb:3:in 'block (2 levels) in <top (required)>'
          # ./spec/a_spec.rb:20:in 'block (2 levels) in <top (required)>'

     2.2) Failure/Error: expect(text).to eq("x")
       1) App is quoted
          # /usr/lib/gems/rspec-core-3.12.0/lib/rspec/core.rb:21

Finished in 0.01866 seconds (files took 0.09041 seconds to load)
4 examples, 2 failures, 1 pending

Failed examples:

rspec ./spec/a_spec.rb:11 # App fixed one
rspec './spec/a_spec.rb[1:7]' # App many
"""


def test_rspec_names_examples_as_its_list_to_run_again_does() -> None:
    found = parsed("rspec", RSPEC)
    assert [place(item) for item in found.diagnostics] == [
        ("spec/a_spec.rb", 11, None, "App fixed one"),
        ("spec/a_spec.rb", 20, None, "App many"),
    ]
    assert "expected: 2" in found.diagnostics[1].message
    assert "a_spec.rb" not in found.diagnostics[1].message
    assert found.tests == TestReport(3, failed=("App fixed one", "App many"))


OUTSIDE = """\

An error occurred while loading ./spec/b_spec.rb. - Did you mean?
                    rspec ./spec/a_spec.rb

Failure/Error: App.nope

NameError:
  undefined method `nope'
# ./lib/app.rb:2:in `<module:App>'
# ./spec/b_spec.rb:1:in `<top (required)>'

An error occurred in a `before(:suite)` hook.
Failure/Error: raise "no database"

RuntimeError:
  no database
# ./spec/spec_helper.rb:4:in `block (2 levels) in <top (required)>'


Finished in 0.00006 seconds (files took 0.18068 seconds to load)
0 examples, 0 failures, 2 errors occurred outside of examples
"""


def test_what_fails_outside_of_examples_is_a_failure_and_no_run_without_tests() -> None:
    found = parsed("rspec", OUTSIDE)
    assert [place(item) for item in found.diagnostics] == [
        ("spec/b_spec.rb", 1, None, "spec/b_spec.rb"),
        ("spec/spec_helper.rb", 4, None, "`before(:suite)` hook"),
    ]
    assert found.diagnostics[0].message == "Failure/Error: App.nope\nNameError:\nundefined method `nope'"


def test_rspecs_report_names_the_file_that_includes_shared_examples() -> None:
    report = (
        '{"version":"3.13.0","examples":[{"id":"./spec/a_spec.rb[1:1:1]","description":"works","full_description":'
        '"App works","status":"failed","file_path":"./spec/support/shared.rb","line_number":2,"exception":{"class":'
        '"NoMethodError","message":"undefined","backtrace":["/p/spec/support/shared.rb:3:in `x\'",'
        '"/p/spec/a_spec.rb:9:in `y\'"]}},{"id":"./spec/a_spec.rb[1:2]","full_description":"App waits","status":'
        '"pending"}],"messages":["\\nAn error occurred while loading ./spec/c_spec.rb.\\nFailure/Error: load\\n\\n'
        'SyntaxError:\\n  /p/spec/c_spec.rb:3: syntax error, unexpected `end\'\\n"],"summary":{},'
        '"summary_line":"1 example, 1 failure"}'
    )
    found = parsed("rspec", "", report=report)
    assert [place(item) for item in found.diagnostics] == [
        ("spec/a_spec.rb", 9, None, "App works"),
        ("spec/c_spec.rb", 3, None, "SyntaxError"),
    ]
    assert found.diagnostics[0].message == "NoMethodError: undefined"
    assert found.diagnostics[1].kind is DiagnosticKind.SYNTAX_ERROR
    assert found.tests == TestReport(1, failed=("App works",), skipped=("App waits",))


RAILS = """\
Running 3 tests in a single process (parallelization threshold is 50)
Run options: --seed 1

# Running:

F

Failure:
PostTest#test_saves [test/models/post_test.rb:6]:
Expected false to be truthy.

1) not a header


bin/rails test test/models/post_test.rb:4

.E

Error:
PostTest#test_reads_[all]:
NoMethodError: undefined method `x' for nil
    app/models/post.rb:3:in `read'
    test/test_helper.rb:9:in `wrap'
    test/models/post_test.rb:10:in `block in <class:PostTest>'

bin/rails test test/models/post_test.rb:9


Finished in 0.1s, 20.0 runs/s, 20.0 assertions/s.
3 runs, 3 assertions, 1 failures, 1 errors, 1 skips
"""


def test_rails_prints_failures_between_the_dots() -> None:
    found = parsed("minitest", RAILS)
    assert [place(item) for item in found.diagnostics] == [
        ("test/models/post_test.rb", 6, None, "PostTest#test_saves"),
        ("test/models/post_test.rb", 10, None, "PostTest#test_reads_[all]"),
    ]
    assert found.diagnostics[1].message == "NoMethodError: undefined method `x' for nil"
    assert found.tests == TestReport(2, failed=("PostTest#test_saves", "PostTest#test_reads_[all]"))


def test_rake_runs_several_suites_and_their_tests_add_up() -> None:
    totals = "3 runs, 3 assertions, 0 failures, 0 errors, 1 skips\n"
    assert parsed("minitest", totals * 2, code=0).tests == TestReport(4)


TEST_UNIT = """\
Loaded suite test/app_test
Started
F
===============================================================================
Failure: test: with (words) inside(AppTest::Sub)
test/app_test.rb:17:in `block in <class:AppTest>'
     16:   test "with words" do
  => 17:     assert_equal({a: 1}, {a: 2})
<{:a=>1}> expected but was
<{:a=>2}>
===============================================================================
E
===============================================================================
Error: test_name(AppTest): KeyError: key not found: :m
/p/lib/app.rb:2:in `name'
test/app_test.rb:8:in `test_name'
===============================================================================
P
===============================================================================
Pending: test_pend(AppTest): x
===============================================================================
Finished in 0.013018526 seconds.
-------------------------------------------------------------------------------
5 tests, 3 assertions, 1 failures, 1 errors, 1 pendings, 1 omissions, 0 notifications
"""


def test_test_unit_names_method_and_class() -> None:
    found = parsed("minitest", TEST_UNIT)
    assert [place(item) for item in found.diagnostics] == [
        ("test/app_test.rb", 17, None, "test: with (words) inside(AppTest::Sub)"),
        ("test/app_test.rb", 8, None, "test_name(AppTest)"),
    ]
    assert [item.message for item in found.diagnostics] == [
        "<{:a=>1}> expected but was\n<{:a=>2}>",
        "KeyError: key not found: :m",
    ]
    assert found.tests is not None
    assert found.tests.executed == 3


@pytest.mark.parametrize(
    "text",
    [
        "All examples were filtered out\n\nFinished in 0.0 seconds (files took 0.1 seconds to load)\n"
        "0 examples, 0 failures\n",
        "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n",
        "0 tests, 0 assertions, 0 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n",
    ],
    ids=["rspec", "minitest", "test-unit"],
)
def test_a_run_without_tests_is_known_as_such_though_the_command_hides_the_runner(text: str) -> None:
    assert parse("generic", ToolOutput(text=text, exit_code=0)).tests == TestReport(0)
