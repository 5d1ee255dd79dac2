/** What readers of the change feed ask for. */
import type { ResourceCriterion } from '../search/criterion.ts';

/** The position before the first version. */
export const START_POSITION = '0';

/** A request for the versions of several resources, in the order of their writing. */
export interface ChangesRequest {
  readonly types: readonly string[];
  /** The most versions on a page. */
  readonly count: number;
  /** The most characters of all texts on a page. A page has at least one version. */
  readonly lengthMax: number;
  readonly order: 'newest-first' | 'oldest-first';
  /** Only versions beyond this one in the order. Absent: from the start of the order. */
  readonly position?: string;
  /** Only versions written at or after this time; milliseconds since 1970. */
  readonly sinceMs?: number;
  /** Only versions that match all of these, or that follow one that did; see `change-match.ts`. */
  readonly criteria?: readonly ResourceCriterion[];
}

/** How long a request for changes waits for the first one. */
export interface ChangesWait {
  /** The most milliseconds. */
  readonly ms: number;
  /** When it aborts, the answer is a page without versions. */
  readonly signal?: AbortSignal | undefined;
}
