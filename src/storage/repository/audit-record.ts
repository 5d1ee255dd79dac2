/** The text of an audit entry: how it is stored, and how it is read again. */

import { createHash, randomBytes } from 'node:crypto';
import type { AuditEntry, AuditRecord, Identity } from '../../fhir/audit/audit.ts';
import { auditEvent, auditEventId } from '../../fhir/audit/audit-event.ts';
import { WRITE_METHODS } from '../../fhir/request/interaction-code.ts';
import type { StoredVersion } from '../../fhir/stored/repository.ts';
import type { Row } from './statement.ts';

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

/** A row with the columns `number`, `recorded_at`, `entry` and `parameters`. */
export function auditEntryOf(row: Row, store: string): AuditEntry {
  const number = Number(row.number);
  const record = parseAuditRecord(String(row.entry));
  if (record === undefined) throw new UnreadableEntry(number, store);
  const { parameters } = row;
  return {
    number,
    recordedAt: String(row.recorded_at),
    ...record,
    ...(typeof parameters === 'string' && { parameters }),
  };
}

/** The one version of its resource. */
export function auditEventVersion(entry: AuditEntry): StoredVersion {
  return {
    id: auditEventId(entry),
    version: 1,
    writtenAt: entry.recordedAt,
    method: WRITE_METHODS.create,
    text: JSON.stringify(auditEvent(entry)),
  };
}

/** Not a `StorageError`, because the storage itself works: other calls of a batch succeed. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry';

  /** `store`: its name for people. */
  constructor(number: number, store: string) {
    super(`${store}: audit entry ${number} cannot be read; run \`gazetteer verify\` to see more`);
  }
}

export interface SaltedParameters {
  /** A query string. */
  readonly parameters: string;
  readonly salt: Uint8Array;
}

export function withSalt(parameters: string): SaltedParameters {
  return { parameters, salt: nextSalt() };
}

/** Asking the operating system for the bytes of one salt costs as much as asking for many. */
function nextSalt(): Uint8Array {
  if (unusedSalts.length === 0) unusedSalts = randomBytes(SALT_BYTES * SALTS_TOGETHER);
  const salt = unusedSalts.subarray(0, SALT_BYTES);
  unusedSalts = unusedSalts.subarray(SALT_BYTES);
  return salt;
}

let unusedSalts: Uint8Array = new Uint8Array(0);
const SALTS_TOGETHER = 64;

/** The salt keeps a digest from showing its parameters: all NHS numbers could be tried. */
export function parametersDigest({ parameters, salt }: SaltedParameters): string {
  return createHash('sha256').update(salt).update(parameters).digest('hex');
}

const SALT_BYTES = 16;
