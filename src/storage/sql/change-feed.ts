/**
 * Versions of any resources in the order of their writing, and the positions of that order.
 *
 * A position is the place of a version and the start of the MAC of its audit entry. After a restore,
 * other versions may get the places of those that were lost. They then have other MACs.
 */

import { WRITE_METHODS } from '../../fhir/request/interaction-code.ts';
import { versionEntries } from '../../fhir/search/resource-parameter.ts';
import { type ChangeFacts, criteriaFields, matchesChange } from '../../fhir/stored/change-match.ts';
import { type Change, type ChangesRequest, START_POSITION } from '../../fhir/stored/repository.ts';
import {
  type ChangesAnswer,
  changesAnswer,
  type FactsAnswer,
  type FactsRequest,
  UNKNOWN_POSITION,
} from '../repository/reader-answers.ts';
import { entriesOfFields } from '../repository/search-rows.ts';
import {
  all,
  first,
  joinedSql,
  plain,
  type Row,
  type Sql,
  type SqlSteps,
  sql,
  upToLength,
} from '../repository/statement.ts';
import {
  historyPage,
  instantText,
  NO_CONTENT,
  VERSION_COLUMNS,
  versionOf,
} from '../repository/stored-version.ts';
import type { FeedDialect, SqlDialect } from './dialect.ts';

/** Call it in a transaction with one snapshot. */
export function* readChanges(
  dialect: SqlDialect,
  request: ChangesRequest,
): SqlSteps<ChangesAnswer> {
  const { feed, versionOrder } = dialect;
  const { position, criteria = [] } = request;
  const place = position === undefined ? undefined : yield* placeAt(feed, versionOrder, position);
  if (position !== undefined && place === undefined) return UNKNOWN_POSITION;
  const found = { kind: 'found', end: yield* newestPosition(dialect) } as const;
  const from = position ?? START_POSITION;
  if (criteria.length === 0) {
    const rows = yield* all(pageQuery(dialect, request, place, request.count + 1, SHOWN));
    const page = historyPage(changesIn(feed, rows), request);
    return changesAnswer({ ...found, ...page, next: page.versions.at(-1)?.position ?? from });
  }
  const { rows, last, isEnd } = yield* matchingRows(dialect, request, place);
  const page = historyPage(changesIn(feed, rows), request);
  const reached = last === undefined ? from : positionOf(feed, last);
  const next = page.hasMore ? (page.versions.at(-1)?.position ?? reached) : reached;
  return changesAnswer({ ...found, ...page, hasMore: page.hasMore || !isEnd, next });
}

/** The position of the last version that a page can have. */
export function* newestPosition({ feed }: SqlDialect): SqlSteps<string> {
  const newest = yield* first(
    sql`${placeQuery(feed)} WHERE ${feed.isSettled} ORDER BY ${feed.newestFirst} LIMIT 1`,
  );
  return newest === undefined ? START_POSITION : positionOf(feed, newest);
}

/** What decides whether the next changes match criteria. Call it in a transaction with one snapshot. */
export function* readFacts(dialect: SqlDialect, request: FactsRequest): SqlSteps<FactsAnswer> {
  const { feed, versionOrder } = dialect;
  const place = yield* placeAt(feed, versionOrder, request.position);
  if (place === undefined) return { kind: 'facts', result: UNKNOWN_POSITION.result };
  const rows = yield* all(pageQuery(dialect, request, place, request.count, FACTS));
  const lastPlace = feed.placeIn(feed.textOf(rows.at(-1) ?? {}));
  const last =
    lastPlace && (yield* first(sql`${placeQuery(feed)} WHERE (${versionOrder}) = ${lastPlace}`));
  const length = rows.reduce((sum, { text }) => sum + String(text).length, 0);
  return {
    kind: 'facts',
    result: {
      kind: 'found',
      facts: rows.map((row) => factsOf(row, request.fields)),
      next: last === undefined ? request.position : positionOf(feed, last),
      isEnd: rows.length < request.count && length <= request.lengthMax,
    },
  };
}

/** The most versions that a page with criteria looks at, and of these at once. */
const SCANNED_MAX = 1000;
const SCANNED_AT_ONCE = 100;

interface MatchingRows {
  /** Those that match; at least as many as the page needs, unless there are fewer. */
  readonly rows: readonly Row[];
  /** The last version that was looked at. */
  readonly last: Row | undefined;
  /** Whether there is none after it. */
  readonly isEnd: boolean;
}

/** No index has the entries of old versions, so the criteria are compared with each version. */
function* matchingRows(
  dialect: SqlDialect,
  request: ChangesRequest,
  begin: Sql | undefined,
): SqlSteps<MatchingRows> {
  const { feed } = dialect;
  const { criteria = [], count, lengthMax } = request;
  const fields = criteriaFields(criteria);
  const rows: Row[] = [];
  let place = begin;
  let last: Row | undefined;
  let length = 0;
  for (let scanned = 0; scanned < SCANNED_MAX; ) {
    const part = yield* all(pageQuery(dialect, request, place, SCANNED_AT_ONCE, BOTH));
    if (part.length === 0) return { rows, last, isEnd: true };
    for (const row of part) {
      if (!matchesChange(criteria, factsOf(row, fields))) continue;
      rows.push(row);
      length += String(row.text).length;
    }
    scanned += part.length;
    last = part.at(-1) ?? {};
    place = feed.placeIn(feed.textOf(last));
    if (rows.length > count || length > lengthMax) break;
  }
  return { rows, last, isEnd: false };
}

/** What a page reads of the version `v` and its resource `r`. */
interface Reading {
  readonly columns: Sql;
  /** What follows the joins of both. */
  readonly joins: Sql;
}

/** What clients see. */
const SHOWN: Reading = {
  columns: sql`a.mac, ${VERSION_COLUMNS}`,
  joins: sql`JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number`,
};

/** The version before. */
const BEFORE: Reading = {
  columns: sql`b.text AS text_before, b.method AS method_before, b.written_at AS written_before`,
  joins: sql`LEFT JOIN resource_version AS b ON b.resource = v.resource AND b.version = v.version - 1`,
};

/** What decides whether criteria match. */
const FACTS: Reading = {
  ...BEFORE,
  columns: sql`r.resource_type, r.id, v.text, v.written_at, ${BEFORE.columns}`,
};

const BOTH: Reading = {
  columns: sql`${SHOWN.columns}, ${BEFORE.columns}`,
  joins: sql`${SHOWN.joins} ${BEFORE.joins}`,
};

/** The next versions after a place in the order; without criteria. */
function pageQuery(
  { feed, isOneOf, versionOrder }: SqlDialect,
  { types, order, sinceMs, lengthMax }: ChangesRequest,
  place: Sql | undefined,
  limit: number,
  { columns, joins }: Reading,
): Sql {
  const isNewestFirst = order === 'newest-first';
  const direction = isNewestFirst ? feed.newestFirst : versionOrder;
  const conditions = [isOneOf(sql`r.resource_type`, types), feed.isSettled];
  if (place !== undefined) {
    conditions.push(sql`(${versionOrder}) ${plain(isNewestFirst ? '<' : '>')} ${place}`);
  }
  if (sinceMs !== undefined) conditions.push(feed.isSince(instantText(sinceMs)));
  const page = sql`
    SELECT ${feed.rank(direction)} AS place, ${feed.columns}, ${columns}
    FROM resource_version AS v ${feed.join} resource AS r ON r.key = v.resource ${joins}
    WHERE ${joinedSql(conditions, ' AND ')} ORDER BY ${direction} LIMIT ${limit}`;
  return upToLength(page, lengthMax);
}

function changesIn(feed: FeedDialect, rows: readonly Row[]): Change[] {
  return rows.map((row) => ({
    ...versionOf(row),
    type: String(row.resource_type),
    position: positionOf(feed, row),
  }));
}

function factsOf(row: Row, fields: readonly string[]): ChangeFacts {
  const type = String(row.resource_type);
  const id = String(row.id);
  const entriesIn = (text: unknown, writtenAt: unknown) => [
    ...entriesOfFields(type, String(text), fields),
    ...versionEntries(id, String(writtenAt)),
  ];
  const isErased = row.text_before === NO_CONTENT;
  const hadContent = row.text_before !== null && row.method_before !== WRITE_METHODS.delete;
  return {
    ...(row.text !== NO_CONTENT && { entries: entriesIn(row.text, row.written_at) }),
    ...(hadContent && {
      before: { entries: entriesIn(row.text_before, row.written_before), isErased },
    }),
  };
}

/** A version in the tables: the key of its resource, and its number. */
export interface VersionKey {
  readonly resource: number;
  readonly version: number;
}

/** The version at a position; undefined if no version has it. */
export function* versionAt(
  { feed, versionOrder }: SqlDialect,
  position: string,
): SqlSteps<VersionKey | undefined> {
  const row = yield* rowAt(feed, versionOrder, position);
  return row && { resource: Number(row.resource), version: Number(row.version) };
}

/** The position of a version; undefined if there is no such version. */
export function* positionOfVersion(
  { feed }: SqlDialect,
  { resource, version }: VersionKey,
): SqlSteps<string | undefined> {
  const row = yield* first(
    sql`${placeQuery(feed)} WHERE v.resource = ${resource} AND v.version = ${version}`,
  );
  return row && positionOf(feed, row);
}

function placeQuery({ columns }: FeedDialect): Sql {
  return sql`SELECT ${columns}, v.resource, v.version, a.mac FROM resource_version AS v ${SHOWN.joins}`;
}

/** Undefined if no version has the position. */
function* placeAt(
  feed: FeedDialect,
  versionOrder: Sql,
  position: string,
): SqlSteps<Sql | undefined> {
  if (position === START_POSITION) return feed.start;
  const row = yield* rowAt(feed, versionOrder, position);
  return row && feed.placeIn(feed.textOf(row));
}

function* rowAt(feed: FeedDialect, versionOrder: Sql, position: string): SqlSteps<Row | undefined> {
  const [, text = '', start] = /^(.+)-([0-9a-f]{8})$/.exec(position) ?? [];
  const place = feed.placeIn(text);
  if (place === undefined) return undefined;
  const row = yield* first(sql`${placeQuery(feed)} WHERE (${versionOrder}) = ${place}`);
  return row !== undefined && macStart(row) === start ? row : undefined;
}

function positionOf(feed: FeedDialect, row: Row): string {
  return `${feed.textOf(row)}-${macStart(row)}`;
}

/** 32 bits: enough to tell two databases apart. */
function macStart({ mac }: Row): string {
  return mac instanceof Uint8Array ? Buffer.from(mac.subarray(0, 4)).toString('hex') : '';
}
