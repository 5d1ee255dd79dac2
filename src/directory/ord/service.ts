/** The ORD interface as a service: its paths, parameters and errors. */

import type { Authorize, PlainService } from '../../fhir/service/interaction.ts';
import { createPlainHandle } from '../../fhir/service/plain-service.ts';
import { directoryAnswers } from '../answer/answer-options.ts';
import type { ServedFaceOptions } from '../answer/rendered-edition.ts';
import type { Editions } from '../edition/editions.ts';
import { dayOf } from '../time/in-force.ts';
import { ORD_NOT_FOUND, ordFailure, ordFormOf } from './form.ts';
import { ordOperations } from './operations.ts';
import { codeListRoutes, organisationRoutes } from './reads.ts';
import type { OrdRoute } from './route.ts';
import { searchRoutes, syncRoutes } from './search.ts';
import { type ServedOrd, serveOrd } from './served-ord.ts';

export interface OrdOptions extends ServedFaceOptions {
  readonly editions: Editions;
  /** Absent: the service asks for no token. */
  readonly authorize?: Authorize | undefined;
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
  return {
    name: ORD_SERVICE_NAME,
    title: 'ORD 2-0-0',
    description: 'The same directory with the ORD 2-0-0 interface of the national service.',
    baseUrl,
    words: wordsOf(routes),
    operations: ordOperations(routes, options.authorize !== undefined),
    handle: createPlainHandle({
      baseUrl,
      routes: routes.map((route) => ({
        ...route,
        method: 'GET',
        answer: (context) => route.answer({ ...context, form: ordFormOf(context.request) }),
      })),
      answers,
      notFound: ORD_NOT_FOUND,
      fail: (request, error, onFault, interaction) =>
        ordFailure(request, answers, error, onFault, interaction),
    }),
  };
}

/** The paths of ORD. */
export function ordRoutes(served: ServedOrd): readonly OrdRoute[] {
  return [organisationRoutes, searchRoutes, syncRoutes, codeListRoutes].flatMap((create) =>
    create(served),
  );
}

function wordsOf(routes: readonly OrdRoute[]): readonly string[] {
  return routes.flatMap(({ path, parameters }) => [
    ...path.split('/').filter((segment) => !segment.startsWith('{')),
    ...parameters.map(({ name }) => name),
  ]);
}
