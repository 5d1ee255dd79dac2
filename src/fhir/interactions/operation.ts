/**
 * FHIR operations that only read: by GET with parameters in the URL, and by POST with a Parameters
 * resource. https://hl7.org/fhir/R4/operations.html#executing
 */
import type { AnyResource } from '../format/resource.ts';
import type { ErrorKind } from '../request/fhir-error.ts';
import { answer, encodeBody, hashed } from '../service/answer.ts';
import type { Interaction, TypeContext } from '../service/interaction.ts';
import type { Representation } from '../service/representation.ts';
import { FORM_PARAMETERS, queryParameter } from '../statement/open-api-answers.ts';
import {
  type OperationInput,
  type OperationParameter,
  type ReadOperation,
  readOperationInput,
} from './operation-input.ts';

/** https://hl7.org/fhir/R4/operationdefinition.html */
export interface OperationDefinition extends ReadOperation {
  /** The canonical URL. */
  readonly definition: string;
  readonly documentation: string;
  /** Whether clients can use it for the type, for one resource, or for both. */
  readonly levels: readonly OperationLevel[];
  /** The type of its result. */
  readonly returns: string;
  /** The result. Throws a FhirError. `context.id` is empty for the type. */
  run(input: OperationInput, context: TypeContext): AnyResource | LongResult;
}

/** A result that takes long to make. It is encoded by who makes it. */
export class LongResult {
  readonly represent: () => Promise<Representation>;

  constructor(represent: () => Promise<Representation>) {
    this.represent = represent;
  }
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
    describe: (_service, type) => ({
      operationId: operationId(definition, level, type.name),
      summary: `${name}: ${documentation}`,
      parameters: [...parameters.filter(isPrimitive).map(describeParameter), ...FORM_PARAMETERS],
      returns,
      errors: ERRORS,
    }),
  };
}

function byPost(definition: OperationDefinition, level: OperationLevel): Interaction {
  const { name, returns } = definition;
  return {
    ...common(definition, level),
    method: 'POST',
    body: 'resource',
    describe: (_service, type) => ({
      operationId: `${operationId(definition, level, type.name)}ByParameters`,
      summary: `${name} with a Parameters resource. Parameters of the URL apply too.`,
      parameters: FORM_PARAMETERS,
      exampleOf: operationId(definition, level, type.name),
      returns,
      errors: [...ERRORS, 'invalid-resource', 'unsupported-media-type', 'body-too-large'],
    }),
  };
}

function common(
  operation: OperationDefinition,
  level: OperationLevel,
): Pick<Interaction, 'code' | 'path' | 'needs' | 'definition' | 'parameters' | 'run'> {
  const { name, definition, parameters, run } = operation;
  return {
    code: 'operation',
    path: level === 'type' ? `[type]/${name}` : `[type]/[id]/${name}`,
    needs: 'read',
    definition,
    parameters,
    run: (context) => {
      const { service, negotiated } = context;
      const { form } = negotiated;
      const result = run(readOperationInput(context, operation), context);
      return result instanceof LongResult
        ? result.represent().then((representation) => answer(context, form, representation))
        : answer(context, form, hashed(encodeBody(result, form, service.version.definitions)));
    },
  };
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
