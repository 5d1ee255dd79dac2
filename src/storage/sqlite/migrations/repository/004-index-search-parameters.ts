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
export const viewsOfTokens = (tokens: string) => `
CREATE TEMP VIEW search_field AS
  SELECT 1 AS key, 'OrderResponse' AS resource_type, 'identifier' AS name;
CREATE TEMP VIEW search_entry AS
  SELECT 1 AS field, code AS value, resource, system AS detail FROM ${tokens};
CREATE TEMP VIEW search_index AS SELECT '' AS form, 0 AS indexed_to;
CREATE TEMP VIEW audit_parameters AS
  SELECT 1 AS writer, 1 AS number, '' AS recorded_at, x'' AS salt, '' AS parameters WHERE FALSE;
`;
