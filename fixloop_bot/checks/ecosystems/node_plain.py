"""Plain JavaScript: `node --check` on what node itself would run, where nothing else compiles the package."""

import re

from fixloop_bot.checks.ecosystems.found import Origin, check
from fixloop_bot.checks.ecosystems.node_package import DEPENDENCIES, Package
from fixloop_bot.checks.ecosystems.scope import Scope, each_file
from fixloop_bot.checks.ecosystems.snapshot import join, table
from fixloop_bot.model.command import Check
from fixloop_bot.model.layer import Layer

COMPILED = re.compile(
    r"^(?:@babel/|babel-|@swc/|@vitejs/|@sveltejs/|@parcel/|@angular/|@remix-run/|@astrojs/|@vue/)"
    r"|^(?:react|react-dom|preact|solid-js|next|nuxt|gatsby|vite|webpack|rollup|parcel|esbuild|tsup|svelte|vue|astro"
    r"|flow-bin|typescript|tsx|ts-node|ember-cli|coffeescript|browserify|gulp|grunt)$"
)
"""Dependencies of packages whose sources node alone does not understand (JSX, Flow, modules for a bundler)."""
MODULE_SYNTAX = re.compile(
    r"^(?:import\b[^(\n]*['\"{*]|export\s+(?:default|const|let|var|function|class|async|\{|\*))", re.MULTILINE
)
MAX_READ = 2_000
"""Files that are looked into."""
SOURCE = "default for JavaScript that nothing else compiles"


def plain_check(package: Package) -> tuple[Check, ...]:
    """Return the compile check of a package that runs as it is written, nothing where it may need a compiler."""
    if _is_compiled(package):
        return ()
    ends = ["*.mjs", "*.cjs", "*.js"] if _node_reads_js(package) else ["*.mjs", "*.cjs"]
    if not any(path.endswith(tuple(end[1:] for end in ends)) for path in package.files):
        return ()
    scope = Scope(path=package.path, files=package.files, nested=package.nested)
    line = each_file(scope, ("node", "--check"), ends, leave_out=("dist", "build", "public", "static", "assets"))
    return (check(Layer.COMPILE, ("sh", "-c", line), Origin(package.path, SOURCE), script="node --check"),)


def _is_compiled(package: Package) -> bool:
    names = (name for key in DEPENDENCIES for name in table(package.manifest, key))
    return any(COMPILED.search(name) for name in names) or any(
        path.rpartition("/")[2].startswith((".babelrc", "babel.config.", ".flowconfig")) for path in package.files
    )


def _node_reads_js(package: Package) -> bool:
    """Return whether node takes the package's `.js` files for what they are: modules only where `type` says so."""
    if package.manifest.get("type") == "module":
        return True
    scripts = [path for path in package.files if path.endswith(".js")][:MAX_READ]
    texts = (package.snapshot.text(join(package.path, path)) for path in scripts)
    return not any(MODULE_SYNTAX.search(text) for text in texts)
