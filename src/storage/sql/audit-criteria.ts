/** Compiles the criteria of a search of the audit log to conditions on the entry `a`. */
import { ACTION_SYSTEM, interactionsOf, parseAuditEventId } from '../../fhir/audit/audit-event.ts';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { DatePrefix, DateValue } from '../../fhir/search/date.ts';
import type { ReferenceValue } from '../../fhir/search/reference.ts';
import type { TokenValue } from '../../fhir/search/token.ts';
import { joinedSql, type Sql, sql } from '../repository/statement.ts';
import { instantText } from '../repository/stored-version.ts';
import type { SqlDialect } from './dialect.ts';

type PlainCriterion = Exclude<ResourceCriterion, { type: 'not' }>;

/** A condition that is never NULL. */
export function entryCondition(dialect: SqlDialect, criterion: ResourceCriterion): Sql {
  if (criterion.type === 'not') {
    return sql`NOT ${entryCondition(dialect, criterion.criterion)}`;
  }
  return sql`((${joinedSql(conditionsOf(dialect, criterion), ' OR ', 'FALSE')}) IS TRUE)`;
}

function conditionsOf(dialect: SqlDialect, criterion: PlainCriterion): readonly Sql[] {
  const { field } = criterion;
  const presence = presenceOf(dialect, field);
  switch (criterion.type) {
    case 'missing':
      return [criterion.isMissing ? sql`(${presence}) IS NOT TRUE` : presence];
    case 'token':
      return criterion.values.map((value) => tokenCondition(dialect, field, value) ?? presence);
    case 'reference':
      return [referenceCondition(dialect, criterion.values)];
    case 'date':
      return criterion.values.flatMap(rangesOf).map(rangeCondition);
    case 'string':
      return [];
  }
}

/** Whether an entry has a value of the field. */
function presenceOf({ member, listedResources }: SqlDialect, field: string): Sql {
  switch (field) {
    case '_id':
    case 'date':
      return sql`TRUE`;
    case 'user':
      return sql`coalesce(${member('subject')}, ${member('client')}, '') <> ''`;
    case 'reference':
      return sql`(${member('resource')} IS NOT NULL
        OR EXISTS (SELECT 1 FROM ${listedResources}))`;
    case 'action':
      return sql`${member('interaction')} IS NOT NULL`;
    default:
      return sql`FALSE`;
  }
}

/** Undefined: every value of the field matches. Only actions have a system. */
function tokenCondition(
  { member, isOneOf }: SqlDialect,
  field: string,
  { system, code }: TokenValue,
): Sql | undefined {
  const own = field === 'action' ? ACTION_SYSTEM : '';
  if (system !== undefined && system !== own) return sql`FALSE`;
  if (code === undefined) return undefined;
  switch (field) {
    case '_id': {
      const { writer = 0, number = 0 } = parseAuditEventId(code) ?? {};
      return sql`(a.writer = ${writer} AND a.number = ${number})`;
    }
    case 'user':
      return sql`(${member('subject')} = ${code} OR ${member('client')} = ${code})`;
    default:
      return isOneOf(member('interaction'), interactionsOf(code));
  }
}

/** Entries refer to resources of this server, by relative references. */
function referenceCondition(
  { member, isOneOf, listedResources }: SqlDialect,
  values: readonly ReferenceValue[],
): Sql {
  const references = values.flatMap(({ id, prefixes }) =>
    prefixes.map((prefix) => `${prefix}${id}`),
  );
  // Entries did not name the type while there was only one.
  const type = sql`coalesce(${member('resourceType')}, 'OrderResponse')`;
  return sql`(${isOneOf(sql`${type} || '/' || ${member('resource')}`, references)}
    OR EXISTS (SELECT 1 FROM ${listedResources}
      WHERE ${isOneOf(sql`${type} || '/' || listed.value`, references)}))`;
}

/** From a time until before another one, as the log has times. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

const EVER: TimeRange = { from: '', to: '~' };

export function rangeCondition({ from, to }: TimeRange): Sql {
  return sql`(a.recorded_at >= ${from} AND a.recorded_at < ${to})`;
}

/** An entry has one millisecond as its date, which no period has a part of. */
export function rangesOf({ prefix, start, end }: DateValue): readonly TimeRange[] {
  const [from, to] = [instantText(start), instantText(end)];
  const before = { ...EVER, to: from };
  const after = { ...EVER, from: to };
  const ranges: Readonly<Record<DatePrefix, readonly TimeRange[]>> = {
    eq: [{ from, to }],
    ap: [{ from, to }],
    ne: [before, after],
    gt: [after],
    sa: [after],
    lt: [before],
    eb: [before],
    ge: [{ ...EVER, from }],
    le: [{ ...EVER, to }],
  };
  return ranges[prefix];
}
