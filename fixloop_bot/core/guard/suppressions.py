"""Comments and attributes that silence a linter, a type checker, a compiler or a coverage tool."""

from collections.abc import Iterator

from fixloop_bot.core.guard.languages import Language
from fixloop_bot.core.guard.marks import Where, added, table
from fixloop_bot.core.guard.review import Review
from fixloop_bot.model.guard import Finding, Severity

_ALL = tuple(language for language in Language if language is not Language.OTHER)
_OPEN = r"(?:^|//|/\*|\*|<!--)[/*!\s]{0,20}"

PATTERNS = table(
    "suppression-added",
    Severity.HIGH,
    "a check is silenced",
    (
        (
            "python",
            Where.COMMENT,
            r"(?i)# (?:noqa\b|type: ignore|(?:ruff|flake8): (?:noqa|ignore|disable)|pylint: "
            r"(?:disable(?:-next|-msg)?|skip-file)|pyright: (?:ignore|basic)|mypy: (?:ignore|disable|"
            r"allow|no-)"
            r"|pragma: no (?:cover|branch)|nosec\b|fmt: (?:off|skip)|yapf: disable|isort: "
            r"skip|pyre-(?:ignore|fixme)|pytype: disable|pyrefly: ignore|ty: ignore)",
        ),
        ("python", Where.CODE, r"@(?:typing\.)?no_type_check\b"),
        (
            "javascript",
            Where.COMMENT,
            _OPEN + r"(?:eslint-disable(?:-next-line|-line)?|@ts-(?:ignore|expect-error|nocheck)|"
            r"biome-ignore(?:-all)?|"
            r"prettier-ignore|tslint:disable(?:-next-line)?|jshint +ignore|istanbul +ignore|c8 +ignore|"
            r"v8 +ignore|deno-lint-ignore(?:-file)?|deno-coverage-ignore|oxlint-disable(?:-next-line)?|"
            r"stylelint-disable(?:-next-line)?|\$Flow(?:FixMe|Ignore|Issue)|@noflow|dprint-ignore|"
            r"node:coverage +"
            r"(?:disable|ignore)|svelte-ignore|htmlhint-disable)",
        ),
        (
            "javascript",
            Where.COMMENT,
            r"/\* eslint +[\w@/-]{1,80} : \[? [\"']?(?:0|off)\b",
        ),
        ("go", Where.COMMENT, r"// (?:nolint\b|lint:(?:file-)?ignore|#nosec\b|revive:disable|exhaustive:ignore)"),
        ("rust", Where.CODE, r"#!?\[ (?:cfg_attr \([^)\n]{0,200}?, )?(?:allow|expect) \("),
        ("rust", Where.CODE, r"#!?\[ (?:rustfmt::skip|coverage\(off\)|no_coverage|tarpaulin::skip)"),
        ("java", Where.CODE, r"@(?:file:)?(?:Suppress(?:Warnings|FBWarnings|Lint)?|SuppressForbidden|nowarn)\b"),
        (
            "java",
            Where.COMMENT,
            _OPEN + r"(?:CHECKSTYLE\W{0,3}(?:OFF|SUPPRESS)|NOPMD|@formatter:off|spotless:off|noinspection\b|"
            r"ktlint-disable"
            r"|scalastyle:off|CSOFF|errorprone:ignore|ktfmt: off)",
        ),
        (
            "ruby",
            Where.COMMENT,
            r"# (?:rubocop: (?:disable|todo)|standard:disable|:nocov:|typed: (?:false|ignore)|steep:"
            r"ignore|reek:|brakeman:ignore)",
        ),
        (
            "php",
            Where.COMMENT,
            r"(?:phpcs: (?:ignore(?:File)?|disable)|@phpcsSuppress|@codingStandardsIgnore\w{0,20}|"
            r"@phpstan-ignore"
            r"(?:-next-line|-line)?|@psalm-suppress|@phan-(?:file-)?suppress(?:-next-line|-current-line)?|"
            r"@codeCoverageIgnore\w{0,10}|@SuppressWarnings)",
        ),
        ("shell", Where.COMMENT, r"# shellcheck +disable"),
        (
            "c",
            Where.COMMENT,
            _OPEN + r"(?:NOLINT(?:NEXTLINE|BEGIN)?|cppcheck-suppress\w{0,20}|clang-format +off|"
            r"[LG]COV_EXCL\w{0,20}|"
            r"coverity\[|PVS-Studio|-V::)",
        ),
        (
            "c",
            Where.CODE,
            r"# pragma +(?:(?:GCC|clang) +(?:diagnostic +ignored|system_header)|warning \( "
            r"(?:push , )?(?:disable|suppress))|no_sanitize",
        ),
        ("csharp", Where.CODE, r"# pragma +warning +disable|# nullable +disable"),
        (
            "csharp",
            Where.CODE,
            r"\[ (?:assembly: )?(?:\w{1,40}\.){0,6}(?:SuppressMessage|ExcludeFromCodeCoverage)",
        ),
        ("csharp", Where.COMMENT, _OPEN + r"(?:ReSharper +disable|NCrunch)"),
        ("swift", Where.COMMENT, _OPEN + r"(?:swiftlint:disable(?::next|:this)?|swift-format-ignore|sourcery:skip)"),
        (
            _ALL,
            Where.COMMENT,
            r"(?:^|//|/\*|\*|#|--)[/*!#\s]{0,20}(?:NOSONAR|nosemgrep|semgrep-ignore|gitleaks:allow)\b",
        ),
    ),
    tail=True,
)

ESCAPES = table(
    "type-escape-added",
    Severity.MEDIUM,
    "a type check is stepped around",
    (
        ("javascript", Where.CODE, r"\bas +(?:any|unknown +as)\b|<any>|: any\b"),
        ("python", Where.CODE, r"\bcast \( (?:typing\.)?Any\b|: (?:typing\.)?Any\b"),
        ("go", Where.CODE, r"\bunsafe\.Pointer\b"),
        ("rust", Where.CODE, r"\b(?:mem::)?transmute (?:::|\()"),
    ),
)


WARNINGS = table(
    "warnings-silenced",
    Severity.MEDIUM,
    "warnings are silenced",
    (
        ("python", Where.BARE, r"\b(?:filterwarnings|simplefilter) \( [\"']ignore"),
        ("javascript", Where.CODE, r"\bconsole\.(?:error|warn) =(?!=)|\bprocess\.noDeprecation\b"),
        ("ruby", Where.CODE, r"\$VERBOSE ="),
        ("php", Where.CODE, r"\berror_reporting \( 0"),
    ),
)


def added_suppressions(review: Review) -> Iterator[Finding]:
    """Yield the suppressions that the change adds, in product code and tests alike."""
    yield from added(review.pairs, PATTERNS)
    yield from added(review.product, (*ESCAPES, *WARNINGS))
