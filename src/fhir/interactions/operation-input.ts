/** The parameters of an operation, in the URL and in a Parameters resource. */
import { fitsXml } from '../definitions/primitives.ts';
import {
  type Decoded,
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
import { FhirError, type Issue } from '../request/fhir-error.ts';
import { METADATA, unknownName } from '../request/unknown-name.ts';
import { FORMAT_NAMES } from '../search/result-parameters.ts';
import type { TypeContext } from '../service/interaction.ts';
import { decodeBody, refusalOf } from '../service/resource-body.ts';

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
  /** Whether a Coding of a Parameters resource stands for the text `system|code`. */
  readonly takesCoding?: true;
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
  /** The names of the parameters that only `otherParameter` knows. */
  readonly others: readonly string[];
}

/** What reading the parameters of an operation depends on. */
export interface ReadOperation {
  readonly name: `$${string}`;
  readonly parameters: readonly OperationParameter[];
  /** A parameter whose name depends on the resource. Undefined: there is none with the name. */
  otherParameter?(name: string): OperationParameter | undefined;
  /** Elements that FHIR requires, and the operation does not need: `/f:ValueSet/f:status`. */
  readonly optionalElements?: readonly string[];
}

/**
 * Reads the parameters of a request for an operation. Throws a FhirError with every problem
 * of the request.
 */
export function readOperationInput(context: TypeContext, operation: ReadOperation): OperationInput {
  const draft: Draft = { operation, texts: new Map(), objects: new Map(), issues: [] };
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
    refuseFindings(decoded, operation);
    for (const [name, given] of valuesIn(decoded.resource)) {
      takeValue(draft, name, given);
    }
  }
  if (draft.issues.length > 0) throw new FhirError(draft.issues);
  const { texts, objects } = draft;
  const known = new Set(operation.parameters.map(({ name }) => name));
  return {
    others: [...texts.keys()].filter((name) => !known.has(name)),
    texts: (wanted) => texts.get(wanted) ?? [],
    text: (wanted) => texts.get(wanted)?.[0],
    object: (wanted) => objects.get(wanted),
  };
}

/** Throws a FhirError with the problems of the body, without those that the operation allows. */
function refuseFindings(decoded: Decoded, { optionalElements = [] }: ReadOperation): void {
  const findings = decoded.findings.filter(
    ({ code, path }) =>
      code !== 'required' || !optionalElements.some((element) => path.endsWith(element)),
  );
  const findingsTotal = decoded.findingsTotal - (decoded.findings.length - findings.length);
  if (findingsTotal > 0) throw refusalOf({ ...decoded, findings, findingsTotal }, []);
}

interface Draft {
  readonly operation: ReadOperation;
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
  const { parameters, otherParameter } = draft.operation;
  const parameter = parameters.find((each) => each.name === name) ?? otherParameter?.(name);
  const problem =
    parameter === undefined ? unknownParameter(draft, name) : keepValue(draft, parameter, given);
  if (problem !== undefined) draft.issues.push({ ...problem, location: `http.${name}` });
}

/** Returns why the value is not valid. */
function keepValue(
  { texts, objects }: Draft,
  parameter: OperationParameter,
  given: GivenValue,
): Issue | undefined {
  const { name, type, isRepeatable } = parameter;
  const { property } = given;
  const value = parameter.takesCoding === true ? codingText(given) : given.value;
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

/** A Coding as `system|code`, and any other value as it is. */
function codingText({ value, property }: GivenValue): FhirValue | undefined {
  if (property !== 'valueCoding' || !isObject(value)) return value;
  const { system, code } = value;
  return typeof system === 'string' ? `${system}|${textOf(code)}` : code;
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

function unknownParameter({ operation }: Draft, sent: string): Issue {
  const kind = `parameter of ${operation.name}`;
  const known = operation.parameters.map((parameter) => parameter.name);
  return {
    kind: 'invalid-parameter',
    diagnostics: unknownName({ kind, sent, known, listedAt: METADATA }),
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
