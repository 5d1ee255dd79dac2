/** Finds what is wrong with single rows of order responses, in every kind of store. */
import { hash } from 'node:crypto';
import { WRITE_METHODS } from '../../fhir/service/interaction-code.ts';
import type { Row } from '../sql/statement.ts';
import { parseAuditRecord } from './audit-record.ts';
import { parametersDigest } from './salted-parameters.ts';
import { NO_CONTENT } from './stored-version.ts';

/**
 * A version must have the values that the audit entry of its write records. The row has the columns
 * of a version, of its resource and of this entry, and `erased`, which is NULL if it has content.
 */
export function versionFinding(row: Row): string | undefined {
  const name = `version ${row.version} of ${row.id}`;
  if (row.entry === null) return `${name} has no audit entry`;
  const record = parseAuditRecord(String(row.entry));
  if (record === undefined) return undefined; // a finding of the audit log
  const isSame =
    record.outcome === 'stored' &&
    record.resourceType === row.resource_type &&
    record.resource === row.id &&
    record.version === Number(row.version) &&
    METHODS.get(record.interaction) === row.method;
  if (!isSame) return `${name} differs from audit entry ${row.audit_number}`;
  const text = String(row.text);
  if (row.erased !== null)
    return text === NO_CONTENT ? undefined : `the text of ${name} was not erased`;
  if (hash('sha256', text) !== record.digest) return `the text of ${name} was changed`;
  if (text === NO_CONTENT) return undefined;
  return text.includes(`"${row.version}","lastUpdated":"${row.written_at}"`)
    ? undefined
    : `the date of ${name} was changed`;
}

const METHODS: ReadonlyMap<unknown, string> = new Map(Object.entries(WRITE_METHODS));

/** The row has the columns `id`, `versions`, `last` and `current_version`. */
export function numberingFinding(row: Row): string {
  return (
    `${row.id} has ${row.versions} versions up to ${row.last}, and ` +
    `its current version is recorded as ${row.current_version ?? 'none'}`
  );
}

/** The erasures of resources, whose version is NULL, and of single versions. */
export const SELECT_ERASURES = `
  SELECT r.resource_type, coalesce(r.id, 'the resource with key ' || e.resource) AS id, e.version,
    a.entry
  FROM (
    SELECT resource, NULL AS version, audit_writer, audit_number FROM erasure
    UNION ALL SELECT resource, version, audit_writer, audit_number FROM version_erasure
  ) AS e
  LEFT JOIN resource AS r ON r.key = e.resource
  LEFT JOIN audit_entry AS a ON a.writer = e.audit_writer AND a.number = e.audit_number`;

/** An erasure must have the audit entry that records it. */
export function erasureFinding(row: Row): string | undefined {
  const record = parseAuditRecord(String(row.entry));
  const isRecorded =
    record !== undefined &&
    (record.interaction === 'erase' || record.interaction === 'retention') &&
    record.resourceType === row.resource_type &&
    record.resource === row.id &&
    (record.version ?? 0) === Number(row.version ?? 0);
  return isRecorded ? undefined : `the erasure of ${row.id} differs from the audit log`;
}

/** Parameters that are missing were erased, which is no finding. */
export function parametersFinding(row: Row): string | undefined {
  const { number, salt, parameters, entry } = row;
  const record = parseAuditRecord(String(entry));
  const bytes = salt instanceof Uint8Array ? salt : new Uint8Array();
  const digest = parametersDigest({ salt: bytes, parameters: String(parameters) });
  return record?.parametersDigest === digest
    ? undefined
    : `the parameters of audit entry ${number} were changed`;
}
