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
