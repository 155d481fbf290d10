"""Failures that are the environment's, and some that only look like it, each made by a real tool."""

from collections.abc import Mapping
from dataclasses import dataclass, field

ENVIRONMENT = "environmental"
CODE = "deterministic-fail"

PACKAGE = '{"name": "shop", "version": "1.0.0", "private": true, "dependencies": {"lodash": "4.17.21"}}'
LOCK = """{"name": "shop", "version": "1.0.0", "lockfileVersion": 3, "requires": true, "packages": {
"": {"name": "shop", "version": "1.0.0", "dependencies": {"lodash": "4.17.21"}},
"node_modules/lodash": {"version": "4.17.21", "resolved": "URL/lodash/-/lodash-4.17.21.tgz"}}}"""
NOWHERE = "http://registry.invalid"
REFUSED = "http://127.0.0.1:9"
QUIET = "--no-audit --no-fund --fetch-retries=0 --loglevel=error"
SERVED = (
    "python3 -m http.server 18765 --bind 127.0.0.1 >/dev/null 2>&1 & server=$!; sleep 2; {}; code=$?; "
    "kill $server; exit $code"
)
"""A registry that has nothing, for as long as a command runs."""
PYPROJECT = '[project]\nname = "shop"\nversion = "1"\nrequires-python = ">=3.8"\ndependencies = ["flask==3.0"]\n'
CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'
POM = """<project><modelVersion>4.0.0</modelVersion>
<groupId>a</groupId><artifactId>shop</artifactId><version>1</version>
<properties><maven.compiler.source>RELEASE</maven.compiler.source><maven.compiler.target>RELEASE</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<repositories><repository><id>central</id><url>URL</url></repository></repositories>
<pluginRepositories><pluginRepository><id>central</id><url>URL</url></pluginRepository></pluginRepositories>
<dependencies><dependency><groupId>org.example</groupId><artifactId>till</artifactId><version>9</version></dependency>
</dependencies></project>"""
GRADLE = "apply plugin: 'java'\nrepositories { maven { url 'URL' } }\ndependencies { compile 'org.example:till:9' }\n"
JAVA = "public class A {}\n"
PG_TEST = (
    "import subprocess\n\n\ndef query():\n"
    "    done = subprocess.run(['psql', '-h', '127.0.0.1', '-p', '5432', '-c', 'select 1'], capture_output=True,"
    " text=True)\n    if done.returncode:\n        raise RuntimeError(done.stderr)\n\n\n"
    "def test_a():\n    query()\n\n\ndef test_b():\n    query()\n"
)
REDIS_TEST = (
    "const test = require('node:test');\nconst net = require('node:net');\n"
    "const ask = () => new Promise((ok, no) => net.connect(6379, '127.0.0.1', ok).on('error', no));\n"
    "test('reads', ask);\ntest('writes', ask);\n"
)
BROWSER_TEST = (
    "const { test, expect } = require('@playwright/test');\n"
    "test('opens', async ({ page }) => { await page.goto('about:blank'); });\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One command in one small project."""

    name: str
    command: str
    mode: str = ENVIRONMENT
    said: str = ""
    """A part of what a person is told to be missing."""
    files: Mapping[str, str] = field(default_factory=dict)
    layer: str = "test"


CASES: tuple[Case, ...] = (
    Case(
        name="npm-not-found",
        said="E404",
        files={"package.json": PACKAGE},
        command=SERVED.format(f"npm install {QUIET} --registry http://127.0.0.1:18765"),
    ),
    Case(
        name="npm-no-host",
        said="registry.invalid",
        files={"package.json": PACKAGE},
        command=f"npm install {QUIET} --registry {NOWHERE}",
    ),
    Case(
        name="npm-refused",
        said="ECONNREFUSED",
        files={"package.json": PACKAGE},
        command=f"npm install {QUIET} --registry {REFUSED}",
    ),
    Case(
        name="npm-offline",
        said="ENOTCACHED",
        files={"package.json": PACKAGE},
        command=f"npm install {QUIET} --offline --cache .cache",
    ),
    Case(
        name="npm-engine",
        said="node",
        command=f"npm install {QUIET} --engine-strict",
        files={"package.json": '{"name": "shop", "version": "1.0.0", "engines": {"node": ">=99"}}'},
    ),
    Case(
        name="npm-lock-out-of-step",
        mode=CODE,
        command=f"npm ci {QUIET}",
        files={"package.json": PACKAGE.replace("4.17.21", "4.17.20"), "package-lock.json": LOCK},
    ),
    Case(
        name="npm-script-not-installed",
        said="till-lint",
        command="npm run lint",
        layer="lint",
        files={"package.json": '{"scripts": {"lint": "till-lint ."}, "devDependencies": {"till-lint": "9"}}'},
    ),
    Case(name="npx-offline", said="npm", command="npx --offline --no-install --cache .cache eslint .", layer="lint"),
    Case(name="node-option", said="--nope", command="node --nope a.js", files={"a.js": "1;\n"}),
    Case(
        name="node-out-of-memory",
        said="memory",
        files={"a.js": "const a = []; for (;;) a.push('x'.repeat(99) + a.length);\n"},
        command="node --max-old-space-size=20 a.js 2>&1 | grep -v '^ [0-9]*: ' ; exit 134",
    ),
    Case(
        name="node-disk-full",
        said="disk",
        files={"a.js": "require('fs').writeFileSync('/dev/full', 'x');\n"},
        command="node a.js",
    ),
    Case(
        name="pnpm-not-found",
        said="pnpm",
        files={"package.json": PACKAGE},
        command=SERVED.format("pnpm install --registry http://127.0.0.1:18765 --fetch-retries 0"),
    ),
    Case(
        name="pnpm-no-host",
        said="registry.invalid",
        files={"package.json": PACKAGE},
        command=f"pnpm install --registry {NOWHERE} --fetch-retries 0",
    ),
    Case(name="pnpm-no-script", said="typecheck", files={"package.json": PACKAGE}, command="pnpm run typecheck"),
    Case(
        name="pnpm-exec",
        said="till-lint",
        files={"package.json": PACKAGE},
        command="pnpm exec till-lint .",
        layer="lint",
    ),
    Case(
        name="pnpm-lock-out-of-step",
        mode=CODE,
        command="pnpm install --frozen-lockfile --offline",
        files={
            "package.json": PACKAGE,
            "pnpm-lock.yaml": "lockfileVersion: '9.0'\nsettings: {autoInstallPeers: true}\nimporters:\n  .: {}\n",
        },
    ),
    Case(
        name="yarn-no-host",
        said="registry.invalid",
        files={"package.json": PACKAGE},
        command=f"yarn install --no-progress --registry {NOWHERE} --network-timeout 1000",
    ),
    Case(
        name="yarn-not-found",
        said="lodash",
        files={"package.json": PACKAGE},
        command=SERVED.format("yarn install --no-progress --registry http://127.0.0.1:18765"),
    ),
    Case(name="yarn-no-command", said="lint", files={"package.json": PACKAGE}, command="yarn run lint", layer="lint"),
    Case(
        name="yarn-engine",
        said="node",
        command="yarn install --no-progress --offline",
        files={"package.json": '{"name": "shop", "version": "1.0.0", "engines": {"node": ">=99"}}'},
    ),
    Case(
        name="pip-no-host",
        said="flask",
        files={"requirements.txt": "flask==3.0\n"},
        command="python3 -m pip install -r requirements.txt --retries 0 --disable-pip-version-check "
        "--index-url https://pypi.invalid/simple",
    ),
    Case(
        name="pip-no-wheel",
        said="wheel",
        command="python3 -m pip install --no-deps --no-build-isolation --disable-pip-version-check .",
        files={
            "pyproject.toml": PYPROJECT.replace(">=3.8", ">=3.99")
            + '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        },
    ),
    Case(
        name="uv-no-host",
        said="pypi.invalid",
        files={"pyproject.toml": PYPROJECT},
        command="uv sync --no-config --no-cache --python python3 --index-url http://pypi.invalid/simple",
    ),
    Case(
        name="uv-offline",
        said="uv",
        files={"pyproject.toml": PYPROJECT},
        command="uv sync --no-config --no-cache --python python3 --offline",
    ),
    Case(
        name="uv-python",
        said="3.99",
        files={"pyproject.toml": PYPROJECT},
        command="uv sync --no-config --offline --python 3.99",
    ),
    Case(name="uv-spawn", said="pytset", command="uv run --no-project --no-config --offline --python python3 pytset"),
    Case(name="uv-option", said="--nope", command="uv sync --nope"),
    Case(
        name="poetry-python",
        said="3.11",
        command="poetry install --no-interaction",
        files={
            "pyproject.toml": '[tool.poetry]\nname = "shop"\nversion = "1"\ndescription = ""\nauthors = []\n'
            'package-mode = false\n[tool.poetry.dependencies]\npython = "^3.99"\n'
        },
    ),
    Case(name="poetry-command", said="pytset", command="poetry run pytset", files={"pyproject.toml": PYPROJECT}),
    Case(
        name="python-disk-full",
        said="disk",
        files={"a.py": "with open('/dev/full', 'w') as f:\n    f.write('x')\n"},
        command="python3 a.py",
    ),
    Case(
        name="python-certificate",
        said="certificate",
        command="openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 1 -subj /CN=localhost "
        "2>/dev/null; "
        "openssl s_server -accept 18766 -key k.pem -cert c.pem -www >/dev/null 2>&1 & server=$!; sleep 2; "
        "python3 get.py; code=$?; kill $server; exit $code",
        files={"get.py": "import urllib.request\n\nurllib.request.urlopen('https://localhost:18766/')\n"},
    ),
    Case(name="pytest-database", said="5432", files={"test_db.py": PG_TEST}, command="pytest -q -p no:cacheprovider"),
    Case(
        name="pytest-database-and-a-fault",
        mode=CODE,
        command="pytest -q -p no:cacheprovider",
        files={"test_db.py": PG_TEST + "\n\ndef test_c():\n    assert 1 + 1 == 3\n"},
    ),
    Case(
        name="pytest-a-wrong-port",
        mode=CODE,
        command="pytest -q -p no:cacheprovider",
        files={
            "test_api.py": "import urllib.request\n\n\ndef test_api():\n"
            "    urllib.request.urlopen('http://127.0.0.1:18767/')\n"
        },
    ),
    Case(name="node-test-redis", said="6379", files={"cache.test.js": REDIS_TEST}, command="node --test"),
    Case(
        name="playwright-no-browser",
        said="browser",
        command='ln -s "$(dirname "$(dirname "$(command -v playwright)")")" node_modules; '
        "playwright test --reporter=line",
        files={"a.spec.js": BROWSER_TEST, "package.json": "{}"},
    ),
    Case(
        name="cargo-offline",
        said="offline",
        layer="compile",
        command="cargo build --offline",
        files={"Cargo.toml": CARGO + '[dependencies]\nserde = "1"\n', "src/main.rs": "fn main() {}\n"},
    ),
    Case(
        name="cargo-no-host",
        said="crates.invalid",
        layer="compile",
        command="cargo build",
        files={
            "Cargo.toml": CARGO + '[dependencies]\nserde = "1"\n',
            "src/main.rs": "fn main() {}\n",
            ".cargo/config.toml": '[source.crates-io]\nreplace-with = "m"\n[source.m]\n'
            'registry = "sparse+http://crates.invalid/"\n[net]\nretry = 0\n',
        },
    ),
    Case(
        name="cargo-rust-version",
        said="rustc",
        layer="compile",
        command="cargo build --offline",
        files={"Cargo.toml": CARGO + 'rust-version = "1.999"\n', "src/main.rs": "fn main() {}\n"},
    ),
    Case(
        name="cargo-no-linker",
        said="linker",
        layer="compile",
        command="RUSTFLAGS='-C linker=no-ld' cargo build --offline",
        files={"Cargo.toml": CARGO, "src/main.rs": "fn main() {}\n"},
    ),
    Case(
        name="cargo-no-subcommand",
        said="nexttest",
        command="cargo nexttest run",
        files={"Cargo.toml": CARGO, "src/main.rs": "fn main() {}\n"},
    ),
    Case(
        name="cargo-syntax-beside",
        mode=CODE,
        layer="compile",
        command="cargo build --offline",
        files={"Cargo.toml": CARGO, "src/main.rs": "fn main() { serde::x(); }\n"},
    ),
    Case(
        name="go-proxy-off",
        said="GOPROXY",
        layer="compile",
        command="GOFLAGS=-mod=mod GOPROXY=off go build ./...",
        files={
            "go.mod": "module shop\n\ngo 1.19\n\nrequire example.com/till v1.0.0\n",
            "a.go": 'package main\n\nimport _ "example.com/till"\n\nfunc main() {}\n',
        },
    ),
    Case(
        name="go-no-host",
        said="proxy.invalid",
        layer="compile",
        command="GOFLAGS=-mod=mod GONOSUMDB=* GOPROXY=http://proxy.invalid go mod download",
        files={"go.mod": "module shop\n\ngo 1.19\n\nrequire example.com/till v1.0.0\n"},
    ),
    Case(
        name="go-no-sum",
        mode=CODE,
        layer="compile",
        command="GOPROXY=off go build ./...",
        files={
            "go.mod": "module shop\n\ngo 1.19\n\nrequire example.com/till v1.0.0\n",
            "a.go": 'package main\n\nimport _ "example.com/till"\n\nfunc main() {}\n',
        },
    ),
    Case(
        name="go-no-c-compiler",
        said="no-gcc",
        layer="compile",
        command="CC=no-gcc CGO_ENABLED=1 go build ./...",
        files={"go.mod": "module shop\n\ngo 1.19\n", "a.go": 'package main\n\nimport "C"\n\nfunc main() {}\n'},
    ),
    Case(
        name="go-flag",
        said="-nope",
        command="go build -nope ./...",
        files={"go.mod": "module shop\n\ngo 1.19\n", "a.go": "package main\n\nfunc main() {}\n"},
    ),
    Case(
        name="maven-offline",
        said="till",
        layer="compile",
        command="mvn -o -B -q compile",
        files={"pom.xml": POM.replace("RELEASE", "17"), "src/main/java/A.java": JAVA},
    ),
    Case(
        name="maven-no-host",
        said="till",
        layer="compile",
        command="mvn -B -q compile",
        files={
            "pom.xml": POM.replace("RELEASE", "17").replace("URL", "http://maven.invalid/x"),
            "src/main/java/A.java": JAVA,
        },
    ),
    Case(
        name="maven-java-home",
        said="JAVA_HOME",
        layer="compile",
        command="JAVA_HOME=/nowhere mvn -B compile",
        files={"pom.xml": POM},
    ),
    Case(name="javac-release", said="99", layer="compile", command="javac --release 99 A.java", files={"A.java": JAVA}),
    Case(
        name="gradle-offline",
        said="till",
        layer="compile",
        command="gradle --offline --no-daemon -q compileJava",
        files={"build.gradle": GRADLE.replace("URL", "http://maven.invalid/x"), "src/main/java/A.java": JAVA},
    ),
    Case(
        name="gradle-no-host",
        said="maven.invalid",
        layer="compile",
        command="gradle --no-daemon -q compileJava",
        files={"build.gradle": GRADLE.replace("URL", "http://maven.invalid/x"), "src/main/java/A.java": JAVA},
    ),
    Case(
        name="gradle-no-wrapper",
        said="Gradle",
        layer="compile",
        command="java -classpath gradle/wrapper/gradle-wrapper.jar org.gradle.wrapper.GradleWrapperMain test",
    ),
    Case(
        name="java-out-of-memory",
        said="memory",
        command="javac A.java && java -Xmx16m A",
        files={"A.java": "public class A { public static void main(String[] a) { long[] x = new long[99999999]; } }\n"},
    ),
    Case(
        name="bundler-missing-gem", said="till", files={"Gemfile": "gem 'till', '9.9'\n"}, command="bundle exec rspec"
    ),
    Case(
        name="bundler-no-host",
        said="gems.invalid",
        files={"Gemfile": "source 'http://gems.invalid'\ngem 'till'\n"},
        command="bundle install --retry=0",
    ),
    Case(name="bundler-ruby-version", said="Ruby", files={"Gemfile": "ruby '3.99.0'\n"}, command="bundle exec rspec"),
    Case(name="bundler-command", said="rspeck", files={"Gemfile": "\n"}, command="bundle exec rspeck"),
    Case(
        name="rake-missing-gem",
        said="till",
        files={"Rakefile": "require 'till/tasks'\n", "Gemfile": "gem 'till'\n"},
        command="rake test",
    ),
    Case(
        name="composer-php-version",
        said="php",
        files={"composer.json": '{"require": {"php": "^9.9"}}'},
        command="composer install --no-interaction --no-ansi",
    ),
    Case(
        name="composer-extension",
        said="ext-till",
        files={"composer.json": '{"repositories": [{"packagist.org": false}], "require": {"ext-till": "*"}}'},
        command="composer install --no-interaction --no-ansi",
    ),
    Case(
        name="composer-no-host",
        said="packages.invalid",
        files={
            "composer.json": '{"repositories": [{"type": "composer", "url": "http://packages.invalid"},'
            ' {"packagist.org": false}], "config": {"secure-http": false}, "require": {"a/till": "^9"}}'
        },
        command="composer install --no-interaction --no-ansi",
    ),
    Case(name="php-no-class", mode=CODE, files={"a.php": "<?php\nnew Till();\n"}, command="php a.php"),
    Case(
        name="cmake-no-generator",
        said="Ninja",
        layer="compile",
        command="PATH=/usr/bin cmake -G Ninja -S . -B b -DCMAKE_MAKE_PROGRAM=",
        files={"CMakeLists.txt": "cmake_minimum_required(VERSION 3.13)\nproject(shop C)\n"},
    ),
    Case(
        name="cmake-no-compiler",
        said="compiler",
        layer="compile",
        command="cmake -S . -B b -DCMAKE_C_COMPILER=no-cc",
        files={"CMakeLists.txt": "cmake_minimum_required(VERSION 3.13)\nproject(shop C)\n"},
    ),
    Case(
        name="cmake-version",
        said="3.99",
        layer="compile",
        command="cmake -S . -B b",
        files={"CMakeLists.txt": "cmake_minimum_required(VERSION 3.99)\nproject(shop C)\n"},
    ),
    Case(
        name="cmake-pkg-config",
        said="till",
        layer="compile",
        command="cmake -S . -B b",
        files={
            "CMakeLists.txt": "cmake_minimum_required(VERSION 3.13)\nproject(shop C)\n"
            "find_package(PkgConfig REQUIRED)\n"
            "pkg_check_modules(TILL REQUIRED till)\n"
        },
    ),
    Case(
        name="cmake-own-file",
        mode=CODE,
        layer="compile",
        command="cmake -S . -B b",
        files={
            "CMakeLists.txt": "cmake_minimum_required(VERSION 3.13)\nproject(shop C)\nadd_executable(shop gone.c)\n"
        },
    ),
    Case(
        name="ld-no-library",
        said="till",
        layer="compile",
        command="gcc a.c -ltill",
        files={"a.c": "int main(void) { return 0; }\n"},
    ),
    Case(
        name="ld-disk-full",
        said="disk",
        layer="compile",
        command="gcc a.c -o /dev/full",
        files={"a.c": "int main(void) { return 0; }\n"},
    ),
    Case(
        name="shared-library",
        said="libtill.so",
        command="gcc -shared -o libtill.so t.c && gcc a.c -o a -L. -ltill && ./a",
        files={"t.c": "int t(void) { return 1; }\n", "a.c": "int t(void);\nint main(void) { return t(); }\n"},
    ),
    Case(name="docker-daemon", said="Docker", command="DOCKER_HOST=unix:///nowhere/docker.sock docker ps"),
    Case(name="psql-refused", said="1", command="psql -h 127.0.0.1 -p 1 -c 'select 1'"),
    Case(name="curl-refused", said="127.0.0.1", command="curl -fsS http://127.0.0.1:9/health"),
    Case(name="git-no-host", said="git.invalid", command="git clone -q https://git.invalid/a/b.git"),
    Case(
        name="git-credentials",
        said="credentials",
        command="python3 deny.py & sleep 1; GIT_TERMINAL_PROMPT=0 git clone -q http://127.0.0.1:18768/a.git",
        files={
            "deny.py": "import http.server\n\n\nclass Deny(http.server.BaseHTTPRequestHandler):\n"
            "    def do_GET(self):\n        self.send_response(401)\n"
            "        self.send_header('WWW-Authenticate', 'Basic realm=x')\n        self.end_headers()\n\n\n"
            "server = http.server.HTTPServer(('127.0.0.1', 18768), Deny)\nserver.timeout = 5\n"
            "for _ in range(1):\n    server.handle_request()\n"
        },
    ),
    Case(name="ssh-key", said="host", command="git clone -q ssh://git@git.invalid/a/b.git"),
    Case(
        name="make-tool",
        said="till-lint",
        layer="lint",
        command="make lint",
        files={"Makefile": "lint:\n\ttill-lint .\n"},
    ),
    Case(name="script-not-executable", said="./run.sh", command="sh -c './run.sh'", files={"run.sh": "echo hi\n"}),
    Case(
        name="interpreter-missing",
        said="run",
        command="chmod +x run; ./run",
        files={"run": "#!/usr/bin/no-such-interpreter\n"},
    ),
    Case(name="mypy-option", said="--nope", layer="compile", command="mypy --nope a.py", files={"a.py": "x = 1\n"}),
    Case(name="ruff-option", said="--nope", layer="lint", command="ruff check --nope", files={"a.py": "x = 1\n"}),
    Case(name="eslint-option", said="--nope", layer="lint", command="eslint --nope .", files={"a.js": "1;\n"}),
    Case(
        name="prints-what-looks-like-it",
        mode=CODE,
        command="pytest -q -p no:cacheprovider",
        files={
            "test_a.py": "def test_a():\n    print('npm error code E404')\n    print('bash: x: command not found')\n"
            "    print('No space left on device')\n    assert 1 == 2\n"
        },
    ),
    Case(
        name="typo-in-a-dependency",
        mode=CODE,
        command="node a.js",
        files={"a.js": "require('lodahs');\n", "package.json": PACKAGE},
    ),
    Case(
        name="types-beside-a-warning",
        mode=CODE,
        layer="compile",
        command="echo 'npm warn deprecated x@1: gone'; mypy a.py",
        files={"a.py": "x: int = 'a'\n"},
    ),
)
