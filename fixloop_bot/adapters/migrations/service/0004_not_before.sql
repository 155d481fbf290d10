-- When a job may be begun again that failed because GitHub, or something else outside, was away.

ALTER TABLE jobs ADD COLUMN not_before DOUBLE PRECISION NOT NULL DEFAULT 0;
