/** Downloads a release of TRUD to a folder. An interrupted download continues where it stopped. */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { OnProgress } from '../../directory/import/collector.ts';
import { SourceError } from '../../directory/import/source.ts';
import { mediaTypeOf } from '../../fhir/http/media-type.ts';
import { ConnectionFault } from '../http/answer-body.ts';
import type { Answer, Ask, HttpClient } from '../http/http-options.ts';
import { Spool } from '../http/spool.ts';
import type { TrudRelease } from './latest-release.ts';

export interface DownloadOptions {
  readonly release: TrudRelease;
  readonly client: HttpClient;
  /** A private folder for the download alone. */
  readonly folder: string;
  readonly stopped: AbortSignal;
  readonly onProgress: OnProgress;
}

/** Returns the path of the complete file. Throws a SourceError if its checksum is wrong. */
export async function downloadRelease(options: DownloadOptions): Promise<string> {
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
