/** The list of editions, the page of each, and the download of its changes. */
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  CHANGE_KINDS,
  type ChangeKind,
  type EditionHistory,
} from '../../directory/edition/edition-store.ts';
import { gzipPieces } from '../../fhir/http/gzip.ts';
import { isNotModified } from '../../fhir/http/headers.ts';
import { answerDownload } from '../../fhir/service/answer.ts';
import { csvLine } from '../../interfaces/answer/csv-line.ts';
import { asFile, CSV, PAGE_ANSWERS } from '../parts/answers.ts';
import { NO_PAGE } from '../parts/problems.ts';
import type { PageRequest, PageRoute, WebContext } from '../parts/web-options.ts';
import { editionPage, editionsPage } from './editions-page.ts';

export function editionRoutes(options: WebContext): readonly PageRoute[] {
  const { history, show, fail } = options;
  const compressed = createCompressed(history);
  return [
    {
      path: '/editions',
      answer: async (asked) => show(asked, 'editions.njk', await editionsPage(options)),
    },
    {
      path: '/editions/{number}',
      answer: async (asked) => {
        const number = editionNumber(asked);
        const page = number === undefined ? undefined : await editionPage(number, options);
        return page === undefined ? fail(NO_PAGE) : show(asked, 'edition.njk', page);
      },
    },
    {
      path: '/editions/{number}/changes.csv',
      answer: async (asked) => {
        const { request } = asked;
        const number = editionNumber(asked);
        const info = (await history.list()).find((edition) => edition.number === number);
        if (info === undefined) return fail(NO_PAGE);
        // With the time, because another data folder has other editions with the same numbers.
        const etag = `W/"changes-${number}-${Date.parse(info.importedAt).toString(36)}"`;
        // An answer without them does not wait for them.
        const bytes = isNotModified(request, etag, undefined)
          ? Buffer.alloc(0)
          : await compressed(etag, info.number);
        const headers = asFile(`edition-${number}-changes.csv`);
        const pieces = (isGzip: boolean) => (isGzip ? [bytes] : decompressed(bytes));
        const open = () => ({ etag, headers, pieces });
        return answerDownload(request, KEPT_ANSWERS, { contentType: CSV, open });
      },
    },
  ];
}

/** Piece by piece, because the whole text can be large. */
function decompressed(bytes: Buffer): Readable {
  const plain = createGunzip();
  plain.end(bytes);
  return plain;
}

/** An edition never changes, but another data folder can have a different edition with this number. */
const KEPT_ANSWERS = { ...PAGE_ANSWERS, cacheControl: 'public, max-age=86400, immutable' };

const EDITION_NUMBER = /^[1-9]\d{0,8}$/;

function editionNumber({ id }: PageRequest): number | undefined {
  return EDITION_NUMBER.test(id) ? Number(id) : undefined;
}

/** Makes the changes of an edition as CSV in gzip: once for an entity tag, also for simultaneous requests. */
function createCompressed(
  history: EditionHistory,
): (etag: string, number: number) => Promise<Buffer> {
  const kept = new Map<string, Promise<Buffer>>();
  return (etag, number) => {
    const known = kept.get(etag);
    if (known !== undefined) return known;
    const made = compress(number, history).catch((error: unknown) => {
      kept.delete(etag);
      throw error;
    });
    if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value ?? '');
    kept.set(etag, made);
    return made;
  };
}

async function compress(number: number, history: EditionHistory): Promise<Buffer> {
  const lists = await Promise.all(
    CHANGE_KINDS.map(async (kind) => ({ kind, codes: await history.codes(number, kind) })),
  );
  return Buffer.concat(await Array.fromAsync(gzipPieces(piecesOf(lists))));
}

/** In pieces, between which other requests are answered. */
function* piecesOf(lists: readonly { kind: ChangeKind; codes: string }[]): Generator<Buffer> {
  yield Buffer.from(csvLine(['change', 'code']));
  for (const { kind, codes } of lists) {
    for (let from = 0; from < codes.length; ) {
      const lineEnd = codes.indexOf('\n', from + PIECE_LENGTH);
      const end = lineEnd < 0 ? codes.length : lineEnd;
      const lines = codes.slice(from, end).split('\n');
      yield Buffer.from(lines.map((code) => csvLine([kind, code])).join(''));
      from = end + 1;
    }
  }
}

/** The changes of a whole directory take 1 MB, those of a month about 20 KB. */
const KEPT_MAX = 4;

/** About 1,000 codes, which take about a millisecond. */
const PIECE_LENGTH = 8 * 1024;
