/** What answers at each path of the pages. */
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Edition } from '../directory/edition.ts';
import { acceptsCoding, acceptsGzip } from '../fhir/gzip.ts';
import { isKept, SVG, setHeaders } from './answers.ts';
import { apiPage } from './api-page.ts';
import type { Answering, AppOptions } from './app.ts';
import type { Assets, Encoding } from './assets.ts';
import { createEditionChanges } from './edition-changes.ts';
import { editionPage, editionsPage } from './editions-page.ts';
import { lookUpPage } from './look-up/look-up-page.ts';
import { prepareLookUp } from './look-up/prepare.ts';
import { rowOfCode } from './look-up/readings.ts';
import {
  isAsking,
  type LookUpState,
  readCuts,
  readState,
  readText,
  withoutEmpty,
  writeState,
} from './look-up/state.ts';
import { suggest } from './look-up/suggestions.ts';
import { editionThatRemoved, organizationPage } from './organization-page.ts';
import { NO_EDITION, NO_PAGE, noOrganization } from './problems.ts';
import { STATISTIC_IDS } from './statistics/statistics.ts';
import { statisticCsv, statisticPicture, statisticsPage } from './statistics/statistics-page.ts';

export function addRoutes(pages: FastifyInstance, options: AppOptions, answering: Answering): void {
  const { addresses, assets, editions, history, face } = options;
  const { show, fail } = answering;

  /** A page that needs an edition; without one it says so. */
  const withEdition =
    (page: (edition: Edition, request: FastifyRequest, reply: FastifyReply) => unknown) =>
    (request: FastifyRequest, reply: FastifyReply) => {
      const edition = editions.current();
      return edition === undefined ? fail(reply, NO_EDITION) : page(edition, request, reply);
    };

  pages.get(
    '/',
    withEdition(async (edition, request, reply) => {
      const parameters = parametersOf(request);
      const state = readState(parameters);
      await prepareLookUp(edition, state.text);
      const row = goesToCode(state) ? rowOfCode(edition, state.text) : undefined;
      if (row === undefined) {
        const clean = withoutEmpty(parameters);
        if (clean !== undefined) return redirect(reply, addresses.home + clean);
        const page = lookUpPage(edition, state, options, readCuts(parameters));
        return show(reply, 'look-up.njk', page);
      }
      const target = addresses.organization(edition.index.codeOf(row));
      return redirect(reply, target + writeState({ ...NO_STATE, text: state.text }));
    }),
  );
  pages.get(
    '/organizations/:code',
    withEdition((edition, request, reply) => {
      const code = parameterOf(request, 'code');
      const row = rowOfCode(edition, code);
      if (row === undefined) {
        const removed = CODE.test(code) && editionThatRemoved(code.toUpperCase(), history);
        return fail(reply, noOrganization(code, removed ? `edition ${removed.number}` : undefined));
      }
      const actual = edition.index.codeOf(row);
      if (actual !== code) return redirect(reply, addresses.organization(actual));
      return show(reply, 'organization.njk', {
        ...organizationPage(edition, row, {
          addresses,
          history,
          face,
          mapUrl: options.settings.mapUrl,
        }),
        ...waysOn(readState(parametersOf(request)), edition, row, options),
      });
    }),
  );
  pages.get(
    '/suggestions',
    withEdition(async (edition, request, reply) => {
      const text = readText(parametersOf(request).get('q'));
      await prepareLookUp(edition, text);
      setHeaders(reply, 'application/json; charset=utf-8');
      return reply.send(JSON.stringify(suggest(edition, text)));
    }),
  );
  pages.get('/editions', (_request, reply) =>
    show(reply, 'editions.njk', editionsPage(history, addresses)),
  );
  pages.get('/editions/:number', (request, reply) => {
    const number = editionNumber(request);
    const page =
      number === undefined
        ? undefined
        : editionPage(number, history, editions.current(), addresses);
    return page === undefined ? fail(reply, NO_PAGE) : show(reply, 'edition.njk', page);
  });
  const changesOf = createEditionChanges(history);
  pages.get('/editions/:number/changes.csv', async (request, reply) => {
    const number = editionNumber(request);
    const changes = number === undefined ? undefined : changesOf(number);
    if (changes === undefined) return fail(reply, NO_PAGE);
    if (isKept(request, reply.header('Cache-Control', FOR_A_DAY), changes.etag)) {
      return reply.send('');
    }
    const bytes = await changes.compressed();
    return downloadCompressed(request, reply, bytes, `edition-${number}-changes.csv`);
  });
  pages.get(
    '/statistics',
    withEdition((edition, _request, reply) =>
      show(reply, 'statistics.njk', statisticsPage(edition, history, addresses)),
    ),
  );
  pages.get(
    '/statistics/:file',
    withEdition((edition, request, reply) => {
      const { id, narrow, extension } =
        STATISTIC_FILE.exec(parameterOf(request, 'file'))?.groups ?? {};
      const known = STATISTIC_IDS.find((one) => one === id);
      if (known === undefined) return fail(reply, NO_PAGE);
      if (extension === 'csv') {
        if (narrow !== undefined) return fail(reply, NO_PAGE);
        return download(reply, statisticCsv(known, edition, history), `${known}.csv`);
      }
      return statisticPicture(
        known,
        narrow === undefined ? 'wide' : 'narrow',
        edition,
        history,
      ).then((svg) => {
        setHeaders(reply, SVG);
        return reply.send(svg);
      });
    }),
  );
  pages.get('/api', (_request, reply) =>
    show(
      reply,
      'api.njk',
      apiPage(editions.current(), face.face, addresses, options.hasOrders === true),
    ),
  );
  pages.get('/favicon.ico', (_request, reply) =>
    redirect(reply, addresses.base + assets.pathOf('icon')),
  );
  pages.get('/assets/:file', { config: { isAsset: true } }, async (request, reply) => {
    const isSent = await sendAsset(request, reply, assets);
    return isSent ? reply : fail(reply, NO_PAGE);
  });
}

const NO_STATE = {
  text: '',
  as: undefined,
  roles: [],
  status: undefined,
  town: '',
  page: 1,
} as const;

const CODE = /^[A-Za-z0-9]{1,64}$/;
const STATISTIC_FILE = /^(?<id>[a-z-]+?)(?<narrow>-narrow)?\.(?<extension>svg|csv)$/;
const EDITION_NUMBER = /^[1-9]\d{0,8}$/;

function parametersOf(request: FastifyRequest): URLSearchParams {
  const question = request.url.indexOf('?');
  return new URLSearchParams(question < 0 ? '' : request.url.slice(question + 1));
}

function parameterOf({ params }: FastifyRequest, name: string): string {
  const value = typeof params === 'object' && params !== null ? Reflect.get(params, name) : '';
  return typeof value === 'string' ? value : '';
}

function editionNumber(request: FastifyRequest): number | undefined {
  const text = parameterOf(request, 'number');
  return EDITION_NUMBER.test(text) ? Number(text) : undefined;
}

/**
 * The link back to the results, where a search led to an organisation. Where the search went
 * directly to a code, there were no results, and the link repeats the search among names.
 */
function waysOn(state: LookUpState, edition: Edition, row: number, { addresses }: AppOptions) {
  if (!isAsking(state)) return {};
  const { text } = state;
  const found = goesToCode(state) ? rowOfCode(edition, text) : undefined;
  if (found === undefined) return { results: addresses.home + writeState(state) };
  // Anyone may write an address with another text, and pass it on.
  if (found !== row) return {};
  const href = addresses.home + writeState({ ...NO_STATE, text, as: 'name' });
  return { searched: { text, href } };
}

function goesToCode({ as }: LookUpState): boolean {
  return as === undefined || as === 'code';
}

function redirect(reply: FastifyReply, target: string): FastifyReply {
  return reply.header('Cache-Control', 'no-cache').redirect(target, 303);
}

function download(
  reply: FastifyReply,
  csv: string | Buffer | Readable,
  fileName: string,
): FastifyReply {
  setHeaders(reply, 'text/csv; charset=utf-8');
  return reply.header('Content-Disposition', `attachment; filename="${fileName}"`).send(csv);
}

/** Sent as it is to clients that take gzip; to others it is made plain again, bit by bit. */
function downloadCompressed(
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

/** What never changes, of an edition; a day, as another data folder has other ones. */
const FOR_A_DAY = 'public, max-age=86400, immutable';
const FOR_GOOD = 'public, max-age=31536000, immutable';

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  assets: Assets,
): Promise<boolean> {
  const asset = assets.find(parameterOf(request, 'file'));
  if (asset === undefined) return false;
  setHeaders(reply, asset.contentType);
  reply.header('Cache-Control', FOR_GOOD).header('Vary', 'Accept-Encoding');
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
