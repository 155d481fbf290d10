"""`cargo clippy`."""

from fixloop_bot.checks import cargo_check
from fixloop_bot.checks.tool import Tool

TOOL = Tool(
    name="clippy",
    commands=(cargo_check.CARGO + r"clippy\b", r"(?:cargo-clippy|clippy-driver)\b"),
    parse=cargo_check.parse,
    config_files=("clippy.toml", ".clippy.toml", "Cargo.toml"),
    ecosystem="rust",
)
