/** The first schema of `orders.db`: order responses with all their versions, and the audit log. */

export const createOrderResponses = `
-- One row for each order response.
CREATE TABLE order_response (
  id              TEXT    PRIMARY KEY, -- a UUID of version 7: new rows come at the end
  current_version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The business identifiers of current versions, for If-None-Exist.
CREATE TABLE order_response_identifier (
  system TEXT NOT NULL,
  value  TEXT NOT NULL,
  id     TEXT NOT NULL REFERENCES order_response,
  PRIMARY KEY (system, value, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX order_response_identifier_by_id ON order_response_identifier (id);

-- Every access, chained: whoever changes, removes or reorders entries breaks the chain.
CREATE TABLE audit_entry (
  number      INTEGER PRIMARY KEY, -- from 1, without gaps
  recorded_at TEXT NOT NULL,       -- 2026-11-21T09:30:00.123+00:00
  entry       TEXT NOT NULL,       -- JSON
  mac         BLOB NOT NULL        -- HMAC-SHA256 over the mac before it and this entry
) STRICT;

-- Every version, in the order of writing.
CREATE TABLE order_response_version (
  audit_entry INTEGER PRIMARY KEY REFERENCES audit_entry, -- the entry of its writing
  id          TEXT    NOT NULL REFERENCES order_response,
  version     INTEGER NOT NULL, -- from 1, without gaps
  written_at  TEXT    NOT NULL, -- 2026-11-21T09:30:00.123+00:00, never before an earlier version's
  method      TEXT    NOT NULL CHECK (method IN ('POST', 'PUT')),
  text        TEXT    NOT NULL, -- the resource, in JSON
  UNIQUE (id, version)
) STRICT;

CREATE TRIGGER order_response_version_is_not_updated BEFORE UPDATE ON order_response_version
BEGIN SELECT RAISE(ABORT, 'versions are never changed'); END;

CREATE TRIGGER order_response_version_is_not_deleted BEFORE DELETE ON order_response_version
BEGIN SELECT RAISE(ABORT, 'versions are never removed'); END;

CREATE TRIGGER audit_entry_is_not_updated BEFORE UPDATE ON audit_entry
BEGIN SELECT RAISE(ABORT, 'audit entries are never changed'); END;

CREATE TRIGGER audit_entry_is_not_deleted BEFORE DELETE ON audit_entry
BEGIN SELECT RAISE(ABORT, 'audit entries are never removed'); END;

CREATE TRIGGER order_response_is_not_deleted BEFORE DELETE ON order_response
BEGIN SELECT RAISE(ABORT, 'order responses are never removed'); END;
`;
