/**
 * FHIR operations that only read: by GET with parameters in the URL, and by POST with a Parameters
 * resource. https://hl7.org/fhir/R4/operations.html#executing
 */
import { hash } from 'node:crypto';
import type { AnyResource } from '../format/resource.ts';
import { answer } from '../service/answer.ts';
import { encodeBody } from '../service/encode-body.ts';
import type { ErrorKind } from '../service/fhir-error.ts';
import type { Interaction, TypeContext } from '../service/interaction.ts';
import type { FhirResponse } from '../service/request.ts';
import {
  FORM_PARAMETERS,
  queryParameter,
  requestBody,
  responses,
} from '../statement/open-api-answers.ts';
import {
  type OperationInput,
  type OperationParameter,
  readOperationInput,
} from './operation-parameters.ts';

/** https://hl7.org/fhir/R4/operationdefinition.html */
export interface OperationDefinition {
  readonly name: `$${string}`;
  /** The canonical URL. */
  readonly definition: string;
  readonly documentation: string;
  /** Whether clients can use it for the type, for one resource, or for both. */
  readonly levels: readonly OperationLevel[];
  readonly parameters: readonly OperationParameter[];
  /** The type of its result. */
  readonly returns: string;
  /** The result. Throws a FhirError. `context.id` is empty for the type. */
  run(input: OperationInput, context: TypeContext): AnyResource;
}

export type OperationLevel = 'type' | 'instance';

/** The interactions of an operation, for the list of a type. */
export function operation(definition: OperationDefinition): readonly Interaction[] {
  return definition.levels.flatMap((level) => [
    byGet(definition, level),
    byPost(definition, level),
  ]);
}

function byGet(definition: OperationDefinition, level: OperationLevel): Interaction {
  const { name, documentation, parameters, returns } = definition;
  return {
    ...common(definition, level),
    method: 'GET',
    describe: (service, type) => ({
      operationId: operationId(definition, level, type.name),
      summary: `${name}: ${documentation}`,
      parameters: [...parameters.filter(isPrimitive).map(describeParameter), ...FORM_PARAMETERS],
      responses: responses(service, returns, ERRORS),
    }),
  };
}

function byPost(definition: OperationDefinition, level: OperationLevel): Interaction {
  const { name, returns } = definition;
  return {
    ...common(definition, level),
    method: 'POST',
    body: 'resource',
    describe: (service, type) => ({
      operationId: `${operationId(definition, level, type.name)}ByParameters`,
      summary: `${name} with a Parameters resource. Parameters of the URL apply too.`,
      parameters: FORM_PARAMETERS,
      requestBody: requestBody(
        service,
        service.examples?.[operationId(definition, level, type.name)]?.body,
      ),
      responses: responses(service, returns, [
        ...ERRORS,
        'invalid-resource',
        'unsupported-media-type',
        'body-too-large',
      ]),
    }),
  };
}

function common(
  { name, definition, parameters, run }: OperationDefinition,
  level: OperationLevel,
): Pick<Interaction, 'code' | 'path' | 'needs' | 'definition' | 'run'> {
  return {
    code: 'operation',
    path: level === 'type' ? `[type]/${name}` : `[type]/[id]/${name}`,
    needs: 'read',
    definition,
    run: (context) =>
      answerResult(context, run(readOperationInput(context, name, parameters), context)),
  };
}

function answerResult(context: TypeContext, result: AnyResource): FhirResponse {
  const { service, negotiated } = context;
  const body = encodeBody(result, negotiated.form, service.version.definitions);
  return answer(context, negotiated.form, {
    etag: `W/"${hash('sha256', body).slice(0, 16)}"`,
    body: () => body,
  });
}

const ERRORS: readonly ErrorKind[] = [
  'invalid-value',
  'invalid-parameter',
  'no-record',
  'not-acceptable',
];

/** `lookupCodeSystem`, and `expandOneValueSet` for one resource. */
function operationId({ name }: OperationDefinition, level: OperationLevel, typeName: string) {
  const camel = name.slice(1).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return `${camel}${level === 'type' ? '' : 'One'}${typeName}`;
}

function isPrimitive({ type }: OperationParameter): boolean {
  return /^[a-z]/.test(type);
}

function describeParameter({ name, type, isRepeatable, documentation }: OperationParameter) {
  const one = type === 'integer' || type === 'boolean' ? type : 'string';
  const described = queryParameter(name, one, documentation);
  if (isRepeatable !== true) return described;
  const schema = { type: 'array', items: { type: one } };
  return { ...described, schema, style: 'form', explode: true };
}
