/**
 * Compiles the criteria of a search of the audit log to SQL: a condition on an entry, and the blocks
 * of the index that can have entries for which it is true.
 */
import { ACTION_SYSTEM, interactionsOf, parseAuditEventId } from '../../fhir/audit/audit-event.ts';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { DateValue } from '../../fhir/search/date.ts';
import type { ReferenceValue } from '../../fhir/search/reference.ts';
import type { TokenValue } from '../../fhir/search/token.ts';
import { instantText } from '../repository/stored-version.ts';
import type { Sql } from '../sql/criterion-sql.ts';
import { hourOf } from './audit-index.ts';

type PlainCriterion = Exclude<ResourceCriterion, { type: 'not' }>;

/** A condition on the row `a` of the table of entries; it is never NULL. */
export function entryCondition(criterion: ResourceCriterion): Sql {
  if (criterion.type === 'not') return negated(entryCondition(criterion.criterion));
  const conditions = conditionsOf(criterion);
  return {
    sql: `((${conditions.map(({ sql }) => sql).join(' OR ') || 'FALSE'}) IS TRUE)`,
    parameters: conditions.flatMap(({ parameters }) => parameters),
  };
}

/** Selects the blocks that can have matches; undefined if the index cannot select any. */
export function blockSelection(criterion: ResourceCriterion): Sql | undefined {
  const { type } = criterion;
  if (type === 'date' && criterion.field === 'date') {
    return selection(criterion.values.flatMap(rangesOf).map(hourCondition));
  }
  if (type !== 'token' || criterion.field === '_id') return undefined;
  const { field, values } = criterion;
  if (values.some(({ code }) => code === undefined)) return undefined;
  return selection(
    values.map(({ code = '' }) =>
      field === 'user'
        ? { sql: "field = 'user' AND value = ?", parameters: [code] }
        : {
            sql: `field = 'interaction' AND value IN ${LIST}`,
            parameters: [JSON.stringify(interactionsOf(code))],
          },
    ),
  );
}

/** A condition on the id of a request. */
export function requestCondition(requestId: string): Sql {
  return { sql: `${propertyOf('requestId')} IS ?`, parameters: [requestId] };
}

function selection(conditions: readonly Sql[]): Sql {
  return {
    sql: `SELECT block FROM audit_block WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' OR ')}`,
    parameters: conditions.flatMap(({ parameters }) => parameters),
  };
}

/** An entry that cannot be read has no properties. */
const READABLE = "iif(json_valid(a.entry), a.entry, '{}')";

function propertyOf(name: string): string {
  return `(${READABLE} ->> '$.${name}')`;
}

/** Entries did not name the type while there was only one. */
const TYPE = `coalesce(${propertyOf('resourceType')}, 'OrderResponse')`;
const LISTED = `json_each(${READABLE}, '$.resources') AS r`;

/** Whether an entry has a value of the field. */
const PRESENCE: Readonly<Record<string, string>> = {
  _id: 'TRUE',
  date: 'TRUE',
  user: `coalesce(${propertyOf('subject')}, ${propertyOf('client')}, '') <> ''`,
  reference: `(${propertyOf('resource')} IS NOT NULL OR EXISTS (SELECT 1 FROM ${LISTED}))`,
  action: `${propertyOf('interaction')} IS NOT NULL`,
};

function conditionsOf(criterion: PlainCriterion): readonly Sql[] {
  const { field } = criterion;
  const presence: Sql = { sql: PRESENCE[field] ?? 'FALSE', parameters: [] };
  switch (criterion.type) {
    case 'missing':
      return [criterion.isMissing ? negated(presence) : presence];
    case 'token':
      return criterion.values.flatMap((value) => tokenCondition(field, value) ?? presence);
    case 'reference':
      return [referenceCondition(criterion.values)];
    case 'date':
      return criterion.values.flatMap(rangesOf).map(({ from, to }) => ({
        sql: '(a.recorded_at >= ? AND a.recorded_at < ?)',
        parameters: [from, to],
      }));
    case 'string':
      return [];
  }
}

function negated({ sql, parameters }: Sql): Sql {
  return { sql: `(${sql}) IS NOT TRUE`, parameters };
}

/** Undefined: every value of the field matches. Only actions have a system. */
function tokenCondition(field: string, { system, code }: TokenValue): Sql | undefined {
  const own = field === 'action' ? ACTION_SYSTEM : '';
  if (system !== undefined && system !== own) return { sql: 'FALSE', parameters: [] };
  if (code === undefined) return undefined;
  switch (field) {
    case '_id': {
      const { writer = 0, number = 0 } = parseAuditEventId(code) ?? {};
      return { sql: '(a.writer = ? AND a.number = ?)', parameters: [writer, number] };
    }
    case 'user':
      return {
        sql: `(${propertyOf('subject')} = ? OR ${propertyOf('client')} = ?)`,
        parameters: [code, code],
      };
    default:
      return {
        sql: `${propertyOf('interaction')} IN ${LIST}`,
        parameters: [JSON.stringify(interactionsOf(code))],
      };
  }
}

/** A list of any length: a statement may have fewer parameters. */
const LIST = '(SELECT value FROM json_each(?))';

/** Entries refer to resources of this server, by relative references. */
function referenceCondition(values: readonly ReferenceValue[]): Sql {
  const references = JSON.stringify(
    values.flatMap(({ id, prefixes }) => prefixes.map((prefix) => `${prefix}${id}`)),
  );
  return {
    sql: `(${TYPE} || '/' || ${propertyOf('resource')} IN ${LIST}
      OR EXISTS (SELECT 1 FROM ${LISTED} WHERE ${TYPE} || '/' || r.value IN ${LIST}))`,
    parameters: [references, references],
  };
}

/** From a time until before another one, as the log has times. */
interface TimeRange {
  readonly from: string;
  readonly to: string;
}

const EVER: TimeRange = { from: '', to: '~' };

/** An entry has one millisecond as its date, which no period has a part of. */
function rangesOf({ prefix, start, end }: DateValue): readonly TimeRange[] {
  const [from, to] = [instantText(start), instantText(end)];
  switch (prefix) {
    case 'eq':
    case 'ap':
      return [{ from, to }];
    case 'ne':
      return [
        { ...EVER, to: from },
        { ...EVER, from: to },
      ];
    case 'gt':
    case 'sa':
      return [{ ...EVER, from: to }];
    case 'lt':
    case 'eb':
      return [{ ...EVER, to: from }];
    case 'ge':
      return [{ ...EVER, from }];
    case 'le':
      return [{ ...EVER, to }];
  }
}

function hourCondition({ from, to }: TimeRange): Sql {
  return {
    sql: "field = 'hour' AND value >= ? AND value <= ?",
    parameters: [hourOf(from), hourOf(to)],
  };
}
