/** FHIR create, also conditional. https://hl7.org/fhir/DSTU2/http.html#create */

import type { Resource } from '../format/resource.ts';
import { headerOf } from '../http/headers.ts';
import { validForm } from '../http/negotiate.ts';
import { parseQueryString } from '../http/query-string.ts';
import { FhirError, type Issue } from '../request/fhir-error.ts';
import type { FhirResponse } from '../request/request.ts';
import { entriesOf } from '../search/resource-parameter.ts';
import { FORMAT_NAMES } from '../search/result-parameters.ts';
import {
  authorizeCondition,
  CONDITION_FAILED,
  costlyCondition,
  parseIfNoneExist,
} from '../service/condition.ts';
import type { Interaction, TypeContext } from '../service/interaction.ts';
import { handOver } from '../service/refused-access.ts';
import { readResource, readWithHeader, requireNoId } from '../service/resource-body.ts';
import { mayRead } from '../service/run-interaction.ts';
import {
  answerWritten,
  parseStored,
  prefersResource,
  storedTypeOf,
  writeRulesOf,
} from '../service/stored-resource.ts';
import { requireMet } from '../service/unmet-condition.ts';
import { headerParameter, RETURN, WRITE_ERRORS } from '../statement/open-api-answers.ts';
import { tooManyError } from '../stored/count-limits.ts';
import { unstampedText } from '../stored/stored-text.ts';

export const create: Interaction = {
  code: 'create',
  method: 'POST',
  path: '[type]',
  needs: 'write',
  body: 'resource',
  capabilities: { conditionalCreate: true },
  describe: (_service, { name, documentation, search }) => ({
    operationId: `create${name}`,
    summary: `Create: ${documentation}`,
    parameters: [
      ...(search ? [headerParameter('If-None-Exist', 'identifier={system}|{value}')] : []),
      RETURN,
    ],
    returns: {
      201: 'Created.',
      ...(search && { 200: 'A resource that If-None-Exist matches exists.' }),
    },
    errors: [...WRITE_ERRORS, 'precondition-failed', 'too-costly'],
  }),
  run,
};

async function run(context: TypeContext): Promise<FhirResponse> {
  const { request, type, negotiated } = context;
  const { repository, search } = storedTypeOf(type);
  validForm(negotiated);
  const condition = headerOf(request, 'if-none-exist');
  const {
    header: ifNoneExist,
    resource: sent,
    warnings,
    refusal,
  } = readWithHeader(
    () => {
      requireNoParameters(context);
      return condition === undefined ? undefined : parseIfNoneExist(condition, context);
    },
    () => readResource(context, requireNoId),
  );
  if (ifNoneExist !== undefined) await authorizeCondition(ifNoneExist, context);
  if (refusal !== undefined) throw refusal;
  const { newId, countRule } = writeRulesOf(type);
  const id = newId();
  const resource = await prepared(sent, id, context);
  const entries = entriesOf(resource, search.parameters);
  if (ifNoneExist !== undefined) {
    requireMet(ifNoneExist, entries, context, () => 'http.If-None-Exist');
  }
  const creation = {
    type: type.name,
    id,
    text: unstampedText(resource, id),
    entries,
    ...(ifNoneExist !== undefined && { ifNoneExist }),
    ...(countRule !== undefined && { limits: countRule.max }),
  };
  const result = await repository.create(creation, handOver(context));
  switch (result.kind) {
    case 'stored': {
      const done = 'Successfully created resource';
      return answerWritten(context, { stored: result.stored, status: 201, done, warnings });
    }
    case 'exists': {
      const done = 'Nothing was created: If-None-Exist matches resource';
      // A client sees a resource of another client only if it could read it by its address.
      const isHidden = prefersResource(context.request) && !(await mayRead(context, type.name));
      const { stored } = result;
      return answerWritten(context, { stored, status: 200, done, warnings: [], isHidden });
    }
    case 'several':
      if (!(await mayRead(context, type.name))) throw CONDITION_FAILED;
      throw FhirError.of(
        'precondition-failed',
        `${result.count} resources match If-None-Exist "${condition}". ` +
          'Nothing was created. Send a search that only one resource can match.',
      );
    case 'too-costly':
      throw costlyCondition();
    case 'too-many':
      throw tooManyError(type.name, result, countRule);
  }
}

/** A client that expects a condition in the URL would otherwise create duplicates. */
function requireNoParameters({ request }: TypeContext): void {
  const issues = parseQueryString(request.query)
    .filter(({ name }) => !FORMAT_NAMES.has(name))
    .map(({ name }): Issue => {
      const remedy =
        'Send a condition in the header If-None-Exist, or in request.ifNoneExist of a Bundle.';
      const diagnostics = `A create has no parameter "${name}". ${remedy}`;
      return { kind: 'invalid-parameter', diagnostics, location: `http.${name}` };
    });
  if (issues.length > 0) throw new FhirError(issues);
}

/** The resource as it is stored under the id. Rejects if its type does not let this client store it. */
export async function prepared(
  resource: Resource,
  id: string,
  context: TypeContext,
): Promise<Resource> {
  const { prepare } = writeRulesOf(context.type);
  if (prepare === undefined) return resource;
  const { identity } = context;
  return prepare(resource, id, {
    identity,
    mayRead: (type) => mayRead(context, type),
    current: () => currentOf(context),
  });
}

/** The current version of the resource that the address names. */
async function currentOf({ type, id, service }: TypeContext): Promise<Resource | undefined> {
  if (id === '') return undefined;
  const request = { type: type.name, id, preconditions: {} };
  const current = await storedTypeOf(type).repository.checkPreconditions(request);
  return current?.text === undefined
    ? undefined
    : parseStored(current.text, service.version.definitions);
}
