/**
 * Conditions on audit entries in SQL. They are true for every entry that matches a criterion, and for
 * few others: the program compares those that they leave.
 */
import { interactionsOf, parseAuditEventId } from '../../fhir/audit/audit-event.ts';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { DateValue } from '../../fhir/search/date.ts';
import { instantText } from '../repository/stored-version.ts';
import type { Sql } from '../sql/criterion-sql.ts';
import { storableList } from './storable.ts';

/**
 * Undefined if SQL cannot leave any entry out. `mayScan`: the condition may read all entries, where
 * no index helps.
 */
export function auditCondition(criterion: ResourceCriterion, mayScan: boolean): Sql | undefined {
  switch (criterion.type) {
    case 'date':
      return criterion.field === 'date' ? anyOf(criterion.values.map(dateCondition)) : undefined;
    case 'reference': {
      const ids = storableList(criterion.values.map(({ id }) => id));
      return {
        sql: `(a.entry::jsonb ->> 'resource' = ANY (ARRAY${LIST})
          OR (a.entry LIKE '%"resources":%' AND a.entry::jsonb -> 'resources' ??| ARRAY${LIST}))`,
        parameters: [ids, ids],
      };
    }
    case 'token': {
      const codes = criterion.values.map(({ code }) => code);
      return codes.some((code) => code === undefined)
        ? undefined
        : tokenCondition(
            criterion.field,
            codes.map((code = '') => code),
            mayScan,
          );
    }
    default:
      return undefined;
  }
}

/** A list of any length. */
const LIST = '(SELECT jsonb_array_elements_text(?::jsonb))';

function tokenCondition(
  field: string,
  codes: readonly string[],
  mayScan: boolean,
): Sql | undefined {
  if (!mayScan && field !== '_id') return undefined;
  switch (field) {
    case '_id': {
      const names = codes.flatMap((code) => parseAuditEventId(code) ?? []);
      return anyOf(
        names.map(({ writer, number }) => ({
          sql: '(a.writer = ? AND a.number = ?)',
          parameters: [writer, number],
        })),
      );
    }
    case 'user': {
      const users = storableList(codes);
      return {
        sql: `(a.entry::jsonb ->> 'subject' IN ${LIST} OR a.entry::jsonb ->> 'client' IN ${LIST})`,
        parameters: [users, users],
      };
    }
    case 'action': {
      const interactions = JSON.stringify(codes.flatMap(interactionsOf));
      return {
        sql: `a.entry::jsonb ->> 'interaction' IN ${LIST}`,
        parameters: [interactions],
      };
    }
    default:
      return undefined;
  }
}

/** An entry has one millisecond as its date. */
function dateCondition({ prefix, start, end }: DateValue): Sql {
  const [from, to] = [instantText(start), instantText(end)];
  switch (prefix) {
    case 'eq':
    case 'ap':
      return { sql: '(a.recorded_at >= ? AND a.recorded_at < ?)', parameters: [from, to] };
    case 'ne':
      return { sql: '(a.recorded_at < ? OR a.recorded_at >= ?)', parameters: [from, to] };
    case 'gt':
    case 'sa':
      return { sql: 'a.recorded_at >= ?', parameters: [to] };
    case 'lt':
    case 'eb':
      return { sql: 'a.recorded_at < ?', parameters: [from] };
    case 'ge':
      return { sql: 'a.recorded_at >= ?', parameters: [from] };
    case 'le':
      return { sql: 'a.recorded_at < ?', parameters: [to] };
  }
}

function anyOf(conditions: readonly Sql[]): Sql {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(' OR ') || 'FALSE'})`,
    parameters: conditions.flatMap(({ parameters }) => parameters),
  };
}
