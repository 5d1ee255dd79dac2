/** A TRUD for tests: lists one release, and sends its file whole or in parts. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { releaseBytes } from '../../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../../scripts/release/organisations.ts';
import { listenOnLoopback } from '../../loopback.ts';
import type { Owner } from '../../owner.ts';

export const KEY = 'a1b2c3d4e5f6a7b8c9d0';

export interface PublishedRelease {
  readonly name: string;
  readonly releaseDate: string;
  readonly bytes: Buffer;
}

export interface TrudServer {
  /** The base, as `trud.url` names it. */
  readonly url: string;
  readonly origin: string;
  release: PublishedRelease;
  /** The requests so far: `list` or `download`, and the range that was requested. */
  readonly requests: string[];
  /** The checksum in the list, if it is not the correct one. */
  sha256: string | undefined;
  /** Changes the entry of the release in the list. */
  change: (release: Record<string, unknown>) => object;
  /** Answers in its place if it returns true. */
  answer: (
    kind: 'list' | 'download',
    request: IncomingMessage,
    response: ServerResponse,
  ) => boolean;
}

export async function publishedRelease(
  publicationDate = '2026-09-25',
  options: { readonly records?: number; readonly seed?: number } = {},
): Promise<PublishedRelease> {
  const chunks: Uint8Array[] = [];
  const wanted = { ...releaseDefaults, records: 60, archive: 0, seed: 7, ...options };
  for await (const chunk of releaseBytes({ ...wanted, publicationDate }, 'zip')) chunks.push(chunk);
  const day = publicationDate.replaceAll('-', '');
  return {
    name: `hscorgrefdataxml_data_9.0.0_${day}000001.zip`,
    releaseDate: publicationDate,
    bytes: Buffer.concat(chunks),
  };
}

export async function startTrud(owner: Owner, release: PublishedRelease): Promise<TrudServer> {
  const server = createServer((request, response) => {
    const { url = '' } = request;
    const kind = url.startsWith('/trud/') ? 'list' : 'download';
    const { range } = request.headers;
    trud.requests.push(range === undefined ? kind : `${kind} ${range}`);
    if (trud.answer(kind, request, response)) return;
    if (kind === 'download') sendFile(trud.release.bytes, range, response);
    else if (url !== `/trud/api/v1/keys/${KEY}/items/341/releases?latest`) {
      sendList(response, 400, { message: `The API key ${url} is not valid`, httpStatus: 400 });
    } else sendList(response, 200, { releases: [trud.change(entryOf(trud))], httpStatus: 200 });
  });
  const trud: TrudServer = {
    url: '',
    origin: '',
    release,
    requests: [],
    sha256: undefined,
    change: (entry) => entry,
    answer: () => false,
  };
  const origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(trud, { origin, url: `${origin}/trud` });
}

function sendList(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function entryOf({ release, origin, sha256 }: TrudServer): Record<string, unknown> {
  const { name, releaseDate, bytes } = release;
  const file = `${origin}/download/api/v1/keys/${KEY}/content/items/341/${name}`;
  return {
    id: name,
    name: `Release ${releaseDate}`,
    releaseDate,
    archiveFileUrl: file,
    archiveFileName: name,
    archiveFileSizeBytes: bytes.length,
    archiveFileSha256: sha256 ?? createHash('sha256').update(bytes).digest('hex').toUpperCase(),
    checksumFileUrl: `${file}.checksum`,
    signatureFileUrl: `${file}.sig`,
    publicKeyFileUrl: `${file}.pub`,
  };
}

export function sendFile(bytes: Buffer, range: string | undefined, response: ServerResponse): void {
  const [, from] = /^bytes=(\d+)-$/.exec(range ?? '') ?? [];
  const start = Number(from ?? 0);
  const rest = bytes.subarray(start);
  response.writeHead(from === undefined ? 200 : 206, {
    'Content-Type': 'application/zip',
    'Content-Length': rest.length,
    ...(from && { 'Content-Range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
  });
  response.end(rest);
}

/** Sends the first bytes of the answer, and then cuts the connection. */
export function sendCut(bytes: Buffer, range: string | undefined, response: ServerResponse): void {
  const [, from = '0'] = /^bytes=(\d+)-$/.exec(range ?? '') ?? [];
  const rest = bytes.subarray(Number(from));
  const end = `${bytes.length - 1}/${bytes.length}`;
  response.writeHead(range === undefined ? 200 : 206, {
    'Content-Type': 'application/zip',
    'Content-Length': rest.length,
    ...(range && { 'Content-Range': `bytes ${from}-${end}` }),
  });
  response.write(rest.subarray(0, CUT_BYTES), () => response.destroy());
}

export const CUT_BYTES = 1000;
