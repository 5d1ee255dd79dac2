/** Answers requests for pages: finds the path, runs its route, and explains what went wrong. */

import { acceptsCoding } from '../fhir/http/gzip.ts';
import { headerOf } from '../fhir/http/headers.ts';
import { prefersPage } from '../fhir/http/prefers-page.ts';
import { ERROR_ROWS, FhirError, type Issue } from '../fhir/request/fhir-error.ts';
import type { FhirRequest, FhirResponse } from '../fhir/request/request.ts';
import type { MaybePromise } from '../fhir/service/interaction.ts';
import { apiPage } from './api/api-page.ts';
import { orderResponseRoutes } from './api/try-order-response.ts';
import { checkListRoutes } from './check-a-list/check-list-routes.ts';
import { documentRoutes } from './documents/document-routes.ts';
import { editionRoutes } from './editions/edition-routes.ts';
import { changesRoute } from './events/changes-page.ts';
import { timelineRoute } from './events/organization-timeline.ts';
import { lookUpRoutes } from './look-up/look-up-routes.ts';
import { readText } from './matches/state.ts';
import { answerText, editionRoute, headersFor, PLAIN_TEXT, redirect } from './parts/answers.ts';
import { ASSETS_PATH, type Encoding } from './parts/assets.ts';
import {
  BAD_ADDRESS,
  BUSY,
  badRequest,
  baseOf,
  faultProblem,
  NO_PAGE,
  noPageAt,
  type Problem,
  tooManyRequests,
  wrongMethod,
} from './parts/problems.ts';
import { createShowError } from './parts/show-error.ts';
import type { PageRoute, WebContext } from './parts/web-options.ts';
import { postcodeRoute } from './postcodes/postcode-page.ts';
import { practitionerRoutes } from './practitioners/practitioner-pages.ts';
import { reportsPage } from './reports/reports-page.ts';
import { statisticsRoutes } from './statistics/statistics-page.ts';

function routesOf(options: WebContext): readonly PageRoute[] {
  const { show } = options;
  return [
    ...lookUpRoutes(options),
    timelineRoute(options),
    changesRoute(options),
    ...editionRoutes(options),
    postcodeRoute(options),
    ...checkListRoutes(options),
    ...practitionerRoutes(options),
    ...statisticsRoutes(options),
    editionRoute(options, '/reports', (edition, asked) => {
      const words = readText(asked.parameters.get('q'));
      return show(asked, 'reports.njk', reportsPage(edition, words, options));
    }),
    {
      path: '/api',
      answer: (asked) => show(asked, 'api.njk', apiPage(options)),
    },
    {
      path: '/accessibility',
      answer: (asked) => show(asked, 'accessibility.njk', { title: 'Accessibility' }),
    },
    ...orderResponseRoutes(options),
    ...documentRoutes(options),
    ...assetRoutes(options),
  ];
}

export interface RoutedPages {
  readonly routes: readonly PageRoute[];
  /** The route of a path: `/editions/{number}`; undefined if there is no page. */
  routeOf(path: string): string | undefined;
  /** The segments of all paths. */
  readonly words: readonly string[];
  /** `unhandled`: the error that programs get. Never rejects. */
  handle(request: FhirRequest, unhandled?: FhirResponse): Promise<FhirResponse>;
}

export function createPages(options: WebContext): RoutedPages {
  const { addresses, interfaces, fail, onFault } = options;
  const routes = routesOf(options);
  const find = finderOf(routes, addresses.base);
  const showError = createShowError(options);

  const answer = (
    request: FhirRequest,
    found: Found | undefined,
    unhandled: FhirResponse | undefined,
  ): MaybePromise<FhirResponse> => {
    const { method, path, query } = request;
    if (request.refusal !== undefined) throw request.refusal;
    if (!isReadable(path)) return fail(BAD_ADDRESS);
    const isRead = method === 'GET' || method === 'HEAD';
    const route = found?.routes.find(
      ({ method: own = 'GET' }) => own === (isRead ? 'GET' : method),
    );
    if (found !== undefined && route !== undefined) {
      const id = decodeURIComponent(found.id);
      return route.answer({ request, id, parameters: new URLSearchParams(query) });
    }
    if (found !== undefined) {
      const allowed = methodsOf(found.routes, unhandled);
      if (method !== 'OPTIONS') return fail(wrongMethod(allowed));
      return { status: 204, headers: ['Allow', allowed.join(', ')] };
    }
    if (!isRead) return fail(NO_PAGE);
    const bare = path.replace(/\/$/, '');
    const base = interfaces.find(({ baseUrl }) => new URL(baseUrl).pathname === bare);
    if (base !== undefined) return fail(baseOf(base, addresses));
    return fail(noPageAt(path, unhandled?.nearestPath, addresses));
  };
  const failure = (error: unknown, { id }: FhirRequest): Promise<FhirResponse> => {
    if (error instanceof FhirError) return fail(problemOf(error));
    onFault(error, id);
    return fail(faultProblem(id));
  };

  return {
    routes,
    routeOf: (path) => find(path)?.routes[0].path,
    words: routes.flatMap(({ path }) => path.split('/')).filter((word) => /^[^{]/.test(word)),
    handle: async (request, unhandled) => {
      const found = find(request.path);
      const interaction = found?.routes[0].path.startsWith(ASSETS_PATH) ? 'asset' : 'page';
      try {
        const answered = await answer(request, found, unhandled);
        const shown = prefersPage(request) ? await showError(answered) : answered;
        return { ...shown, interaction };
      } catch (error) {
        return { ...(await failure(error, request)), interaction };
      }
    },
  };
}

/** The methods of a page, and those of a service that has the same address. */
function methodsOf(
  routes: readonly PageRoute[],
  { headers = [] }: Partial<FhirResponse> = {},
): readonly string[] {
  const ofPage = routes.flatMap(({ method }) => method ?? ['GET', 'HEAD']);
  const at = headers.indexOf('Allow');
  const ofService = at < 0 ? [] : (headers[at + 1] ?? '').split(', ');
  return [...new Set([...ofPage, ...ofService, 'OPTIONS'])];
}

interface Found {
  /** One for each method. */
  readonly routes: readonly [PageRoute, ...PageRoute[]];
  /** The parameter in the path as sent; empty if the path has none. */
  readonly id: string;
}

/** A slash at the end of a path does not matter. */
function finderOf(routes: readonly PageRoute[], base: string): (path: string) => Found | undefined {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  const known = [...byPath].map(([path, [first, ...others]]) => {
    const parts = path.replace(/\/$/, '').replaceAll('.', '\\.');
    const pattern = parts
      .replace('{number}', '(\\d+)')
      .replace('{path}', '(.+?)')
      .replace(/\{\w+\}/, '([^/]+)');
    return { routes: [first!, ...others] as const, pattern: new RegExp(`^${pattern}/?$`) };
  });
  return (path) => {
    if (!path.startsWith(`${base}/`) && path !== base) return undefined;
    for (const { routes, pattern } of known) {
      const match = pattern.exec(path.slice(base.length));
      if (match !== null) return { routes, id: match[1] ?? '' };
    }
    return undefined;
  };
}

/** Whether the percent-encoding of the path is valid. */
function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The headers of the error say when to retry. */
function problemOf({ issues: [issue], headers }: FhirError): Problem {
  const retryAfter = headers[headers.indexOf('Retry-After') + 1];
  return { ...problemOfIssue(issue, retryAfter), headers };
}

function problemOfIssue({ kind, diagnostics }: Issue, retryAfter = '1'): Problem {
  switch (kind) {
    case 'throttled':
      return tooManyRequests(retryAfter);
    case 'unavailable':
      return BUSY;
    default:
      return { ...badRequest(diagnostics), status: ERROR_ROWS[kind].status };
  }
}

function assetRoutes({ addresses, assets, interfaces, fail }: WebContext): readonly PageRoute[] {
  return [
    { path: '/favicon.ico', answer: () => redirect(addresses.base + assets.pathOf('icon')) },
    {
      path: '/robots.txt',
      answer: (asked) => {
        const kept = interfaces.map(({ baseUrl }) => `Disallow: ${new URL(baseUrl).pathname}/`);
        const results = `Disallow: ${addresses.base}/results.`;
        const lines = ['User-agent: *', ...kept, results, ''];
        return answerText(asked, PLAIN_TEXT, lines.join('\n'));
      },
    },
    {
      path: `${ASSETS_PATH}/{file}`,
      answer: async ({ request, id }) => {
        const asset = assets.find(id);
        if (asset === undefined) return fail(NO_PAGE);
        const { contentType } = asset;
        const headers = [...headersFor(contentType, ONE_YEAR), 'Content-Type', contentType];
        const accepted = headerOf(request, 'accept-encoding') ?? '';
        const encoding = ENCODINGS.find((each) => acceptsCoding(accepted, each));
        const compressed = encoding && (await asset.compressed(encoding));
        return encoding === undefined || compressed === undefined
          ? { status: 200, headers, body: asset.bytes }
          : { status: 200, headers: [...headers, 'Content-Encoding', encoding], body: compressed };
      },
    },
  ];
}

/** The address of an asset changes with its content. */
const ONE_YEAR = 'public, max-age=31536000, immutable';

/** The encodings of assets, the smallest result first. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];
