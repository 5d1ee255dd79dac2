/**
 * The third schema of `orders.db`: the content of resources can be erased, and protected by a hold.
 */
import type { DatabaseSync } from 'node:sqlite';

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
