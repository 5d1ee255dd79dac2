/** The findings of a verification: sentences, of which it keeps the first hundred. */
import type { StorageError, StorageErrorKind } from '../storage-error.ts';

export interface FindingList {
  add(finding: string): void;
  readonly list: readonly string[];
  readonly total: number;
}

/** A damaged disk can break every row. More findings would not help the operator. */
const LISTED_MAX = 100;

export function createFindings(): FindingList {
  const list: string[] = [];
  let total = 0;
  return {
    add: (finding) => {
      total++;
      if (list.length < LISTED_MAX) list.push(finding);
    },
    list,
    get total() {
      return total;
    },
  };
}

/** Whether an error is about the data. Other errors say why the data could not be read. */
export function isAboutData({ kind }: StorageError): boolean {
  return !UNCHECKED.has(kind);
}

const UNCHECKED: ReadonlySet<StorageErrorKind> = new Set([
  'denied',
  'read-only',
  'locked',
  'wrong-key',
  'newer',
  'unreachable',
]);
