/** The ORD interface as a service: its paths, parameters and errors. */

import type { PlainService } from '../../fhir/service/interaction.ts';
import { createJsonService, type JsonServiceOptions, todayOf } from '../json/json-service.ts';
import { ORD_NOT_FOUND, ordErrorForm, ordFormOf } from './form.ts';
import { ordOperation } from './operations.ts';
import { codeListRoutes, organisationRoutes } from './reads.ts';
import type { OrdRoute } from './route.ts';
import { searchRoutes, syncRoutes } from './search.ts';
import { type ServedOrd, serveOrd } from './served-ord.ts';

export interface OrdOptions extends JsonServiceOptions {
  /** The address of a page that explains the parameters. */
  readonly helpUrl?: string | undefined;
}

export const ORD_SERVICE_NAME = 'ORD';

export function createOrdService(options: OrdOptions): PlainService {
  const { settings, serverUrl, editions, programVersion: program = '', helpUrl } = options;
  const baseUrl = serverUrl + settings['ord.path'];
  const served = serveOrd(baseUrl, { editions, today: todayOf(options), program });
  const routes = ordRoutes(served);
  return createJsonService(options, {
    name: ORD_SERVICE_NAME,
    title: 'ORD 2-0-0',
    description: 'The same directory with the ORD 2-0-0 interface of the national service.',
    baseUrl,
    words: routes.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
    routes: routes.map((route) => ({
      ...route,
      method: 'GET',
      operation: ordOperation(route, options.authorize !== undefined),
      answer: (context) => route.answer({ ...context, form: ordFormOf(context.request) }),
    })),
    exposed: [...new Set(routes.flatMap(({ headers }) => headers)), 'Link'],
    notFound: ORD_NOT_FOUND,
    errorForm: (kind, text, hint) => ordErrorForm(kind, text, hint, helpUrl),
  });
}

/** The paths of ORD. */
export function ordRoutes(served: ServedOrd): readonly OrdRoute[] {
  return [organisationRoutes, searchRoutes, syncRoutes, codeListRoutes].flatMap((create) =>
    create(served),
  );
}
