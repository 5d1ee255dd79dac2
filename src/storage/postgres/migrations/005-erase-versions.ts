/** The fifth schema: the content of single versions can be erased. */

export const createVersionErasures = `
-- Versions whose content was erased alone. Their texts are empty.
CREATE TABLE version_erasure (
  resource     bigint NOT NULL,
  version      bigint NOT NULL,
  erased_at    text   NOT NULL,
  audit_writer bigint NOT NULL, -- the entry of the erasure
  audit_number bigint NOT NULL,
  PRIMARY KEY (resource, version),
  FOREIGN KEY (resource, version) REFERENCES resource_version (resource, version),
  FOREIGN KEY (audit_writer, audit_number) REFERENCES audit_entry (writer, number)
);

CREATE OR REPLACE FUNCTION refuse_changed_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.text = ''
    AND (NEW.key, NEW.resource, NEW.version, NEW.written_at, NEW.method, NEW.audit_writer,
      NEW.audit_number, NEW.epoch, NEW.xid)
    IS NOT DISTINCT FROM (OLD.key, OLD.resource, OLD.version, OLD.written_at, OLD.method,
      OLD.audit_writer, OLD.audit_number, OLD.epoch, OLD.xid)
    AND EXISTS (
      SELECT 1 FROM erasure AS e WHERE e.resource = OLD.resource
      UNION ALL SELECT 1 FROM version_erasure AS e
        WHERE e.resource = OLD.resource AND e.version = OLD.version)
  THEN RETURN NEW;
  END IF;
  RAISE EXCEPTION 'versions are never changed, except that their text is erased';
END $$;

CREATE TRIGGER version_erasure_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON version_erasure
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('erasures are never changed or removed');
`;
