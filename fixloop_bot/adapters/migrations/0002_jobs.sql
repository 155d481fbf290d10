-- The bot service's queue. `body` is an event's payload, or a run's ticket as JSON; `job_id` is also the run's id.

CREATE TABLE jobs (
    number INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('event', 'run')),
    repository TEXT NOT NULL,
    branch TEXT NOT NULL,
    installation_id INTEGER NOT NULL,
    delivery_id TEXT NOT NULL,
    event TEXT NOT NULL,
    body BLOB NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed', 'superseded', 'cancelled')),
    tries INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL
) STRICT;

CREATE INDEX jobs_by_state ON jobs (state, repository, branch);
