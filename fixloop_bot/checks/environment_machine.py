"""What any program prints when the machine lacks something: programs, memory, disk, network, services, rights."""

from fixloop_bot.checks.environment_line import SETUP, EnvironmentLine, decisive, explaining

_MEMORY = "memory: the command ran out of it"
_DISK = "disk: no space is left"
_NETWORK = "network: a host name could not be resolved"
_BROWSER = "a browser for Playwright: `npx playwright install`"
_SHELL = r"^(?:/\S*/)?(?:ba|da|z|k|a)?sh: (?:line )?(?:\d+: )?"

PROGRAMS = (
    EnvironmentLine(_SHELL + r"(\S+): (?:command )?not found$", f"{{0}} was not found; {SETUP}"),
    EnvironmentLine(_SHELL + r"(\S+): Permission denied$", "{0} may not be executed: set its executable bit"),
    EnvironmentLine(
        r"^(?:/usr/bin/)?env: [^\w\n]{0,3}([\w.+-]+)[^\w\n]{0,3}: No such file or directory$",
        f"{{0}} was not found; {SETUP}",
    ),
    decisive(r"^make(?:\[\d+\])?: (\S+): (?:No such file or directory|Command not found)$", f"{{0}}; {SETUP}"),
    EnvironmentLine(r"^make(?:\[\d+\])?: (\S+): Permission denied$", "{0} may not be executed: set its executable bit"),
    EnvironmentLine(
        r"^make(?:\[\d+\])?: \*\*\* No rule to make target '([^'\n]+)'\.  Stop\.", "make has no target {0}"
    ),
    decisive(r"^make(?:\[\d+\])?: \*\*\* \[[^\n]*\] Error 127$", f"a program that make runs; {SETUP}"),
    EnvironmentLine(r"^ESLint couldn't find an? (?:eslint\.config|configuration)", "an eslint configuration"),
    decisive(r"^.*: error while loading shared libraries: ([^:\s]+):", f"the library {{0}}; {SETUP}"),
    decisive(r"^.*: version `(GLIBC\w*_[\d.]+)' not found", "a newer C library ({0})"),
)
"""The shell's and make's own words."""

OPTIONS = (
    EnvironmentLine(
        r"^(?:ERROR: |\w+: )?(?:usage: )?(\w[\w-]*): error: unrecognized arguments: ([^\n]+)",
        "{0} does not know {1}",
    ),
    EnvironmentLine(r"^error: unexpected argument '(-[^']+)' found", "the tool does not know {0}"),
    EnvironmentLine(r"^Invalid option '(--?[\w-]+)'", "eslint does not know {0}"),
    EnvironmentLine(r"^(?:\S*/)?node: bad option: (\S+)", "node does not know {0}"),
    EnvironmentLine(r"^flag provided but not defined: (\S+)", "the Go tool does not know {0}"),
    EnvironmentLine(r"^error TS5\d{3}: ([^\n]+)", "tsc refuses an option: {0}"),
    EnvironmentLine(r"^Unknown command-line option '(-[^']+)'", "gradle does not know {0}"),
    EnvironmentLine(r"^Unable to parse command line options: Unrecognized option: (\S+)", "mvn does not know {0}"),
    EnvironmentLine(r"^CACError: Unknown option `(-[^`]+)`", "vitest does not know {0}"),
    EnvironmentLine(r'^Unknown option "(-[^"]+)"', "phpunit does not know {0}"),
    EnvironmentLine(r"^invalid option: (-\S+)", "the tool does not know {0}"),
)
"""An option that a tool of another version would take."""

BUILD = (
    EnvironmentLine(r"^(?:/\S+/)?ld(?:\.\w+)?: cannot find -l([\w.+-]+)", f"the library {{0}}; {SETUP}"),
    decisive(
        r"^  Could not find a package configuration file provided by \"([^\"\n]+)\"", f"the package {{0}}; {SETUP}"
    ),
    decisive(r"^  Could NOT find (\w+) \(missing:", f"the package {{0}}; {SETUP}"),
    decisive(r"^--   (?:No package '([^']+)' found|Package '([^']+)', required by)", f"the package {{0}}; {SETUP}"),
    decisive(r"^  CMake (\S+) or higher is required\.  You are running version (\S+)", "CMake {0} (this is {1})"),
    decisive(r'^CMake Error: CMake was unable to find a build program corresponding to "([^"]+)"', f"{{0}}; {SETUP}"),
    decisive(r"^  No CMAKE_(\w+)_COMPILER could be found\.", f"a {{0}} compiler; {SETUP}"),
    decisive(
        r"^  is not a full path and was not found in the PATH\.$", f"the compiler that CMake is told to use; {SETUP}"
    ),
)

MEMORY_AND_DISK = (
    decisive(r"^FATAL ERROR: .*heap out of memory", _MEMORY),
    decisive(r"^MemoryError$", _MEMORY),
    decisive(r'^(?:Exception in thread ".*" |Caused by: )?java\.lang\.OutOfMemoryError', _MEMORY),
    decisive(r"^(?:\S+: )?fatal error: Killed signal terminated program (\S+)", _MEMORY + " ({0} was killed)"),
    decisive(r"^.*\(signal: 9, SIGKILL: kill\)", _MEMORY + ", or the command was killed"),
    decisive(r"^.*: (?:fork: .*Resource temporarily unavailable|Cannot allocate memory)$", _MEMORY),
    decisive(r"^.*No space left on device", _DISK),
    decisive(r"^.*ENOSPC: no space left on device", _DISK),
    decisive(r"^.*Disk quota exceeded$", _DISK),
    decisive(r"^.*ENOSPC: System limit for number of file watchers reached", "file watchers: raise the limit"),
    EnvironmentLine(r"^.*EADDRINUSE: address already in use (\S+)", "the port {0}, which is taken"),
)

NETWORK = (
    decisive(
        r"^(?:[\w.]+\.)?(?:gaierror|URLError|ConnectionError)\b.*"
        r"(?:Name or service not known|name resolution|No address associated)",
        _NETWORK,
    ),
    decisive(r"^.*\bCERTIFICATE_VERIFY_FAILED\b", "network: a server's certificate is not trusted"),
    EnvironmentLine(r"^(?:curl: \(6\) )?Could not resolve host: (\S+)", _NETWORK + " ({0})"),
    EnvironmentLine(r"^curl: \(\d+\) Failed to connect to (\S+) port (\d+)", "service: nothing answers at {0}:{1}"),
    EnvironmentLine(
        r"^(?:error |Error: |npm error .*)*(?:Error: )?getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S+)", _NETWORK + " ({0})"
    ),
    EnvironmentLine(r"^\W*cause: failed to lookup address information", _NETWORK),
    EnvironmentLine(
        r"^fatal: unable to access '([^']+)': (?:Could not resolve|Failed to connect|Couldn't connect)",
        "network: git cannot reach {0}",
    ),
    EnvironmentLine(r"^ssh: (?:Could not resolve hostname|connect to host) ([\w.-]+)", "network: the host {0}"),
    EnvironmentLine(
        r"^fatal: (?:Authentication failed for|could not read (?:Username|Password) for) '([^']+)'",
        "credentials for {0}",
    ),
    EnvironmentLine(r"^\S+: Permission denied \(publickey", "credentials: an SSH key that the server takes"),
    EnvironmentLine(r"^Host key verification failed\.", "the SSH server's host key among the known ones"),
    EnvironmentLine(r"^fatal: not a git repository", "a git repository: the command needs one"),
    EnvironmentLine(r"^fatal: detected dubious ownership", "ownership of the repository, which git does not trust"),
)

_PORTS = "5432|3306|6379|27017|9200|5672|1433|11211|9092|2181|1521|4566|9042|8123"
"""PostgreSQL, MySQL, Redis, MongoDB, Elasticsearch, RabbitMQ, SQL Server, memcached, Kafka and other services."""
_REFUSED = ("refused", "ECONNREFUSED", "Can't connect")

SERVICES = (
    EnvironmentLine(r"^psql: error: connection to server at \"([^\"]+)\".* port (\d+) failed", "a database at {0}:{1}"),
    EnvironmentLine(r"^ERROR 2003 \(HY000\): Can't connect to MySQL server on '([^']+)'", "a database at {0}"),
    explaining(rf"^.*(?:\bport |:)({_PORTS})\b.*\brefused\b", "a service at port {0}: nothing listens", *_REFUSED),
    explaining(rf"^.*ECONNREFUSED [^\s:]+:({_PORTS})\b", "a service at port {0}: nothing listens", *_REFUSED),
    explaining(r"^.*Can't connect to (MySQL|MariaDB) server", "a {0} server: nothing listens", *_REFUSED),
    EnvironmentLine(
        r"^(?:ERROR: |docker: )?Cannot connect to the Docker daemon at (\S+?)\.? Is", "the Docker daemon at {0}"
    ),
    EnvironmentLine(r"^.*permission denied while trying to connect to the Docker daemon", "the Docker daemon's socket"),
    EnvironmentLine(r"^.*pull access denied for (\S+?),", "the image {0}, or credentials for it"),
    explaining(
        r"^.*Could not find a valid Docker environment", "a Docker daemon, for Testcontainers", "Docker environment"
    ),
    decisive(r"^.*browserType\.launch: Executable doesn't exist at ", _BROWSER),
    explaining(r"^.*Executable doesn't exist at ", _BROWSER, "Executable doesn't exist"),
    explaining(
        r"^.*Host system is missing dependencies to run browsers",
        "libraries for browsers: `npx playwright install-deps`",
        "missing dependencies to run browsers",
    ),
    explaining(r"^.*Could not find Chrome \(ver", "Chrome, for Puppeteer", "Could not find Chrome"),
    EnvironmentLine(r"^The cypress npm package is installed, but the Cypress binary is missing", "Cypress's program"),
    explaining(
        r"^.*(?:Unable to obtain driver for|cannot find) (Chrome|chrome|firefox|Firefox)",
        "a browser for Selenium ({0})",
        *("Unable to obtain driver", "cannot find"),
    ),
)

VISUAL = (
    decisive(r"^fixloop visual: (\w+) is not installed: ([^\n]+)$", "{0}, for the visual layer: {1}"),
    decisive(
        r"^fixloop visual: (?:no Chromium was found|Chromium could not be started \([^\n]*\)): ([^\n]+)$",
        "Chromium, for the visual layer: {0}",
    ),
    decisive(r"^NONE [^\n]+: no baseline (\.fixloop/visual/[^\n]+\.png): ([^\n]+)$", "a baseline {0}: {1}"),
)
"""The visual layer's own words."""

MACHINE = (*PROGRAMS, *OPTIONS, *BUILD, *MEMORY_AND_DISK, *NETWORK, *SERVICES, *VISUAL)
