"""node --check, tsc, eslint, prettier and biome."""

from tests.record.recipe import DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.sources import NODE, shifted, truth

A, B = "src/a.ts", "src/b.ts"
TS_CONFIG = {"tsconfig.json": '{"compilerOptions": {"strict": true, "module": "nodenext"}, "include": ["src"]}\n'}
TYPES = TS_CONFIG | {
    A: "export function double(x: number): number {\n  return '2';\n}\n",
    B: "import { double } from './a.js';\n\nconsole.log(double('4'));\n",
}
JA, JB = "src/a.js", "src/b.js"
ESLINT = {
    "eslint.config.mjs": "import js from '@eslint/js';\n\nexport default [js.configs.recommended];\n",
    JA: "const one = 1;\n\nexport const two = 2;\n",
    JB: "export function total(items) {\n  return summ(items);\n}\n",
}
ESLINT_SYNTAX = {
    "eslint.config.mjs": ESLINT["eslint.config.mjs"],
    JA: ESLINT[JA],
    JB: "export function total(items {\n}\n",
}
UNFORMATTED = {JA: "export const two=2\n", JB: "export function total( items ) { return items }\n"}
UNREADABLE = {JA: UNFORMATTED[JA], JB: "export function total(items {\n}\n"}
BIOME = {
    "biome.json": '{ "formatter": { "enabled": false }, "assist": { "enabled": false } }\n',
    JA: "export function same(a, b) {\n  return a == b;\n}\n",
    JB: "export function total(items) {\n  debugger;\n  return items.length;\n}\n",
}
BIOME_FORMAT = {"biome.json": '{ "linter": { "enabled": false } }\n', **UNREADABLE}
DOUBLE_EQUALS, DEBUGGER = "lint/suspicious/noDoubleEquals", "lint/suspicious/noDebugger"
BIOME_VARIANTS = {
    SHIFTED: shifted(BIOME, JA, JB),
    PARTIAL: {JB: "export function total(items) {\n  return items.length;\n}\n"},
    OTHER: {JB: "export function total(items) {\n  items = items;\n  return items.length;\n}\n"},
}
BIOME_TRUTHS = {
    "base": truth((JA, DOUBLE_EQUALS), (JB, DEBUGGER)),
    PARTIAL: truth((JA, DOUBLE_EQUALS)),
    OTHER: truth((JA, DOUBLE_EQUALS), (JB, "lint/correctness/noSelfAssign")),
}
LOOP = 'for f in src/*.js; do node --check "$f" || rc=1; done; exit ${rc:-0}'
NODE_SYNTAX = {JA: "const one = ;\n", JB: "function total(items {\n}\n"}

TSC = (
    Recipe(
        tool="tsc",
        case="types",
        layer="compile",
        command="tsc --noEmit -p .",
        needs=("node",),
        packages="npm: typescript@5.9",
        links=NODE,
        files=TYPES,
        variants={
            SHIFTED: shifted(TYPES, A, B),
            PARTIAL: {B: "import { double } from './a.js';\n\nconsole.log(double(4));\n"},
            OTHER: {B: "import { double } from './a.js';\n\nconsole.log(double(4).wide);\n"},
            DETAIL: {A: "export function double(x: number): number {\n  return true;\n}\n"},
        },
        truths={
            "base": truth((A, "TS2322"), (B, "TS2345")),
            PARTIAL: truth((A, "TS2322")),
            OTHER: truth((A, "TS2322"), (B, "TS2339")),
            DETAIL: truth((A, "TS2322"), (B, "TS2345")),
        },
    ),
    Recipe(
        tool="tsc",
        case="pretty",
        layer="compile",
        command="tsc --noEmit --pretty -p .",
        needs=("node",),
        packages="npm: typescript@5.9",
        links=NODE,
        files=TYPES,
        variants={
            SHIFTED: shifted(TYPES, A, B),
            PARTIAL: {B: "import { double } from './a.js';\n\nconsole.log(double(4));\n"},
            OTHER: {B: "import { double } from './a.js';\n\nconsole.log(double(4).wide);\n"},
            DETAIL: {A: "export function double(x: number): number {\n  return true;\n}\n"},
        },
        truths={
            "base": truth((A, "TS2322"), (B, "TS2345")),
            PARTIAL: truth((A, "TS2322")),
            OTHER: truth((A, "TS2322"), (B, "TS2339")),
            DETAIL: truth((A, "TS2322"), (B, "TS2345")),
        },
    ),
)
ESLINTS = (
    Recipe(
        tool="eslint",
        case="names",
        layer="lint",
        command="eslint .",
        needs=("node",),
        packages="npm: eslint@9",
        links=NODE,
        files=ESLINT,
        variants={
            SHIFTED: shifted(ESLINT, JA, JB),
            PARTIAL: {JB: "export function total(items) {\n  return items.length;\n}\n"},
            OTHER: {JB: "export function total(items) {\n  items = items;\n  return items;\n}\n"},
            DETAIL: {JB: "export function total(items) {\n  return sumOf(items);\n}\n"},
        },
        truths={
            "base": truth((JA, "no-unused-vars"), (JB, "no-undef")),
            PARTIAL: truth((JA, "no-unused-vars")),
            OTHER: truth((JA, "no-unused-vars"), (JB, "no-self-assign")),
            DETAIL: truth((JA, "no-unused-vars"), (JB, "no-undef")),
        },
    ),
    Recipe(
        tool="eslint",
        case="json",
        layer="lint",
        command="eslint -f json .",
        needs=("node",),
        packages="npm: eslint@9",
        links=NODE,
        files=ESLINT_SYNTAX,
        variants={
            SHIFTED: shifted(ESLINT_SYNTAX, JA, JB),
            PARTIAL: {JA: "export const two = 2;\n"},
            OTHER: {JB: ESLINT[JB]},
            DETAIL: {JB: "export function total(items] {\n}\n"},
        },
        truths={
            "base": truth((JA, "no-unused-vars"), (JB, "")),
            PARTIAL: truth((JB, "")),
            OTHER: truth((JA, "no-unused-vars"), (JB, "no-undef")),
            DETAIL: truth((JA, "no-unused-vars"), (JB, "")),
        },
    ),
)
PRETTIER = tuple(
    Recipe(
        tool="prettier",
        case=case,
        layer="lint",
        command="prettier --check src",
        needs=("node",),
        packages="npm: prettier@3",
        links=NODE,
        files=files,
        variants={SHIFTED: shifted(files, JA, JB), PARTIAL: {JA: "export const two = 2;\n"}, OTHER: {JB: other}},
        truths={
            "base": truth((JA, "format"), (JB, rule)),
            PARTIAL: truth((JB, rule)),
            OTHER: truth((JA, "format"), (JB, other_rule)),
        },
    )
    for case, files, rule, other, other_rule in (
        ("format", UNFORMATTED, "format", UNREADABLE[JB], "SyntaxError"),
        ("syntax", UNREADABLE, "SyntaxError", UNFORMATTED[JB], "format"),
    )
)
BIOMES = (
    *(
        Recipe(
            tool="biome",
            case=case,
            layer="lint",
            command=command,
            needs=("biome",),
            packages="npm: @biomejs/biome@2",
            files=BIOME,
            variants=BIOME_VARIANTS,
            truths=BIOME_TRUTHS,
        )
        for case, command in (
            ("lint", "biome check ."),
            ("github", "biome ci --reporter=github ."),
            ("json", "biome check --reporter=json ."),
        )
    ),
    Recipe(
        tool="biome",
        case="format",
        layer="lint",
        command="biome format .",
        needs=("biome",),
        packages="npm: @biomejs/biome@2",
        files=BIOME_FORMAT,
        variants={
            SHIFTED: shifted(BIOME_FORMAT, JA, JB),
            PARTIAL: {JA: "export const two = 2;\n"},
            OTHER: {JB: UNFORMATTED[JB]},
        },
        truths={
            "base": truth((JA, "format"), (JB, "parse"), (JB, "parse")),
            PARTIAL: truth((JB, "parse"), (JB, "parse")),
            OTHER: truth((JA, "format"), (JB, "format")),
        },
    ),
)
NODE_CHECK = (
    Recipe(
        tool="node-check",
        case="syntax",
        layer="compile",
        command=LOOP,
        needs=("node",),
        files=NODE_SYNTAX,
        variants={
            SHIFTED: shifted(NODE_SYNTAX, JA, JB),
            PARTIAL: {JB: "function total(items) {\n}\n"},
            OTHER: {JB: "return = 1;\n"},
            DETAIL: {JA: "const one = };\n"},
        },
        truths={
            "base": truth((JA, "SyntaxError"), (JB, "SyntaxError")),
            PARTIAL: truth((JA, "SyntaxError")),
            OTHER: truth((JA, "SyntaxError"), (JB, "SyntaxError")),
            DETAIL: truth((JA, "SyntaxError"), (JB, "SyntaxError")),
        },
    ),
)
RECIPES: tuple[Recipe, ...] = (*TSC, *ESLINTS, *PRETTIER, *BIOMES, *NODE_CHECK)
