-- A seat may have several tokens, and none once it was revoked.

-- A column that is unique cannot be dropped, so the table is made anew.
ALTER TABLE seats RENAME TO seats_before;

-- characters is a JSON array: it is read and written whole. A seat that was
-- revoked stays, so that its id is not given again.
CREATE TABLE seats (
  position    INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  table_id    TEXT NOT NULL REFERENCES tables (id),
  name        TEXT NOT NULL,
  role        INTEGER NOT NULL,
  characters  TEXT NOT NULL,
  create_time INTEGER NOT NULL, -- milliseconds since 1970, UTC
  revoke_time INTEGER NOT NULL DEFAULT 0 -- 0 for a seat that was not
) STRICT;

INSERT INTO seats (position, id, table_id, name, role, characters, create_time)
SELECT position, id, table_id, name, role, characters, create_time FROM seats_before;

-- Of a token only the SHA-256 is kept. name says which device has it.
CREATE TABLE tokens (
  position    INTEGER PRIMARY KEY,
  hash        BLOB NOT NULL UNIQUE,
  seat_id     TEXT NOT NULL REFERENCES seats (id),
  name        TEXT NOT NULL,
  create_time INTEGER NOT NULL
) STRICT;

CREATE INDEX tokens_of_seat ON tokens (seat_id);

INSERT INTO tokens (position, hash, seat_id, name, create_time)
SELECT position, token, id, '', create_time FROM seats_before;

DROP TABLE seats_before;

CREATE INDEX seats_of_table ON seats (table_id);

-- A seat has one code at most. Of a code only a hash with a key is kept: there
-- are few enough codes to try them all against a plain one. replaces is 1 for a
-- code whose use makes the seat's other tokens die.
CREATE TABLE pairings (
  seat_id     TEXT NOT NULL PRIMARY KEY REFERENCES seats (id),
  code        BLOB NOT NULL UNIQUE,
  replaces    INTEGER NOT NULL,
  expire_time INTEGER NOT NULL -- milliseconds since 1970, UTC
) STRICT;
