/** The later schemas of `orders.db`, and the views that read each of them like the next. */

/**
 * The fourth schema of `orders.db`: an index of every search parameter, searches whose pages are
 * kept, and the parameters of recorded searches. The index replaces that of tokens. It is filled
 * after the migration; see `entry-index.ts`.
 */
export const indexSearchParameters = `
DROP TABLE resource_token;

-- The fields of the index: search parameters, and parts of them.
CREATE TABLE search_field (
  key           INTEGER PRIMARY KEY, -- short, because each entry repeats it
  resource_type TEXT NOT NULL,
  name          TEXT NOT NULL,
  UNIQUE (resource_type, name)
) STRICT;

-- The index entries of current versions with content.
CREATE TABLE search_entry (
  field    INTEGER NOT NULL,
  value    ANY     NOT NULL,
  resource INTEGER NOT NULL,
  detail   ANY     NOT NULL,
  PRIMARY KEY (field, value, resource, detail)
) STRICT, WITHOUT ROWID;

-- Finds the entries of a candidate of a search, and of a resource that gets a new version.
CREATE INDEX search_entry_by_resource ON search_entry (resource, field);

-- How far the index is filled.
CREATE TABLE search_index (
  form       TEXT    NOT NULL, -- names the search parameters: if they change, the index is made anew
  indexed_to INTEGER NOT NULL  -- the last key of a resource whose entries are there
) STRICT;

-- The matches of searches that have several pages, in order.
CREATE TABLE kept_search (
  id            TEXT    PRIMARY KEY, -- links of pages name it
  expires_at    INTEGER NOT NULL,    -- milliseconds since 1970
  resource_type TEXT    NOT NULL,
  members       BLOB    NOT NULL     -- the keys of resources: 4 bytes each, little-endian
) STRICT;

CREATE INDEX kept_search_by_expiry ON kept_search (expires_at);

-- The parameters of searches that the audit log records. The log has only their digest.
CREATE TABLE audit_parameters (
  writer      INTEGER NOT NULL,
  number      INTEGER NOT NULL,
  recorded_at TEXT    NOT NULL,
  salt        BLOB    NOT NULL, -- random, so that the digest does not show what it was made of
  parameters  TEXT    NOT NULL, -- a query string
  PRIMARY KEY (writer, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_parameters_by_time ON audit_parameters (recorded_at);
`;

/**
 * Lets a connection read an earlier schema as if it were the fourth one: the tokens are entries, and
 * other entries are missing. `tokens` is the table of tokens.
 */
export const viewsOfTokens = (tokens: string): string => `
CREATE TEMP VIEW search_field AS
  SELECT 1 AS key, 'OrderResponse' AS resource_type, 'identifier' AS name;
CREATE TEMP VIEW search_entry AS
  SELECT 1 AS field, code AS value, resource, system AS detail FROM ${tokens};
CREATE TEMP VIEW search_index AS SELECT '' AS form, 0 AS indexed_to;
CREATE TEMP VIEW audit_parameters AS
  SELECT 1 AS writer, 1 AS number, '' AS recorded_at, x'' AS salt, '' AS parameters WHERE FALSE;
`;

/**
 * The fifth schema of `orders.db`: the versions that were written after the clock was set back. All
 * others are in the order of their times, so that the first version since a time is found at once.
 */

const setBackVersions = (table: string) => `
SELECT key FROM (
  SELECT key, written_at, max(written_at) OVER (ORDER BY key) AS latest FROM ${table})
WHERE written_at < latest`;

export const noteSetBackClocks = `
-- Versions with a time before that of an earlier version.
CREATE TABLE set_back_version (version INTEGER PRIMARY KEY REFERENCES resource_version) STRICT;

INSERT INTO set_back_version (version)
${setBackVersions('resource_version INDEXED BY resource_version_by_time')};

CREATE TRIGGER resource_version_is_set_back AFTER INSERT ON resource_version
WHEN EXISTS (SELECT 1 FROM resource_version AS v WHERE v.written_at > NEW.written_at)
BEGIN INSERT INTO set_back_version (version) VALUES (NEW.key); END;
`;

/** Lets a connection read an earlier schema as if it were the fifth one. */
export const viewsOfUnnotedClocks = `
CREATE TEMP VIEW set_back_version (version) AS ${setBackVersions('resource_version')};
`;

/**
 * The sixth schema of `orders.db`: an index of the audit log. It is filled after the migration; see
 * `audit-index.ts`.
 */
export const indexAuditLog = `
-- The entries about a resource: those that name it, and those that list it among others.
CREATE TABLE audit_resource (
  id    TEXT    NOT NULL, -- of any type; the entry names the type
  entry INTEGER NOT NULL, -- the number of an entry of writer 1
  PRIMARY KEY (id, entry)
) STRICT, WITHOUT ROWID;

-- What some entry of a block has. A block is 256 entries of writer 1: numbers 1 to 256, and so on.
CREATE TABLE audit_block (
  field TEXT    NOT NULL, -- hour, interaction or user
  value TEXT    NOT NULL, -- such as 2026-11-21T09
  block INTEGER NOT NULL, -- from 0
  PRIMARY KEY (field, value, block)
) STRICT, WITHOUT ROWID;

-- How far the index is filled.
CREATE TABLE audit_index (
  indexed_to INTEGER NOT NULL -- the last entry of earlier schemas that it has; -1: it has all
) STRICT;

INSERT INTO audit_index VALUES (0);
`;

/** Lets a connection read an earlier schema as if it were the sixth one, with nothing indexed. */
export const viewsOfUnindexedLog = `
CREATE TEMP VIEW audit_resource AS SELECT '' AS id, 0 AS entry WHERE FALSE;
CREATE TEMP VIEW audit_block AS SELECT '' AS field, '' AS value, 0 AS block WHERE FALSE;
CREATE TEMP VIEW audit_index AS SELECT 0 AS indexed_to;
`;

/** The seventh schema of `orders.db`: the content of single versions can be erased. */
export const addVersionErasures = `
-- Versions whose content was erased alone. Their texts are empty.
CREATE TABLE version_erasure (
  resource     INTEGER NOT NULL,
  version      INTEGER NOT NULL,
  erased_at    TEXT    NOT NULL,
  audit_writer INTEGER NOT NULL, -- the entry of the erasure
  audit_number INTEGER NOT NULL,
  PRIMARY KEY (resource, version),
  FOREIGN KEY (resource, version) REFERENCES resource_version (resource, version),
  FOREIGN KEY (audit_writer, audit_number) REFERENCES audit_entry (writer, number)
) STRICT, WITHOUT ROWID;

DROP TRIGGER resource_version_is_not_updated;

CREATE TRIGGER resource_version_is_not_updated BEFORE UPDATE ON resource_version
WHEN NEW.text <> '' OR (NEW.key, NEW.resource, NEW.version, NEW.written_at, NEW.method)
    IS NOT (OLD.key, OLD.resource, OLD.version, OLD.written_at, OLD.method)
  OR (NEW.audit_writer, NEW.audit_number) IS NOT (OLD.audit_writer, OLD.audit_number)
  OR NOT EXISTS (
    SELECT 1 FROM erasure AS e WHERE e.resource = OLD.resource
    UNION ALL SELECT 1 FROM version_erasure AS e
      WHERE e.resource = OLD.resource AND e.version = OLD.version)
BEGIN SELECT RAISE(ABORT, 'versions are never changed, except that their text is erased'); END;

CREATE TRIGGER version_erasure_is_not_updated BEFORE UPDATE ON version_erasure
BEGIN SELECT RAISE(ABORT, 'erasures are never changed'); END;

CREATE TRIGGER version_erasure_is_not_deleted BEFORE DELETE ON version_erasure
BEGIN SELECT RAISE(ABORT, 'erasures are never removed'); END;
`;

/** Lets a connection read an earlier schema as if it were the seventh one. */
export const viewsOfWholeErasures = `
CREATE TEMP VIEW version_erasure AS
SELECT 0 AS resource, 0 AS version, '' AS erased_at, 0 AS audit_writer, 0 AS audit_number
WHERE false;
`;

/** The eighth schema of `orders.db`: how far the deliveries of each subscription are. */
export const createDeliveries = `
CREATE TABLE subscription_delivery (
  subscription  TEXT PRIMARY KEY, -- its id
  position      TEXT NOT NULL,    -- of the change feed: the receiver has everything up to it
  written_at    TEXT NOT NULL,    -- of the version at the position
  failing_since INTEGER,          -- milliseconds since 1970; NULL: the last delivery succeeded
  problem       TEXT NOT NULL     -- what went wrong last, or empty
) STRICT, WITHOUT ROWID;
`;

/** Lets a connection read an earlier schema as if it were the eighth one. */
export const viewsOfNoDeliveries = `
CREATE TEMP VIEW subscription_delivery AS
SELECT '' AS subscription, '' AS position, '' AS written_at, NULL AS failing_since, '' AS problem
WHERE false;
`;
