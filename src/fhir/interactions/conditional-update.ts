/**
 * FHIR conditional update: of the one resource that a search matches; if none matches, a create.
 * https://hl7.org/fhir/DSTU2/http.html#cond-update
 */

import { handOver } from '../audit/refused-access.ts';
import { validForm } from '../http/negotiate.ts';
import {
  IF_MATCH_MISSING,
  preconditionError,
  REFUSED_WRITES,
} from '../http/precondition-headers.ts';
import { entriesOf } from '../search/resource-parameter.ts';
import { mayRead } from '../service/authorize.ts';
import { FhirError } from '../service/fhir-error.ts';
import type { Interaction, Service, TypeContext } from '../service/interaction.ts';
import type { FhirResponse } from '../service/request.ts';
import { queryParameter } from '../statement/open-api-answers.ts';
import {
  authorizeCondition,
  CONDITION_FAILED,
  costlyCondition,
  parseCondition,
} from '../stored/condition.ts';
import type { ConditionalUpdateResult } from '../stored/repository.ts';
import { gone, storedTypeOf, writeRulesOf } from '../stored/stored-resource.ts';
import { unstampedText } from '../stored/stored-text.ts';
import { describeUpdate, readUpdate } from '../stored/update-request.ts';
import { answerWritten } from '../stored/write-answer.ts';

export const conditionalUpdate: Interaction = {
  code: 'update',
  method: 'PUT',
  path: '[type]',
  needs: 'write',
  body: 'resource',
  capabilities: { conditionalUpdate: true },
  describe: (service, { name }) => ({
    operationId: `conditionalUpdate${name}`,
    summary: 'Make a new version of the resource that the search parameters match, or create one.',
    ...describeConditional(service, name),
  }),
  run,
};

function describeConditional(service: Service, name: string) {
  const { parameters, ...described } = describeUpdate(service, {
    created: 'Created: no resource matches.',
    errors: ['too-costly'],
    example: service.examples?.[`conditionalUpdate${name}`]?.body,
  });
  const help = 'The identifier of the resource: system|value. Other search parameters work too.';
  return {
    ...described,
    parameters: [queryParameter('identifier', 'string', help), ...parameters],
  };
}

async function run(context: TypeContext): Promise<FhirResponse> {
  const { request, type, negotiated } = context;
  const { repository, search } = storedTypeOf(type);
  const { requiresIfMatch, newId } = writeRulesOf(type);
  validForm(negotiated);
  const condition = parseCondition(request.query, context);
  await authorizeCondition(condition, context);
  const { preconditions, resource, warnings, refusal } = readUpdate(context, () => undefined);
  if (requiresIfMatch && preconditions.ifMatch === undefined) throw IF_MATCH_MISSING;
  if (refusal !== undefined) throw refusal;
  const id = newId();
  const sentId = typeof resource.id === 'string' ? resource.id : undefined;
  const result = await repository.updateMatching(
    {
      type: type.name,
      id,
      ...(sentId !== undefined && { sentId }),
      condition,
      preconditions,
      text: unstampedText(resource, id),
      entries: entriesOf(resource, search.parameters),
    },
    handOver(context),
  );
  if (result.kind !== 'stored') {
    throw (await mayRead(context, type.name))
      ? refusalOf(result, sentId, context)
      : CONDITION_FAILED;
  }
  const { stored } = result;
  const isNew = stored.version === 1;
  const done = `Successfully ${isNew ? 'created' : 'updated'} resource`;
  return answerWritten(context, {
    ...{ stored, status: isNew ? 201 : 200, done, warnings },
    isLocated: true,
  });
}

function refusalOf(
  result: Exclude<ConditionalUpdateResult, { kind: 'stored' }>,
  sentId: string | undefined,
  context: TypeContext,
): FhirError {
  switch (result.kind) {
    case 'too-costly':
      return costlyCondition();
    case 'several':
      return failed(
        `${result.count} resources match. Nothing was stored. ` +
          'Send a search that only one resource can match.',
      );
    case 'absent':
      return failed('No resource matches, so If-Match cannot match. Leave If-Match out.');
    case 'conflict': {
      const { header, currentVersion, id } = result;
      return preconditionError({ ...context, id }, header, currentVersion);
    }
    case 'not-creator':
    case 'other-patient':
      return REFUSED_WRITES[result.kind];
    case 'erased':
      return gone({ ...context, id: result.current.id }, result.current);
    case 'other-id':
      return otherId(context.type.name, sentId, result.found);
  }
}

function otherId(type: string, sent = '', found: string | undefined): FhirError {
  const problem = found === undefined ? 'no resource matches' : `${type}/${found} matches`;
  const remedy = found === undefined ? 'Leave the id out.' : `Send ${found}, or leave the id out.`;
  return new FhirError([
    {
      kind: 'invalid-resource',
      diagnostics: `The body has the id "${sent}", but ${problem}. ${remedy}`,
      location: `/f:${type}/f:id`,
    },
  ]);
}

function failed(diagnostics: string): FhirError {
  return new FhirError([{ kind: 'precondition-failed', diagnostics }]);
}
