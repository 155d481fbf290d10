-- Where the App is installed; `changed_at` is by GitHub's clock. Times of sweeps: `seen` is the time up to which a cron
-- line is done with, by the database's clock.

CREATE TABLE installations (
    installation_id BIGINT PRIMARY KEY,
    account TEXT NOT NULL,
    standing TEXT NOT NULL CHECK (standing IN ('active', 'suspended', 'deleted')),
    changed_at DOUBLE PRECISION NOT NULL
);

CREATE TABLE sweep_turns (
    cron TEXT PRIMARY KEY,
    seen DOUBLE PRECISION NOT NULL
);

CREATE INDEX jobs_by_installation ON jobs (installation_id, state);
