/** The text of an audit entry: how it is stored, and how it is read again. */
import type { AuditRecord, Identity } from '../../fhir/audit/audit.ts';

/** The writer of a store that only one process can write. */
export const ONLY_WRITER = 1;

/** The name of an audit entry: a version carries that of its writing. */
export interface AuditNumber {
  readonly writer: number;
  readonly number: number;
}

/** The text names the writer, so that the chain shows if an entry is moved to another writer. */
export function auditRecordText(writer: number, record: AuditRecord): string {
  return JSON.stringify({ writer, ...record });
}

export interface StoredRecord extends AuditRecord {
  readonly writer: number;
}

/** Undefined if the text is not that of an entry. */
export function parseAuditRecord(text: string): StoredRecord | undefined {
  try {
    const stored: (AuditRecord & Partial<StoredRecord>) | null = JSON.parse(text);
    return stored === null
      ? undefined
      : { ...typeOfEarlier(stored), writer: ONLY_WRITER, ...stored };
  } catch {
    return undefined;
  }
}

/** Whom an entry names. */
export function identityIn(text: string): Identity | undefined {
  const { subject, client } = parseAuditRecord(text) ?? {};
  return subject === undefined ? undefined : { subject, ...(client !== undefined && { client }) };
}

/** Entries named neither writer nor type while there was one of each. */
function typeOfEarlier({ resource }: AuditRecord): { readonly resourceType?: string } {
  return resource === undefined ? {} : { resourceType: 'OrderResponse' };
}
