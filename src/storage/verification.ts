/** What was found when stored data were checked: sentences, the first hundred of them. */
import type { StorageError, StorageErrorKind } from './storage-error.ts';

export interface FindingList {
  add(finding: string): void;
  readonly list: readonly string[];
  readonly total: number;
}

/** A damaged disk can break every row; nobody reads more. */
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

/** Whether an error tells of the data: others only say why they could not be read. */
export function tellsOfData({ kind }: StorageError): boolean {
  return !UNCHECKED.has(kind);
}

const UNCHECKED: ReadonlySet<StorageErrorKind> = new Set([
  'denied',
  'read-only',
  'locked',
  'newer',
]);
