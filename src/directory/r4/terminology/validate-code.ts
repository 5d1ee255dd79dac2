/**
 * `$validate-code`: whether a code is in a code system.
 * https://hl7.org/fhir/R4/codesystem-operation-validate-code.html
 */
import { type FhirObject, isObject } from '../../../fhir/format/resource.ts';
import type { OperationInput } from '../../../fhir/interactions/operation.ts';
import { fold } from '../../../fhir/search/fold.ts';
import type { Edition } from '../../edition/edition.ts';
import type { EditionOperation } from '../../face.ts';
import type { R4CodeSystem } from './code-systems.ts';
import { codeSystemAt, DISPLAY_LANGUAGE, operationError } from './find-code-system.ts';

export function validateCodeOperation(systems: readonly R4CodeSystem[]): EditionOperation {
  return {
    name: '$validate-code',
    definition: 'http://hl7.org/fhir/OperationDefinition/CodeSystem-validate-code',
    documentation: 'Whether a code system has a code.',
    levels: ['type', 'instance'],
    parameters: [
      { name: 'url', type: 'uri', documentation: 'The URL of the code system.' },
      { name: 'code', type: 'code', documentation: 'The code, such as RR8 or RO197.' },
      { name: 'version', type: 'string', documentation: 'The version of the code system.' },
      { name: 'display', type: 'string', documentation: 'The display to compare.' },
      { name: 'coding', type: 'Coding', documentation: 'In place of code.' },
      { name: 'codeableConcept', type: 'CodeableConcept', documentation: 'In place of code.' },
      DISPLAY_LANGUAGE,
    ],
    returns: 'Parameters',
    run: (input, edition, id) => {
      const codings = codingsOf(input);
      const ofCoding = id === '' && codings.length === 1 ? codings[0]?.url : undefined;
      const url = input.text('url') ?? ofCoding;
      const system = codeSystemAt({ systems, edition, id }, url, input.text('version'), 'url');
      const own = codings.filter(({ url }) => url === undefined || url === system.url);
      const results = own.map((coding) => validate(coding, system, edition));
      const result = results.find(({ isValid }) => isValid) ?? results[0] ?? otherSystem(system);
      return resultParameters(result);
    },
  };
}

/** A code to validate. */
interface GivenCoding {
  readonly url?: string | undefined;
  readonly code: string;
  readonly display?: string | undefined;
}

/** Throws a FhirError if the request does not have exactly one of the three forms. */
function codingsOf(input: OperationInput): readonly GivenCoding[] {
  const code = input.text('code');
  const coding = input.object('coding');
  const concept = input.object('codeableConcept');
  if ([code, coding, concept].filter((each) => each !== undefined).length === 1) {
    if (code !== undefined) return [{ code, display: input.text('display') }];
    const given = coding === undefined ? listIn(concept) : [coding];
    const codings = given.flatMap((each) => {
      const { system, code: codeOfCoding, display } = each;
      if (typeof codeOfCoding !== 'string') return [];
      return [{ code: codeOfCoding, url: textIn(system), display: textIn(display) }];
    });
    if (codings.length > 0) return codings;
  }
  throw operationError(
    'invalid-parameter',
    '$validate-code needs one of code, coding and codeableConcept, with a code.',
  );
}

function listIn(concept: FhirObject | undefined): readonly FhirObject[] {
  const coding = concept?.coding;
  return Array.isArray(coding) ? coding.filter(isObject) : [];
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

interface ValidationResult {
  readonly isValid: boolean;
  readonly message?: string;
  readonly display?: string | undefined;
}

/** The case, accents and spaces of a display do not matter. */
function validate(
  { code, display }: GivenCoding,
  system: R4CodeSystem,
  edition: Edition,
): ValidationResult {
  const found = system.find(code, edition);
  if (found === undefined) {
    return { isValid: false, message: `The code system ${system.url} has no code "${code}".` };
  }
  const known = found.display ?? found.code;
  if (display === undefined || fold(display).trim() === fold(known)) {
    return { isValid: true, display: known };
  }
  return {
    isValid: false,
    message: `The display of ${code} is "${known}", not "${display}".`,
    display: known,
  };
}

function otherSystem({ url }: R4CodeSystem): ValidationResult {
  return { isValid: false, message: `No coding has a code of the code system ${url}.` };
}

function resultParameters({ isValid, message, display }: ValidationResult) {
  return {
    resourceType: 'Parameters',
    parameter: [
      { name: 'result', valueBoolean: isValid },
      ...(message === undefined ? [] : [{ name: 'message', valueString: message }]),
      ...(display === undefined ? [] : [{ name: 'display', valueString: display }]),
    ],
  };
}
