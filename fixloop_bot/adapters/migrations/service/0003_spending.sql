-- What is spent, in millionths of a US dollar, so that sums are exact. `day` is a day in UTC, empty for what lasts longer.
-- `spent` holds the reservations, too; `refused` is the smallest call that was refused for want of this money, 0 for none.

CREATE TABLE spending (
    scope TEXT NOT NULL CHECK (scope IN ('pull-request', 'author', 'repository', 'installation', 'day')),
    name TEXT NOT NULL,
    day TEXT NOT NULL,
    spent BIGINT NOT NULL DEFAULT 0,
    refused BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (scope, name, day)
);

-- Calls that have not ended, or of which nobody knows how they did: their processes were killed in the middle.

CREATE TABLE reservations (
    call_id TEXT PRIMARY KEY,
    amount BIGINT NOT NULL,
    reserved_at DOUBLE PRECISION NOT NULL
);

CREATE INDEX spending_by_size ON spending (scope, day, spent);
