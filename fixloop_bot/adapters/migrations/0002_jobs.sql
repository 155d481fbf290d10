-- The bot service's queue was here; its tables have a schema of their own (migrations/service), as they may lie elsewhere.

DROP TABLE IF EXISTS jobs;
