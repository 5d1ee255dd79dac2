/** FHIR history of all types that clients write. https://hl7.org/fhir/DSTU2/http.html#history */
import { mayRead } from '../service/authorize.ts';
import type { SystemInteraction } from '../service/interaction.ts';
import { responses } from '../statement/open-api-answers.ts';
import { answerChanges, CHANGES_PARAMETERS } from '../stored/changes.ts';
import { writtenTypes } from '../stored/stored-resource.ts';
import { CHANGES_ERRORS } from './history-type.ts';

export const historySystem: SystemInteraction = {
  code: 'history-system',
  method: 'GET',
  path: '_history',
  needs: 'read',
  describe: (service) => ({
    operationId: 'historyOfAll',
    summary:
      'The versions of all resources of the types that the token may read, newest first; or a feed of them.',
    parameters: CHANGES_PARAMETERS,
    responses: responses(service, 'Bundle', CHANGES_ERRORS),
  }),
  run: async (context) => {
    const { service } = context;
    const all = writtenTypes(service.types);
    // The server has checked that the token may read at least one.
    const isOnly = all.length === 1;
    const allowed = await Promise.all(all.map(({ name }) => isOnly || mayRead(context, name)));
    const types = all.filter((_, at) => allowed[at]);
    const partial = types.length < all.length && {
      system: service.version.observationValues,
      code: 'SUBSETTED',
      display: `Only ${types.map(({ name }) => name).join(', ')}`,
    };
    return answerChanges(context, types, `${service.baseUrl}/_history`, partial || undefined);
  },
};
