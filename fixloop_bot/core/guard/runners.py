"""Product code that finds out whether it is being tested, or reaches into the test runner."""

from collections.abc import Iterator

from fixloop_bot.core.guard.languages import Language
from fixloop_bot.core.guard.marks import Where, added, spaced, table
from fixloop_bot.core.guard.review import Review, finding
from fixloop_bot.core.guard.source import LINE_LIMIT, Pair
from fixloop_bot.model.guard import Finding, Severity

_PYTHON_RUNNERS = (
    r"[\"'](?:pytest|_pytest|py\.test|unittest|nose2?|doctest|hypothesis|" r"xdist)(?:\.[\w.]{1,40})?[\"']"
)

DETECTION = table(
    "test-runner-detected",
    Severity.HIGH,
    "code asks whether it is being tested",
    (
        ("python", Where.BARE, r"[\"'](?:PYTEST_\w{1,40}|TOX_ENV_NAME|NOX_\w{1,30}|COVERAGE_PROCESS_START)[\"']"),
        ("python", Where.BARE, _PYTHON_RUNNERS + r" (?:not +)?in +(?:sys\.)?(?:modules|argv)\b"),
        ("python", Where.BARE, r"\bsys\.modules (?:\. get \(|\[) " + _PYTHON_RUNNERS),
        ("python", Where.BARE, r"\bsys\.argv\b[^\n]{0,120}(?:py\.?test|unittest)|\bfind_spec \( " + _PYTHON_RUNNERS),
        (
            "python",
            Where.BARE,
            r"\b(?:os\.)?(?:environ|getenv)\b[^\n]{0,60}[\"'](?:\w{0,20}_)?(?:TESTING|UNITTEST|" r"UNDER_TEST)[\"']",
        ),
        (
            "javascript",
            Where.BARE,
            r"\bprocess\.env(?:\.|\[ [\"'])(?:JEST_\w{1,30}|VITEST\w{0,30}|MOCHA\w{0,30}|JASMINE\w{0,30}|"
            r"PLAYWRIGHT\w{0,30}|CYPRESS\w{0,30}|NODE_TEST_CONTEXT|npm_lifecycle_\w{1,20}|NODE_V8_COVERAGE)",
        ),
        (
            "javascript",
            Where.BARE,
            r"\bNODE_ENV\b[\"'\])\s]{0,9}[!=]==? [\"'`]test|" r"[\"'`]test(?:ing)?[\"'`] [!=]==? process\.env",
        ),
        (
            "javascript",
            Where.CODE,
            r"\btypeof +\(?(?:globalThis\.|global\.|window\.)?(?:jest|vi|vitest|describe|it|test|"
            r"expect|mocha|before|beforeEach|afterEach)\b",
        ),
        (
            "javascript",
            Where.CODE,
            r"\b(?:globalThis|global|window|self) \??\. (?:jest|vi|describe|it|expect|"
            r"__vitest_\w{1,30}|__karma__|Cypress)\b(?! =(?!=))",
        ),
        (
            "javascript",
            Where.BARE,
            r"[\"'](?:jest|vi|describe|it|expect|__vitest_worker__)[\"'] +in +(?:globalThis|global|" r"window)\b",
        ),
        ("javascript", Where.BARE, r"\bimport\.meta\.(?:vitest|env\.(?:VITEST|MODE [!=]==? [\"']test))"),
        (
            "javascript",
            Where.BARE,
            r"\bprocess\.(?:argv|execArgv|title|mainModule)\b[^\n]{0,120}(?:jest|mocha|vitest|--test|" r"\btest\b)",
        ),
        ("javascript", Where.BARE, r"\b(?:require\.main|module\.parent)\b[^\n]{0,100}(?:jest|mocha|vitest|test)"),
        (
            "go",
            Where.BARE,
            r"\btesting\.Testing \(|\bflag\.Lookup \( \"test\.|\bos\.Args\b[^\n]{0,100}(?:\.test|" r"-test\.)",
        ),
        (
            "rust",
            Where.BARE,
            r"\bcfg! \([^)\n]{0,60}\btest\b|#\[ cfg \( not \( test\b|\"(?:RUST_TEST_\w{1,30}|" r"NEXTEST\w{0,30})\"",
        ),
        (
            "java",
            Where.BARE,
            r"\"(?:org\.(?:junit|testng|mockito|spockframework)[\w.]{0,80}|surefire[\w.]{0,40}|"
            r"sun\.java\.command)\"",
        ),
        (
            "ruby",
            Where.BARE,
            r"\bdefined\?[\s(]{0,4}(?:::)?(?:RSpec|Minitest|MiniTest|Test::Unit|Cucumber)\b|"
            r"\bconst_defined\?[\s(]{0,4}[:\"'](?:RSpec|Minitest)",
        ),
        (
            "ruby",
            Where.BARE,
            r"(?:\$PROGRAM_NAME|\$0|\bARGV|\bcaller\w{0,12})\b[^\n]{0,100}(?:rspec|minitest|_spec|"
            r"_test|rake_test|\btest)",
        ),
        (
            "ruby",
            Where.BARE,
            r"[\"'](?:RAILS_ENV|RACK_ENV|APP_ENV)[\"'][^\n]{0,20}[!=]= [\"']test[\"']|" r"\bRails\.env\.test\?",
        ),
        ("php", Where.BARE, r"[\"']__?PHPUNIT_\w{1,40}[\"']|[\"']PHPUNIT_\w{1,40}[\"']|\bPHPUNIT_COMPOSER_INSTALL\b"),
        (
            "php",
            Where.BARE,
            r"\b(?:class_exists|interface_exists) \( [\"'\\]{0,3}(?:PHPUnit|Pest|Codeception)|" r"\brunningUnitTests\b",
        ),
        ("php", Where.BARE, r"\bAPP_ENV\b[\"'\])\s]{0,9}={2,3} [\"']test"),
        (
            "csharp",
            Where.BARE,
            r"\"(?:testhost[\w.]{0,20}|xunit[\w.]{0,40}|nunit[\w.]{0,40}|"
            r"Microsoft\.VisualStudio\.TestPlatform[\w.]{0,40})\"",
        ),
        ("shell", Where.BARE, r"\bBATS_(?:TEST\w{1,30}|VERSION|RUN\w{1,30})\b"),
        ("c", Where.BARE, r"\"GTEST_\w{1,40}\"|\bGTEST_FLAG\b"),
    ),
)

CI = table(
    "ci-detected",
    Severity.MEDIUM,
    "code asks whether it runs in CI",
    (
        (
            "python",
            Where.BARE,
            r"\b(?:os\.)?(?:environ|getenv)\b[^\n]{0,20}[\"'](?:CI|GITHUB_ACTIONS|" r"CONTINUOUS_INTEGRATION)[\"']",
        ),
        ("javascript", Where.BARE, r"\bprocess\.env(?:\.|\[[\"'])(?:CI|GITHUB_ACTIONS|CONTINUOUS_INTEGRATION)\b"),
        ("go", Where.BARE, r"\bos\.(?:Getenv|LookupEnv) \( \"(?:CI|GITHUB_ACTIONS)\""),
        ("ruby", Where.BARE, r"\bENV(?:\.fetch\(|\[)[\"'](?:CI|GITHUB_ACTIONS)[\"']"),
    ),
)

HARNESS = table(
    "test-harness-patched",
    Severity.HIGH,
    "the test runner or its assertions are replaced",
    (
        (
            "python",
            Where.CODE,
            r"\b(?:unittest|pytest|_pytest|doctest)(?:\.\w{1,40}){1,5} =(?!=)|" r"\bbuiltins\.\w{1,40} =(?!=)",
        ),
        ("python", Where.CODE, r"\bsetattr \( (?:unittest|pytest|_pytest|builtins|doctest)\b|\bdef +pytest_\w{1,60}"),
        ("python", Where.BARE, r"\bsys\.modules \[ " + _PYTHON_RUNNERS + r" \] =(?!=)"),
        (
            "javascript",
            Where.CODE,
            r"\b(?:globalThis|global|window)\.(?:expect|it|test|describe|assert|jest|vi) =(?!=)",
        ),
        (
            "javascript",
            Where.CODE,
            r"(?<![\w.$])assert\.\w{1,40} =(?!=)|\bModule\.(?:_load|prototype\.require|" r"_resolveFilename) =(?!=)",
        ),
        ("javascript", Where.BARE, r"\bexpect\.extend \(|\bprocess\.(?:exit|reallyExit) =(?!=)|\basymmetricMatch\b"),
        ("ruby", Where.CODE, r"^\s{0,40}(?:class|module) +(?:::)?(?:RSpec|Minitest|MiniTest|Test::Unit)\b"),
        ("ruby", Where.CODE, r"\b(?:RSpec|Minitest)(?:::\w{1,40}){1,5}\.(?:class_eval|prepend|define_method|send)\b"),
        ("php", Where.CODE, r"^\s{0,40}namespace +PHPUnit\b|\buopz_\w{1,40}|\brunkit\w{1,40}"),
        ("go", Where.CODE, r"\bfunc +TestMain \("),
        ("java", Where.CODE, r"^\s{0,40}package +org\.(?:junit|testng|mockito|hamcrest|assertj)\b"),
        ("rust", Where.CODE, r"\bmacro_rules! (?:debug_)?assert\w{0,20}"),
        ("c", Where.CODE, r"# define +(?:assert|EXPECT_\w{1,30}|ASSERT_\w{1,30}|TEST\w{0,10}|NDEBUG)\b"),
    ),
)

LOADING = table(
    "import-rerouted",
    Severity.MEDIUM,
    "modules are loaded from elsewhere",
    (
        (
            "python",
            Where.CODE,
            r"\bsys\.(?:meta_path|path_hooks|path)\b(?:\.\w{1,10} \(| \+?=(?!=))|"
            r"\bsys\.modules \[[^\]\n]{1,80}\] =(?!=)",
        ),
        ("javascript", Where.CODE, r"\brequire\.cache \[|\bregisterHooks \("),
    ),
)

_STACK = spaced(
    r"\binspect\.(?:stack|currentframe|getouterframes)\b|\bsys\._getframe\b|"
    r"\btraceback\.(?:extract_stack|format_stack)\b"
    r"|\bnew +Error\([^)\n]{0,40}\)\.stack\b|\bgetStackTrace \(|\bdebug_backtrace\b|\bcaller_locations\b"
    r"|\bruntime\.Callers?\b|\bthread::current\(\)|\bEnvironment\.StackTrace\b|\bStackWalker\b"
)
_ABOUT_TESTS = spaced(
    r"(?i)[\"'`][^\"'`\n]{0,40}(?:test|spec|junit)[^\"'`\n]{0,40}[\"'`]|/[^/\n]{0,40}(?:test|" r"spec)[^/\n]{0,40}/"
)
_NEAR = 12
"""Lines between the look at the stack and the word that it looks for."""


def detects_runner(review: Review) -> Iterator[Finding]:
    """Yield what product code does to know its tests; a test may ask, it is one."""
    product = [pair for pair in review.product if pair.language is not Language.OTHER]
    yield from added(product, (*DETECTION, *CI, *LOADING))
    for pair in product:
        yield from _looks_at_stack(pair)


def patched_harness(review: Review) -> Iterator[Finding]:
    """Yield replacements of the runner's own names, in product code or in a new test."""
    yield from added(review.pairs, HARNESS)


def _looks_at_stack(pair: Pair) -> Iterator[Finding]:
    looks = [line for line in pair.added if _STACK.search(line.code[:LINE_LIMIT])]
    about = [line.number for line in pair.added if _ABOUT_TESTS.search(line.bare[:LINE_LIMIT])]
    for line in looks:
        if any(abs(line.number - number) <= _NEAR for number in about):
            message = "code looks at the call stack for a test"
            yield finding("test-runner-detected", Severity.HIGH, pair.path, line.number, message)
