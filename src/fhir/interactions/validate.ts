/**
 * The operation $validate: checks a resource as a create or an update would, and stores nothing.
 * https://hl7.org/fhir/DSTU2/resource-operations.html#validate
 */

import { type FhirObject, isObject, type Resource } from '../format/resource.ts';
import { validForm } from '../http/negotiate.ts';
import { parseQueryString } from '../http/query-string.ts';
import { FhirError, type Issue } from '../request/fhir-error.ts';
import type { FhirResponse } from '../request/request.ts';
import { unknownName, unknownValue } from '../request/unknown-name.ts';
import { answerBody, encodeBody } from '../service/answer.ts';
import { operationOutcome, successOutcome } from '../service/failure.ts';
import type { Interaction, TypeContext } from '../service/interaction.ts';
import { handOver } from '../service/refused-access.ts';
import {
  nestedSource,
  peekBody,
  readResource,
  requireId,
  requireNoId,
} from '../service/resource-body.ts';
import {
  addressOf,
  gone,
  noRecord,
  storedTypeOf,
  writeRulesOf,
} from '../service/stored-resource.ts';
import { FORM_PARAMETERS, queryParameter } from '../statement/open-api-answers.ts';

export const validateType: Interaction = validation('[type]/$validate');
export const validateInstance: Interaction = validation('[type]/[id]/$validate');

function validation(path: Interaction['path']): Interaction {
  return {
    code: 'operation',
    method: 'POST',
    path,
    needs: 'read',
    body: 'resource',
    definition: 'http://hl7.org/fhir/OperationDefinition/Resource-validate',
    describe: (_service, { name }) => ({
      operationId: `validate${path.includes('[id]') ? 'One' : ''}${name}`,
      summary: '$validate: check the resource in the body, or in the parameter resource.',
      parameters: [
        queryParameter('mode', 'string', 'create, update or delete: what the client will do.'),
        ...FORM_PARAMETERS,
      ],
      exampleOf: `${path.includes('[id]') ? 'update' : 'create'}${name}`,
      returns: 'OperationOutcome',
      errors: ['invalid-value', 'invalid-parameter'],
    }),
    run,
  };
}

async function run(context: TypeContext): Promise<FhirResponse> {
  const { service, type, negotiated } = context;
  const form = validForm(negotiated);
  const { resource, ...input } = readInput(context);
  const mode = modeOf(input, context);
  if (mode === 'delete') await requireDeletable(context);
  const outcome =
    mode === 'delete'
      ? successOutcome(`${type.name}/${context.id} can be deleted.`, [])
      : outcomeOf(context, resource, mode);
  return answerBody(context, form, {
    body: encodeBody(outcome, form, service.version.definitions),
  });
}

interface Input {
  /** Absent if the body is the resource itself. */
  readonly resource?: FhirObject;
  readonly mode: readonly string[];
  readonly profile: readonly string[];
}

/** Parameters of the URL, and those of a Parameters resource in the body. */
function readInput(context: TypeContext): Input {
  const pairs = parseQueryString(context.request.query);
  const inUrl = (name: string) =>
    pairs.filter((pair) => pair.name === name).map(({ value }) => value);
  const input = { mode: inUrl('mode'), profile: inUrl('profile') };
  const body =
    context.body.length === 0 ? undefined : peekBody(context, writeRulesOf(context.type).limits);
  if (body?.resourceType !== 'Parameters') return input;
  const given = parametersIn(body);
  const texts = (name: string, property: string) =>
    given.flatMap((each) => (each.name === name ? [String(each[property] ?? '')] : []));
  const mode = [...input.mode, ...texts('mode', 'valueCode')];
  const resources = given.filter((each) => each.name === 'resource');
  requireParameters(given, resources.length, mode.includes('delete'));
  const [{ resource } = {}] = resources;
  return {
    ...(isObject(resource) ? { resource } : { resource: {} }),
    mode,
    profile: [...input.profile, ...texts('profile', 'valueUri')],
  };
}

const PARAMETERS = ['resource', 'mode', 'profile'];

/** Throws if a client could take something for checked that was not. A delete needs no resource. */
function requireParameters(
  given: readonly FhirObject[],
  resources: number,
  isDelete: boolean,
): void {
  const texts = given.flatMap(({ name }) => {
    const sent = String(name ?? '');
    const known = PARAMETERS;
    const listedAt = 'the OperationDefinition of $validate';
    return known.includes(sent) ? [] : [unknownName({ kind: 'parameter', sent, known, listedAt })];
  });
  if (resources > 1) texts.push('Send the parameter resource only once.');
  if (resources === 0 && !isDelete) texts.push('Send the parameter resource.');
  const issues = texts.map((diagnostics): Issue => ({ kind: 'invalid-parameter', diagnostics }));
  if (issues.length > 0) throw new FhirError(issues);
}

function parametersIn({ parameter }: Resource): readonly FhirObject[] {
  return Array.isArray(parameter) ? parameter.filter((each) => isObject(each)) : [];
}

type Mode = (typeof MODES)[number];

const MODES = ['create', 'update', 'delete'] as const;

function modeOf({ mode, profile }: Input, { id, type }: TypeContext): Mode | undefined {
  const issues: Issue[] = [];
  const refuse = (name: string, kind: Issue['kind'], diagnostics: string) =>
    issues.push({ kind, diagnostics, location: `http.${name}` });
  const [wanted, ...others] = mode;
  const known = MODES.find((each) => each === wanted);
  if (others.length > 0) {
    refuse('mode', 'invalid-parameter', 'Send the parameter mode only once.');
  } else if (wanted !== undefined && known === undefined) {
    refuse('mode', 'invalid-value', unknownValue('mode', wanted, MODES));
  } else if (known === 'delete' && id === '') {
    refuse('mode', 'invalid-value', 'mode=delete needs the id of a resource in the address.');
  }
  const own = `http://hl7.org/fhir/StructureDefinition/${type.name}`;
  for (const url of profile) {
    if (url === own) continue;
    const text = `This server cannot check the profile ${url}. Send ${own}, or leave profile out.`;
    refuse('profile', 'invalid-value', text);
  }
  if (issues.length > 0) throw new FhirError(issues);
  return known;
}

/** Throws the error that a delete of the resource would have. */
async function requireDeletable(context: TypeContext): Promise<void> {
  const { type } = context;
  if (!type.interactions.some(({ code }) => code === 'delete')) {
    const diagnostics = `This server does not allow clients to delete ${type.name}.`;
    throw FhirError.of('method-not-allowed', diagnostics);
  }
  const { repository } = storedTypeOf(type);
  const stored = await repository.read(addressOf(context), handOver(context));
  if (stored === undefined) throw noRecord(type.notFound);
  if (stored.text === undefined) throw gone(context, stored);
}

/** The findings that a create or an update would be refused with. */
function outcomeOf(context: TypeContext, resource: FhirObject | undefined, mode: Mode | undefined) {
  const { service, request, id } = context;
  const isUpdate = mode === 'update' || (mode === undefined && id !== '');
  const idFinding = (sent: Resource) => {
    if (mode === 'create') return requireNoId(sent);
    return isUpdate && id !== '' ? requireId(sent, id) : undefined;
  };
  try {
    const source = resource === undefined ? [] : ([nestedSource(resource)] as const);
    const { warnings, refusal } = readResource(context, idFinding, ...source);
    if (refusal === undefined) return successOutcome('The resource is valid.', warnings);
    return operationOutcome(refusal.issues, service, request.id);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    return operationOutcome(error.issues, service, request.id);
  }
}
