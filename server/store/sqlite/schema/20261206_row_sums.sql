-- Checksums over the rows of seats, tables and requests, as commits have them: what
-- a disk has altered is refused and not believed. They are made of the rows as they
-- are now. When a table is to be looked after is not in its own: it is written often,
-- and is found out anew whenever the table is loaded.
ALTER TABLE seats ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE requests ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;

-- A function is handed a text only up to a NUL, and a blob whole.
UPDATE seats SET sum = row_sum(id, table_id, CAST(name AS BLOB), role, CAST(characters AS BLOB), policies, create_time, revoke_time);
UPDATE tables SET sum = row_sum(id, CAST(name AS BLOB), ruleset, options, pack_hash, create_time);
UPDATE requests SET sum = row_sum(scope, principal, CAST(id AS BLOB), body_hash, response, create_time);
