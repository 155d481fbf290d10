-- Times are ISO 8601 in UTC; a cost of NULL is unknown, which is not 0.

CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    worktree TEXT NOT NULL,
    branch TEXT NOT NULL,
    story_id TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('RUNNING', 'DONE', 'NEED_DECISION', 'BLOCKED')),
    terminal_state TEXT,
    start_commit TEXT NOT NULL,
    head TEXT NOT NULL,
    iterations INTEGER NOT NULL,
    cost_usd REAL,
    started_at TEXT NOT NULL,
    ended_at TEXT
) STRICT;

CREATE INDEX runs_by_worktree ON runs (worktree, started_at);

CREATE TABLE fix_iterations (
    run_id TEXT NOT NULL,
    story_id TEXT NOT NULL,
    iteration INTEGER NOT NULL CHECK (iteration >= 1),
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_tokens INTEGER NOT NULL,
    cost_usd REAL,
    error_hash TEXT NOT NULL,
    failing_layer TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('done', 'need_decision', 'blocked', 'failed')),
    created_at TEXT NOT NULL,
    PRIMARY KEY (run_id, iteration)
) STRICT;

CREATE VIEW story_costs AS
SELECT
    story_id,
    COUNT(DISTINCT run_id) AS runs,
    COUNT(*) AS iterations,
    SUM(input_tokens) AS input_tokens,
    SUM(output_tokens) AS output_tokens,
    SUM(cache_tokens) AS cache_tokens,
    COALESCE(SUM(cost_usd), 0.0) AS cost_usd,
    COUNT(*) - COUNT(cost_usd) AS unknown_costs
FROM fix_iterations
GROUP BY story_id;

CREATE TABLE attempts (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    iteration INTEGER NOT NULL,
    branch TEXT NOT NULL,
    layer TEXT NOT NULL,
    start_commit TEXT NOT NULL,
    failure_mode TEXT NOT NULL,
    hypothesis TEXT NOT NULL,
    score_before REAL NOT NULL,
    score_after REAL NOT NULL,
    productive INTEGER NOT NULL CHECK (productive IN (0, 1)),
    verdict TEXT NOT NULL,
    commit_id TEXT,
    created_at TEXT NOT NULL,
    PRIMARY KEY (run_id, iteration)
) STRICT;

CREATE INDEX attempts_by_target ON attempts (branch, layer, start_commit);

CREATE TABLE decisions (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    number INTEGER NOT NULL,
    layer TEXT NOT NULL,
    question TEXT NOT NULL,
    option_a TEXT NOT NULL,
    option_b TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    answer TEXT,
    answered_by TEXT,
    answered_at TEXT,
    PRIMARY KEY (run_id, number)
) STRICT;

CREATE TABLE deliveries (
    delivery_id TEXT PRIMARY KEY,
    event TEXT NOT NULL,
    received_at TEXT NOT NULL
) STRICT;
