-- Bridges, and for which seats of which tables they may act.

-- Of the token only the SHA-256 is kept. position is the order in which bridges
-- were made; pages are cut by it.
CREATE TABLE bridges (
  position    INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL,
  token       BLOB NOT NULL UNIQUE,
  create_time INTEGER NOT NULL -- milliseconds since 1970, UTC
) STRICT;

-- all_seats is 1 for every seat of the table, also of those to come; then there
-- are no rows in admitted_seats, otherwise there is one at least.
CREATE TABLE admissions (
  position    INTEGER PRIMARY KEY,
  table_id    TEXT NOT NULL REFERENCES tables (id),
  bridge_id   TEXT NOT NULL REFERENCES bridges (id),
  all_seats   INTEGER NOT NULL,
  UNIQUE (table_id, bridge_id)
) STRICT;

CREATE INDEX admissions_of_bridge ON admissions (bridge_id);

CREATE TABLE admitted_seats (
  admission   INTEGER NOT NULL REFERENCES admissions (position),
  seat_id     TEXT NOT NULL REFERENCES seats (id),
  PRIMARY KEY (admission, seat_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX admitted_seats_by_seat ON admitted_seats (seat_id);
