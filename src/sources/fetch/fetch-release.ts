/** Fetches the latest release from TRUD and imports it, unless the directory has it already. */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import type { OnProgress } from '../../directory/import/collector.ts';
import { SourceError } from '../../directory/record/source.ts';
import { mediaTypeOf } from '../../fhir/http/media-type.ts';
import { bytesOf, ConnectionFault, jsonIn, problemOf } from '../http/answer-body.ts';
import type { Answer, Ask, HttpClient } from '../http/http-options.ts';
import { Spool } from '../http/spool.ts';
import type { FetchOptions } from '../import/import-options.ts';
import { importSources } from '../import/import-sources.ts';
import { printable } from '../text/source-text.ts';
import { type FetchReport, nothingFetched } from './fetch-options.ts';
import { openStateFolder } from './state-folder.ts';

export interface FetchReleaseOptions extends FetchOptions {
  readonly trud: Trud;
  readonly client: HttpClient;
  /** A private folder for the download and the state. */
  readonly folder: string;
  readonly includeArchive: boolean;
  /** Fetch and import the release even if the directory has it. */
  readonly isAgain: boolean;
}

/** Throws a SourceError if the release cannot be used. The current edition then stays. */
export async function fetchRelease(options: FetchReleaseOptions): Promise<FetchReport> {
  const { trud, client, store, say } = options;
  const state = openStateFolder(options.folder, stateSchema);
  const release = await latestRelease(trud, client);
  const current = await store.current();
  if (
    current !== undefined &&
    !options.isAgain &&
    (await isImported(release, state.read(), options))
  ) {
    say(`The latest release, ${release.name}, is in the directory already.`);
    return nothingFetched(current);
  }
  say(`Downloading ${release.name} …`);
  const file = await downloadRelease({ ...options, release });
  say(`Importing ${release.name} …`);
  const { isPublished, ...report } = await importSources({
    ...options,
    files: [file],
    source: release.name,
    onlyChanges: true,
    refuseOlder: !options.isAgain,
  });
  state.write({ name: release.name, sha256: release.sha256 });
  rmSync(file, { force: true });
  return { report, isPublished, fetched: 'everything' };
}

/** The release that was imported last. */
const stateSchema = z.object({ name: z.string(), sha256: z.string() });

/** A release that an operator imported, or rolled back, is not fetched again. */
async function isImported(
  { name, sha256 }: TrudRelease,
  state: z.infer<typeof stateSchema> | undefined,
  { store }: FetchReleaseOptions,
): Promise<boolean> {
  if (state?.name === name) return state.sha256 === sha256;
  return (await store.list()).some(({ source }) => source === name);
}

interface DownloadOptions {
  readonly release: TrudRelease;
  readonly client: HttpClient;
  /** A private folder for the download alone. */
  readonly folder: string;
  readonly stopped: AbortSignal;
  readonly onProgress: OnProgress;
}

/**
 * Returns the path of the complete file. An interrupted download continues where it stopped. Throws a
 * SourceError if the checksum is wrong.
 */
async function downloadRelease(options: DownloadOptions): Promise<string> {
  const { release, folder, stopped } = options;
  // The checksum in the name ties the part of a file to its release.
  const path = join(folder, `${release.sha256}.zip`);
  const part = join(folder, `${release.sha256}.part`);
  const files = readdirSync(folder).map((name) => join(folder, name));
  if (files.includes(path)) return path;
  for (const file of files) if (/\.(part|zip)$/.test(file) && file !== part) rmSync(file);
  const spool = new Spool(part);
  try {
    await downloadRest(spool, options);
    spool.sync();
  } finally {
    spool.close();
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(part), hash, { signal: stopped });
  const sha256 = hash.digest('hex');
  if (sha256 !== release.sha256) {
    rmSync(part);
    throw new SourceError(
      `${nameOf(release)} has the checksum ${sha256} instead of ${release.sha256}: the file is ` +
        'damaged, and is removed. Fetch again later.',
    );
  }
  renameSync(part, path);
  return path;
}

async function downloadRest(spool: Spool, options: DownloadOptions): Promise<void> {
  const { release, client } = options;
  if (spool.bytes > release.bytes) spool.cutTo(0);
  if (spool.bytes === release.bytes) return;
  const ask: Ask = {
    url: release.url,
    name: nameOf(release),
    accept: 'application/zip, application/octet-stream, */*;q=0.5',
    headers: () => ({
      'Accept-Encoding': 'identity',
      ...(spool.bytes > 0 && { Range: `bytes=${spool.bytes}-` }),
    }),
    taken: [206, 416],
    isKept: true,
    answerMsMax: ANSWER_MS_MIN + release.bytes / BYTES_PER_MS_MIN,
  };
  await client.ask(ask, async (answer) => {
    requireRange(answer, spool, release);
    requireFile(answer.headers.get('content-type'), release);
    for await (const chunk of answer.chunks) {
      if (spool.bytes === 0) requireZip(chunk, release);
      if (spool.bytes + chunk.length > release.bytes) {
        spool.cutTo(0);
        throw new SourceError(
          `${nameOf(release)} is longer than the ${release.bytes} bytes that TRUD states. ` +
            'Fetch again later.',
        );
      }
      spool.add(chunk);
      options.onProgress({ records: undefined, bytes: spool.bytes, bytesTotal: release.bytes });
    }
    if (spool.bytes < release.bytes) throw new ConnectionFault('the file is cut off');
  });
}

/** A slower download ends, and continues with the next attempt. */
const BYTES_PER_MS_MIN = 16;
const ANSWER_MS_MIN = 60_000;

function nameOf({ name }: TrudRelease): string {
  return `The download of ${name}`;
}

/** Begins again if the answer is not the rest of the file. */
function requireRange({ status, headers }: Answer, spool: Spool, { bytes }: TrudRelease): void {
  if (status === 206) {
    const [, start, total] =
      /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
    if (Number(start) === spool.bytes && Number(total) === bytes) return;
  }
  spool.cutTo(0);
  if (status !== 200) throw new ConnectionFault('the server has no such part of the file');
}

/** A sign-in page, or the page of a proxy. */
function requireFile(type: string | null, release: TrudRelease): void {
  if (/^(text\/html|application\/xhtml\+xml)$/.test(mediaTypeOf(type ?? ''))) throw isPage(release);
}

function requireZip(start: Uint8Array, release: TrudRelease): void {
  if (start[0] !== 0x50) throw isPage(release);
}

function isPage(release: TrudRelease): SourceError {
  return new SourceError(
    `${nameOf(release)} is a web page, not a zip file. Check that no proxy answers in place of ` +
      'TRUD, and that the account of the key may use item 341.',
  );
}

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
async function latestRelease(trud: Trud, client: HttpClient): Promise<TrudRelease> {
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
