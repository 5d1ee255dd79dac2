/** Answers searches: the pages of new ones, and other pages of those whose matches are kept. */
import { randomUUID } from 'node:crypto';
import { AUDIT_EVENT } from '../../fhir/audit/audit-event.ts';
import type {
  SearchContinuation,
  SearchPageRequest,
  SearchStart,
  StoredVersion,
} from '../../fhir/stored/repository.ts';
import { auditEntryOf, auditEventVersion } from '../repository/audit-event-version.ts';
import { expiredAnswer, matchPage, tooCostlyAnswer } from '../repository/match-page.ts';
import { versionOf } from '../repository/stored-version.ts';
import type { SearchAnswer } from '../threads/reader-answers.ts';
import { bigintArray } from './arrays.ts';
import { type EntryName, matchingEntries } from './audit-queries.ts';
import { binaryOf } from './audit-writers.ts';
import type { Connection } from './connection.ts';
import type { FieldKeys } from './field-keys.ts';
import { matchingKeys } from './search-queries.ts';
import { SELECT_ENTRIES, upToLength, VERSION_COLUMNS } from './version-rows.ts';

/** Call it in a transaction with one snapshot. */
export function answerSearch(
  connection: Connection,
  fields: FieldKeys,
  request: SearchPageRequest,
  nowMs: number,
): Promise<SearchAnswer> {
  return 'result' in request
    ? continueSearch(connection, request, nowMs)
    : startSearch(connection, fields, request);
}

async function startSearch(
  connection: Connection,
  fields: FieldKeys,
  request: SearchStart,
): Promise<SearchAnswer> {
  const keys =
    request.type === AUDIT_EVENT
      ? (await matchingEntries(connection, fields, request))?.map(entryKey)
      : (await matchingKeys(connection, fields, request))?.map(BigInt);
  if (keys === undefined) return tooCostlyAnswer(request);
  const place = { offset: 0, total: keys.length };
  const answer = await pageOf(connection, request, keys.slice(0, request.count), place);
  const { result } = answer;
  if (result.kind !== 'found' || result.nextOffset === undefined) return answer;
  const id = randomUUID();
  const members = Buffer.alloc(keys.length * KEY_BYTES);
  for (const [at, key] of keys.entries()) members.writeBigInt64LE(key, at * KEY_BYTES);
  return {
    kind: 'search',
    result: { ...result, result: id },
    found: { ...answer.found, kept: { id, members, keepMs: request.keepMs } },
  };
}

async function continueSearch(
  connection: Connection,
  request: SearchContinuation,
  nowMs: number,
): Promise<SearchAnswer> {
  const { type, result, offset, count } = request;
  const [row] = await connection.queryPrepared(
    `SELECT length(members) / ${KEY_BYTES} AS total,
       substr(members, $1::int * ${KEY_BYTES} + 1, $2::int * ${KEY_BYTES}) AS part
     FROM kept_search WHERE id = $3 AND resource_type = $4 AND expires_at > $5`,
    [Math.min(offset, OFFSET_MAX), count, result, type, Math.floor(nowMs)],
  );
  if (row === undefined) return expiredAnswer(request);
  const part = Buffer.from(binaryOf(row.part));
  const keys = Array.from({ length: part.length / KEY_BYTES }, (_, at) =>
    part.readBigInt64LE(at * KEY_BYTES),
  );
  const answer = await pageOf(connection, request, keys, { offset, total: Number(row.total) });
  if (answer.result.kind !== 'found') return answer;
  return { ...answer, result: { ...answer.result, result } };
}

async function pageOf(
  connection: Connection,
  request: SearchPageRequest,
  keys: readonly bigint[],
  place: { readonly offset: number; readonly total: number },
): Promise<SearchAnswer> {
  const isOfAudit = request.type === AUDIT_EVENT;
  const versions = await (isOfAudit ? loadEntries : loadMatches)(
    connection,
    keys,
    request.lengthMax,
  );
  // The missing matches are after a page that is long enough.
  return matchPage(request, keys.slice(0, versions.size), place, (key) => versions.get(key));
}

async function loadMatches(
  connection: Connection,
  keys: readonly bigint[],
  lengthMax: number,
): Promise<ReadonlyMap<bigint, StoredVersion>> {
  if (keys.length === 0) return new Map();
  const numbers = bigintArray(keys.map(Number));
  const rows = await connection.queryPrepared(SELECT_CURRENT, [numbers, lengthMax]);
  return new Map(rows.map((row) => [BigInt(String(row.key)), versionOf(row)]));
}

/** Entries are short, so all of them are read. */
async function loadEntries(
  connection: Connection,
  keys: readonly bigint[],
): Promise<ReadonlyMap<bigint, StoredVersion>> {
  if (keys.length === 0) return new Map();
  const rows = await connection.queryPrepared(
    `${SELECT_ENTRIES} JOIN unnest($1::bigint[], $2::bigint[]) AS n (writer, number)
       ON n.writer = a.writer AND n.number = a.number`,
    [
      bigintArray(keys.map((key) => Number(key >> NUMBER_BITS))),
      bigintArray(keys.map((key) => Number(key & NUMBER_MASK))),
    ],
  );
  const entries = rows.map((row) => auditEntryOf(row, connection.host));
  return new Map(entries.map((entry) => [entryKey(entry), auditEventVersion(entry)]));
}

/** Writer and number in 8 bytes. */
function entryKey({ writer, number }: EntryName): bigint {
  return (BigInt(writer) << NUMBER_BITS) | BigInt(number);
}

const NUMBER_BITS = 36n;
const NUMBER_MASK = (1n << NUMBER_BITS) - 1n;

const SELECT_CURRENT = upToLength(
  `SELECT n.place, r.key, ${VERSION_COLUMNS}
   FROM unnest($1::bigint[]) WITH ORDINALITY AS n (key, place)
   JOIN resource AS r ON r.key = n.key
   JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version`,
  '$2',
);

const KEY_BYTES = 8;

/** Beyond all matches; and the position of its byte is still an integer of PostgreSQL. */
const OFFSET_MAX = 2 ** 27;
