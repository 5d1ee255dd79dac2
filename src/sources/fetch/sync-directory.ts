/** A sync: downloads the current edition of another Gazetteer by its address, if it is new, and imports it. */
import { rmSync } from 'node:fs';
import * as z from 'zod';
import { SourceError } from '../../directory/record/source.ts';
import { mediaTypeOf } from '../../fhir/http/media-type.ts';
import type { HttpClient } from '../http/http-options.ts';
import { requireBytes, Spool } from '../http/spool.ts';
import type { FetchOptions } from '../import/import-options.ts';
import { importSources } from '../import/import-sources.ts';
import { type FetchReport, nothingFetched } from './fetch-options.ts';
import { openStateFolder } from './state-folder.ts';

export interface SyncOptions extends FetchOptions {
  readonly peer: PeerAddress;
  readonly client: HttpClient;
  /** A private folder for the download and the state. */
  readonly folder: string;
  /** Whether to fetch the edition even if it is the one of the last sync. */
  readonly isFull: boolean;
}

/** The edition that had the state of the peer when the last sync ended. */
const stateSchema = z.object({
  /** The base of the peer. */
  peer: z.string(),
  inStep: z
    .object({
      number: z.int(),
      publishedAt: z.string(),
      /** The entity tag of the download that the edition was read from. */
      etag: z.string().optional(),
    })
    .optional(),
});

/** Throws a SourceError if the peer cannot be used. The current edition then stays. */
export async function syncDirectory(options: SyncOptions): Promise<FetchReport> {
  const { peer, store, say, isFull } = options;
  const state = openStateFolder(options.folder, stateSchema);
  const current = await store.current();
  const last = state.read();
  // Another edition is current after an import from another source, or a rollback.
  const isInStep =
    last?.peer === peer.baseUrl &&
    last.inStep?.number === current?.number &&
    last.inStep?.publishedAt === current?.publishedAt;
  const etag = isInStep && !isFull ? last.inStep?.etag : undefined;
  for (const form of FORMS) {
    const path = state.filePath(`edition.${form}`);
    try {
      const fetched = await download(path, form, etag, options);
      if (fetched === 'unchanged' && current !== undefined) return nothingFetched(current);
      if (typeof fetched === 'string') continue;
      say('Reading the fetched data …');
      const { isPublished, ...report } = await importSources({
        ...options,
        files: [path],
        source: peer.baseUrl,
        includeArchive: false,
        onlyChanges: true,
      });
      const { number, publishedAt } = report.edition;
      state.write({ peer: peer.baseUrl, inStep: { number, publishedAt, ...fetched } });
      return { report, isPublished, fetched: 'everything' };
    } finally {
      rmSync(path, { force: true });
    }
  }
  throw new SourceError(
    `${peer.baseUrl} does not offer its edition: ${peer.editionsUrl}/current.xml is not a release. ` +
      'A sync copies only from a Gazetteer, by the FHIR base in its links. From another server, ' +
      'save all Organizations of STU3 in a file, and import it.',
  );
}

/** A release has relationships. If the peer has none, or is old, it has only FHIR. */
const FORMS = ['xml', 'ndjson'] as const;

/** The type that is requested, and others with the same meaning. */
const MEDIA_TYPES: Readonly<Record<(typeof FORMS)[number], readonly [string, ...string[]]>> = {
  xml: ['application/xml', 'text/xml'],
  ndjson: ['application/fhir+ndjson', 'application/ndjson', 'application/x-ndjson'],
};

/** `absent`: the peer has no edition in this form. */
type Fetched = 'unchanged' | 'absent' | { readonly etag: string | undefined };

async function download(
  path: string,
  form: (typeof FORMS)[number],
  etag: string | undefined,
  { peer, client, bytesMax, say, onProgress }: SyncOptions,
): Promise<Fetched> {
  const url = `${peer.editionsUrl}/current.${form}`;
  const types = MEDIA_TYPES[form];
  const headers = () => (etag === undefined ? {} : { 'If-None-Match': etag });
  const taken = [404, 405, 406, 410, ...(etag === undefined ? [] : [304])];
  return await client.ask({ url, accept: types[0], headers, taken }, async (answer) => {
    if (answer.status === 304) return 'unchanged';
    const type = mediaTypeOf(answer.headers.get('content-type') ?? '');
    if (answer.status !== 200 || !types.includes(type)) return 'absent';
    say(`Downloading the edition of ${peer.baseUrl} …`);
    const spool = new Spool(path);
    try {
      // Each attempt begins again.
      spool.cutTo(0);
      for await (const chunk of answer.chunks) {
        requireBytes(spool.bytes + chunk.length, bytesMax, url);
        spool.add(chunk);
        onProgress({ records: undefined, bytes: spool.bytes, bytesTotal: undefined });
      }
      return { etag: answer.headers.get('etag') ?? undefined };
    } finally {
      spool.close();
    }
  });
}

export interface PeerAddress {
  /** The FHIR base as it was given, without a slash at the end. */
  readonly baseUrl: string;
  /** The folder of the downloads of a Gazetteer, without a slash at the end. */
  readonly editionsUrl: string;
  /** Whether no other program can read what is sent there: https, or this machine. */
  readonly isPrivate: boolean;
}

/** Throws a SourceError if the text is not the address of a FHIR base. */
export function parsePeerAddress(text: string): PeerAddress {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new SourceError(
      `"${text}" is not an address. Use the FHIR base of a directory, such as https://directory.example/STU3.`,
    );
  }
  if (/[?#]/.test(text) || url.username !== '' || url.password !== '') {
    throw new SourceError(
      `Give the FHIR base alone, without query, fragment or user, such as ${url.origin}/STU3. ` +
        'Put a token in a file, and name the file with --sync-token-file.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  const [below] = BELOW_BASE.exec(path) ?? [];
  if (below !== undefined) {
    const base = url.origin + path.slice(0, -below.length);
    throw new SourceError(`Give the FHIR base, without ${below}: ${base}.`);
  }
  return {
    baseUrl: url.origin + path,
    // Gazetteer has its services beside each other. The downloads are not part of any of them.
    editionsUrl: `${url.origin}${path.replace(/(\/legacy)?\/[^/]*$/, '')}/editions`,
    isPrivate: url.protocol === 'https:' || LOOPBACK.test(url.hostname),
  };
}

/** Paths that people often copy together with the base. */
const BELOW_BASE = /\/(Organization|metadata)$/;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
