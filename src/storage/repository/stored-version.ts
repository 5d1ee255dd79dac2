/** Versions of resources as rows, in every kind of store. */
import {
  WRITE_METHODS,
  type WriteCode,
  type WriteMethod,
} from '../../fhir/request/interaction-code.ts';
import type { HistoryPage, HistoryRequest, StoredVersion } from '../../fhir/stored/repository.ts';
import { stampText, type UnstampedText } from '../../fhir/stored/stored-text.ts';
import { type Row, type SqlSteps, sql, upToLength } from './statement.ts';

/** The text of a version that deletes its resource, or whose content was erased. */
export const NO_CONTENT = '';

/**
 * The columns of a version `v` and of its resource `r`. The tables of erasures are read only for
 * versions without content.
 */
export const VERSION_COLUMNS = sql`
  r.resource_type, r.id, v.version, v.written_at, v.method, v.text, CASE v.text WHEN '' THEN EXISTS (
    SELECT 1 FROM erasure AS e WHERE e.resource = v.resource
    UNION ALL SELECT 1 FROM version_erasure AS e
      WHERE e.resource = v.resource AND e.version = v.version)
  ELSE 1 = 0 END AS is_erased`;

/** A row with these columns. */
export function versionOf(row: Row): StoredVersion {
  const text = String(row.text);
  return {
    id: String(row.id),
    version: Number(row.version),
    writtenAt: String(row.written_at),
    method: writeMethodOf(row.method),
    ...(text !== NO_CONTENT && { text }),
    ...(Number(row.is_erased) === 1 && { isErased: true }),
  };
}

/** Undefined if the resource does not exist. */
export function* readHistory(request: HistoryRequest): SqlSteps<HistoryPage | undefined> {
  const { type, id, count, lengthMax, sinceMs, before } = request;
  const isNamed = sql`r.resource_type = ${type} AND r.id = ${id}`;
  // The last version before the time; 0 if there is none.
  const after =
    sinceMs === undefined
      ? sql`0`
      : sql`coalesce((SELECT max(o.version) FROM resource_version AS o
          WHERE o.resource = r.key AND o.written_at < ${instantText(sinceMs)}), 0)`;
  const end = before === undefined ? sql`r.current_version + 1` : sql`${before}`;
  const versions = sql`SELECT -v.version AS place, ${VERSION_COLUMNS}
    FROM resource AS r JOIN resource_version AS v ON v.resource = r.key
    WHERE ${isNamed} AND v.version > ${after} AND v.version < ${end}
    ORDER BY v.version DESC LIMIT ${count + 1}`;
  const [[resource] = [], rows = []] = yield [
    sql`SELECT r.current_version, ${after} AS after FROM resource AS r WHERE ${isNamed}`,
    upToLength(versions, lengthMax),
  ];
  if (resource === undefined) return undefined;
  const total = Number(resource.current_version) - Number(resource.after);
  return { ...historyPage(rows.map(versionOf), request), total };
}

function writeMethodOf(value: unknown): WriteMethod {
  const method = Object.values(WRITE_METHODS).find((each) => each === value);
  if (method === undefined) throw new Error(`a version has the unknown method ${value}`);
  return method;
}

/** What identifies a version, and when it is written. `version` is 1 for a new resource. */
export type VersionStamp = Pick<StoredVersion, 'id' | 'version' | 'writtenAt'>;

/** Without a text, the version deletes the resource. */
export function newVersion(
  code: WriteCode,
  { id, version, writtenAt }: VersionStamp,
  text?: UnstampedText,
): StoredVersion {
  const written = { id, version, writtenAt, method: WRITE_METHODS[code] };
  return text === undefined ? written : { ...written, text: stampText(text, version, writtenAt) };
}

/** `2026-11-21T09:30:00.123+00:00`: such texts sort by time. */
export function instantText(ms: number): string {
  // All writes of a transaction have the same time, and each one needs its text several times.
  if (ms !== last.ms) {
    const instant = new Date(Math.min(Math.ceil(ms), YEAR_9999_MS));
    last = { ms, text: instant.toISOString().replace('Z', '+00:00') };
  }
  return last.text;
}

let last = { ms: Number.NaN, text: '' };

const YEAR_9999_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** One page of a history. Reads only as many versions as the page needs. */
export function historyPage<Version extends StoredVersion>(
  ordered: Iterable<Version>,
  { count, lengthMax }: Pick<HistoryRequest, 'count' | 'lengthMax'>,
): { readonly versions: readonly Version[]; readonly hasMore: boolean } {
  const versions: Version[] = [];
  let length = 0;
  for (const stored of ordered) {
    length += stored.text?.length ?? 0;
    if (versions.length === count || (versions.length > 0 && length > lengthMax)) {
      return { versions, hasMore: true };
    }
    versions.push(stored);
  }
  return { versions, hasMore: false };
}
