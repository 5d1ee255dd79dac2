/**
 * Lets readers of the change feed wait for a commit. All readers of a thread share one query for
 * each position: it reads what decides whether the new changes match, and the criteria of each
 * reader are compared with that. A reader whose criteria do not match moves on with the others.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ChangeFacts,
  createSieve,
  criteriaFields,
  matchesChange,
} from '../../fhir/stored/change-match.ts';
import {
  type ChangesRequest,
  type ChangesWait,
  START_POSITION,
} from '../../fhir/stored/repository.ts';
import type { ChangesAnswer } from '../repository/reader-answers.ts';
import type { CommitSignal } from './commit-signal.ts';
import type { ReaderClient } from './reader-client.ts';

interface Awaited {
  /** Whether a change after the position can match. False: the wait is over. */
  readonly isFound: boolean;
  /** The position to go on from. */
  readonly position: string;
}

interface Reader {
  readonly types: readonly string[];
  readonly criteria: ChangesRequest['criteria'];
  position: string;
  readonly settle: (answer: Omit<Awaited, 'position'> | Error) => void;
}

/** The most changes that one query reads, and the most characters of their texts. */
const FACTS_MAX = 100;
const LENGTH_MAX = 4 * 1024 ** 2;

/** The shortest time between two queries: several commits share one. */
const GATHER_MS = 100;

export class ChangeWatch {
  readonly #commits: CommitSignal;
  readonly #reader: Pick<ReaderClient, 'facts'>;
  readonly #readers = new Set<Reader>();
  #isRunning = false;
  #isEnded = false;
  #seen = 0;

  constructor(commits: CommitSignal, reader: Pick<ReaderClient, 'facts'>) {
    this.#commits = commits;
    this.#reader = reader;
  }

  /**
   * The first page that has a version or says that there are more. When the wait is over, the last
   * page, whose position is after all that did not match. `read` rejects if the store cannot be read.
   */
  async firstPage(
    request: ChangesRequest,
    { ms, signal }: ChangesWait,
    read: (request: ChangesRequest) => Promise<ChangesAnswer>,
  ): Promise<ChangesAnswer> {
    const endMs = performance.now() + ms;
    for (let position = request.position ?? START_POSITION; ; ) {
      const seen = this.#commits.count;
      const answer = await read({ ...request, position });
      const { result } = answer;
      const leftMs = endMs - performance.now();
      if (result.kind !== 'found' || result.versions.length > 0 || result.hasMore) return answer;
      if (leftMs <= 0) return answer;
      const awaited = await this.#wait(request, result.next, seen, { ms: leftMs, signal });
      position = awaited.position;
      if (!awaited.isFound) return { ...answer, result: { ...result, next: position } };
    }
  }

  /**
   * Resolves when a change after the position can match, when the time is over, and when the signal
   * aborts. `seen` is the count of commits before the position was read.
   */
  async #wait(
    { types, criteria }: Pick<ChangesRequest, 'types' | 'criteria'>,
    position: string,
    seen: number,
    { ms, signal }: ChangesWait,
  ): Promise<Awaited> {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited>();
    const settle: Reader['settle'] = (answer) => {
      if (answer instanceof Error) reject(answer);
      else resolve({ ...answer, position: reader.position });
    };
    const reader: Reader = { types, criteria, position, settle };
    const end = () => settle({ isFound: false });
    using _timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    this.#readers.add(reader);
    this.#commits.changeWaiting(1);
    if (signal?.aborted || this.#isEnded) end();
    if (this.#isRunning) {
      // The query that followed a commit may have begun without this reader.
      if (this.#commits.count !== seen) this.#commits.announce();
    } else {
      this.#seen = seen;
      void this.#run();
    }
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', end);
      this.#readers.delete(reader);
      this.#commits.changeWaiting(-1);
    }
  }

  /** All waits are over, and later ones end at once. */
  end(): void {
    this.#isEnded = true;
    for (const { settle } of this.#readers) settle({ isFound: false });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let lastMs = Number.NEGATIVE_INFINITY; this.#readers.size > 0; ) {
      await this.#commits.after(this.#seen);
      await pause(Math.max(0, lastMs + GATHER_MS - performance.now()));
      lastMs = performance.now();
      this.#seen = this.#commits.count;
      const groups = Map.groupBy(this.#readers, ({ types, position }) =>
        JSON.stringify([position, types]),
      );
      await Promise.all(Array.from(groups.values(), (readers) => this.#compare(readers)));
    }
    this.#isRunning = false;
  }

  /** Compares the changes after the position of these readers with their criteria. */
  async #compare(readers: readonly Reader[]): Promise<void> {
    let waiting = readers;
    const page = { order: 'oldest-first', count: FACTS_MAX, lengthMax: LENGTH_MAX } as const;
    try {
      for (;;) {
        waiting = waiting.filter((reader) => this.#readers.has(reader));
        const [one] = waiting;
        if (one === undefined) return;
        const { types, position } = one;
        const fields = [
          ...new Set(waiting.flatMap(({ criteria = [] }) => criteriaFields(criteria))),
        ];
        const { result } = await this.#reader.facts({ types, position, fields, ...page });
        const isUnknown = result.kind === 'unknown-position';
        const mayMatch = createSieve(isUnknown ? [] : result.facts);
        const isMatch = ({ criteria = [] }: Reader, facts: readonly ChangeFacts[]) =>
          mayMatch(criteria) && facts.some((each) => matchesChange(criteria, each));
        for (const reader of waiting) {
          // A reader of a position that is unknown gets the error when it reads.
          if (isUnknown || isMatch(reader, result.facts)) reader.settle({ isFound: true });
          else reader.position = result.next;
        }
        if (isUnknown || result.isEnd) return;
        waiting = waiting.filter((reader) => reader.position === result.next);
      }
    } catch (error) {
      for (const { settle } of waiting)
        settle(error instanceof Error ? error : new Error(`${error}`));
    }
  }
}
