/**
 * `$validate-code`: whether a code is in a code system, or in a value set.
 * https://hl7.org/fhir/R4/codesystem-operation-validate-code.html
 * https://hl7.org/fhir/R4/valueset-operation-validate-code.html
 */

import type { Edition } from '../../../directory/edition/edition.ts';
import { isObject } from '../../../fhir/format/resource.ts';
import type {
  OperationInput,
  OperationParameter,
} from '../../../fhir/interactions/operation-input.ts';
import { fold } from '../../../fhir/search/string.ts';
import type { ResourceObject } from '../../answer/resource-parts.ts';
import type { EditionOperation } from '../../faces/face.ts';
import { refuse } from '../../json/json-parameters.ts';
import { codeSystemAt, noCode, noProperty, requireVersion } from './code-systems.ts';
import {
  CODE,
  DISPLAY_LANGUAGE,
  type GivenCode,
  givenCode,
  SYSTEM,
  VERSION,
} from './given-code.ts';
import { type FoundCode, hasValue, type R4CodeSystem, valueText } from './systems/code-system.ts';
import { VALUE_SET_URL, VALUE_SET_VERSION, valueSetAt } from './value-sets.ts';

/** What both operations have in common. */
const COMMON = {
  name: '$validate-code',
  levels: ['type', 'instance'],
  returns: 'Parameters',
} as const;

const CODINGS: readonly OperationParameter[] = [
  { name: 'display', type: 'string', documentation: 'The display to compare.' },
  { name: 'coding', type: 'Coding', documentation: 'In place of code.' },
  { name: 'codeableConcept', type: 'CodeableConcept', documentation: 'In place of code.' },
  DISPLAY_LANGUAGE,
];

export function validateCodeOperation(systems: readonly R4CodeSystem[]): EditionOperation {
  return {
    ...COMMON,
    definition: 'http://hl7.org/fhir/OperationDefinition/CodeSystem-validate-code',
    documentation: 'Whether a code system has a code.',
    parameters: [{ ...SYSTEM, name: 'url' }, CODE, VERSION, ...CODINGS],
    otherParameter: (name) => propertyParameter(name, systems),
    run: (input, edition, id) => {
      const given = codesToValidate(input);
      const ofCoding = id === '' && given.length === 1 ? given[0]?.url : undefined;
      const url = input.text('url') ?? ofCoding;
      const system = codeSystemAt({ systems, edition, id }, url, input.text('version'), 'url');
      return validationOf(given, propertiesIn(input, system, edition), system, edition);
    },
  };
}

/**
 * As in the national service, each property of the code system is a parameter, whose value the code
 * must have.
 */
function propertyParameter(
  name: string,
  systems: readonly R4CodeSystem[],
): OperationParameter | undefined {
  if (!systems.some((system) => system.hasProperty(name))) return undefined;
  const documentation = 'The value of this property, which the code must have.';
  return { name, type: 'string', takesCoding: true, documentation };
}

/** A property and the value that a code must have. */
interface WantedValue {
  readonly property: string;
  readonly value: string;
}

/** Throws a FhirError if the code system does not have one of the properties. */
function propertiesIn(
  input: OperationInput,
  system: R4CodeSystem,
  edition: Edition,
): readonly WantedValue[] {
  const unknown = input.others.filter((name) => !system.hasProperty(name));
  if (unknown.length > 0) throw noProperty(system, unknown, edition);
  return input.others.map((property) => ({ property, value: input.text(property) ?? '' }));
}

/** Every value set has all codes of one code system, so that a code needs no system. */
export function validateInValueSetOperation(systems: readonly R4CodeSystem[]): EditionOperation {
  return {
    ...COMMON,
    definition: 'http://hl7.org/fhir/OperationDefinition/ValueSet-validate-code',
    documentation: 'Whether a value set has a code.',
    parameters: [
      VALUE_SET_URL,
      VALUE_SET_VERSION,
      CODE,
      { ...SYSTEM, documentation: 'The URL of the code system of the code.' },
      { ...VERSION, name: 'systemVersion' },
      ...CODINGS,
      {
        name: 'abstract',
        type: 'boolean',
        documentation: 'No effect: no code is abstract.',
      },
    ],
    run: (input, edition, id) => {
      const system = valueSetAt({ systems, edition, id }, input, COMMON.name);
      const url = input.text('system');
      const version = input.text('systemVersion');
      const given = codesToValidate(input).map((each) => ({ ...each, url: each.url ?? url }));
      requireVersion('code system', system.url, version, edition);
      return validationOf(given, [], system, edition);
    },
  };
}

/** Throws a FhirError if the request does not have exactly one of the three forms. */
function codesToValidate(input: OperationInput): readonly GivenCode[] {
  const code = input.text('code');
  const coding = input.object('coding');
  const concept = input.object('codeableConcept');
  if ([code, coding, concept].filter((each) => each !== undefined).length === 1) {
    if (code !== undefined) return [{ code, display: input.text('display') }];
    const codings = coding === undefined ? concept?.coding : [coding];
    const given = Array.isArray(codings) ? codings.filter(isObject) : [];
    const codes = given.flatMap((each) => givenCode(each) ?? []);
    if (codes.length > 0) return codes;
  }
  throw refuse('$validate-code needs one of code, coding and codeableConcept, with a code.');
}

/** One valid code is enough. A code without a system is one of the code system. */
function validationOf(
  given: readonly GivenCode[],
  wanted: readonly WantedValue[],
  system: R4CodeSystem,
  edition: Edition,
): ResourceObject {
  const own = given.filter(({ url }) => url === undefined || url === system.url);
  const results = own.map((each) => validate(each, wanted, system, edition));
  const { isValid, message, display } =
    results.find((result) => result.isValid) ?? results[0] ?? foreign(given, system);
  return {
    resourceType: 'Parameters',
    parameter: [
      { name: 'result', valueBoolean: isValid },
      ...(message === undefined ? [] : [{ name: 'message', valueString: message }]),
      ...(display === undefined ? [] : [{ name: 'display', valueString: display }]),
    ],
  };
}

interface ValidationResult {
  readonly isValid: boolean;
  readonly message?: string;
  readonly display?: string;
}

function foreign(given: readonly GivenCode[], { url }: R4CodeSystem): ValidationResult {
  const [only] = given.length === 1 ? given : [];
  const message =
    only === undefined
      ? `No coding has a code of the code system ${url}.`
      : `The code ${only.code} must be of the code system ${url}, not "${only.url}".`;
  return { isValid: false, message };
}

/** The case, accents and spaces of a display do not matter. */
function validate(
  { code, display }: GivenCode,
  wanted: readonly WantedValue[],
  system: R4CodeSystem,
  edition: Edition,
): ValidationResult {
  const found = system.find(code, edition);
  if (found === undefined) return { isValid: false, message: noCode(system, code) };
  const known = found.display ?? found.code;
  if (display !== undefined && fold(display).trim() !== fold(known)) {
    const message = `The display of ${code} is "${known}", not "${display}".`;
    return { isValid: false, message, display: known };
  }
  const [message] = wanted.flatMap((each) => differenceFrom(found, each) ?? []);
  return {
    isValid: message === undefined,
    display: known,
    ...(message !== undefined && { message }),
  };
}

/** Says how a property differs. Undefined if the code has the wanted value. */
function differenceFrom(found: FoundCode, { property, value }: WantedValue): string | undefined {
  const values = found.properties(new Set([property]));
  if (values.some((each) => hasValue(each, value))) return undefined;
  if (values.length === 0) return `The code ${found.code} has no ${property}.`;
  const known = values.map((each) => `"${valueText(each)}"`).join(', ');
  return `The ${property} of ${found.code} is ${known}, not "${value}".`;
}
