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
