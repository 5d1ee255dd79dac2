/** A service that is not FHIR, from its routes: their paths and methods, tokens, and errors. */
import { asksForFhir } from '../http/negotiate.ts';
import type { FhirError } from '../request/fhir-error.ts';
import type { InteractionCode } from '../request/interaction-code.ts';
import type { FhirRequest, FhirResponse, OnFault } from '../request/request.ts';
import { type AnswerContext, preflight } from './answer.ts';
import type { AnswerOptions, MaybePromise, PlainService } from './interaction.ts';
import { isBase, isReadOfBase, pathOf, segmentsOf } from './locate.ts';
import { methodNotAllowed } from './route-table.ts';
import { after, authorize, runRepeatable } from './run-interaction.ts';

/** A path of a plain service. Clients need the scope to read organisations. */
export interface PlainRoute {
  /** Below the base; at most its last segment is a parameter: `organisations/{code}`. */
  readonly path: string;
  /** GET includes HEAD. */
  readonly method: 'GET' | 'POST';
  /** The label in metrics. */
  readonly interaction: InteractionCode;
  /** Throws a FhirError if there is no such answer. */
  answer(context: PlainContext): MaybePromise<FhirResponse>;
}

export interface PlainContext extends AnswerContext {
  /** The last segment of the path, decoded, if it is a parameter. */
  readonly id: string;
  /** To call with a fault that the answer itself reports to the client. */
  readonly onFault: OnFault;
}

export interface PlainRoutes<Route extends PlainRoute> {
  readonly baseUrl: string;
  readonly routes: readonly Route[];
  readonly answers: AnswerOptions;
  /** The error of a path that the service does not have. */
  readonly notFound: FhirError;
  /** `interaction` is undefined if no route has the path. */
  fail(
    request: FhirRequest,
    error: unknown,
    onFault: OnFault,
    interaction: InteractionCode | undefined,
  ): FhirResponse;
}

/** Answers the requests below the base. A page can answer a request for the base itself. */
export function createPlainHandle<Route extends PlainRoute>({
  baseUrl,
  routes,
  answers,
  notFound,
  fail,
}: PlainRoutes<Route>): PlainService['handle'] {
  const path = pathOf({ baseUrl });
  const find = finderOf(routes, `${path}/`);

  const run = (
    request: FhirRequest,
    { found, id, name }: Found,
    onFault: OnFault,
  ): MaybePromise<FhirResponse> => {
    const { method } = request;
    const methods = found.flatMap((each) => METHODS[each.method]);
    const allow = [...methods, 'OPTIONS'].join(', ');
    if (method === 'OPTIONS') return preflight(request, answers, allow);
    const route = routeOf(found, method);
    if (route === undefined) {
      const remedy = `Use ${methods.join(', ').replace(/, (?=[A-Z]+$)/, ' or ')}.`;
      throw methodNotAllowed(method, name || path, allow, remedy);
    }
    const interaction = { code: route.interaction };
    return after(authorize(request, answers, ['Organization'], 'read'), () =>
      runRepeatable(route.answer, { request, service: answers, interaction, id, onFault }),
    );
  };

  return (request, onFault) => {
    const found = find(request.path);
    const failed = (error: unknown): FhirResponse => ({
      ...fail(request, error, onFault, routeOf(found?.found, request.method)?.interaction),
      isUnhandled: found === undefined && isForPage(request, path),
    });
    try {
      if (request.refusal !== undefined) throw request.refusal;
      if (found === undefined) throw notFound;
      const response = run(request, found, onFault);
      return response instanceof Promise ? response.catch(failed) : response;
    } catch (error) {
      return failed(error);
    }
  };
}

/** A page can answer for a base that is not a path of the service. `base`: its path. */
function isForPage(request: FhirRequest, base: string): boolean {
  if (request.method === 'OPTIONS') return isBase(request.path, base);
  return isReadOfBase(request, base) && !asksForFhir(request);
}

function routeOf(
  routes: readonly PlainRoute[] | undefined,
  method: string,
): PlainRoute | undefined {
  return routes?.find((each) => METHODS[each.method].includes(method));
}

const METHODS: Readonly<Record<PlainRoute['method'], readonly string[]>> = {
  GET: ['GET', 'HEAD'],
  POST: ['POST'],
};

interface Found {
  /** The routes of the path, one for each method. */
  readonly found: readonly PlainRoute[];
  readonly id: string;
  /** The path below the base. */
  readonly name: string;
}

function finderOf(
  routes: readonly PlainRoute[],
  base: string,
): (path: string) => Found | undefined {
  const withId = /\/?\{\w+\}$/;
  const whole = Map.groupBy(routes, ({ path }) => path);
  const items = Map.groupBy(
    routes.filter(({ path }) => withId.test(path)),
    ({ path }) => path.replace(withId, ''),
  );
  return (path) => {
    const segments = segmentsOf(path.slice(base.length));
    const name = segments.join('/');
    const found = whole.get(name);
    if (found !== undefined) return { found, id: '', name };
    const item = items.get(segments.slice(0, -1).join('/'));
    return item && segments.length > 0 ? { found: item, id: segments.at(-1)!, name } : undefined;
  };
}
