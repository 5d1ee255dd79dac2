/** FHIR delete: a new version without content. https://hl7.org/fhir/DSTU2/http.html#delete */

import { handOver } from '../audit/refused-access.ts';
import { validForm } from '../http/negotiate.ts';
import {
  IF_MATCH_MISSING,
  PRECONDITION_PARAMETERS,
  preconditionError,
  preconditionsOf,
  REFUSED_WRITES,
} from '../http/precondition-headers.ts';
import { headersOf } from '../service/answer.ts';
import { FhirError } from '../service/fhir-error.ts';
import type { Interaction, TypeContext } from '../service/interaction.ts';
import type { FhirResponse } from '../service/request.ts';
import { errorResponses } from '../statement/open-api-answers.ts';
import {
  addressOf,
  gone,
  storedTypeOf,
  validatorsOf,
  writeRulesOf,
} from '../stored/stored-resource.ts';

export const deleteResource: Interaction = {
  code: 'delete',
  method: 'DELETE',
  path: '[type]/[id]',
  needs: 'write',
  describe: (service, { name }) => ({
    operationId: `delete${name}`,
    summary: 'Delete: reads then answer 410, and the earlier versions stay.',
    parameters: PRECONDITION_PARAMETERS,
    responses: {
      204: { description: 'Deleted, or it did not exist.' },
      ...errorResponses(service, [service.version.failedIfMatch, 'precondition-failed']),
    },
  }),
  run,
};

async function run(context: TypeContext): Promise<FhirResponse> {
  const { request, service, type, id, interaction, negotiated } = context;
  const { repository } = storedTypeOf(type);
  validForm(negotiated);
  const preconditions = preconditionsOf(context);
  const { ifMatch } = preconditions;
  if (ifMatch === undefined && writeRulesOf(type).requiresIfMatch) throw IF_MATCH_MISSING;
  const result = await repository.delete(
    { ...addressOf(context), preconditions },
    handOver(context),
  );
  switch (result.kind) {
    case 'erased':
      throw gone(context, result.current);
    case 'conflict':
      throw preconditionError(context, result.header, result.currentVersion);
    case 'not-creator':
    case 'other-patient':
      throw REFUSED_WRITES[result.kind];
    case 'absent':
      if (ifMatch !== undefined) throw nothingToMatch(`${type.name}/${id}`);
  }
  const validators = result.kind === 'absent' ? undefined : validatorsOf(result.stored);
  return {
    status: 204,
    headers: [
      ...(validators === undefined
        ? []
        : ['ETag', validators.etag, 'Last-Modified', validators.lastModified]),
      ...headersOf(service, request),
    ],
    lastUpdated: validators?.lastUpdated,
    interaction: interaction.code,
  };
}

function nothingToMatch(name: string): FhirError {
  return new FhirError([
    {
      kind: 'precondition-failed',
      diagnostics: `There is no ${name}, so If-Match cannot match. There is nothing to delete.`,
    },
  ]);
}
