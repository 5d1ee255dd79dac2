/**
 * Versions of any resources in the order of their writing, and the positions of that order.
 *
 * A position is the place of a version and the start of the MAC of its audit entry. After a restore,
 * other versions may get the places of those that were lost. They then have other MACs.
 */
import { historyPage } from '../../fhir/stored/history-page.ts';
import { type Change, type ChangesRequest, START_POSITION } from '../../fhir/stored/repository.ts';
import { instantText, VERSION_COLUMNS, versionOf } from '../repository/stored-version.ts';
import { type ChangesAnswer, changesAnswer, UNKNOWN_POSITION } from '../threads/reader-answers.ts';
import type { FeedDialect, SqlDialect } from './dialect.ts';
import {
  first,
  joinedSql,
  plain,
  type Row,
  type Sql,
  type SqlSteps,
  sql,
  upToLength,
} from './statement.ts';

/** Call it in a transaction with one snapshot. */
export function* readChanges(
  { feed, isOneOf, versionOrder }: SqlDialect,
  request: ChangesRequest,
): SqlSteps<ChangesAnswer> {
  const { types, order, position, sinceMs, count, lengthMax } = request;
  const place = position === undefined ? undefined : yield* placeAt(feed, versionOrder, position);
  if (position !== undefined && place === undefined) return UNKNOWN_POSITION;
  const isNewestFirst = order === 'newest-first';
  const direction = isNewestFirst ? feed.newestFirst : versionOrder;
  const conditions = [isOneOf(sql`r.resource_type`, types), feed.isSettled];
  if (place !== undefined) {
    conditions.push(sql`(${versionOrder}) ${plain(isNewestFirst ? '<' : '>')} ${place}`);
  }
  if (sinceMs !== undefined) conditions.push(feed.isSince(instantText(sinceMs)));
  const page = sql`
    SELECT ${feed.rank(direction)} AS place, ${feed.columns}, a.mac, ${VERSION_COLUMNS}
    FROM resource_version AS v
    ${feed.join} resource AS r ON r.key = v.resource
    ${feed.join} ${ENTRY}
    WHERE ${joinedSql(conditions, ' AND ')} ORDER BY ${direction} LIMIT ${count + 1}`;
  const newest = sql`${placeQuery(feed)} WHERE ${feed.isSettled}
    ORDER BY ${feed.newestFirst} LIMIT 1`;
  const [rows = [], [end] = []] = yield [upToLength(page, lengthMax), newest];
  const changes = rows.map(
    (row): Change => ({
      ...versionOf(row),
      type: String(row.resource_type),
      position: positionOf(feed, row),
    }),
  );
  return changesAnswer({
    kind: 'found',
    ...historyPage(changes, request),
    end: end === undefined ? START_POSITION : positionOf(feed, end),
  });
}

const ENTRY = sql`audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number`;

function placeQuery({ columns }: FeedDialect): Sql {
  return sql`SELECT ${columns}, a.mac FROM resource_version AS v JOIN ${ENTRY}`;
}

/** Undefined if no version has the position. */
function* placeAt(
  feed: FeedDialect,
  versionOrder: Sql,
  position: string,
): SqlSteps<Sql | undefined> {
  if (position === START_POSITION) return feed.start;
  const [, text = '', start] = /^(.+)-([0-9a-f]{8})$/.exec(position) ?? [];
  const place = feed.placeIn(text);
  if (place === undefined) return undefined;
  const row = yield* first(sql`${placeQuery(feed)} WHERE (${versionOrder}) = ${place}`);
  return row !== undefined && macStart(row) === start ? place : undefined;
}

function positionOf(feed: FeedDialect, row: Row): string {
  return `${feed.textOf(row)}-${macStart(row)}`;
}

/** 32 bits: enough to tell two databases apart. */
function macStart({ mac }: Row): string {
  return mac instanceof Uint8Array ? Buffer.from(mac.subarray(0, 4)).toString('hex') : '';
}
