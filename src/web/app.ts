/** The pages as a Fastify application: templates, routes, the hooks of every answer, error pages. */
import { fileURLToPath } from 'node:url';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import nunjucks from 'nunjucks';
import { ERROR_ROWS, type FhirError, type Issue } from '../fhir/service/fhir-error.ts';
import { isPagePath } from './addresses.ts';
import { finishReply, HTML, setHeaders, withEdition } from './answers.ts';
import { apiPage } from './api/api-page.ts';
import { addOrderResponseRoutes } from './api/try-order-response.ts';
import { addAssetRoutes } from './asset-routes.ts';
import { addEditionRoutes } from './editions/edition-routes.ts';
import { addEventRoutes } from './events/event-routes.ts';
import { libraryFile } from './libraries.ts';
import { addLookUpRoutes } from './look-up/look-up-routes.ts';
import { addResultDownloads } from './look-up/result-downloads.ts';
import {
  BAD_ADDRESS,
  BUSY,
  badRequest,
  baseOf,
  faultProblem,
  NO_METHOD,
  NO_PAGE,
  noPageNear,
  type Problem,
  tooManyRequests,
} from './problems.ts';
import { reportsPage } from './reports/reports-page.ts';
import { addStatisticsRoutes } from './statistics/statistics-page.ts';
import type { Answering, AppOptions } from './web-options.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    isAsset?: boolean;
  }
}

/** Makes a page from a template and its data. Throws an error of the template. */
type Render = (template: string, data: object) => string;

export async function createApp(
  options: AppOptions,
): Promise<{ readonly app: FastifyInstance; readonly render: Render }> {
  const { addresses, requestOf } = options;
  const render = createRender(options);
  const show: Answering['show'] = (reply, template, data) => {
    setHeaders(reply, HTML);
    return reply.send(render(template, data));
  };
  const fail: Answering['fail'] = (reply, problem) => {
    reply.code(problem.status).header('Cache-Control', 'no-store').removeHeader('ETag');
    if (problem.headers !== undefined) reply.headers(problem.headers);
    return show(reply, 'problem.njk', { title: problem.title, problem });
  };

  const app = fastify({
    logger: false,
    schemaController: { compilersFactory: NO_SCHEMAS },
    routerOptions: { ignoreTrailingSlash: true },
    // Fastify answers addresses that are not valid before any hook runs. They are replaced, so that
    // a hook can answer them.
    rewriteUrl: ({ url = '/' }) =>
      isReadable(url) ? url.replace(/^https?:\/\/[^/]*/i, '') : addresses.home,
  });
  addHooks(app, options, fail);
  app.setErrorHandler((error, request, reply) => {
    const { id } = requestOf(request.raw);
    options.onFault(error, id);
    return fail(reply, faultProblem(id));
  });
  await app.register(async (pages) => addRoutes(pages, options, { show, fail }), {
    prefix: addresses.base,
  });
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request).replace(/\/$/, '');
    const base = options.interfaces.find(({ baseUrl }) => new URL(baseUrl).pathname === path);
    if (base !== undefined) return fail(reply, baseOf(base, addresses.api));
    const { nearestPath } = requestOf(request.raw);
    return fail(reply, nearestPath === undefined ? NO_PAGE : noPageNear(nearestPath));
  });
  await app.ready();
  return { app, render };
}

/** No route has a schema. Without these functions, Fastify loads the compilers of schemas. */
const NO_SCHEMAS = { buildValidator: refuseSchema, buildSerializer: refuseSchema };

function refuseSchema(): never {
  throw new Error('Routes of pages have no schemas.');
}

const OWN_TEMPLATES = fileURLToPath(new URL('./templates/', import.meta.url));

function createRender({ settings, interfaces, addresses, assets }: AppOptions): Render {
  const loader = new nunjucks.FileSystemLoader([
    OWN_TEMPLATES,
    libraryFile('nhsuk-frontend', 'dist'),
  ]);
  const environment = new nunjucks.Environment(loader, {
    autoescape: true,
    trimBlocks: true,
    lstripBlocks: true,
  });
  const shared = {
    service: settings.name,
    logo: assets.hasLogo ? addresses.base + assets.pathOf('logo') : undefined,
    interfaces,
    addresses,
    assets: {
      styles: addresses.base + assets.pathOf('styles'),
      pages: addresses.base + assets.pathOf('pages'),
      icon: addresses.base + assets.pathOf('icon'),
      api: addresses.base + assets.pathOf('api'),
      tryOrders: addresses.base + assets.pathOf('try-order-response'),
      swaggerStyles: addresses.base + assets.pathOf('swagger-ui'),
      swagger: addresses.base + assets.pathOf('swagger-ui-bundle'),
    },
  };
  return (template, data) => environment.render(template, { ...shared, ...data });
}

/** Whether the percent-encoding of the path is valid. */
function isReadable(url: string): boolean {
  const [path = ''] = url.split('?');
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Adds what runs for every request, before and after its route. */
function addHooks(app: FastifyInstance, options: AppOptions, fail: Answering['fail']): void {
  const { addresses, requestOf, onAnswer } = options;
  app.addHook('onRequest', (request, reply, done) => {
    const { id, refusal, isLast, trace } = requestOf(request.raw);
    if (request.routeOptions.url !== undefined) trace?.setRoute(request.routeOptions.url);
    reply.header('X-Request-Id', id);
    if (isLast === true) reply.header('Connection', 'close');
    if (refusal !== undefined) refuse(reply, refusal, fail);
    else if (!isReadable(request.originalUrl)) fail(reply, BAD_ADDRESS);
    else if (request.method === 'GET' || request.method === 'HEAD') done();
    else if (request.method === 'POST' && pathOf(request) === addresses.newToken) done();
    // Runs before the body is parsed, because pages accept no body and its type may be unknown.
    else fail(reply, isPagePath(addresses, pathOf(request)) ? NO_METHOD : NO_PAGE);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    done(null, typeof payload === 'string' ? finishReply(request, reply, payload) : payload);
  });
  if (onAnswer === undefined) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { id, addressOf, trace } = requestOf(request.raw);
    onAnswer({
      method: request.method,
      path: pathOf(request),
      interaction: request.routeOptions.config.isAsset === true ? 'asset' : 'page',
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      requestId: id,
      addressOf,
      traceId: trace?.id,
    });
    done();
  });
}

function pathOf({ url }: FastifyRequest): string {
  const [path = ''] = url.split('?');
  return path;
}

/** The headers of the error say when to retry. */
function refuse(reply: FastifyReply, refusal: FhirError, fail: Answering['fail']): void {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < refusal.headers.length; i += 2) {
    headers[refusal.headers[i] ?? ''] = refusal.headers[i + 1] ?? '';
  }
  fail(reply, { ...problemOf(refusal.issues[0], headers['Retry-After']), headers });
}

function problemOf({ kind, diagnostics }: Issue, retryAfter = '1'): Problem {
  switch (kind) {
    case 'throttled':
      return tooManyRequests(retryAfter);
    case 'unavailable':
      return BUSY;
    default:
      return { ...badRequest(diagnostics), status: ERROR_ROWS[kind].status };
  }
}

function addRoutes(pages: FastifyInstance, options: AppOptions, answering: Answering): void {
  addLookUpRoutes(pages, options, answering);
  addResultDownloads(pages, options, answering);
  addEventRoutes(pages, options, answering);
  addEditionRoutes(pages, options, answering);
  addStatisticsRoutes(pages, options, answering);
  pages.get(
    '/reports',
    withEdition(options, answering, async (edition, _request, reply) =>
      answering.show(reply, 'reports.njk', await reportsPage(edition, options)),
    ),
  );
  pages.get('/api', (_request, reply) => {
    const { editions, face, addresses, orders } = options;
    const page = apiPage(editions.current(), face.face, addresses, orders !== undefined);
    return answering.show(reply, 'api.njk', page);
  });
  pages.get('/accessibility', (_request, reply) =>
    answering.show(reply, 'accessibility.njk', { title: 'Accessibility' }),
  );
  addOrderResponseRoutes(pages, options, answering);
  addAssetRoutes(pages, options, answering);
}
