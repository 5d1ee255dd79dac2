/** The editions that a thread can read. The main thread sends them. */
import type { NamedArrays } from './arrays.ts';
import { type Edition, type EditionIdentity, openEdition } from './edition.ts';
import type { Editions } from './editions.ts';

export interface EditionInMemory extends EditionIdentity {
  readonly arrays: NamedArrays;
}

/** The editions that can be read at the same time. */
export interface ReadableEditions {
  readonly current: EditionInMemory;
  /** Replaced editions in their grace period. */
  readonly replaced: readonly EditionInMemory[];
  /**
   * The numbers of replaced editions in their grace period that the server must read from the
   * disk first.
   */
  readonly onDisk: readonly number[];
}

export interface LoadedEditions extends Editions {
  /** Applies an update between two requests, and releases the editions that it does not contain. */
  take(readable: ReadableEditions): void;
  /** Notes why the current edition cannot be opened, until the next update. */
  reportProblem(problem: string): void;
}

export interface LoadedEditionsOptions {
  /** Called when an edition is released. */
  readonly onDrop?: (edition: Edition) => void;
  /**
   * Called, at most once between two updates, when a request needs an edition that is only on
   * disk.
   */
  readonly onWanted?: (number: number) => void;
}

export function createLoadedEditions({
  onDrop = () => {},
  onWanted = () => {},
}: LoadedEditionsOptions = {}): LoadedEditions {
  let newest: Edition | undefined;
  let problem: string | undefined;
  let inMemory = new Map<number, Edition>();
  let onDisk: ReadonlySet<number> = new Set();
  const wanted = new Set<number>();

  return {
    current: () => newest,
    problem: () => problem,
    reportProblem: (reported) => {
      problem = reported;
    },
    byNumber: (number) => {
      const edition = inMemory.get(number);
      if (edition !== undefined || !onDisk.has(number)) return edition;
      if (!wanted.has(number)) onWanted(number);
      wanted.add(number);
      return 'on disk';
    },
    take: (readable) => {
      const before = inMemory;
      inMemory = new Map(
        [readable.current, ...readable.replaced].map(({ number, publishedAt, arrays }) => {
          const known = before.get(number);
          return [number, known ?? openEdition({ number, publishedAt }, arrays)];
        }),
      );
      newest = inMemory.get(readable.current.number);
      onDisk = new Set(readable.onDisk);
      problem = undefined;
      wanted.clear();
      for (const [number, edition] of before) if (!inMemory.has(number)) onDrop(edition);
    },
  };
}
