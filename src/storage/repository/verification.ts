/** The options and findings of a verification, and the holds, which it compares with their audit entries. */

import { StorageError, type StorageErrorKind } from '../files/storage-error.ts';
import type { ChainHead } from './audit-chain.ts';
import type { StoredRecord } from './audit-record.ts';
import { type Row, sql } from './statement.ts';

export interface VerifyOptions {
  /** The audit head that an earlier verification returned. The log must still contain it. */
  readonly expectedHead?: ChainHead | undefined;
  /** Ends the verification early. */
  readonly stopped?: AbortSignal;
}

export interface CheckedPart {
  readonly name: string;
  /** Sentences; empty if the part is sound. */
  readonly findings: readonly string[];
  /** Whether the part could not be checked. The finding then says why. */
  readonly isUnchecked?: boolean;
  /** What to do about the findings, as sentences; absent: restore a backup of order responses. */
  readonly remedy?: string;
  /** A summary of the content of the part, for people. */
  readonly summary?: string;
  /** The end of the audit log, also where something is wrong with it. */
  readonly head?: ChainHead;
}

export interface FindingList {
  /** The first findings. */
  readonly list: readonly string[];
  /** The number of all findings. */
  readonly total: number;
  add(finding: string): void;
}

/** A damaged disk can break every row. More findings would not help the operator. */
const LISTED_MAX = 100;

export function createFindings(): FindingList {
  const list: string[] = [];
  let total = 0;
  return {
    list,
    get total() {
      return total;
    },
    add: (finding) => {
      total++;
      if (list.length < LISTED_MAX) list.push(finding);
    },
  };
}

/** Whether an error is about the data. Other errors say why the data could not be read. */
function isAboutData({ kind }: StorageError): boolean {
  return !UNCHECKED.has(kind);
}

/**
 * What an error says that a check threw. Any error but a `StorageError` is thrown again. `remedy`
 * is what to do if the data is damaged.
 */
export function failedCheck(
  error: unknown,
  remedy?: string,
): Pick<CheckedPart, 'findings' | 'isUnchecked' | 'remedy'> {
  if (!(error instanceof StorageError)) throw error;
  const findings = [error.message];
  if (!isAboutData(error)) return { findings, isUnchecked: true };
  return { findings, isUnchecked: false, ...(remedy !== undefined && { remedy }) };
}

const UNCHECKED: ReadonlySet<StorageErrorKind> = new Set([
  'denied',
  'full',
  'read-only',
  'disk',
  'unsynced',
  'locked',
  'wrong-key',
  'newer',
  'refused',
  'unreachable',
]);

export const SELECT_HOLDS = sql`
  SELECT r.resource_type, coalesce(r.id, 'the resource with key ' || h.resource) AS id,
    h.held_at, h.reason
  FROM hold AS h LEFT JOIN resource AS r ON r.key = h.resource`;

interface Hold {
  readonly heldAt: string;
  readonly reason: string | undefined;
  readonly id: string | undefined;
}

export class HoldCheck {
  /** By type and id: the holds that the entries record, and that no row has had yet. */
  readonly #recorded = new Map<string, Hold>();

  /**
   * Takes each entry of the log in the order of the writers, and of the entries of each. In a
   * database each command is a new writer, so clocks that differ do not change this order.
   */
  addEntry(
    heldAt: string,
    { interaction, resourceType, resource: id, reason }: StoredRecord,
  ): void {
    const name = `${resourceType}/${id}`;
    if (interaction === 'hold') this.#recorded.set(name, { heldAt, reason, id });
    if (interaction === 'release') this.#recorded.delete(name);
  }

  /** Takes each row of `SELECT_HOLDS`, after all entries. */
  finding({ resource_type, id, held_at, reason }: Row): string | undefined {
    const name = `${resource_type}/${id}`;
    const recorded = this.#recorded.get(name);
    this.#recorded.delete(name);
    return recorded?.heldAt === held_at && recorded?.reason === reason
      ? undefined
      : `the hold of ${id} differs from the audit log`;
  }

  /** Call it after all rows. */
  missing(): string[] {
    return Array.from(
      this.#recorded.values(),
      ({ id }) => `the hold of ${id} is missing, but the audit log records it`,
    );
  }
}
