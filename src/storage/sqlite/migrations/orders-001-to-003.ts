/** The first three schemas of `orders.db`, and the views that read each of them like the next. */
import type { DatabaseSync } from 'node:sqlite';

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

/**
 * The second schema of `orders.db`: resources of any type, and audit entries of several writers.
 * A token index replaces the table of identifiers.
 */

/** The rows of the first schema as rows of the second one, where the key of a resource is its id. */
const RESOURCES = `
SELECT id AS key, 'OrderResponse' AS resource_type, id, current_version FROM order_response`;

const VERSIONS = `
SELECT audit_entry AS key, id AS resource, version, written_at, method, 1 AS audit_writer,
  audit_entry AS audit_number, text
FROM order_response_version`;

/** The first schema has no identifiers without a system: they are read from current versions. */
const TOKENS = `
SELECT 'identifier' AS parameter, value AS code, system, id AS resource
FROM order_response_identifier
UNION
SELECT 'identifier', json_extract(i.value, '$.value'), '', v.id
FROM order_response AS o
JOIN order_response_version AS v ON v.id = o.id AND v.version = o.current_version
JOIN json_each(iif(json_valid(v.text), v.text, '{}'), '$.identifier') AS i
WHERE i.type = 'object' AND json_type(i.value, '$.value') = 'text'
  AND json_type(i.value, '$.system') IS NOT 'text'`;

const entriesOf = (table: string) => `
SELECT 1 AS writer, number, recorded_at, entry, mac FROM ${table}`;

/** Adds the new key of each resource, as `r.key`: NULL, which no table allows, if it is missing. */
const withKeys = (rows: string) => `
FROM (${rows}) AS old
LEFT JOIN resource AS r ON r.resource_type = 'OrderResponse' AND r.id = old.resource`;

export const nameResourceTypes = `
ALTER TABLE audit_entry RENAME TO audit_entry_of_schema_1;

-- Every access. The entries of a writer are a chain: whoever changes, removes or reorders entries
-- breaks it.
CREATE TABLE audit_entry (
  writer      INTEGER NOT NULL, -- 1: the server with this database, and the commands beside it
  number      INTEGER NOT NULL, -- from 1 for each writer, without gaps
  recorded_at TEXT    NOT NULL, -- 2026-11-21T09:30:00.123+00:00
  entry       TEXT    NOT NULL, -- JSON
  mac         BLOB    NOT NULL, -- HMAC-SHA256 over the writer's mac before it and this entry
  PRIMARY KEY (writer, number)
) STRICT;

-- One row for each resource.
CREATE TABLE resource (
  key             INTEGER PRIMARY KEY, -- short, because versions and tokens repeat it
  resource_type   TEXT    NOT NULL,
  id              TEXT    NOT NULL, -- a UUID of version 7: new rows come at the end
  current_version INTEGER NOT NULL,
  UNIQUE (resource_type, id)
) STRICT;

-- Every version of every resource.
CREATE TABLE resource_version (
  key          INTEGER PRIMARY KEY, -- in the order of writing
  resource     INTEGER NOT NULL REFERENCES resource,
  version      INTEGER NOT NULL, -- from 1, without gaps
  written_at   TEXT    NOT NULL, -- never before the time of an earlier version
  method       TEXT    NOT NULL, -- POST for a create, PUT for an update
  audit_writer INTEGER NOT NULL,
  audit_number INTEGER NOT NULL,
  text         TEXT    NOT NULL, -- the resource, in JSON
  UNIQUE (resource, version),
  FOREIGN KEY (audit_writer, audit_number) REFERENCES audit_entry (writer, number)
) STRICT;

-- The tokens of current versions, by search parameter.
CREATE TABLE resource_token (
  parameter TEXT    NOT NULL,
  code      TEXT    NOT NULL,
  system    TEXT    NOT NULL, -- empty where the code has no system
  resource  INTEGER NOT NULL REFERENCES resource,
  PRIMARY KEY (parameter, code, system, resource)
) STRICT, WITHOUT ROWID;

-- An update replaces the tokens of its resource.
CREATE INDEX resource_token_by_resource ON resource_token (resource);

INSERT INTO audit_entry (writer, number, recorded_at, entry, mac)
${entriesOf('audit_entry_of_schema_1')} ORDER BY number;

INSERT INTO resource (resource_type, id, current_version)
SELECT resource_type, id, current_version FROM (${RESOURCES}) ORDER BY id;

INSERT INTO resource_version
  (key, resource, version, written_at, method, audit_writer, audit_number, text)
SELECT old.key, r.key, version, written_at, method, audit_writer, audit_number, text
${withKeys(VERSIONS)} ORDER BY old.key;

INSERT INTO resource_token (parameter, code, system, resource)
SELECT parameter, code, system, r.key
${withKeys(TOKENS)};

DROP TABLE order_response_identifier;
DROP TABLE order_response_version;
DROP TABLE order_response;
DROP TABLE audit_entry_of_schema_1;

CREATE TRIGGER resource_version_is_not_updated BEFORE UPDATE ON resource_version
BEGIN SELECT RAISE(ABORT, 'versions are never changed'); END;

CREATE TRIGGER resource_version_is_not_deleted BEFORE DELETE ON resource_version
BEGIN SELECT RAISE(ABORT, 'versions are never removed'); END;

CREATE TRIGGER audit_entry_is_not_updated BEFORE UPDATE ON audit_entry
BEGIN SELECT RAISE(ABORT, 'audit entries are never changed'); END;

CREATE TRIGGER audit_entry_is_not_deleted BEFORE DELETE ON audit_entry
BEGIN SELECT RAISE(ABORT, 'audit entries are never removed'); END;

CREATE TRIGGER resource_is_not_renamed BEFORE UPDATE OF key, resource_type, id ON resource
BEGIN SELECT RAISE(ABORT, 'resources are never renamed'); END;

CREATE TRIGGER resource_is_not_deleted BEFORE DELETE ON resource
BEGIN SELECT RAISE(ABORT, 'resources are never removed'); END;
`;

/** Lets a connection read the first schema as if it were the second one, without changing it. */
export const viewsOfFirstSchema = `
CREATE TEMP VIEW audit_entry AS ${entriesOf('main.audit_entry')};
CREATE TEMP VIEW resource AS ${RESOURCES};
CREATE TEMP VIEW resource_version AS ${VERSIONS};
CREATE TEMP VIEW resource_token AS ${TOKENS};
`;

/**
 * The third schema of `orders.db`: the content of resources can be erased, and protected by a hold.
 */

const SCHEMA = `
-- Resources whose content was erased. Their versions stay, with empty texts.
CREATE TABLE erasure (
  resource     INTEGER PRIMARY KEY REFERENCES resource,
  erased_at    TEXT    NOT NULL,
  audit_writer INTEGER NOT NULL, -- the entry of the erasure
  audit_number INTEGER NOT NULL,
  FOREIGN KEY (audit_writer, audit_number) REFERENCES audit_entry (writer, number)
) STRICT;

-- Resources that must not be erased.
CREATE TABLE hold (
  resource INTEGER PRIMARY KEY REFERENCES resource,
  held_at  TEXT NOT NULL,
  reason   TEXT NOT NULL
) STRICT;

-- A row: pages of the file may still have content that was removed before this schema.
CREATE TABLE unclean (since TEXT NOT NULL) STRICT;

CREATE INDEX resource_version_by_time ON resource_version (written_at);

DROP TRIGGER resource_version_is_not_updated;

CREATE TRIGGER resource_version_is_not_updated BEFORE UPDATE ON resource_version
WHEN NEW.text <> '' OR (NEW.key, NEW.resource, NEW.version, NEW.written_at, NEW.method)
    IS NOT (OLD.key, OLD.resource, OLD.version, OLD.written_at, OLD.method)
  OR (NEW.audit_writer, NEW.audit_number) IS NOT (OLD.audit_writer, OLD.audit_number)
  OR NOT EXISTS (SELECT 1 FROM erasure AS e WHERE e.resource = OLD.resource)
BEGIN SELECT RAISE(ABORT, 'versions are never changed, except that their text is erased'); END;

CREATE TRIGGER erasure_is_not_updated BEFORE UPDATE ON erasure
BEGIN SELECT RAISE(ABORT, 'erasures are never changed'); END;

CREATE TRIGGER erasure_is_not_deleted BEFORE DELETE ON erasure
BEGIN SELECT RAISE(ABORT, 'erasures are never removed'); END;
`;

export function addErasure(database: DatabaseSync): void {
  database.exec(SCHEMA);
  database.exec(
    `INSERT INTO unclean (since)
     SELECT recorded_at FROM audit_entry ORDER BY writer, number LIMIT 1`,
  );
}

/** Lets a connection read an earlier schema as if it were the third one. */
export const viewsOfSchemaBefore = `
CREATE TEMP VIEW erasure AS
SELECT 0 AS resource, '' AS erased_at, 0 AS audit_writer, 0 AS audit_number WHERE false;
CREATE TEMP VIEW hold AS SELECT 0 AS resource, '' AS held_at, '' AS reason WHERE false;
`;
