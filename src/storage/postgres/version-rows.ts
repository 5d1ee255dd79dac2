/** The columns of versions and audit entries in SQL, and pages that are long enough. */

/** The tables of erasures are read only for versions without content. */
export const ERASED_COLUMN = `
  CASE v.text WHEN '' THEN EXISTS (
    SELECT 1 FROM erasure AS e WHERE e.resource = v.resource
    UNION ALL SELECT 1 FROM version_erasure AS e
      WHERE e.resource = v.resource AND e.version = v.version)
  ELSE false END AS is_erased`;

export const VERSION_COLUMNS = `
  r.resource_type, r.id, v.version, v.written_at, v.method, v.text, ${ERASED_COLUMN}`;

export const SELECT_ENTRIES = `
  SELECT a.writer, a.number, a.recorded_at, a.entry, p.parameters FROM audit_entry AS a
  LEFT JOIN audit_parameters AS p ON p.writer = a.writer AND p.number = a.number`;

/**
 * The first rows of a query with the columns `place` and `text`: until their texts are longer than
 * a page can be, and one more, which shows that the page is not the last. The server counts the
 * characters of a text, and this program counts at least as many.
 */
export function upToLength(query: string, lengthMax: string): string {
  return `SELECT * FROM (
      SELECT listed.*, sum(char_length(text)) OVER (
        ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS length_before
      FROM (${query}) AS listed
    ) AS measured
    WHERE coalesce(length_before, 0) <= ${lengthMax} ORDER BY place`;
}
