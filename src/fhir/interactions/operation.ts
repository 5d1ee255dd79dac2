/**
 * FHIR operations that only read: by GET with parameters in the URL, and by POST with a Parameters
 * resource. https://hl7.org/fhir/R4/operations.html#executing
 */
import { fitsXml } from '../definitions/primitives.ts';
import {
  type AnyResource,
  type FhirObject,
  type FhirValue,
  isObject,
  type Resource,
  textOf,
} from '../format/resource.ts';
import {
  malformedPairIssue,
  PAIRS_MAX,
  parseQueryString,
  TOO_MANY_PARAMETERS,
} from '../http/query-string.ts';
import { type ErrorKind, FhirError, type Issue } from '../request/fhir-error.ts';
import type { FhirResponse } from '../request/request.ts';
import { FORMAT_NAMES } from '../search/result-parameters.ts';
import { answer, encodeBody, hashed } from '../service/answer.ts';
import type { Interaction, MaybePromise, TypeContext } from '../service/interaction.ts';
import { decodeBody, refusalOf } from '../service/resource-body.ts';
import { FORM_PARAMETERS, queryParameter } from '../statement/open-api-answers.ts';

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
  run(input: OperationInput, context: TypeContext): MaybePromise<AnyResource>;
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
  { name, definition, parameters, run }: OperationDefinition,
  level: OperationLevel,
): Pick<Interaction, 'code' | 'path' | 'needs' | 'definition' | 'parameters' | 'run'> {
  return {
    code: 'operation',
    path: level === 'type' ? `[type]/${name}` : `[type]/[id]/${name}`,
    needs: 'read',
    definition,
    parameters,
    run: (context) => {
      const result = run(readOperationInput(context, name, parameters), context);
      if (!(result instanceof Promise)) return answerResult(context, result);
      return result.then((settled) => answerResult(context, settled));
    },
  };
}

function answerResult(context: TypeContext, result: AnyResource): FhirResponse {
  const { service, negotiated } = context;
  const body = encodeBody(result, negotiated.form, service.version.definitions);
  return answer(context, negotiated.form, hashed(body));
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

export interface OperationParameter {
  readonly name: string;
  /** A FHIR type. Only a Parameters resource can contain the complex ones, and a resource. */
  readonly type:
    | 'boolean'
    | 'code'
    | 'integer'
    | 'string'
    | 'uri'
    | 'Coding'
    | 'CodeableConcept'
    | 'ValueSet';
  readonly isRepeatable?: true;
  readonly documentation: string;
}

/** The parameters that a request has, each with valid values. */
export interface OperationInput {
  /** The values of a primitive parameter, as text. */
  texts(name: string): readonly string[];
  /** The first of them. */
  text(name: string): string | undefined;
  /** The value of a complex parameter, or the resource. */
  object(name: string): FhirObject | undefined;
}

/**
 * Reads the parameters of a request for an operation. Throws a FhirError with every problem
 * of the request.
 */
function readOperationInput(
  context: TypeContext,
  operation: string,
  parameters: readonly OperationParameter[],
): OperationInput {
  const draft: Draft = { operation, parameters, texts: new Map(), objects: new Map(), issues: [] };
  const { issue } = context.negotiated;
  if (issue !== undefined) draft.issues.push(issue);
  for (const pair of parseQueryString(context.request.query)) {
    if (FORMAT_NAMES.has(pair.name)) continue;
    if (pair.isMalformed) draft.issues.push(malformedPairIssue(pair));
    else takeValue(draft, pair.name, { value: pair.value });
  }
  // All parameters can be in the URL, and the body empty.
  if (context.body.length > 0 || context.decoded !== undefined) {
    const decoded = decodeBody(context, 'Parameters', {});
    if (decoded.findingsTotal > 0) throw refusalOf(decoded, []);
    for (const [name, given] of valuesIn(decoded.resource)) {
      takeValue(draft, name, given);
    }
  }
  if (draft.issues.length > 0) throw new FhirError(draft.issues);
  const { texts, objects } = draft;
  return {
    texts: (wanted) => texts.get(wanted) ?? [],
    text: (wanted) => texts.get(wanted)?.[0],
    object: (wanted) => objects.get(wanted),
  };
}

interface Draft {
  /** The name of the operation: `$lookup`. */
  readonly operation: string;
  readonly parameters: readonly OperationParameter[];
  readonly texts: Map<string, string[]>;
  readonly objects: Map<string, FhirObject>;
  readonly issues: Issue[];
}

interface GivenValue {
  /** Absent if the parameter has parts in place of a value. */
  readonly value?: FhirValue | undefined;
  /** The property that has the value, such as `resource` or `valueCoding`. Absent in a URL. */
  readonly property?: string;
}

function takeValue(draft: Draft, name: string, given: GivenValue): void {
  const parameter = draft.parameters.find((each) => each.name === name);
  const problem =
    parameter === undefined ? unknownName(draft, name) : keepValue(draft, parameter, given);
  if (problem !== undefined) draft.issues.push({ ...problem, location: `http.${name}` });
}

/** Returns why the value is not valid. */
function keepValue(
  { texts, objects }: Draft,
  { name, type, isRepeatable }: OperationParameter,
  { value, property }: GivenValue,
): Issue | undefined {
  if (isRepeatable !== true && (texts.has(name) || objects.has(name))) {
    return { kind: 'invalid-parameter', diagnostics: `Send the parameter ${name} only once.` };
  }
  if (/^[A-Z]/.test(type)) {
    const wanted = type === 'ValueSet' ? 'resource' : `value${type}`;
    const { resourceType = type } = isObject(value) ? value : {};
    if (!isObject(value) || property !== wanted || resourceType !== type) {
      return invalid(`Send the parameter ${name} as ${wanted} of a Parameters resource.`);
    }
    objects.set(name, value);
    return undefined;
  }
  if (value === undefined || value === null || isObject(value) || Array.isArray(value)) {
    return invalid(`The parameter ${name} must have a value of the type ${type}.`);
  }
  const text = textOf(value);
  // The values of a URL are not part of a resource, whose strings are checked.
  if (!fitsXml(text)) return invalid(`The parameter ${name} has a character that XML cannot hold.`);
  const form = FORMS.get(type);
  if (form !== undefined && !form.pattern.test(text)) {
    return invalid(`The parameter ${name} must be ${form.text}. Got "${text}".`);
  }
  const known = texts.get(name);
  if (known === undefined) texts.set(name, [text]);
  else known.push(text);
  return undefined;
}

/** The types whose texts the server checks. No operation has a use for negative numbers. */
const FORMS: ReadonlyMap<
  OperationParameter['type'],
  { readonly pattern: RegExp; readonly text: string }
> = new Map([
  ['boolean', { pattern: /^(?:true|false)$/, text: 'true or false' }],
  ['integer', { pattern: /^\d{1,9}$/, text: 'a whole number from 0 to 999999999' }],
  ['code', { pattern: /\S/, text: 'a code' }],
  ['uri', { pattern: /\S/, text: 'a URI' }],
]);

function unknownName({ operation, parameters }: Draft, name: string): Issue {
  const known = parameters.map((parameter) => parameter.name).join(', ');
  return {
    kind: 'invalid-parameter',
    diagnostics: `${operation} has no parameter "${name}". It has ${known}.`,
  };
}

function invalid(diagnostics: string): Issue {
  return { kind: 'invalid-value', diagnostics };
}

/** The names and values of a Parameters resource. */
function valuesIn({ parameter }: Resource): (readonly [name: string, given: GivenValue])[] {
  if (!Array.isArray(parameter)) return [];
  if (parameter.length > PAIRS_MAX) throw TOO_MANY_PARAMETERS;
  return parameter.filter(isObject).map((each) => {
    const { name } = each;
    const property = Object.keys(each).find((key) => /^(?:value|resource$)/.test(key));
    return [textOf(name), property === undefined ? {} : { property, value: each[property] }];
  });
}
