/** The list of editions, the page of each, and the download of its changes. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isKept } from '../answers.ts';
import { downloadCompressed } from '../downloads.ts';
import { parameterOf } from '../page-requests.ts';
import { NO_PAGE } from '../problems.ts';
import type { Answering, AppOptions } from '../web-options.ts';
import { createEditionChanges } from './edition-changes.ts';
import { editionPage, editionsPage } from './editions-page.ts';

export function addEditionRoutes(
  pages: FastifyInstance,
  { addresses, editions, history, fetchStatus }: AppOptions,
  { show, fail }: Answering,
): void {
  pages.get('/editions', async (_request, reply) =>
    show(
      reply,
      'editions.njk',
      await editionsPage(history, editions.current(), addresses, fetchStatus?.()),
    ),
  );
  pages.get('/editions/:number', async (request, reply) => {
    const number = editionNumber(request);
    const page =
      number === undefined
        ? undefined
        : await editionPage(number, history, editions.current(), addresses);
    return page === undefined ? fail(reply, NO_PAGE) : show(reply, 'edition.njk', page);
  });
  const changesOf = createEditionChanges(history);
  pages.get('/editions/:number/changes.csv', async (request, reply) => {
    const number = editionNumber(request);
    const changes = number === undefined ? undefined : await changesOf(number);
    if (changes === undefined) return fail(reply, NO_PAGE);
    if (isKept(request, reply.header('Cache-Control', ONE_DAY), changes.etag)) {
      return reply.send('');
    }
    const bytes = await changes.compressed();
    return downloadCompressed(request, reply, bytes, `edition-${number}-changes.csv`);
  });
}

/** An edition never changes, but another data folder can have a different edition with this number. */
const ONE_DAY = 'public, max-age=86400, immutable';

const EDITION_NUMBER = /^[1-9]\d{0,8}$/;

function editionNumber(request: FastifyRequest): number | undefined {
  const text = parameterOf(request, 'number');
  return EDITION_NUMBER.test(text) ? Number(text) : undefined;
}
