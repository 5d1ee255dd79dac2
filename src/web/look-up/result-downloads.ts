/** Downloads of all results of a look-up, as CSV and as NDJSON. */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createPieceLimit } from '../../directory/answer/downloads.ts';
import { csvWithRelationships } from '../../directory/export/csv.ts';
import { ndjsonFormat } from '../../directory/export/export-formats.ts';
import { type MakeExportFormat, piecesOf } from '../../directory/export/export-matches.ts';
import { roleCodesOf } from '../../directory/words/role-words.ts';
import { acceptsGzip, gzipPieces } from '../../fhir/http/gzip.ts';
import { FhirError } from '../../fhir/service/fhir-error.ts';
import { isKept, parametersOf, setHeaders, withEdition } from '../answers.ts';
import { BUSY } from '../problems.ts';
import type { Answering, AppOptions } from '../web-options.ts';
import { isUnknown } from './belonging.ts';
import { find, rowsWithCode } from './find.ts';
import { cutProblems, parameterProblems } from './parameter-problems.ts';
import { readState, writeState } from './state.ts';

/** The download has the results of all pages. */
const DOWNLOADS: readonly (readonly [name: string, type: string, make: MakeExportFormat])[] = [
  ['results.csv', 'text/csv; charset=utf-8', csvWithRelationships],
  ['results.ndjson', 'application/fhir+ndjson', ndjsonFormat],
];

export function addResultDownloads(
  pages: FastifyInstance,
  options: AppOptions,
  answering: Answering,
): void {
  const { face, today } = options;
  const limit = createPieceLimit('results');
  for (const [name, contentType, makeFormat] of DOWNLOADS) {
    pages.get(
      `/${name}`,
      withEdition(options, answering, async (edition, request, reply) => {
        const parameters = parametersOf(request);
        const problems = [...parameterProblems(edition, parameters), ...cutProblems(parameters)];
        if (problems.length > 0) return refuse(reply, problems);
        const state = readState(parameters, (role) => roleCodesOf(edition, role));
        const rendered = face.render(edition);
        const day = today();
        const query = writeState({ ...state, page: 1, print: false });
        const etag = etagOf(rendered.fingerprint, name, day, query);
        reply.header('Vary', 'Accept-Encoding').header('Cache-Control', 'no-cache');
        if (isKept(request, reply, etag)) return reply.send('');
        const found = find(edition, state, day);
        const { belonging, groups, total } = found;
        if (belonging !== undefined && isUnknown(edition, state.of, belonging)) {
          return refuse(reply, [NO_TARGET]);
        }
        const exported = { count: total, isComplete: false };
        const format = makeFormat(rendered, undefined, day, exported);
        setHeaders(reply, contentType);
        reply.header('Content-Disposition', `attachment; filename="${name}"`);
        const open = (isGzip: boolean) => {
          const pieces = piecesOf(format, rowsWithCode(edition, state, groups));
          // The limit comes last, because it also sees a reader that stops before the first piece.
          const { addressOf } = options.requestOf(request.raw);
          return limit(isGzip ? gzipPieces(pieces) : pieces, addressOf);
        };
        return send(request, reply, open, answering);
      }),
    );
  }
}

const NO_TARGET = 'of must be the code of an organisation, or the name of one that has members.';

/** Scripts read the answer, so it is plain text. */
function refuse(reply: FastifyReply, problems: readonly string[]): FastifyReply {
  setHeaders(reply, 'text/plain; charset=utf-8');
  return reply
    .code(400)
    .header('Cache-Control', 'no-store')
    .removeHeader('ETag')
    .send(`${problems.join('\n')}\n`);
}

/** The file says what organisations belong to on the day. */
function etagOf(...parts: readonly string[]): string {
  return `W/"${hash('sha256', parts.join(' ')).slice(0, 24)}"`;
}

/** `open` throws if too many downloads run. */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  open: (isGzip: boolean) => Readable,
  { fail }: Answering,
): FastifyReply {
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  try {
    const { 'accept-encoding': accepted } = request.headers;
    const isGzip = typeof accepted === 'string' && acceptsGzip(accepted);
    const pieces = open(isGzip);
    if (isGzip) reply.header('Content-Encoding', 'gzip');
    return reply.send(pieces);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    reply.removeHeader('Content-Disposition');
    return fail(reply, { ...BUSY, headers: { 'Retry-After': '5' } });
  }
}
