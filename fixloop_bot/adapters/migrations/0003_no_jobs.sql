-- The bot service's tables have a schema of their own now (migrations/service), as they may lie in another database.

DROP TABLE jobs;
