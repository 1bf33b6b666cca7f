-- Tables, their seats and their logs.

-- position is the order in which tables were made; pages are cut by it.
CREATE TABLE tables (
  position    INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL,
  ruleset     TEXT NOT NULL,
  options     BLOB NOT NULL,
  pack_hash   TEXT NOT NULL,
  create_time INTEGER NOT NULL -- milliseconds since 1970, UTC
) STRICT;

-- Of a token only the SHA-256 is kept. characters is a JSON array: it is read
-- and written whole.
CREATE TABLE seats (
  position    INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  table_id    TEXT NOT NULL REFERENCES tables (id),
  name        TEXT NOT NULL,
  role        INTEGER NOT NULL,
  characters  TEXT NOT NULL,
  token       BLOB NOT NULL UNIQUE,
  create_time INTEGER NOT NULL -- milliseconds since 1970, UTC
) STRICT;

CREATE INDEX seats_of_table ON seats (table_id);

-- The log. bytes may be long, and in a table without rowids every comparison of
-- keys would read a long row whole. The head is not kept apart: it is the last
-- row, beside which an append writes anyway.
CREATE TABLE commits (
  table_id    TEXT NOT NULL REFERENCES tables (id),
  number      INTEGER NOT NULL,
  first_event INTEGER NOT NULL,
  events      INTEGER NOT NULL,
  bytes       BLOB NOT NULL,
  PRIMARY KEY (table_id, number)
) STRICT;

-- scope is a table's id, or empty for requests that belong to no table.
-- response may be long, too.
CREATE TABLE requests (
  scope       TEXT NOT NULL,
  principal   TEXT NOT NULL,
  id          TEXT NOT NULL,
  body_hash   BLOB NOT NULL,
  response    BLOB NOT NULL,
  PRIMARY KEY (scope, principal, id)
) STRICT;

-- The newest of each table.
CREATE TABLE snapshots (
  table_id    TEXT NOT NULL PRIMARY KEY REFERENCES tables (id),
  number      INTEGER NOT NULL,
  bytes       BLOB NOT NULL
) STRICT;

-- Short rows that are only found by their key.
CREATE TABLE secrets (
  name        TEXT NOT NULL PRIMARY KEY,
  value       BLOB NOT NULL
) STRICT, WITHOUT ROWID;
