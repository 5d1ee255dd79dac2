/** Style sheets, scripts and images. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsCoding } from '../fhir/http/gzip.ts';
import { parameterOf, redirect, setHeaders } from './answers.ts';
import type { Assets, Encoding } from './assets.ts';
import { NO_PAGE } from './problems.ts';
import type { Answering, AppOptions } from './web-options.ts';

export function addAssetRoutes(
  pages: FastifyInstance,
  { addresses, assets, interfaces }: AppOptions,
  { fail }: Answering,
): void {
  pages.get('/favicon.ico', (_request, reply) =>
    redirect(reply, addresses.base + assets.pathOf('icon')),
  );
  pages.get('/robots.txt', (_request, reply) => {
    setHeaders(reply, 'text/plain; charset=utf-8');
    const kept = interfaces.map(({ baseUrl }) => `Disallow: ${new URL(baseUrl).pathname}/`);
    const results = `Disallow: ${addresses.base}/results.`;
    return reply.send(['User-agent: *', ...kept, results, ''].join('\n'));
  });
  pages.get('/assets/:file', { config: { isAsset: true } }, async (request, reply) => {
    const isSent = await sendAsset(request, reply, assets);
    return isSent ? reply : fail(reply, NO_PAGE);
  });
}

/** The address of an asset changes with its content. */
const ONE_YEAR = 'public, max-age=31536000, immutable';

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  assets: Assets,
): Promise<boolean> {
  const asset = assets.find(parameterOf(request, 'file'));
  if (asset === undefined) return false;
  setHeaders(reply, asset.contentType);
  reply.header('Cache-Control', ONE_YEAR).header('Vary', 'Accept-Encoding');
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = ENCODINGS.find((each) => acceptsCoding(accepted, each));
  const compressed = encoding === undefined ? undefined : await asset.compressed(encoding);
  if (encoding !== undefined && compressed !== undefined) {
    reply.header('Content-Encoding', encoding).send(compressed);
  } else {
    reply.send(asset.bytes);
  }
  return true;
}

/** The encodings of assets, the smallest result first. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];
