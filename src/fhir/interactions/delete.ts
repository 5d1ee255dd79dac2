/** FHIR delete: a new version without content. https://hl7.org/fhir/DSTU2/http.html#delete */

import { validForm } from '../http/negotiate.ts';
import { FhirError } from '../request/fhir-error.ts';
import type { FhirResponse } from '../request/request.ts';
import { headersOf } from '../service/answer.ts';
import type { Interaction, TypeContext } from '../service/interaction.ts';
import { handOver } from '../service/refused-access.ts';
import { addressOf, storedTypeOf, validatorsOf, writeRulesOf } from '../service/stored-resource.ts';
import {
  IF_MATCH_MISSING,
  PRECONDITION_PARAMETERS,
  preconditionsOf,
  writeRefusal,
} from './precondition-headers.ts';

export const deleteResource: Interaction = {
  code: 'delete',
  method: 'DELETE',
  path: '[type]/[id]',
  needs: 'write',
  describe: (service, { name }) => ({
    operationId: `delete${name}`,
    summary: 'Delete: reads then answer 410, and the earlier versions stay.',
    parameters: PRECONDITION_PARAMETERS,
    returns: { 204: 'Deleted, or it did not exist.' },
    errors: [service.version.failedIfMatch, 'precondition-failed', 'gone'],
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
  const answer = { status: 204, interaction: interaction.code };
  if (result.kind === 'absent') {
    if (ifMatch !== undefined) throw nothingToMatch(`${type.name}/${id}`);
    return { ...answer, headers: headersOf(service, request) };
  }
  if (result.kind !== 'stored') throw writeRefusal(result, context);
  const { etag, lastModified, lastUpdated } = validatorsOf(result.stored);
  const validators = ['ETag', etag, 'Last-Modified', lastModified];
  return { ...answer, headers: [...validators, ...headersOf(service, request)], lastUpdated };
}

function nothingToMatch(name: string): FhirError {
  return FhirError.of(
    'precondition-failed',
    `There is no ${name}, so If-Match cannot match. There is nothing to delete.`,
  );
}
