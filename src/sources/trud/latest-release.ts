/** TRUD, the national service for reference data: its latest release of the directory. */
import * as z from 'zod';
import { SourceError } from '../../directory/import/source.ts';
import { bytesOf, jsonIn, problemOf } from '../http/answer-body.ts';
import type { HttpClient } from '../http/http-options.ts';
import { printable } from '../release-file/source-text.ts';

export interface TrudRelease {
  /** The name of its file: letters, digits, dots, hyphens and underscores. */
  readonly name: string;
  /** `YYYY-MM-DD`. */
  readonly releaseDate: string;
  /** Contains the key, so that no message may show it. */
  readonly url: string;
  readonly bytes: number;
  /** Hexadecimal, in lower case. */
  readonly sha256: string;
}

/** Throws a SourceError. */
export async function latestRelease(trud: Trud, client: HttpClient): Promise<TrudRelease> {
  const ask = {
    url: `${trud.url}/api/v1/keys/${trud.key}/items/${ITEM}/releases?latest`,
    name: `TRUD (${trud.url})`,
    accept: 'application/json',
    answerMsMax: ANSWER_MS_MAX,
  };
  return await client.ask(ask, async ({ headers, chunks }) => {
    const body = await bytesOf(ask.name, chunks, LIST_BYTES_MAX);
    const parsed = listSchema.safeParse(jsonIn(body));
    if (!parsed.success) {
      throw new SourceError(
        `${ask.name} did not answer with a list of releases, but with ` +
          `${printable(headers.get('content-type') ?? 'a body without a type')}: ` +
          `${problemOf(parsed.error, 'such a list')}. Check trud.url, and fetch again later.`,
      );
    }
    const [release] = parsed.data.releases;
    if (release === undefined) {
      throw new SourceError(`${ask.name} has no release of item ${ITEM}. Fetch again later.`);
    }
    return {
      name: release.archiveFileName,
      releaseDate: release.releaseDate,
      url: downloadUrl(release.archiveFileUrl, trud),
      bytes: release.archiveFileSizeBytes,
      sha256: release.archiveFileSha256.toLowerCase(),
    };
  });
}

/** The item "NHS Organisation Data Service XML Organisation Data". */
const ITEM = 341;

/** The list has one release: a few KiB. */
const LIST_BYTES_MAX = 1024 ** 2;

const ANSWER_MS_MAX = 120_000;

/** The national release has 38 MB. The limit only protects the disk. */
const RELEASE_BYTES_MAX = 4 * 1024 ** 3;

const listSchema = z.object({
  releases: z.array(
    z.object({
      archiveFileName: z.string().regex(/^[\w.-]{1,200}$/, 'is not the name of a file'),
      releaseDate: z.string().regex(/^\d{4}-\d\d-\d\d$/, 'is not a date'),
      archiveFileUrl: z.string().regex(/^https?:/, 'is not an address'),
      archiveFileSizeBytes: z.int().min(1).max(RELEASE_BYTES_MAX),
      archiveFileSha256: z.string().regex(/^[0-9a-f]{64}$/i, 'is not a SHA-256 checksum'),
    }),
  ),
});

/** Only TRUD itself may see the key, which is a part of the address. */
function downloadUrl(url: string, trud: Trud): string {
  const target = URL.parse(url);
  const isSafe =
    target !== null &&
    (target.origin === new URL(trud.url).origin ||
      (target.protocol === 'https:' && !url.includes(trud.key)));
  if (isSafe && target.username === '' && target.password === '') return target.href;
  throw new SourceError(
    `TRUD (${trud.url}) names a download at ${printable(target?.origin ?? 'an unknown place')}, ` +
      'which would receive the key. Set trud.url to the address that TRUD has in its answers.',
  );
}

export interface Trud {
  /** Without a slash at the end. */
  readonly url: string;
  /** A part of every address, so that no message may show it. */
  readonly key: string;
}

/** Whether the text can be the key of an account: it needs no encoding in an address. */
export function isTrudKey(text: string): boolean {
  return /^[A-Za-z0-9_-]{8,128}$/.test(text);
}
