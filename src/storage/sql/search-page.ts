/** Answers searches: the pages of new ones, and other pages of those whose matches are kept. */
import { randomUUID } from 'node:crypto';
import { AUDIT_EVENT } from '../../fhir/audit/audit-event.ts';
import type {
  SearchContinuation,
  SearchPageRequest,
  SearchStart,
  StoredVersion,
} from '../../fhir/stored/repository.ts';
import { auditEventVersion, ONLY_WRITER } from '../repository/audit-record.ts';
import type { SearchAnswer } from '../repository/reader-answers.ts';
import { all, first, type SqlSteps, sql, upToLength } from '../repository/statement.ts';
import { VERSION_COLUMNS, versionOf } from '../repository/stored-version.ts';
import { type EntryName, loadEntries, matchingEntries } from './audit-search.ts';
import type { SqlDialect } from './dialect.ts';
import { type FieldKeys, matchingKeys } from './search.ts';

/** A match: the key of a resource, or the writer and the number of an audit entry. */
type Key = number | bigint;

/** Call it in a transaction, so that all parts of the answer are of one state of the database. */
export function answerSearch(
  dialect: SqlDialect,
  fields: FieldKeys,
  request: SearchPageRequest,
  nowMs: number,
): SqlSteps<SearchAnswer> {
  return 'result' in request
    ? continueSearch(dialect, request, nowMs)
    : startSearch(dialect, fields, request);
}

function* startSearch(
  dialect: SqlDialect,
  fields: FieldKeys,
  request: SearchStart,
): SqlSteps<SearchAnswer> {
  const keys =
    request.type === AUDIT_EVENT
      ? (yield* matchingEntries(dialect, fields, request))?.map((name) => keyOf(dialect, name))
      : yield* matchingKeys(dialect, fields, request);
  if (keys === undefined) return unfound(request, 'invalid', { kind: 'too-costly' });
  const page = [...keys.slice(0, request.count)];
  const answer = yield* pageOf(dialect, request, page, 0, keys.length);
  const { result } = answer;
  if (result.kind !== 'found' || result.nextOffset === undefined) return answer;
  const id = randomUUID();
  const members = Buffer.alloc(keys.length * dialect.keyBytes);
  keys.forEach((key: Key, at: number) => {
    if (dialect.keyBytes === 4) members.writeUInt32LE(Number(key), at * 4);
    else members.writeBigInt64LE(BigInt(key), at * 8);
  });
  return {
    kind: 'search',
    result: { ...result, result: id },
    found: { ...answer.found, kept: { id, members, keepMs: request.keepMs } },
  };
}

function* continueSearch(
  dialect: SqlDialect,
  request: SearchContinuation,
  nowMs: number,
): SqlSteps<SearchAnswer> {
  const { type, result, offset, count, before = Number.POSITIVE_INFINITY } = request;
  const { keyBytes } = dialect;
  const most = Math.max(0, Math.min(count, before - offset));
  const [at, length] = [Math.min(offset, OFFSET_MAX) * keyBytes + 1, most * keyBytes];
  const row = yield* first(sql`
    SELECT length(members) AS total,
      substr(members, CAST(${at} AS integer), CAST(${length} AS integer)) AS part
    FROM kept_search WHERE id = ${result} AND resource_type = ${type}
      AND expires_at > ${Math.floor(nowMs)}`);
  if (row === undefined) return unfound(request, 'absent', { kind: 'expired' });
  const part = Buffer.from(row.part instanceof Uint8Array ? row.part : []);
  const keys = Array.from({ length: part.length / keyBytes }, (_, at) =>
    keyBytes === 4 ? part.readUInt32LE(at * 4) : part.readBigInt64LE(at * 8),
  );
  const total = Number(row.total) / keyBytes;
  const answer = yield* pageOf(dialect, request, keys, offset, total);
  if (answer.result.kind !== 'found') return answer;
  return { ...answer, result: { ...answer.result, result } };
}

/** Beyond all matches; and the position of its byte is still an integer of PostgreSQL. */
const OFFSET_MAX = 2 ** 27;

/** The page of these matches until it is long enough; from their end if the page has an end. */
function* pageOf(
  dialect: SqlDialect,
  request: SearchPageRequest,
  keys: readonly Key[],
  offset: number,
  total: number,
): SqlSteps<SearchAnswer> {
  const { type, parameters, count, lengthMax } = request;
  const isFromEnd = 'before' in request && request.before !== undefined;
  const inTurn = isFromEnd ? keys.toReversed() : keys;
  const load = type === AUDIT_EVENT ? loadEvents : loadMatches;
  const loaded = yield* load(dialect, inTurn, lengthMax);
  const matches: StoredVersion[] = [];
  let length = 0;
  // Those that follow the last one are not loaded, because the page is long enough.
  let shown = loaded.at(-1)?.place ?? keys.length;
  for (const { place, version } of loaded) {
    if (version.text === undefined) continue;
    length += version.text.length;
    if (matches.length > 0 && length > lengthMax) {
      shown = place - 1;
      break;
    }
    matches.push(version);
  }
  if (isFromEnd) matches.reverse();
  const start = isFromEnd ? offset + keys.length - shown : offset;
  const end = start + shown;
  const next = count > 0 && end < total ? { nextOffset: end } : {};
  const resources = matches.map(({ id }) => id);
  return {
    kind: 'search',
    result: { kind: 'found', total, matches, offset: start, ...next },
    found: { type, parameters, outcome: 'found', total, resources },
  };
}

/** A match, and its place on the page, from 1. */
interface PlacedVersion {
  readonly place: number;
  readonly version: StoredVersion;
}

/** Those that follow a page that is long enough are missing. */
function* loadMatches(
  { listed }: SqlDialect,
  keys: readonly Key[],
  lengthMax: number,
): SqlSteps<readonly PlacedVersion[]> {
  if (keys.length === 0) return [];
  // SQLite reads such tables in their order.
  const query = sql`
    SELECT n.place, ${VERSION_COLUMNS}
    FROM ${listed(keys.map(Number))} CROSS JOIN resource AS r CROSS JOIN resource_version AS v
    WHERE r.key = n.key AND v.resource = r.key AND v.version = r.current_version`;
  const rows = yield* all(upToLength(query, lengthMax));
  return rows.map((row) => ({ place: Number(row.place), version: versionOf(row) }));
}

/** Entries are short, so all of them are read. */
function* loadEvents(
  dialect: SqlDialect,
  keys: readonly Key[],
): SqlSteps<readonly PlacedVersion[]> {
  const entries = yield* loadEntries(dialect, keys.map(nameOf));
  const byKey = new Map(entries.map((entry) => [keyOf(dialect, entry), entry]));
  return keys.flatMap((key, at) => {
    const entry = byKey.get(key);
    return entry === undefined ? [] : [{ place: at + 1, version: auditEventVersion(entry) }];
  });
}

/** Writer and number in 8 bytes, or the number of the only writer in 4 bytes. */
function keyOf({ keyBytes }: SqlDialect, { writer, number }: EntryName): Key {
  return keyBytes === 4 ? number : (BigInt(writer) << NUMBER_BITS) | BigInt(number);
}

function nameOf(key: Key): EntryName {
  return typeof key === 'number'
    ? { writer: ONLY_WRITER, number: key }
    : { writer: Number(key >> NUMBER_BITS), number: Number(key & NUMBER_MASK) };
}

const NUMBER_BITS = 36n;
const NUMBER_MASK = (1n << NUMBER_BITS) - 1n;

function unfound(
  { type, parameters }: SearchPageRequest,
  outcome: 'invalid' | 'absent',
  result: { readonly kind: 'too-costly' | 'expired' },
): SearchAnswer {
  return { kind: 'search', result, found: { type, parameters, outcome, total: 0, resources: [] } };
}
