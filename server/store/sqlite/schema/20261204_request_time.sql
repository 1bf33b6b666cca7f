-- Requests are forgotten some time after they were carried out. When that was is
-- not known of older ones: they count from now.

-- There is no index over it: rows lie in the order in which they were made, so that
-- the oldest are the first, and an index would have to be written with every append.
ALTER TABLE requests ADD COLUMN create_time INTEGER NOT NULL DEFAULT 0; -- milliseconds since 1970, UTC

UPDATE requests SET create_time = unixepoch() * 1000;
