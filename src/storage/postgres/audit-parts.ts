/** Where audit entries of a selection can be: conditions that the indexes of their table help with. */
import { parseAuditEventId } from '../../fhir/audit/audit-event.ts';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import { instantText } from '../repository/stored-version.ts';
import { rangeCondition, rangesOf } from '../sql/audit-criteria.ts';
import type { AuditSelection, EntryParts } from '../sql/dialect.ts';
import { joinedSql, plain, type Sql, type SqlSteps, sql } from '../sql/statement.ts';
import { textArray } from './arrays.ts';
import { storable } from './storable.ts';

export function member(name: string): Sql {
  return plain(`(a.entry::jsonb ->> '${name}')`);
}

/** The condition of the index of the entries that list resources. */
export function isAbout(ids: readonly string[]): Sql {
  const all = textArray(ids.map(storable));
  return sql`(a.entry::jsonb ->> 'resource' = ANY (${all})
    OR (a.entry LIKE '%"resources":%' AND a.entry::jsonb -> 'resources' ??| ${all}))`;
}

export function* databaseEntryParts({
  criteria,
  sinceMs,
  entriesMax,
}: AuditSelection): SqlSteps<EntryParts> {
  const conditions = criteria.flatMap((criterion) => indexedCondition(criterion) ?? []);
  if (sinceMs !== undefined) conditions.push(sql`a.recorded_at >= ${instantText(sinceMs)}`);
  const where = joinedSql(conditions, ' AND ', 'TRUE');
  const order = [sql`a.recorded_at`, sql`a.writer`, sql`a.number`];
  if (entriesMax === undefined) return { parts: [sql`audit_entry AS a WHERE ${where}`], order };
  const newest = sql`SELECT a.* FROM audit_entry AS a WHERE ${where}
    ORDER BY a.recorded_at DESC, a.writer DESC, a.number DESC LIMIT ${entriesMax + 1}`;
  return { parts: [sql`(${newest}) AS a WHERE TRUE`], order };
}

/** True for every entry that matches; undefined if no index helps. */
function indexedCondition(criterion: ResourceCriterion): Sql | undefined {
  if (criterion.type === 'reference') return isAbout(criterion.values.map(({ id }) => id));
  if (criterion.type === 'date' && criterion.field === 'date') {
    return anyOf(criterion.values.flatMap(rangesOf).map(rangeCondition));
  }
  if (criterion.type !== 'token' || criterion.field !== '_id') return undefined;
  if (criterion.values.some(({ code }) => code === undefined)) return undefined;
  const names = criterion.values.flatMap(({ code = '' }) => parseAuditEventId(code) ?? []);
  return anyOf(
    names.map(({ writer, number }) => sql`(a.writer = ${writer} AND a.number = ${number})`),
  );
}

function anyOf(conditions: readonly Sql[]): Sql {
  return sql`(${joinedSql(conditions, ' OR ', 'FALSE')})`;
}
