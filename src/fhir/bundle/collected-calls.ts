/**
 * Collects the calls that the interactions of a transaction make, so that the repository gets them
 * as one. Each interaction waits for its result as if it had called the repository itself.
 */
import { setImmediate } from 'node:timers/promises';
import type {
  Repository,
  RepositorySearchResult,
  TransactionAnswer,
  TransactionCall,
} from '../stored/repository.ts';
import { RepositoryError } from '../stored/repository-error.ts';
import type { AnswerRoom } from './answer-room.ts';
import type { SentEntry } from './sent-bundle.ts';

export interface CollectedCall {
  readonly entry: SentEntry;
  readonly call: TransactionCall;
  readonly answer: PromiseWithResolvers<TransactionAnswer>;
}

export class CollectedCalls {
  readonly #repository: Repository;
  readonly #ordered: readonly SentEntry[];
  readonly #calls = new Map<SentEntry, CollectedCall>();
  /** Searches wait here until the transaction is committed. */
  readonly #searches: PromiseWithResolvers<void>[] = [];
  /** Searches run one after the other, so that each knows the length of the answers before it. */
  #searched: Promise<unknown> = Promise.resolve();
  readonly #room: AnswerRoom;

  /** `ordered`: the entries in the order of their processing. */
  constructor(repository: Repository, ordered: readonly SentEntry[], room: AnswerRoom) {
    this.#repository = repository;
    this.#ordered = ordered;
    this.#room = room;
  }

  /** In the order of processing. Searches are not among them. */
  get calls(): readonly CollectedCall[] {
    return this.#ordered.flatMap((entry) => this.#calls.get(entry) ?? []);
  }

  /** The repository for the interaction of an entry. `onCall` is called when it calls. */
  repositoryFor(entry: SentEntry, onCall: () => void): Repository {
    const repository = this.#repository;
    const collect = async <Kind extends TransactionCall['kind']>(
      kind: Kind,
      call: TransactionCall,
    ): Promise<AnswerOf<Kind>> => {
      const collected = Promise.withResolvers<TransactionAnswer>();
      this.#calls.set(entry, { entry, call, answer: collected });
      onCall();
      const answer = await collected.promise;
      if (!isOf(answer, kind)) throw new Error(`an answer to another call: ${answer.kind}`);
      return answer;
    };
    return {
      create: async (...args) => (await collect('create', { kind: 'create', args })).value,
      update: async (...args) => (await collect('update', { kind: 'update', args })).value,
      delete: async (...args) => (await collect('delete', { kind: 'delete', args })).value,
      read: async (...args) => (await collect('read', { kind: 'read', args })).value,
      search: async (...args) => {
        const committed = Promise.withResolvers<void>();
        this.#searches.push(committed);
        onCall();
        await committed.promise;
        return this.#search(...args);
      },
      updateMatching: (...args) => repository.updateMatching(...args),
      findMatch: (...args) => repository.findMatch(...args),
      history: (...args) => repository.history(...args),
      changes: (...args) => repository.changes(...args),
      transact: (...args) => repository.transact(...args),
      checkPreconditions: (...args) => repository.checkPreconditions(...args),
      recordRefusal: (...args) => repository.recordRefusal(...args),
    };
  }

  #search(...args: Parameters<Repository['search']>): Promise<RepositorySearchResult> {
    const search = async () => {
      // By the next turn, the search before this one has its answer.
      await setImmediate();
      this.#room.requireRoom();
      return this.#repository.search(...args);
    };
    const searched = this.#searched.then(search);
    this.#searched = searched.catch((error) => {
      if (error instanceof RepositoryError) this.#room.fail(error);
    });
    return searched;
  }

  /** `answers`: in the order of the calls. Other requests have a turn after each. */
  async commit(answers: readonly TransactionAnswer[]): Promise<void> {
    for (const [at, { answer }] of this.calls.entries()) {
      const own = answers[at];
      if (own !== undefined) answer.resolve(own);
      await setImmediate();
    }
    for (const search of this.#searches) search.resolve();
  }

  /** Ends every interaction that still waits. */
  cancel(): void {
    for (const { reject } of this.#searches) reject(CANCELLED);
    for (const { answer } of this.#calls.values()) answer.reject(CANCELLED);
  }
}

type AnswerOf<Kind> = Extract<TransactionAnswer, { kind: Kind }>;

/** Why an interaction ended although its call was not made. */
export const CANCELLED = new Error('another entry of the transaction failed');

function isOf<Kind extends TransactionCall['kind']>(
  answer: TransactionAnswer,
  kind: Kind,
): answer is AnswerOf<Kind> {
  return answer.kind === kind;
}
