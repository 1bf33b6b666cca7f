-- A checksum over the whole row of a commit, so that what a disk has altered is
-- refused and not believed. Rows that were written without one are not checked.
ALTER TABLE commits ADD COLUMN sum INTEGER;
