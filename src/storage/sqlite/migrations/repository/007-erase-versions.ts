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
