"""Which language a file is in, as far as the guard reads it."""

import posixpath
from enum import StrEnum


class Language(StrEnum):
    """A language of which the guard knows comments, strings and ways to weaken a check."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"
    """TypeScript, JSX and the scripts of Vue and Svelte files too."""
    GO = "go"
    RUST = "rust"
    JAVA = "java"
    """Kotlin, Scala and Groovy too."""
    RUBY = "ruby"
    PHP = "php"
    CSHARP = "csharp"
    C = "c"
    """C++ and Objective-C too."""
    SWIFT = "swift"
    SHELL = "shell"
    OTHER = "other"
    """Text whose comments and strings are not known; only rules for any text apply."""


_SUFFIXES = {
    Language.PYTHON: ".py .pyi .pyw .pyx",
    Language.JAVASCRIPT: ".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte .astro",
    Language.GO: ".go",
    Language.RUST: ".rs",
    Language.JAVA: ".java .kt .kts .scala .groovy",
    Language.RUBY: ".rb .rake .ru",
    Language.PHP: ".php .phtml .inc",
    Language.CSHARP: ".cs .vb .fs",
    Language.C: ".c .h .cc .cpp .cxx .hh .hpp .hxx .m .mm .cu",
    Language.SWIFT: ".swift",
    Language.SHELL: ".sh .bash .zsh .ksh .bats",
}
_BY_SUFFIX = {suffix: language for language, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_INTERPRETERS = (
    ("python", Language.PYTHON),
    ("node", Language.JAVASCRIPT),
    ("deno", Language.JAVASCRIPT),
    ("ruby", Language.RUBY),
    ("php", Language.PHP),
    ("sh", Language.SHELL),
)

BRACES = frozenset(map(Language, ("javascript", "go", "rust", "java", "php", "csharp", "c", "swift")))
"""Languages whose blocks stand in braces."""


def language_of(path: str, text: str = "") -> Language:
    """Return the language by the file's name, or by its first line where the name has no suffix."""
    suffix = posixpath.splitext(path)[1].lower()
    if suffix or not text.startswith("#!"):
        return _BY_SUFFIX.get(suffix, Language.OTHER)
    first = text[:200].split("\n", 1)[0]
    return next((language for name, language in _INTERPRETERS if name in first), Language.OTHER)
