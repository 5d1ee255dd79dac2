/** Keeps what clients request more than once from one edition: answers, and the rows of searches. */

import { bufferOf } from '../../directory/arrays/arrays.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { OpenColumns } from '../../directory/index/columns/columns.ts';
import type { Page, SearchIndex } from '../../directory/index/search-index.ts';
import { gzip } from '../../fhir/http/gzip.ts';
import type { Representation } from '../../fhir/service/representation.ts';

interface KeptValue {
  /** The approximate memory of the value. */
  bytes: number;
  isRequested?: boolean;
}

/**
 * Values of bounded size. When it is full, it drops the oldest values, except those that were marked
 * as requested since they were last the oldest. A request only sets a mark: the exact order of
 * requests would take longer to keep than the rest of the look-up.
 */
class KeptValues<Value extends KeptValue> {
  readonly #bytesMax: number;
  readonly #seenMax: number;
  /** The oldest is first. */
  readonly #values = new Map<string, Value>();
  readonly #seen = new Set<string>();
  #bytes = 0;

  constructor(bytesMax: number, seenMax: number) {
    this.#bytesMax = bytesMax;
    this.#seenMax = seenMax;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Whether the key was noted before. So what is requested once costs no memory. */
  wasNoted(key: string): boolean {
    if (this.#seen.has(key)) return true;
    if (this.#seen.size >= this.#seenMax) this.#seen.clear();
    this.#seen.add(key);
    return false;
  }

  keep(key: string, value: Value): void {
    this.remove(key);
    this.#values.set(key, value);
    this.#bytes += value.bytes;
    for (const [oldest, candidate] of this.#values) {
      if (this.#bytes <= this.#bytesMax) return;
      this.remove(oldest);
      if (candidate.isRequested !== true) continue;
      candidate.isRequested = false;
      this.#values.set(oldest, candidate);
      this.#bytes += candidate.bytes;
    }
  }

  remove(key: string): void {
    this.#bytes -= this.#values.get(key)?.bytes ?? 0;
    this.#values.delete(key);
  }
}

export interface ResultCache {
  get(key: string): Representation | undefined;
  /** Notes a request for this answer and returns it. The cache keeps it at its second request. */
  note(key: string, representation: Representation): Representation;
}

/** A cache of answers for one thread. */
export function createResultCache(): ResultCache {
  const answers = new KeptValues<KeptAnswer>(ANSWER_BYTES_MAX, 4096);
  return {
    get: (key) => {
      const answer = answers.get(key);
      if (answer !== undefined) answer.isRequested = true;
      return answer;
    },
    note: (key, representation) => {
      if (key.length > KEY_LENGTH_MAX || !answers.wasNoted(key)) return representation;
      const answer = keptAnswer(key, representation, () => {
        if (answers.get(key) !== answer) return;
        answers.remove(key);
        answer.bytes += answer.gzipped().length;
        answers.keep(key, answer);
      });
      answers.keep(key, answer);
      return answer;
    },
  };
}

interface KeptAnswer extends Representation, KeptValue {
  gzipped(): Uint8Array;
}

/** `onGzip` is called after the answer was compressed for the first time. */
function keptAnswer(
  key: string,
  { release, ...representation }: Representation,
  onGzip: () => void,
): KeptAnswer {
  const written = representation.body();
  const body = copyOf(written);
  if (typeof written !== 'string') release?.(written);
  let compressed: Uint8Array | undefined;
  return {
    ...representation,
    body: () => body,
    gzipped: () => {
      if (compressed === undefined) {
        compressed = copyOf(gzip(body));
        onGzip();
      }
      return compressed;
    },
    bytes: body.length + 2 * key.length + ENTRY_BYTES,
  };
}

/** A copy, because the answer may be a part of a large slab. */
function copyOf(written: Uint8Array | string): Buffer {
  const isText = typeof written === 'string';
  return bufferOf(isText ? new TextEncoder().encode(written) : new Uint8Array(written));
}

/** About 150 full pages, or 2,500 organisations. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

/** The approximate memory of a kept answer besides its body and key. */
const ENTRY_BYTES = 1024;

const KEY_LENGTH_MAX = 512;

/** The edition for one thread. Its searches share one memory, which lasts as long as the edition. */
export function withKeptRows(edition: Edition): Edition {
  const keepRows = createKeptRows();
  const { references } = edition;
  return {
    ...edition,
    index: keepRows(edition.index),
    references: { ...references, index: keepRows(references.index) },
    relationshipIndex: keepRows(edition.relationshipIndex),
  };
}

/** An index of any columns, as far as its rows are kept. */
type SearchedIndex = Pick<SearchIndex<OpenColumns>, 'search'>;

/**
 * Returns a function that makes an index keep rows. It keeps them from the second request of a
 * search on, so that searches requested once cost no memory. When a client requests a further page,
 * it reads and keeps all rows, up to `rowsMax`. Otherwise, it keeps the total and the first page.
 */
export function createKeptRows(
  { bytesMax, rowsMax } = { bytesMax: ROWS_BYTES_MAX, rowsMax: ROWS_MAX },
): <Index extends SearchedIndex>(index: Index) => Index {
  const results = new KeptValues<KeptRows>(bytesMax, 1024);
  let indexCount = 0;
  const keep = (key: string, { total, rows }: Page): void => {
    const bytes = 4 * rows.length + 2 * key.length + ROWS_ENTRY_BYTES;
    results.keep(key, { total, rows: Uint32Array.from(rows), bytes });
  };

  const nameCriteria = createCriteriaNames();

  return (index) => {
    const prefix = indexCount++;
    const search: SearchedIndex['search'] = (query, offset, limit, sort) => {
      const criteria = nameCriteria(query.criteria);
      const key = `${prefix}${JSON.stringify(sort?.length ? [criteria, sort] : criteria)}`;
      const kept = results.get(key);
      const known = kept && readKept(kept, offset, limit);
      if (known !== undefined) return known;
      const page = index.search(query, offset, limit, sort);
      if (key.length > KEY_LENGTH_MAX) return page;
      const isFurther = offset > 0 || (kept !== undefined && kept.rows.length > 0);
      if (!results.wasNoted(key) && kept === undefined) return page;
      if (isFurther && page.total <= rowsMax) {
        keep(key, index.search(query, 0, page.total, sort));
      } else if (offset === 0 && page.rows.length <= rowsMax) keep(key, page);
      else if (kept === undefined) keep(key, { total: page.total, rows: [] });
      return page;
    };
    return { ...index, search };
  };
}

type AnyCriterion = Parameters<SearchedIndex['search']>[0]['criteria'][number];

/**
 * Criteria as their keys have them. Rows that a question has found can be very many: they are named
 * by the number of their memory, which the answers that are kept for the question share.
 */
function createCriteriaNames(): (criteria: readonly AnyCriterion[]) => readonly object[] {
  const numbers = new WeakMap<ArrayBufferLike, number>();
  let numbered = 0;
  const nameRows = ({ buffer, byteOffset, length }: Uint32Array): object => {
    let number = numbers.get(buffer);
    if (number === undefined) {
      number = numbered++;
      numbers.set(buffer, number);
    }
    return { rows: [number, byteOffset, length] };
  };
  const hasRows = ({ type }: AnyCriterion) => type === 'rows';
  return (criteria) =>
    criteria.some(hasRows)
      ? criteria.map((each) => (each.type === 'rows' ? nameRows(each.rows) : each))
      : criteria;
}

/** The number of matches, and the first rows of them. */
interface KeptRows extends KeptValue {
  readonly total: number;
  readonly rows: Uint32Array;
}

/** Undefined if a row of the page is not kept. */
function readKept({ total, rows }: KeptRows, offset: number, limit: number): Page | undefined {
  const end = limit === 0 ? 0 : Math.min(offset + limit, total);
  if (end > rows.length && offset < end) return undefined;
  const page: number[] = [];
  for (let i = offset; i < end; i++) page.push(rows[i]!);
  return { total, rows: page };
}

/** For each edition in each thread: about 60 results of `ROWS_MAX` rows, or 4,000 first pages. */
const ROWS_BYTES_MAX = 4 * 1024 * 1024;

/** Reading this number of rows takes a fraction of a millisecond, or two milliseconds if sorted. */
const ROWS_MAX = 1 << 14;

/** The approximate memory of a kept result besides its rows and key. */
const ROWS_ENTRY_BYTES = 512;
