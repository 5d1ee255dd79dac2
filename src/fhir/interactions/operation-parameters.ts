/**
 * The input of an operation: parameters of the URL, and those of a Parameters resource in the body.
 * https://hl7.org/fhir/R4/operations.html#request
 */
import { fitsXml } from '../definitions/primitives.ts';
import {
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
import { FhirError, type Issue } from '../service/fhir-error.ts';
import type { TypeContext } from '../service/interaction.ts';
import { readParametersBody } from './resource-body.ts';

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
export function readOperationInput(
  context: TypeContext,
  operation: string,
  parameters: readonly OperationParameter[],
): OperationInput {
  const draft: Draft = { operation, parameters, texts: new Map(), objects: new Map(), issues: [] };
  const { issue } = context.negotiated;
  if (issue !== undefined) draft.issues.push(issue);
  for (const pair of parseQueryString(context.request.query)) {
    if (FORM_PARAMETERS.has(pair.name)) continue;
    if (pair.isMalformed) draft.issues.push(malformedPairIssue(pair));
    else takeValue(draft, pair.name, { value: pair.value });
  }
  if (context.interaction.body === 'resource') {
    for (const [name, given] of valuesIn(readParametersBody(context))) {
      takeValue(draft, name, given);
    }
  }
  const [first, ...others] = draft.issues;
  if (first !== undefined) throw new FhirError([first, ...others]);
  const { texts, objects } = draft;
  return {
    texts: (wanted) => texts.get(wanted) ?? [],
    text: (wanted) => texts.get(wanted)?.[0],
    object: (wanted) => objects.get(wanted),
  };
}

/** Content negotiation reads these. */
const FORM_PARAMETERS: ReadonlySet<string> = new Set(['_format', '_pretty']);

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
