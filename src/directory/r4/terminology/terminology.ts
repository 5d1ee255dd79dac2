/** The types CodeSystem and ValueSet of the R4 face, and the operations of CodeSystem. */

import { type FhirObject, type FhirValue, isObject } from '../../../fhir/format/resource.ts';
import type { OperationInput, OperationParameter } from '../../../fhir/interactions/operation.ts';
import { fold } from '../../../fhir/search/string.ts';
import { FhirError } from '../../../fhir/service/fhir-error.ts';
import { type CodeProperty, codeSystemDefinitions } from '../../answer/code-system-types.ts';
import { refuse } from '../../answer/json-parameters.ts';
import type { DefinitionParameter } from '../../definition-search.ts';
import type { Edition } from '../../edition/edition.ts';
import type { DefinitionType, EditionOperation } from '../../face.ts';
import type { DirectorySettings } from '../../settings.ts';
import { R4_DEFINITION_PARAMETERS } from '../result-parameters.ts';
import {
  codeSystemAt,
  codeSystemOf,
  DISPLAY_LANGUAGE,
  namedProperties,
  noCode,
  type R4CodeSystem,
  r4CodeSystems,
  requireCode,
} from './code-systems.ts';
import { expandOperation } from './expand.ts';

export function terminologyTypes(settings: DirectorySettings): readonly DefinitionType[] {
  const systems = r4CodeSystems(settings);
  const operations = {
    codeSystem: [
      ...[lookupOperation(systems), validateCodeOperation(systems)],
      subsumesOperation(systems),
    ],
    valueSet: [expandOperation(systems, settings)],
  };
  return codeSystemDefinitions(systems, operations, {
    codeSystem: [...SEARCHED_BY, 'system'],
    valueSet: [...SEARCHED_BY, 'reference'],
  });
}

const SEARCHED_BY: readonly DefinitionParameter[] = [
  ...R4_DEFINITION_PARAMETERS,
  ...(['url', 'identifier', 'name', 'title', 'status', 'version'] as const),
];

const CODE: OperationParameter = {
  name: 'code',
  type: 'code',
  documentation: 'The code, such as RR8 or RO197.',
};

const SYSTEM: OperationParameter = {
  name: 'system',
  type: 'uri',
  documentation: 'The URL of the code system.',
};

const VERSION: OperationParameter = {
  name: 'version',
  type: 'string',
  documentation: 'The version of the code system.',
};

/** The display and the properties of a code: https://hl7.org/fhir/R4/codesystem-operation-lookup.html */
function lookupOperation(systems: readonly R4CodeSystem[]): EditionOperation {
  return {
    name: '$lookup',
    definition: 'http://hl7.org/fhir/OperationDefinition/CodeSystem-lookup',
    documentation: 'The display and the properties of a code.',
    levels: ['type'],
    parameters: [
      ...[CODE, SYSTEM, VERSION],
      { name: 'coding', type: 'Coding', documentation: 'In place of code and system.' },
      DISPLAY_LANGUAGE,
      {
        name: 'property',
        type: 'code',
        isRepeatable: true,
        documentation: 'A property to return. *: all properties.',
      },
    ],
    returns: 'Parameters',
    run: (input, edition) => {
      const { code, url, version } = wantedCode(input);
      const system = codeSystemOf(systems, url, version, edition);
      const found = requireCode(system, code, edition);
      const display = found.display ?? found.code;
      const named = namedProperties(input, system, edition);
      const properties = found.properties(
        named.size === 0 ? new Set(system.usualProperties) : named,
      );
      return {
        resourceType: 'Parameters',
        parameter: [
          { name: 'name', valueString: system.name ?? system.id },
          { name: 'version', valueString: String(edition.number) },
          { name: 'display', valueString: display },
          // As in the national service and in later versions of FHIR.
          { name: 'code', valueCode: found.code },
          { name: 'system', valueUri: url },
          {
            name: 'designation',
            part: [
              { name: 'language', valueCode: 'en' },
              { name: 'value', valueString: display },
            ],
          },
          ...properties.map(propertyParameter),
        ],
      };
    },
  };
}

/** Throws a FhirError if the request does not name exactly one code. */
function wantedCode(input: OperationInput) {
  const [code, url, version] = ['code', 'system', 'version'].map((name) => input.text(name));
  const coding = input.object('coding');
  if (coding !== undefined && [code, url, version].some((text) => text !== undefined)) {
    throw refuse(
      'The request has a coding, and also code, system or version. Send only one of the two forms.',
    );
  }
  const wanted = coding === undefined ? { code, url, version } : givenCode(coding);
  if (wanted?.code !== undefined && wanted.url !== undefined) {
    return { code: wanted.code, url: wanted.url, version: wanted.version };
  }
  throw refuse(
    '$lookup needs the code and the URL of its system. Send code and system, or a coding with both.',
  );
}

function propertyParameter({ code, value, description }: CodeProperty) {
  return {
    name: 'property',
    part: [
      { name: 'code', valueCode: code },
      { name: 'value', ...value },
      ...(description === undefined ? [] : [{ name: 'description', valueString: description }]),
    ],
  };
}

/** A code of a request. */
interface GivenCode {
  readonly code: string;
  readonly url?: string | undefined;
  readonly version?: string | undefined;
  readonly display?: string | undefined;
}

/** The code of a Coding; undefined if it has none. */
function givenCode({ code, system, version, display }: FhirObject): GivenCode | undefined {
  if (typeof code !== 'string') return undefined;
  return { code, url: textIn(system), version: textIn(version), display: textIn(display) };
}

function textIn(value: FhirValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * How two codes of a code system relate. The code systems have no hierarchy.
 * https://hl7.org/fhir/R4/codesystem-operation-subsumes.html
 */
function subsumesOperation(systems: readonly R4CodeSystem[]): EditionOperation {
  return {
    name: '$subsumes',
    definition: 'http://hl7.org/fhir/OperationDefinition/CodeSystem-subsumes',
    documentation: 'Whether two codes are equivalent: the code systems have no hierarchy.',
    levels: ['type', 'instance'],
    parameters: [
      { name: 'codeA', type: 'code', documentation: 'A code, such as RO197.' },
      { name: 'codeB', type: 'code', documentation: 'Another code.' },
      ...[SYSTEM, VERSION],
      { name: 'codingA', type: 'Coding', documentation: 'In place of codeA.' },
      { name: 'codingB', type: 'Coding', documentation: 'In place of codeB.' },
    ],
    returns: 'Parameters',
    run: (input, edition, id) => {
      const given = [codeToCompare(input, 'A'), codeToCompare(input, 'B')] as const;
      const urls = new Set([input.text('system'), ...given.map((each) => each.url)]);
      urls.delete(undefined);
      if (urls.size > 1) {
        throw FhirError.of('invalid-value', 'The codes have different code systems.');
      }
      const [url] = urls;
      const place = { systems, edition, id };
      const system = codeSystemAt(place, url, input.text('version'), 'system');
      const [codeA, codeB] = given.map(({ code }) => requireCode(system, code, edition).code);
      const outcome = codeA === codeB ? 'equivalent' : 'not-subsumed';
      return { resourceType: 'Parameters', parameter: [{ name: 'outcome', valueCode: outcome }] };
    },
  };
}

/** Throws a FhirError if the request does not have exactly one of the two forms. */
function codeToCompare(input: OperationInput, letter: 'A' | 'B'): GivenCode {
  const code = input.text(`code${letter}`);
  const coding = input.object(`coding${letter}`);
  if (coding === undefined && code !== undefined) return { code };
  const given = code === undefined && coding !== undefined ? givenCode(coding) : undefined;
  if (given !== undefined) return given;
  throw refuse(`$subsumes needs one of code${letter} and coding${letter}, with a code.`);
}

/**
 * Whether a code is in a code system.
 * https://hl7.org/fhir/R4/codesystem-operation-validate-code.html
 */
function validateCodeOperation(systems: readonly R4CodeSystem[]): EditionOperation {
  return {
    name: '$validate-code',
    definition: 'http://hl7.org/fhir/OperationDefinition/CodeSystem-validate-code',
    documentation: 'Whether a code system has a code.',
    levels: ['type', 'instance'],
    parameters: [
      { ...SYSTEM, name: 'url' },
      ...[CODE, VERSION],
      { name: 'display', type: 'string', documentation: 'The display to compare.' },
      { name: 'coding', type: 'Coding', documentation: 'In place of code.' },
      { name: 'codeableConcept', type: 'CodeableConcept', documentation: 'In place of code.' },
      DISPLAY_LANGUAGE,
    ],
    returns: 'Parameters',
    run: (input, edition, id) => {
      const given = codesToValidate(input);
      const ofCoding = id === '' && given.length === 1 ? given[0]?.url : undefined;
      const url = input.text('url') ?? ofCoding;
      const system = codeSystemAt({ systems, edition, id }, url, input.text('version'), 'url');
      const own = given.filter(({ url }) => url === undefined || url === system.url);
      const results = own.map((each) => validate(each, system, edition));
      const { isValid, message, display } = results.find((result) => result.isValid) ??
        results[0] ?? {
          isValid: false,
          message: `No coding has a code of the code system ${system.url}.`,
        };
      return {
        resourceType: 'Parameters',
        parameter: [
          { name: 'result', valueBoolean: isValid },
          ...(message === undefined ? [] : [{ name: 'message', valueString: message }]),
          ...(display === undefined ? [] : [{ name: 'display', valueString: display }]),
        ],
      };
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

interface ValidationResult {
  readonly isValid: boolean;
  readonly message?: string;
  readonly display?: string;
}

/** The case, accents and spaces of a display do not matter. */
function validate(
  { code, display }: GivenCode,
  system: R4CodeSystem,
  edition: Edition,
): ValidationResult {
  const found = system.find(code, edition);
  if (found === undefined) return { isValid: false, message: noCode(system, code) };
  const known = found.display ?? found.code;
  if (display === undefined || fold(display).trim() === fold(known)) {
    return { isValid: true, display: known };
  }
  const message = `The display of ${code} is "${known}", not "${display}".`;
  return { isValid: false, message, display: known };
}
