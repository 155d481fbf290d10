"""What package managers and build tools print when a package, a registry or a runtime's version is missing."""

from fixloop_bot.checks.environment_line import SETUP, EnvironmentLine, decisive

_NPM = r"^npm (?:error|ERR!) "
_NPM_CODES = (
    "E404|E401|E403|ENOTFOUND|ETARGET|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EBADENGINE|EACCES|ENOSPC|ENOENT"
    "|ENOTCACHED|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY"
    "|CERT_HAS_EXPIRED|UNABLE_TO_VERIFY_LEAF_SIGNATURE"
)

NODE = (
    EnvironmentLine(_NPM + r'Missing script: "?([\w:.-]+)', "the script {0} is missing in package.json"),
    EnvironmentLine(_NPM + rf"code ({_NPM_CODES})$", "npm could not do its work ({0})"),
    EnvironmentLine(_NPM + r"404 +The requested resource '([^']+)'", "the registry has no {0}, or wants credentials"),
    EnvironmentLine(_NPM + r"network request to (\S+) failed", "network: npm cannot reach {0}"),
    EnvironmentLine(_NPM + r"notsup Required: (.+)$", "a version of node or npm that package.json allows: {0}"),
    EnvironmentLine(_NPM + r"could not determine executable to run", f"a program that npx runs; {SETUP}"),
    EnvironmentLine(r"^\W{0,4}ERR_PNPM_NO_SCRIPT\W+Missing script: (\S+)", "the script {0} is missing in package.json"),
    EnvironmentLine(r'^\W{0,4}ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\W+Command "([^"]+)" not found', f"{{0}}; {SETUP}"),
    EnvironmentLine(
        r"^\W{0,4}ERR_PNPM_(?:\w*FETCH\w*|NO_MATCHING_VERSION\w*|NO_OFFLINE_\w+)\W+(.+)$",
        "pnpm could not get a package: {0}",
    ),
    EnvironmentLine(
        r"^\W{0,4}ERR_PNPM_UNSUPPORTED_ENGINE\W+(.+)$", "a version of node or pnpm that package.json allows"
    ),
    EnvironmentLine(r'^error Couldn\'t find package "([^"]+)" on the', "the registry has no {0}"),
    EnvironmentLine(r"^error Couldn't find any versions for \"([^\"]+)\"", "the registry has no such version of {0}"),
    EnvironmentLine(r'^error Command "([^"]+)" not found\.', f"the script or program {{0}}; {SETUP}"),
    EnvironmentLine(
        r'^error \S+: The engine "(\w+)" is incompatible with this module\. Expected version "([^"]+)"',
        "{0} in version {1}",
    ),
    EnvironmentLine(r"^\S*YN0035: .*(?:404|not found)", "a package that the registry does not have"),
    EnvironmentLine(r"^(?:Usage Error: )?Couldn't find a script named \"([^\"]+)\"", "the script {0} in package.json"),
    decisive(r"^Error: Cannot find module '[^'\n]*/node_modules/", f"the packages of package.json; {SETUP}"),
    decisive(
        r"^(?:Error: )?Cannot find (?:module|package) '?(@?[\w/.-]+-(?:linux|darwin|win32)-(?:x64|arm64)[\w-]*)'?",
        f"{{0}}, the build of a package for this machine; {SETUP}",
    ),
)

PYTHON = (
    EnvironmentLine(
        r"^(?:/\S+/)?python[\d.]*: No module named ([\w.]+)",
        f"{{0}} is not installed in the project's environment; {SETUP}",
    ),
    EnvironmentLine(
        r"^ERROR: Could not find a version that satisfies the requirement (\S+)", "pip finds no version for {0}"
    ),
    EnvironmentLine(r"^ERROR: No matching distribution found for (\S+)", "pip finds no distribution {0}"),
    EnvironmentLine(
        r"^ERROR: Package '([^']+)' requires a different Python: (\S+) not in '([^']+)'",
        "Python {2} for {0} (this is {1})",
    ),
    EnvironmentLine(r"^\W*(?:error: )?No interpreter found for (.+?)(?: in .+)?$", f"{{0}}; {SETUP}"),
    EnvironmentLine(
        r"^error: Failed to spawn: `?([^`\s]+)`?$", f"{{0}} is not installed in the project's environment; {SETUP}"
    ),
    EnvironmentLine(
        r"^\W*(?:hint: )?Packages were unavailable because the network was disabled",
        "packages that uv has not in its cache, and may not download (offline)",
    ),
    EnvironmentLine(
        r"^\W*(?:error: |cause: |Caused by: )?Failed to fetch: `?(\S+?)`?$", "network: uv cannot reach {0}"
    ),
    EnvironmentLine(r"^Command not found: (\S+)$", f"{{0}} is not installed in poetry's environment; {SETUP}"),
    EnvironmentLine(
        r"^(?:The currently activated|Current) Python version \(?(\S+?)\)? is not (?:supported|allowed) by the project "
        r"\((.+)\)",
        "Python {1} (this is {0})",
    ),
    EnvironmentLine(r"^(\S+): skipped because could not find python interpreter", "the Python that tox wants for {0}"),
    EnvironmentLine(r"^(?:nox > )?.*Python interpreter (\S+) not found", "Python {0}, which nox wants"),
    EnvironmentLine(
        r"^(?:pyenv|rbenv|nodenv|goenv): version `([^']+)' is not installed", "version {0}, set for this folder"
    ),
    EnvironmentLine(r"^\s*error: invalid command 'bdist_wheel'$", "the package wheel, for building; install it"),
    EnvironmentLine(r"^\s*error: command '([^']+)' failed: No such file or directory$", f"the compiler {{0}}; {SETUP}"),
)

RUST = (
    EnvironmentLine(
        r"^As a reminder, you're using offline mode \(--offline\)",
        "crates that are not downloaded, and may not be (offline)",
    ),
    EnvironmentLine(r"^error: failed to get `([^`]+)` as a dependency", "the crate {0}, which cargo cannot get"),
    EnvironmentLine(
        r"^\s*\[?\d{0,3}\]? ?Could not resolve host(?:name)?:? \(?(?:Could not resolve host: )?([\w.-]+)",
        "network: a host name could not be resolved ({0})",
    ),
    EnvironmentLine(r"^\s+\S+@\S+ requires rustc ([\w.]+)$", "rustc {0} or later"),
    EnvironmentLine(
        r"^error: package `[^`]+` cannot be built because it requires rustc ([\w.]+)", "rustc {0} or later"
    ),
    EnvironmentLine(r"^error: no such command: `([^`]+)`", f"the cargo command {{0}}; {SETUP}"),
    EnvironmentLine(r"^error: linker `([^`]+)` not found", f"the linker {{0}}; {SETUP}"),
    EnvironmentLine(r"^error: toolchain '([^']+)' is not installed", "the Rust toolchain {0}"),
    EnvironmentLine(r"^error: '([^']+)' is not installed for the toolchain '([^']+)'", "{0} of the Rust toolchain {1}"),
    EnvironmentLine(r"^\s*error: component '([^']+)' for target", "the Rust component {0}"),
)

GO = (
    decisive(r"^(?:.+: )?note: module requires Go ([\d.]+)", "Go {0} or later"),
    decisive(r"^go: (?:errors parsing )?.*go(?:\.mod)? requires go >= ([\d.]+)", "Go {0} or later"),
    decisive(r"^\S+\.go:\d+:\d+: module lookup disabled by GOPROXY=off", "the modules of go.mod, with GOPROXY=off"),
    EnvironmentLine(r"^go: (\S+): .*dial tcp: lookup (\S+)", "network: {1} could not be found (for the module {0})"),
    EnvironmentLine(r"^go: (\S+@\S+): module lookup disabled by GOPROXY=off", "the module {0}, with GOPROXY=off"),
    decisive(r'^cgo: C compiler "([^"]+)" not found', f"the C compiler {{0}}; {SETUP}"),
    EnvironmentLine(r"^go: no such tool \"(\w+)\"", "the Go tool {0}"),
)

JAVA = (
    EnvironmentLine(
        r"^\[ERROR\] Failed to execute goal on project .+?(?:Could not find artifact|the artifact|dependencies at) "
        r"([\w.-]+:[\w.:-]+)",
        "Maven cannot get {0}",
    ),
    EnvironmentLine(r"^\[ERROR\] Plugin (\S+) or one of its dependencies could not be resolved", "Maven's plugin {0}"),
    EnvironmentLine(r"^\[(?:ERROR|FATAL)\] .*?Unknown host ([\w.-]+)", "network: {0} could not be found"),
    EnvironmentLine(r"^\[ERROR\] .*No compiler is provided in this environment", "a JDK: this is a JRE alone"),
    EnvironmentLine(
        r"^(?:\[ERROR\] .*)?(?:\S+: )?error: (?:release version (\d+) not supported|"
        r"invalid (?:source|target) release: (\d+))",
        "a JDK that knows Java {0}",
    ),
    EnvironmentLine(r"^(?:ERROR: |The )JAVA_HOME (?:environment variable )?is (?:not|set)", "a JDK at JAVA_HOME"),
    decisive(r"^.*UnsupportedClassVersionError: ", "a newer Java runtime"),
    decisive(r"^.*Unsupported class file major version (\d+)", "a Gradle that knows this JDK (class file {0})"),
    EnvironmentLine(r"^\s*> Could not (?:resolve|find) ([\w.-]+:[\w.-]+:[\w.+-]+)\.", "Gradle cannot get {0}"),
    EnvironmentLine(
        r"^\s*> No cached version of (\S+) available for offline mode", "{0}, which is not cached (offline)"
    ),
    EnvironmentLine(r"^\s*> Could not (?:GET|HEAD) '([^']+)'", "network: Gradle cannot reach {0}"),
    EnvironmentLine(
        r"^Error: Could not find or load main class org\.gradle\.wrapper\.GradleWrapperMain",
        "gradle/wrapper/gradle-wrapper.jar, the Gradle wrapper's program",
    ),
    EnvironmentLine(
        r"^Exception in thread \"main\" java\.(?:net\.UnknownHostException|io\.IOException): .*"
        r"(services\.gradle\.org)",
        "network: {0}, where the Gradle wrapper gets Gradle",
    ),
    EnvironmentLine(r"^.*SDK location not found", "an Android SDK: set ANDROID_HOME"),
)

RUBY = (
    EnvironmentLine(r"^bundler: command not found: (\S+)", f"{{0}} is not among the gems of the Gemfile; {SETUP}"),
    EnvironmentLine(
        r"^(?:\S+: ?in `.+': )?(?:\x1b\[\d+m)?Could not find (?:gem )?'?([\w-]+(?: \([^)]*\)|-[\w.-]+)?)'? in "
        r"(?:any of|locally|cached|rubygems|source)",
        f"the gem {{0}}; {SETUP}",
    ),
    EnvironmentLine(r"^.*Could not find '([^']+)' \((\S+)\) (?:required by|among)", f"the gem {{0}} {{1}}; {SETUP}"),
    EnvironmentLine(r"^.*Your Ruby version is (\S+), but your Gemfile specified (\S+)", "Ruby {1} (this is {0})"),
    EnvironmentLine(r"^Could not reach host (\S+)\. Check your network", "network: {0} could not be reached"),
    EnvironmentLine(r"^Run `bundle install` to install missing gems", f"the gems of the Gemfile; {SETUP}"),
)

PHP = (
    EnvironmentLine(
        r"^\s+- Root composer\.json requires (php\S*) (\S+) but your php version \(([^)]+)\)", "{0} {1} (this is {2})"
    ),
    EnvironmentLine(
        r"^\s+- .+ requires (?:PHP extension )?(ext-[\w-]+) \S+ (?:->|but) .*it is missing from your system",
        "PHP's extension {0}",
    ),
    EnvironmentLine(r'^\s*The "(\S+)" file could not be downloaded', "network: Composer cannot reach {0}"),
    EnvironmentLine(r"^\s*curl error \d+ while downloading (\S+?):", "network: Composer cannot reach {0}"),
    decisive(r"^.*: Failed opening required '[^'\n]*/vendor/", f"the packages of composer.json; {SETUP}"),
    EnvironmentLine(r"^Could not open input file: (vendor/\S+)", f"{{0}}, a package of composer.json; {SETUP}"),
)

DOTNET = (
    decisive(r"^.*error NU1301: .*?(https?://\S+?)[.\s]*(?:\[|$)", "network: NuGet cannot reach {0}"),
    decisive(r"^.*error (NU110[123]): Unable to find (?:a stable )?package (\S+)", "NuGet cannot get {1} ({0})"),
    decisive(r"^.*error NETSDK1045: The current \.NET SDK does not support targeting (\.NET [\d.]+)", "an SDK of {0}"),
    decisive(r"^.*error NETSDK1147: .*workloads must be installed: (\S+)", "the .NET workload {0}"),
    decisive(r"^.*error MSB4236: The SDK '([^']+)' specified could not be found", "the SDK {0}"),
    EnvironmentLine(r"^(?:A compatible|The) \.NET SDK was not found|^Requested SDK version: (\S+)", "the .NET SDK {0}"),
    EnvironmentLine(r"^(?:The framework|Framework:) '([^']+)', version '([^']+)'", "the framework {0} {1}"),
)
"""As documented at learn.microsoft.com/dotnet and learn.microsoft.com/nuget."""

PACKAGES = (*NODE, *PYTHON, *RUST, *GO, *JAVA, *RUBY, *PHP, *DOTNET)
