-- The bot service's tables, for SQLite and PostgreSQL alike: `{bytes}` and `{number}` stand for what differs.
-- Times are seconds since the epoch by the database's clock. A job's `body` is an event's payload, or a run's ticket as
-- JSON; a run's `job_id` is the run's id, too. `claim` counts how often a job was begun: who holds an older one is too late.

CREATE TABLE IF NOT EXISTS deliveries (
    delivery_id TEXT PRIMARY KEY,
    event TEXT NOT NULL,
    received_at TEXT NOT NULL
);

CREATE TABLE payloads (
    body_hash TEXT PRIMARY KEY,
    delivery_id TEXT NOT NULL
);

CREATE TABLE jobs (
    number {number},
    job_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('event', 'run')),
    repository TEXT NOT NULL,
    branch TEXT NOT NULL,
    head TEXT NOT NULL,
    installation_id BIGINT NOT NULL,
    delivery_id TEXT NOT NULL,
    event TEXT NOT NULL,
    body {bytes} NOT NULL,
    urgency INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed', 'superseded', 'cancelled')),
    worker TEXT NOT NULL DEFAULT '',
    claim INTEGER NOT NULL DEFAULT 0,
    deaths INTEGER NOT NULL DEFAULT 0,
    wanted TEXT NOT NULL DEFAULT '' CHECK (wanted IN ('', 'failed', 'superseded', 'cancelled')),
    created_at DOUBLE PRECISION NOT NULL,
    claimed_at DOUBLE PRECISION NOT NULL DEFAULT 0,
    progressed_at DOUBLE PRECISION NOT NULL DEFAULT 0
);

CREATE INDEX jobs_to_do ON jobs (state, kind, repository, branch);

CREATE INDEX jobs_served ON jobs (repository, kind, claimed_at);

CREATE TABLE workers (
    worker TEXT PRIMARY KEY,
    started_at DOUBLE PRECISION NOT NULL,
    seen_at DOUBLE PRECISION NOT NULL
);

CREATE TABLE checkpoints (
    job_id TEXT PRIMARY KEY,
    claim INTEGER NOT NULL,
    saved_at DOUBLE PRECISION NOT NULL,
    archive {bytes} NOT NULL
);

CREATE INDEX checkpoints_by_time ON checkpoints (saved_at);
