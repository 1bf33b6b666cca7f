-- How a seat answers without being asked, in the caller's own bytes.
ALTER TABLE seats ADD COLUMN policies BLOB NOT NULL DEFAULT x'';

-- When somebody must look after the table though nobody plays at it, in
-- milliseconds since 1970, UTC; 0 for never.
ALTER TABLE tables ADD COLUMN wake_time INTEGER NOT NULL DEFAULT 0;

-- Few tables have one.
CREATE INDEX tables_to_wake ON tables (wake_time) WHERE wake_time > 0;
