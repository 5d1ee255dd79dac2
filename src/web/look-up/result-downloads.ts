/** Downloads of all results of a look-up, as CSV and as NDJSON. */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ByteWriter } from '../../directory/byte-writer.ts';
import type { Edition } from '../../directory/edition.ts';
import { csvWithRelationships } from '../../directory/export/csv-with-relationships.ts';
import type { ExportFormat, MakeExportFormat } from '../../directory/export/export-format.ts';
import { ndjsonFormat } from '../../directory/export/ndjson.ts';
import { createPieceLimit } from '../../directory/piece-limit.ts';
import { FhirError } from '../../fhir/fhir-error.ts';
import { acceptsGzip, gzipPieces } from '../../fhir/gzip.ts';
import { isKept, setHeaders } from '../answers.ts';
import { parametersOf, withEdition } from '../page-requests.ts';
import { BUSY } from '../problems.ts';
import type { Answering, AppOptions } from '../web-options.ts';
import { allRows, find, type Result } from './find.ts';
import { prepareLookUp } from './prepare.ts';
import { readState, writeState } from './state.ts';

/** The download has the results of all pages. */
const DOWNLOADS: readonly (readonly [name: string, type: string, make: MakeExportFormat])[] = [
  ['results.csv', 'text/csv; charset=utf-8', csvWithRelationships],
  ['results.ndjson', 'application/fhir+ndjson', ndjsonFormat],
];

/** Rows of one piece, which take one or two milliseconds. */
const ROWS_AT_ONCE = 32;

export function addResultDownloads(
  pages: FastifyInstance,
  options: AppOptions,
  answering: Answering,
): void {
  const { face } = options;
  const limit = createPieceLimit('results');
  for (const [name, contentType, makeFormat] of DOWNLOADS) {
    pages.get(
      `/${name}`,
      withEdition(options, answering, async (edition, request, reply) => {
        const state = readState(parametersOf(request));
        await prepareLookUp(edition, state.text);
        const rendered = face.render(edition);
        const etag = etagOf(rendered.fingerprint, name, writeState({ ...state, page: 1 }));
        reply.header('Vary', 'Accept-Encoding').header('Cache-Control', 'no-cache');
        if (isKept(request, reply, etag)) return reply.send('');
        const found = find(edition, state);
        const format = makeFormat(rendered, undefined);
        setHeaders(reply, contentType);
        reply.header('Content-Disposition', `attachment; filename="${name}"`);
        const open = (isGzip: boolean) => {
          const pieces = piecesOf(edition, found, format);
          // The limit comes last, because it also sees a reader that stops before the first piece.
          return limit(isGzip ? gzipPieces(pieces) : pieces);
        };
        return send(request, reply, open, answering);
      }),
    );
  }
}

function etagOf(fingerprint: string, name: string, query: string): string {
  return `W/"${hash('sha256', `${fingerprint} ${name} ${query}`).slice(0, 24)}"`;
}

/** `open` throws if too many downloads run. */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  open: (isGzip: boolean) => AsyncIterable<Uint8Array>,
  { fail }: Answering,
): FastifyReply {
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  try {
    const { 'accept-encoding': accepted } = request.headers;
    const isGzip = typeof accepted === 'string' && acceptsGzip(accepted);
    const pieces = open(isGzip);
    if (isGzip) reply.header('Content-Encoding', 'gzip');
    return reply.send(Readable.from(pieces, { objectMode: false }));
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    reply.removeHeader('Content-Disposition');
    return fail(reply, { ...BUSY, headers: { 'Retry-After': '5' } });
  }
}

function* piecesOf(
  edition: Edition,
  { groups, total }: Pick<Result, 'groups' | 'total'>,
  format: ExportFormat,
): Generator<Uint8Array> {
  const writer = new ByteWriter();
  writer.start();
  format.begin(writer, { count: total, isComplete: false });
  let count = 0;
  for (const row of allRows(edition, groups)) {
    format.row(row, count === 0, writer);
    count += 1;
    if (count % ROWS_AT_ONCE > 0) continue;
    yield writer.finish();
    writer.start();
  }
  format.end(writer);
  yield writer.finish();
}
