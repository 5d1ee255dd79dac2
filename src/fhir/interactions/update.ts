/**
 * FHIR update, with preconditions on the current version.
 * https://hl7.org/fhir/DSTU2/http.html#update
 */

import { handOver } from '../audit/refused-access.ts';
import { validForm } from '../http/negotiate.ts';
import {
  IF_MATCH_MISSING,
  preconditionError,
  REFUSED_WRITES,
} from '../http/precondition-headers.ts';
import { entriesOf } from '../search/resource-parameter.ts';
import { FhirError } from '../service/fhir-error.ts';
import type { Interaction, TypeContext } from '../service/interaction.ts';
import type { FhirResponse } from '../service/request.ts';
import { allowOf } from '../service/route-table.ts';
import type { VersionTags } from '../stored/preconditions.ts';
import { addressOf, gone, storedTypeOf, writeRulesOf } from '../stored/stored-resource.ts';
import { unstampedText } from '../stored/stored-text.ts';
import { describeUpdate, readUpdate } from '../stored/update-request.ts';
import { answerWritten } from '../stored/write-answer.ts';
import { requireId } from '../stored/written-id.ts';

export const update: Interaction = {
  code: 'update',
  method: 'PUT',
  path: '[type]/[id]',
  needs: 'write',
  body: 'resource',
  capabilities: { versioning: 'versioned-update' },
  describe: (service, { name }) => ({
    operationId: `update${name}`,
    summary: 'Make a new version.',
    ...describeUpdate(service, {
      created: 'Created again: the resource had been deleted.',
      example: service.examples?.[`update${name}`]?.body,
    }),
  }),
  run,
};

async function run(context: TypeContext): Promise<FhirResponse> {
  const { type, id, negotiated } = context;
  const { repository, search } = storedTypeOf(type);
  const address = addressOf(context);
  validForm(negotiated);
  const { preconditions, resource, warnings, refusal } = readUpdate(context, (body) =>
    requireId(body, id),
  );
  const { ifMatch } = preconditions;
  const lacksIfMatch = ifMatch === undefined && writeRulesOf(type).requiresIfMatch;
  if (refusal !== undefined || lacksIfMatch) {
    // Preconditions come before the service's own rules.
    const current = await repository.checkPreconditions({ ...address, preconditions });
    if (current === undefined) throw absent(context, ifMatch);
    if (lacksIfMatch) throw IF_MATCH_MISSING;
    const { header, currentVersion } = current;
    throw header === undefined ? refusal : preconditionError(context, header, currentVersion);
  }
  const change = {
    ...address,
    text: unstampedText(resource, id),
    entries: entriesOf(resource, search.parameters),
    preconditions,
  };
  const result = await repository.update(change, handOver(context));
  switch (result.kind) {
    case 'stored': {
      const { stored, isRestored = false } = result;
      const done = isRestored ? 'Successfully restored resource' : 'Successfully updated resource';
      return answerWritten(context, { stored, status: isRestored ? 201 : 200, done, warnings });
    }
    case 'absent':
      throw absent(context, ifMatch);
    case 'erased':
      throw gone(context, result.current);
    case 'not-creator':
    case 'other-patient':
      throw REFUSED_WRITES[result.kind];
    case 'conflict':
      throw preconditionError(context, result.header, result.currentVersion);
  }
}

function absent({ type, id }: TypeContext, ifMatch: VersionTags | undefined): FhirError {
  const what = `There is no ${type.name}/${id}`;
  if (ifMatch !== undefined) {
    return new FhirError([
      {
        kind: 'precondition-failed',
        diagnostics: `${what}, so If-Match cannot match. Create the resource with POST.`,
      },
    ]);
  }
  const readers = type.interactions.filter(
    ({ path, needs }) => path === update.path && needs === 'read',
  );
  const diagnostics =
    `${what}, and clients do not choose ids. ` +
    `Create it with POST ${type.name}; the Location header of the answer has its id.`;
  return new FhirError(
    [{ kind: 'method-not-allowed', diagnostics }],
    // PUT is not allowed before the resource exists.
    ['Allow', allowOf(readers)],
  );
}
