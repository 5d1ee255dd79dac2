/** Answers with CSV files that browsers save. */
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from '../fhir/http/gzip.ts';
import { setHeaders } from './answers.ts';

export function download(
  reply: FastifyReply,
  csv: string | Buffer | Readable,
  fileName: string,
): FastifyReply {
  setHeaders(reply, 'text/csv; charset=utf-8');
  return reply.header('Content-Disposition', `attachment; filename="${fileName}"`).send(csv);
}

/** `bytes` are gzip. Clients that do not accept gzip get them uncompressed, piece by piece. */
export function downloadCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  fileName: string,
): FastifyReply {
  reply.header('Vary', 'Accept-Encoding');
  const { 'accept-encoding': accepted } = request.headers;
  if (typeof accepted === 'string' && acceptsGzip(accepted)) {
    return download(reply.header('Content-Encoding', 'gzip'), bytes, fileName);
  }
  const plain = createGunzip();
  plain.end(bytes);
  return download(reply, plain, fileName);
}
