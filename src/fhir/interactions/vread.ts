/** FHIR vread: one version of a resource. https://hl7.org/fhir/DSTU2/http.html#vread */
import type { Interaction } from '../service/interaction.ts';
import { FORM_PARAMETERS, responses } from '../statement/open-api-answers.ts';
import { answerRead, READ_ERRORS } from './read.ts';

export const vread: Interaction = {
  code: 'vread',
  method: 'GET',
  path: '[type]/[id]/_history/[vid]',
  needs: 'read',
  capabilities: { readHistory: true },
  describe: (service, { name }) => ({
    operationId: `vread${name}`,
    summary: 'Read one version.',
    parameters: FORM_PARAMETERS,
    responses: responses(service, name, READ_ERRORS),
  }),
  run: (context) => {
    const { type, id, version } = context;
    return answerRead(context, `There is no version ${version} of ${type.name}/${id}.`);
  },
};

/** The same for a type that has versions, of which it serves only the current one. */
export const vreadCurrent: Interaction = { ...vread, capabilities: { versioning: 'versioned' } };
