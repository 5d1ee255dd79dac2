/** The port of a store of editions, which every store implements. */
import type { Pause } from '../../threads/pauses.ts';
import type { NamedArrays, NumberArray } from '../arrays/arrays.ts';
import type { SourceRecord } from '../record/record.ts';
import type { Difference } from './difference.ts';

export interface EditionInfo {
  /** 1 or more. The store never uses the number for another edition. */
  readonly number: number;
  /** The date its source was published: `YYYY-MM-DD`. */
  readonly publicationDate: string;
  /** A short label for people: the name of the file it was imported from. */
  readonly source: string;
  readonly records: number;
  /** When its import began: an ISO 8601 instant in UTC. */
  readonly importedAt: string;
  /** When it became current: an ISO 8601 instant in UTC, later than that of all editions before. */
  readonly publishedAt: string;
  /** How many records differ from the edition that was current before it. */
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly isCurrent: boolean;
  /** Whether its data is still on disk, so that it can be loaded, or made current again. */
  readonly isOnDisk: boolean;
}

/** An edition on disk that was current before. */
export interface ReplacedEdition {
  readonly number: number;
  readonly publishedAt: string;
  /** When another edition last replaced it: an ISO 8601 instant in UTC. */
  readonly replacedAt: string;
}

/** The difference between an edition and the one it was compared with, usually the one before. */
export interface EditionDifference extends Difference {
  /** The number of that edition; absent for the first edition. */
  readonly comparedTo?: number;
}

export interface EditionStore extends AsyncDisposable {
  /** Undefined before the first edition. */
  current(): Promise<EditionInfo | undefined>;
  /** All editions ever published, by number. */
  list(): Promise<readonly EditionInfo[]>;
  /** The editions on disk that are not current, the most recently replaced one first. */
  replaced(): Promise<readonly ReplacedEdition[]>;
  /**
   * Calls `onNew` with the current edition, and again each time another edition becomes current.
   * Calls `onProblem` when the store cannot be read, once for each problem, and continues to watch.
   * Returns a function that ends the watch.
   */
  watch(onNew: (edition: EditionInfo) => void, onProblem: (error: unknown) => void): () => void;
  /**
   * Starts a new edition, and removes the data of an import that died.
   * Refused while another draft is open, in this process or another.
   */
  begin(): Promise<EditionDraft>;
  /**
   * The arrays of an edition in shared memory, checked against their checksums. A separate
   * thread reads them, so that the caller's thread stays free.
   * Rejects with an `EditionGoneError` if the store does not have the edition.
   */
  load(number: number): Promise<NamedArrays>;
  /**
   * Whether an edition on disk knows the relationships of organisations. Reads none of its data.
   */
  knowsLinks(number: number): Promise<boolean>;
  /**
   * The damage found in the list of editions, as sentences. The store does not use damaged
   * rows.
   */
  findings(): Promise<readonly string[]>;
  /** Undefined if there was never such an edition. The store keeps it when it removes the data. */
  differences(number: number): Promise<EditionDifference | undefined>;
  /** A store that is declared with `await using` is closed at the end. */
  close(): Promise<void>;
}

/** The part of a store that a server uses. */
export type EditionReader = Pick<
  EditionStore,
  'current' | 'list' | 'replaced' | 'watch' | 'load' | 'knowsLinks' | 'findings' | 'close'
>;

/**
 * An edition that is being made. Readers do not see it before it is published. It ends with
 * `publish` or `discard`. A call that fails discards it.
 */
export interface EditionDraft {
  /** Stores one array. The caller may use its memory again afterwards. */
  write(name: string, array: NumberArray): Promise<void>;
  /** Publishes the draft as the current edition, in one atomic step. */
  publish(description: EditionDescription, options: PublishOptions): Promise<EditionInfo>;
  /** Does nothing on a draft that has ended. */
  discard(): Promise<void>;
}

export interface EditionDescription
  extends Pick<EditionInfo, 'publicationDate' | 'source' | 'records'> {
  readonly difference: Difference;
  /** The edition that `difference` was computed against, if it is not the current one. */
  readonly comparedTo?: number | undefined;
}

export interface PublishOptions {
  /** How many of the newest editions stay on disk, including this one; at least 1. */
  readonly keep: number;
  /** Refused if another edition is current now. */
  readonly expectedCurrent?: number | undefined;
}

/** The store does not have the edition, or has removed it. */
export class EditionGoneError extends Error {
  override readonly name = 'EditionGoneError';
  readonly number: number;

  constructor(number: number, reason: 'unknown' | 'pruned') {
    super(
      reason === 'unknown'
        ? `There is no edition ${number}. List the editions with "gazetteer editions".`
        : `Edition ${number} is no longer kept. List the editions with "gazetteer editions".`,
    );
    this.number = number;
  }
}

export const CHANGE_KINDS = ['added', 'changed', 'removed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The difference of an edition to the one before, as counts. */
export type DifferenceCounts = Pick<EditionDifference, 'comparedTo' | 'byRole'>;

/** The history of editions, also of those that are not loaded: a port that the pages use. */
export interface EditionHistory extends Disposable {
  /** All editions ever published, by number. */
  list(): Promise<readonly EditionInfo[]>;
  /** Undefined if there never was such an edition. */
  differenceCounts(number: number): Promise<DifferenceCounts | undefined>;
  /** The codes of the organisations with this kind of change, in ascending order, one on each line. */
  codes(number: number, kind: ChangeKind): Promise<string>;
  /** How an edition changed an organisation, compared with the edition before. */
  changeOf(number: number, code: string): Promise<ChangeKind | undefined>;
  /**
   * One record of an edition on disk, with its relationships and successions if the edition knows
   * them. `none` if the edition does not have the record, or has only references to it. Undefined if
   * the edition is not kept or cannot be read.
   */
  record(number: number, code: string): Promise<SourceRecord | 'none' | undefined>;
  /**
   * The same of several codes, in their order, for less than as many calls. Awaits the pause after
   * each few records that it reads.
   */
  records(
    number: number,
    codes: readonly string[],
    pause?: Pause,
  ): Promise<readonly (SourceRecord | 'none')[] | undefined>;
}

/** Of an edition that is not in a store. */
export const NO_HISTORY: EditionHistory = {
  list: async () => [],
  differenceCounts: async () => undefined,
  codes: async () => '',
  changeOf: async () => undefined,
  record: async () => undefined,
  records: async () => undefined,
  [Symbol.dispose]: () => {},
};
