/** The ORD interface as a service: its paths, and the journey of a request through it. */

import { asksForFhir } from '../../fhir/http/negotiate.ts';
import { preflight } from '../../fhir/service/answer.ts';
import type { Authorize, MaybePromise, PlainService } from '../../fhir/service/interaction.ts';
import { isReadOfBase, pathOf, segmentsOf } from '../../fhir/service/locate.ts';
import type { FhirRequest, FhirResponse, OnFault } from '../../fhir/service/request.ts';
import { methodNotAllowed } from '../../fhir/service/route-table.ts';
import { authorize, runRepeatable } from '../../fhir/service/run-interaction.ts';
import { directoryAnswers } from '../answer/answer-options.ts';
import type { Editions } from '../edition/editions.ts';
import type { DirectorySettings } from '../settings.ts';
import { dayOf } from '../time/in-force.ts';
import { ORD_NOT_FOUND, ordFailure, ordFormOf } from './form.ts';
import { ordOperations } from './operations.ts';
import { codeListRoutes, organisationRoutes } from './reads.ts';
import type { OrdRoute } from './route.ts';
import { searchRoutes, syncRoutes } from './search.ts';
import { type ServedOrd, serveOrd } from './served-ord.ts';

export interface OrdOptions {
  readonly settings: DirectorySettings;
  /** Without a slash at the end. */
  readonly serverUrl: string;
  readonly editions: Editions;
  /** Absent: the service asks for no token. */
  readonly authorize?: Authorize | undefined;
  /** Entity tags change with it. */
  readonly programVersion?: string;
  readonly now?: () => number;
  /** See `OrdAnswers`. */
  readonly helpUrl?: string | undefined;
}

export const ORD_SERVICE_NAME = 'ORD';

export function createOrdService(options: OrdOptions): PlainService {
  const { settings, serverUrl, editions, programVersion: program = '', now = Date.now } = options;
  const baseUrl = serverUrl + settings['ord.path'];
  const today = () => dayOf(new Date(now()));
  const served = serveOrd(baseUrl, { editions, today, program });
  const routes = ordRoutes(served);
  const answers = {
    ...directoryAnswers(settings, [...new Set(routes.flatMap(({ headers }) => headers)), 'Link']),
    authorize: options.authorize,
    helpUrl: options.helpUrl,
  };
  const find = finderOf(routes, `${pathOf({ baseUrl })}/`);

  const run = (
    request: FhirRequest,
    { route, id, name }: FoundRoute,
  ): MaybePromise<FhirResponse> => {
    const { method } = request;
    if (method === 'OPTIONS') return preflight(request, answers, ALLOW);
    if (method !== 'GET' && method !== 'HEAD') {
      throw methodNotAllowed(method, name, ALLOW, 'Use GET or HEAD.');
    }
    const answer = () =>
      runRepeatable(route.answer, {
        request,
        service: answers,
        interaction: { code: route.interaction },
        form: ordFormOf(request),
        id,
      });
    const identity = authorize(request, answers, ['Organization'], 'read');
    return identity instanceof Promise ? identity.then(answer) : answer();
  };

  const handle = (request: FhirRequest, onFault: OnFault): MaybePromise<FhirResponse> => {
    const found = find(request.path);
    const fail = (error: unknown) => ({
      ...ordFailure(request, answers, error, onFault, found?.route.interaction),
      isUnhandled: isReadOfBase(request, { baseUrl }) && !asksForFhir(request),
    });
    try {
      if (request.refusal !== undefined) throw request.refusal;
      if (found === undefined) throw ORD_NOT_FOUND;
      const response = run(request, found);
      return response instanceof Promise ? response.catch(fail) : response;
    } catch (error) {
      return fail(error);
    }
  };
  return {
    name: ORD_SERVICE_NAME,
    title: 'ORD 2-0-0',
    description: 'The same directory with the ORD 2-0-0 interface of the national service.',
    baseUrl,
    words: wordsOf(routes),
    operations: ordOperations(routes, options.authorize !== undefined),
    handle,
  };
}

/** The paths of ORD. */
export function ordRoutes(served: ServedOrd): readonly OrdRoute[] {
  return [organisationRoutes, searchRoutes, syncRoutes, codeListRoutes].flatMap((create) =>
    create(served),
  );
}

const ALLOW = 'GET, HEAD, OPTIONS';

interface FoundRoute {
  readonly route: OrdRoute;
  /** The last segment of the path if it is a parameter; otherwise empty. */
  readonly id: string;
  /** The path below the base. */
  readonly name: string;
}

/** Finds the route of a path on this server. */
function finderOf(
  routes: readonly OrdRoute[],
  base: string,
): (path: string) => FoundRoute | undefined {
  const lists = new Map(routes.map((route) => [route.path, route]));
  const items = new Map(
    routes.flatMap((route) => {
      const [list = '', id] = route.path.split('/');
      return id === undefined ? [] : [[list, route]];
    }),
  );
  return (path) => {
    const segments = segmentsOf(path.slice(base.length));
    const [list = '', id = ''] = segments;
    const route = segments.length === 1 ? lists.get(list) : items.get(list);
    if (route === undefined || segments.length > 2) return undefined;
    return { route, id, name: segments.join('/') };
  };
}

function wordsOf(routes: readonly OrdRoute[]): readonly string[] {
  return routes.flatMap(({ path, parameters }) => [
    ...path.split('/').filter((segment) => !segment.startsWith('{')),
    ...parameters.map(({ name }) => name),
  ]);
}
