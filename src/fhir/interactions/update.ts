/**
 * FHIR update, with preconditions on the current version.
 * https://hl7.org/fhir/DSTU2/http.html#update
 */

import type { Resource } from '../format/resource.ts';
import { validForm } from '../http/negotiate.ts';
import { type ErrorKind, FhirError } from '../request/fhir-error.ts';
import type { Finding } from '../request/finding.ts';
import type { FhirResponse } from '../request/request.ts';
import { entriesOf } from '../search/resource-parameter.ts';
import {
  authorizeCondition,
  CONDITION_FAILED,
  costlyCondition,
  parseCondition,
} from '../service/condition.ts';
import type { Interaction, Service, TypeContext } from '../service/interaction.ts';
import { handOver } from '../service/refused-access.ts';
import { readResource, readWithHeader, requireId } from '../service/resource-body.ts';
import { allowOf } from '../service/route-table.ts';
import { mayRead } from '../service/run-interaction.ts';
import {
  addressOf,
  answerWritten,
  storedTypeOf,
  writeRulesOf,
} from '../service/stored-resource.ts';
import { idIn, requireMet } from '../service/unmet-condition.ts';
import { queryParameter, RETURN, WRITE_ERRORS } from '../statement/open-api-answers.ts';
import type { Preconditions, VersionTags } from '../stored/preconditions.ts';
import type { ConditionalUpdateResult } from '../stored/repository.ts';
import { unstampedText } from '../stored/stored-text.ts';
import { prepared } from './create.ts';
import {
  IF_MATCH_MISSING,
  PRECONDITION_PARAMETERS,
  preconditionError,
  preconditionsOf,
  writeRefusal,
} from './precondition-headers.ts';

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
    parameters: UPDATE_PARAMETERS,
    returns: { 200: 'Updated.', 201: 'Created again: the resource had been deleted.' },
    errors: updateErrors(service),
  }),
  run,
};

async function run(context: TypeContext): Promise<FhirResponse> {
  const { type, id, negotiated } = context;
  const { repository, search } = storedTypeOf(type);
  const address = addressOf(context);
  validForm(negotiated);
  const { header: preconditions, ...body } = readUpdate(context, (sent) => requireId(sent, id));
  const { resource: sent, warnings } = body;
  const { ifMatch } = preconditions;
  const { requiresIfMatch, countRule } = writeRulesOf(type);
  const lacksIfMatch = ifMatch === undefined && requiresIfMatch;
  const resource = body.refusal ?? (await preparedOrRefusal(sent, context));
  if (resource instanceof FhirError || lacksIfMatch) {
    // Preconditions come before the service's own rules.
    const current = await repository.checkPreconditions({ ...address, preconditions });
    if (current === undefined) throw absent(context, ifMatch);
    if (lacksIfMatch) throw IF_MATCH_MISSING;
    const { header, currentVersion } = current;
    throw header === undefined ? resource : preconditionError(context, header, currentVersion);
  }
  const change = {
    ...address,
    text: unstampedText(resource, id),
    entries: entriesOf(resource, search.parameters),
    preconditions,
    ...(countRule !== undefined && { limits: countRule.max }),
  };
  const result = await repository.update(change, handOver(context));
  if (result.kind === 'absent') throw absent(context, ifMatch);
  if (result.kind !== 'stored') throw writeRefusal(result, context);
  const { stored, isRestored = false } = result;
  const done = `Successfully ${isRestored ? 'restored' : 'updated'} resource`;
  return answerWritten(context, { stored, status: isRestored ? 201 : 200, done, warnings });
}

async function preparedOrRefusal(
  resource: Resource,
  context: TypeContext,
): Promise<Resource | FhirError> {
  try {
    return await prepared(resource, context.id, context);
  } catch (error) {
    if (error instanceof FhirError) return error;
    throw error;
  }
}

function absent({ type, id }: TypeContext, ifMatch: VersionTags | undefined): FhirError {
  const what = `There is no ${type.name}/${id}`;
  if (ifMatch !== undefined) {
    return FhirError.of(
      'precondition-failed',
      `${what}, so If-Match cannot match. Create the resource with POST.`,
    );
  }
  const readers = type.interactions.filter(
    ({ path, needs }) => path === update.path && needs === 'read',
  );
  const diagnostics =
    `${what}, and clients do not choose ids. ` +
    `Create it with POST ${type.name}; the Location header of the answer has its id.`;
  // PUT is not allowed before the resource exists.
  return FhirError.of('method-not-allowed', diagnostics, { headers: ['Allow', allowOf(readers)] });
}

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
    parameters: [
      queryParameter(
        'identifier',
        'string',
        'The identifier of the resource: system|value. Other search parameters work too.',
      ),
      ...UPDATE_PARAMETERS,
    ],
    returns: { 200: 'Updated.', 201: 'Created: no resource matches.' },
    errors: [...updateErrors(service), 'too-costly'],
  }),
  run: runConditional,
};

async function runConditional(context: TypeContext): Promise<FhirResponse> {
  const { request, type, negotiated } = context;
  const { repository, search } = storedTypeOf(type);
  const { requiresIfMatch, newId } = writeRulesOf(type);
  validForm(negotiated);
  const condition = parseCondition(request.query, context);
  await authorizeCondition(condition, context);
  const { header: sent, ...body } = readUpdate(context, () => undefined);
  const { resource, warnings, refusal } = body;
  // A create replaces no version, so it needs no If-Match.
  const mustCreate = requiresIfMatch && sent.ifMatch === undefined;
  const preconditions: Preconditions = mustCreate ? { ...sent, ifNoneMatch: '*' } : sent;
  if (refusal !== undefined) throw refusal;
  const id = newId();
  const sentId = typeof resource.id === 'string' ? resource.id : idIn(condition);
  const entries = entriesOf(resource, search.parameters);
  // The repository compares the id with that of the match.
  const ofId = sentId === undefined ? [] : [{ field: '_id', code: sentId }];
  requireMet(condition, [...entries, ...ofId], context, (name) => `http.${name}`);
  const result = await repository.updateMatching(
    {
      type: type.name,
      id,
      ...(sentId !== undefined && { sentId }),
      condition,
      preconditions,
      text: unstampedText(resource, id),
      entries,
    },
    handOver(context),
  );
  if (result.kind !== 'stored') {
    if (!(await mayRead(context, type.name))) throw CONDITION_FAILED;
    const lacksIfMatch = mustCreate && sent.ifNoneMatch !== '*' && result.kind === 'conflict';
    throw lacksIfMatch ? IF_MATCH_MISSING : refusalOf(result, sentId, context);
  }
  const { stored } = result;
  const isNew = stored.version === 1;
  const done = `Successfully ${isNew ? 'created' : 'updated'} resource`;
  return answerWritten(context, {
    stored,
    status: isNew ? 201 : 200,
    done,
    warnings,
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
    case 'other-id':
      return otherId(context.type.name, sentId, result.found);
    case 'conflict':
      return writeRefusal(result, { ...context, id: result.id });
    case 'erased':
      return writeRefusal(result, { ...context, id: result.current.id });
    default:
      return writeRefusal(result, context);
  }
}

function otherId(type: string, sent = '', found: string | undefined): FhirError {
  const problem = found === undefined ? 'no resource matches' : `${type}/${found} matches`;
  const remedy = found === undefined ? 'Leave the id out.' : `Send ${found}, or leave the id out.`;
  return FhirError.of(
    'invalid-resource',
    `The request has the id "${sent}", but ${problem}. ${remedy}`,
    { location: `/f:${type}/f:id` },
  );
}

function failed(diagnostics: string): FhirError {
  return FhirError.of('precondition-failed', diagnostics);
}

/** `idFinding` returns why the id of the resource is not valid. Throws all problems in one error. */
function readUpdate(context: TypeContext, idFinding: (resource: Resource) => Finding | undefined) {
  return readWithHeader(
    () => preconditionsOf(context),
    () => readResource(context, idFinding),
  );
}

const UPDATE_PARAMETERS = [...PRECONDITION_PARAMETERS, RETURN];

function updateErrors({ version }: Service): readonly ErrorKind[] {
  return [
    ...WRITE_ERRORS,
    version.failedIfMatch,
    'precondition-failed',
    'gone',
    'method-not-allowed',
  ];
}
