/** Where editions of the directory are kept, as the directory sees it: the port of every store. */
import type { NamedArrays, NumberArray } from './arrays.ts';
import type { Difference } from './difference.ts';

export interface EditionInfo {
  /** 1 or more; never used again for another edition. */
  readonly number: number;
  /** The date its source was published: `YYYY-MM-DD`. */
  readonly publicationDate: string;
  /** A short label for people: the name of the file it was imported from. */
  readonly source: string;
  readonly records: number;
  /** When its import began: an ISO 8601 instant in UTC. */
  readonly importedAt: string;
  /** When it became current for the first time: an ISO 8601 instant in UTC. It never changes. */
  readonly publishedAt: string;
  /** How many records differ from the edition that was current before it. */
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly isCurrent: boolean;
  /** Its data are still there: it can be loaded, and rolled back to. */
  readonly isOnDisk: boolean;
}

/** An edition on disk that was current before. */
export interface ReplacedEdition {
  readonly number: number;
  readonly publishedAt: string;
  /** When another edition last replaced it: an ISO 8601 instant in UTC. */
  readonly replacedAt: string;
}

/** The difference of an edition to the one that was current when it was published. */
export interface EditionDifference extends Difference {
  /** The number of that one; absent with the first edition. */
  readonly comparedTo?: number;
}

export interface EditionStore {
  /** Undefined before the first edition. Cheap: servers ask several times a second. */
  current(): EditionInfo | undefined;
  /** All editions ever published, by number. */
  list(): readonly EditionInfo[];
  /** The editions on disk that are not current, the most recently replaced one first. */
  replaced(): readonly ReplacedEdition[];
  /**
   * Starts a new edition; what an import that died has left behind is cleared away.
   * Refused while another draft or a rollback is under way, in this process or another.
   */
  begin(): EditionDraft;
  /**
   * The arrays of an edition in shared memory, checked against their checksums.
   * Throws an `EditionGoneError` where it is not, or no longer, kept.
   */
  load(number: number): NamedArrays;
  /**
   * Makes another edition current, by default the one numbered below the current one.
   * Its data are checked first. Refused while an import is under way.
   */
  rollback(to?: number): EditionInfo;
  /**
   * The damage found in the list of editions, as sentences. The store does not use damaged
   * rows.
   */
  findings(): readonly string[];
  /** Undefined where there never was such an edition; kept when its data are gone. */
  differences(number: number): EditionDifference | undefined;
  close(): void;
}

/** The part of a store that a server uses. */
export type EditionReader = Pick<
  EditionStore,
  'current' | 'list' | 'replaced' | 'load' | 'findings' | 'close'
>;

/**
 * An edition in the making; nobody sees it before it is published. Ends with `publish` or
 * `discard`; a call that throws has discarded it.
 */
export interface EditionDraft {
  /** Stores one array; the caller may reuse its memory afterwards. */
  write(name: string, array: NumberArray): void;
  /** Makes it an edition and the current one, in one atomic step. */
  publish(description: EditionDescription, options: PublishOptions): EditionInfo;
  /** Does nothing on a draft that has ended. */
  discard(): void;
}

export interface EditionDescription {
  readonly publicationDate: string;
  readonly source: string;
  readonly records: number;
  readonly difference: Difference;
}

export interface PublishOptions {
  /** How many of the newest editions stay loadable, this one included; at least 1. */
  readonly keep: number;
  /** The edition that `difference` was made against; refused when another one is current now. */
  readonly expectedCurrent?: number | undefined;
}

/** The edition asked for is not kept (any more): whoever wants the newest asks `current()` again. */
export class EditionGoneError extends Error {
  override readonly name = 'EditionGoneError';
  readonly number: number;

  constructor(number: number, reason: 'unknown' | 'pruned') {
    super(
      reason === 'unknown'
        ? `There is no edition ${number}; \`gazetteer editions\` lists those there are.`
        : `Edition ${number} is no longer kept; \`gazetteer editions\` lists those that are.`,
    );
    this.number = number;
  }
}
