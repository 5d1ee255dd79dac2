/** Keeps the rows of searches that clients repeat, such as for the next page of the same results. */
import type { Edition } from '../edition/edition.ts';
import type { OpenColumns } from '../index/columns/columns.ts';
import type { Page, SearchIndex } from '../index/search-index.ts';

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

/**
 * Returns a function that makes an index keep rows. It keeps them from the second request of a
 * search on, so that searches requested once cost no memory. When a client requests a further page,
 * it reads and keeps all rows, up to `rowsMax`. Otherwise, it keeps the total and the first page.
 */
export function createKeptRows({ bytesMax, rowsMax } = { bytesMax: BYTES_MAX, rowsMax: ROWS_MAX }) {
  /** The oldest result is first. */
  const results = new Map<string, KeptResult>();
  let bytes = 0;
  const seen = new Set<string>();
  let indexCount = 0;

  const remove = (key: string): void => {
    bytes -= results.get(key)?.bytes ?? 0;
    results.delete(key);
  };
  const keep = (key: string, { total, rows }: Page): void => {
    seen.delete(key);
    remove(key);
    const size = 4 * rows.length + 2 * key.length + ENTRY_BYTES;
    results.set(key, { total, rows: Uint32Array.from(rows), bytes: size });
    bytes += size;
    for (const oldest of results.keys()) {
      if (bytes <= bytesMax) return;
      remove(oldest);
    }
  };
  const note = (key: string): void => {
    if (seen.size >= SEEN_MAX) seen.clear();
    seen.add(key);
  };

  return <Index extends Pick<SearchIndex<OpenColumns>, 'search'>>(index: Index): Index => {
    const prefix = indexCount++;
    const search: SearchIndex<OpenColumns>['search'] = (query, offset, limit, sort) => {
      const key = `${prefix}${JSON.stringify(sort?.length ? [query.criteria, sort] : query.criteria)}`;
      const kept = results.get(key);
      const known = kept && readKept(kept, offset, limit);
      if (known !== undefined) return known;
      const page = index.search(query, offset, limit, sort);
      if (key.length > KEY_LENGTH_MAX) return page;
      const isFurther = offset > 0 || (kept !== undefined && kept.rows.length > 0);
      if (kept === undefined && !seen.has(key)) note(key);
      else if (isFurther && page.total <= rowsMax) {
        keep(key, index.search(query, 0, page.total, sort));
      } else if (offset === 0 && page.rows.length <= rowsMax) keep(key, page);
      else if (kept === undefined) keep(key, { total: page.total, rows: [] });
      return page;
    };
    return { ...index, search };
  };
}

/** The number of matches, and the first rows of them. */
interface KeptResult {
  readonly total: number;
  readonly rows: Uint32Array;
  /** The approximate memory of the result. */
  readonly bytes: number;
}

/** Undefined if a row of the page is not kept. */
function readKept({ total, rows }: KeptResult, offset: number, limit: number): Page | undefined {
  const end = limit === 0 ? 0 : Math.min(offset + limit, total);
  if (end > rows.length && offset < end) return undefined;
  const page: number[] = [];
  for (let i = offset; i < end; i++) page.push(rows[i]!);
  return { total, rows: page };
}

/** For each edition in each thread: about 60 results of `ROWS_MAX` rows, or 4,000 first pages. */
const BYTES_MAX = 4 * 1024 * 1024;

/** Reading this number of rows takes a fraction of a millisecond, or two milliseconds if sorted. */
const ROWS_MAX = 1 << 14;

/** The approximate memory of a kept result besides its rows and key. */
const ENTRY_BYTES = 512;

const SEEN_MAX = 1024;
const KEY_LENGTH_MAX = 512;
