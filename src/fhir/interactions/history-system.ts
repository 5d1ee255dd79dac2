/** FHIR history of all types that clients write. https://hl7.org/fhir/DSTU2/http.html#history */
import { answerChanges, CHANGES_PARAMETERS } from '../changes.ts';
import type { SystemInteraction } from '../interaction.ts';
import { responses } from '../open-api-answers.ts';
import { writtenTypes } from '../stored-resource.ts';
import { CHANGES_ERRORS } from './history-type.ts';

export const historySystem: SystemInteraction = {
  code: 'history-system',
  method: 'GET',
  path: '_history',
  needs: 'read',
  describe: (service) => ({
    operationId: 'historyOfAll',
    summary: 'The versions of all resources of all types, newest first; or a feed of them.',
    parameters: CHANGES_PARAMETERS,
    responses: responses(service, 'Bundle', CHANGES_ERRORS),
  }),
  run: (context) => {
    const { service } = context;
    return answerChanges(context, writtenTypes(service.types), `${service.baseUrl}/_history`);
  },
};
