/** FHIR history of a type, newest first, and its feed. https://hl7.org/fhir/DSTU2/http.html#history */

import type { Interaction } from '../service/interaction.ts';
import { responses } from '../statement/open-api-answers.ts';
import { answerChanges, CHANGES_PARAMETERS } from '../stored/changes.ts';

export const historyType: Interaction = {
  code: 'history-type',
  method: 'GET',
  path: '[type]/_history',
  needs: 'read',
  describe: (service, { name }) => ({
    operationId: `historyOfAll${name}`,
    summary: 'The versions of all resources of the type, newest first; or a feed of them.',
    parameters: CHANGES_PARAMETERS,
    responses: responses(service, 'Bundle', CHANGES_ERRORS),
  }),
  run: (context) => {
    const { service, type } = context;
    return answerChanges(context, [type], `${service.baseUrl}/${type.name}/_history`);
  },
};

export const CHANGES_ERRORS = [
  'invalid-value',
  'invalid-parameter',
  'gone',
  'not-acceptable',
] as const;
