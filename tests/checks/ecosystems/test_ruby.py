"""What validates a Ruby repository."""

import pytest

from fixloop_bot.checks.ecosystems import ruby
from fixloop_bot.core.command_files import command_files
from fixloop_bot.model.layer import Layer
from tests.checks.ecosystems.repository import fixers, plan, snapshot, told_of

APP = {"Gemfile": 'source "https://rubygems.org"\n', "lib/app.rb": ""}
LOCK = """\
GEM
  remote: https://rubygems.org/
  specs:
    minitest (5.20.0)
    rake (13.1.0)
    rspec (3.12.0)
      rspec-core (~> 3.12.0)
    rubocop (1.57.0)
      json (~> 2.3)

DEPENDENCIES
  rspec
  tools!
"""
LOCKED = APP | {"Gemfile.lock": LOCK}
SPECS = {"spec/app_spec.rb": "", "spec/spec_helper.rb": ""}
TESTS = {"test/app_test.rb": 'require "test_helper"\n', "test/test_helper.rb": 'require "minitest/autorun"\n'}


def test_every_project_is_checked_for_syntax_without_naming_its_files_one_by_one() -> None:
    (check,) = plan(APP).checks
    assert (check.layer, check.tool, check.source) == (Layer.COMPILE, "ruby-syntax", "default for Ruby")
    line = check.command[2]
    assert line.startswith("ruby --version >/dev/null && find Gemfile lib -type d ")
    assert "-name '*.rb' -o -name '*.rake'" in line
    assert "ruby --disable-gems -c " in line


def test_a_source_that_is_checked_stays_editable() -> None:
    assert command_files(plan(APP), ["lib/app.rb", "Gemfile", "lib"]) == ()


@pytest.mark.parametrize(
    ("files", "command"),
    [
        pytest.param(LOCKED | {".rubocop.yml": ""}, "bundle exec rubocop [rubocop]", id="locked"),
        pytest.param(APP | {".rubocop.yml": ""}, "rubocop [rubocop]", id="in no bundle"),
        pytest.param(
            APP | {"Gemfile": 'gem "rubocop", require: false\n', ".rubocop.yml": ""},
            "bundle exec rubocop [rubocop]",
            id="declared, not locked",
        ),
        pytest.param(
            {"Gemfile": "gemspec\n", "a.gemspec": 's.add_development_dependency "rubocop", "~> 1"\n', "lib/a.rb": ""}
            | {".rubocop.yml": ""},
            "bundle exec rubocop [rubocop]",
            id="declared by the gemspec",
        ),
        pytest.param(APP | {".standard.yml": ""}, "standardrb [rubocop]", id="standard"),
        pytest.param(
            LOCKED | {".rubocop.yml": "", "Rakefile": 'require "rubocop/rake_task"\nRuboCop::RakeTask.new\n'},
            "bundle exec rake rubocop [rubocop]",
            id="rake's task first",
        ),
        pytest.param(
            APP | {"Rakefile": "RuboCop::RakeTask.new(:lint) do |t|\nend\n"}, "rake lint [rubocop]", id="a task's name"
        ),
        pytest.param(
            APP | {"Rakefile": "task :lint do\nend\n"}, "rake lint [generic]", id="a task of the repository's"
        ),
    ],
)
def test_the_configured_linter_runs(files: dict[str, str], command: str) -> None:
    assert told_of(files, Layer.LINT) == [command]


@pytest.mark.parametrize(
    ("files", "commands"),
    [
        pytest.param(LOCKED | SPECS, ["bundle exec rspec [rspec]"], id="rspec in the bundle"),
        pytest.param(APP | SPECS, ["rspec [rspec]"], id="rspec of the machine"),
        pytest.param(APP | {"spec/app_spec.rb": ""}, [], id="specs of an unknown runner"),
        pytest.param(
            LOCKED | SPECS | {"Rakefile": "RSpec::Core::RakeTask.new(:spec)\ntask default: :spec\n"},
            ["bundle exec rake spec [rspec]"],
            id="rake spec",
        ),
        pytest.param(
            LOCKED | TESTS | {"Rakefile": "Rake::TestTask.new do |t|\n  t.libs << 'test'\nend\n"},
            ["bundle exec rake test [minitest]"],
            id="rake test",
        ),
        pytest.param(
            APP | {"Rakefile": "Minitest::TestTask.create\nRSpec::Core::RakeTask.new\n"},
            ["rake test [minitest]", "rake spec [rspec]"],
            id="two suites",
        ),
        pytest.param(
            APP | {"Rakefile": "desc 'All'\ntask test: %i[unit system]\n"},
            ["rake test [minitest]"],
            id="a task of the repository's",
        ),
        pytest.param(
            LOCKED
            | TESTS
            | {"bin/rails": "", "config/application.rb": "", "Rakefile": "Rails.application.load_tasks\n"},
            ["bin/rails test [minitest]"],
            id="Rails",
        ),
    ],
)
def test_the_declared_or_configured_test_runner_runs(files: dict[str, str], commands: list[str]) -> None:
    assert told_of(files, Layer.TEST) == commands


def test_tests_without_a_task_are_loaded_with_the_library_that_they_use() -> None:
    (check,) = (one for one in plan(LOCKED | TESTS).checks if one.layer is Layer.TEST)
    assert check.tool == "minitest"
    assert check.command[:6] == ("bundle", "exec", "ruby", "-Ilib", "-Itest", "-e")
    assert check.command[6].startswith('require "minitest/autorun"; Dir.glob("test/**/{test_*,*_test}.rb")')
    unit = TESTS | {"test/test_helper.rb": 'require "test/unit"\n'}
    (check,) = (one for one in plan(APP | unit).checks if one.layer is Layer.TEST)
    assert check.command[4].startswith('require "test/unit"; ')


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(LOCKED | {".rubocop.yml": ""}, ["bundle exec rubocop -a"], id="safe corrections alone"),
        pytest.param(APP | {"Rakefile": "RuboCop::RakeTask.new\n"}, ["rubocop -a"], id="known from rake"),
        pytest.param(APP | {".standard.yml": ""}, ["standardrb --fix"], id="standard"),
        pytest.param(APP, [], id="no linter"),
    ],
)
def test_a_configured_linter_corrects_for_free(files: dict[str, str], expected: list[str]) -> None:
    assert fixers(files) == expected


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"scripts/once.rb": "", "package.json": "{}"}, id="a stray script"),
        pytest.param({"Gemfile": "", "ios/Podfile": ""}, id="no Ruby of its own"),
        pytest.param({"vendor/x/Gemfile": "", "vendor/x/a.rb": ""}, id="an installed package"),
        pytest.param({"Gemfile": "", "fixtures/a.rb": ""}, id="files that are broken on purpose"),
    ],
)
def test_no_project(files: dict[str, str]) -> None:
    assert ruby.detect(snapshot(files)) == ()


def test_a_folder_with_a_gemfile_is_a_project_of_its_own_and_one_with_a_gemspec_alone_is_not() -> None:
    files = APP | {
        "api/Gemfile": "", "api/app.rb": "", "parts/a/a.gemspec": "", "parts/a/a.rb": "",
        "spec/dummy/Gemfile": "", "spec/dummy/a.rb": "",
    }  # fmt: skip
    found = ruby.detect(snapshot(files))
    assert [(one.path, one.setup) for one in found] == [(".", "bundle install"), ("api", "bundle install")]
    assert "find Gemfile lib parts spec " in found[0].checks[0].command[2]


def test_a_repository_of_tests_needs_no_manifest() -> None:
    assert told_of({"lib/a.rb": "", "test/test_a.rb": ""}, Layer.TEST)[0].startswith("ruby -Ilib -Itest -e ")


def test_names_that_a_shell_or_find_would_take_for_more_are_quoted() -> None:
    line = plan(APP | {"$(touch x).rb": "", "(.rb": "", "!a/b.rb": "", "-c.rb": ""}).checks[0].command[2]
    assert "find './!a' './$(touch x).rb' './(.rb' ./-c.rb Gemfile lib -type d" in line


def test_a_project_of_very_many_folders_is_searched_from_its_top_without_the_projects_inside() -> None:
    many = {f"folder{number}/a.rb": "" for number in range(300)}
    line = plan(APP | many | {"api/Gemfile": "", "api/a.rb": ""}).checks[0].command[2]
    assert line.startswith("ruby --version >/dev/null && find . -type d ")
    assert "-o -path ./api \\) -prune" in line
    assert len(line) < 2_000


@pytest.mark.parametrize("text", ["", "\0", "task(" * 10_000, "gem '" + "a" * 100_000, "((((" * 10_000])
def test_manifests_of_any_text_are_read(text: str) -> None:
    files = {"Gemfile": text, "Gemfile.lock": text, "Rakefile": text, "a.gemspec": text, "lib/a.rb": text}
    assert [one.path for one in ruby.detect(snapshot(files))] == ["."]
