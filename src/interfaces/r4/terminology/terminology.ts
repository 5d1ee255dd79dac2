/** The types CodeSystem and ValueSet of the R4 face, with `$lookup` and `$subsumes`. */

import type { OperationInput } from '../../../fhir/interactions/operation-input.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import type { DirectorySettings } from '../../answer/settings.ts';
import { type CodeProperty, codeSystemDefinitions } from '../../faces/code-system-types.ts';
import type { DefinitionParameter } from '../../faces/definition-search.ts';
import type { DefinitionType, EditionOperation } from '../../faces/face.ts';
import { refuse } from '../../json/json-parameters.ts';
import { R4_DEFINITION_PARAMETERS } from '../resources/result-parameters.ts';
import {
  codeSystemAt,
  codeSystemOf,
  namedProperties,
  r4CodeSystems,
  requireCode,
} from './code-systems.ts';
import { expandOperation } from './expand.ts';
import {
  CODE,
  DISPLAY_LANGUAGE,
  type GivenCode,
  givenCode,
  SYSTEM,
  VERSION,
} from './given-code.ts';
import type { R4CodeSystem } from './systems/code-system.ts';
import { validateCodeOperation, validateInValueSetOperation } from './validate-code.ts';

export function terminologyTypes(settings: DirectorySettings): readonly DefinitionType[] {
  const systems = r4CodeSystems(settings);
  const operations = {
    codeSystem: [
      lookupOperation(systems),
      validateCodeOperation(systems),
      subsumesOperation(systems),
    ],
    valueSet: [expandOperation(systems, settings), validateInValueSetOperation(systems)],
  };
  return codeSystemDefinitions(systems, operations, {
    codeSystem: [...SEARCHED_BY, 'system', 'content-mode'],
    valueSet: [...SEARCHED_BY, 'reference'],
  });
}

const SEARCHED_BY: readonly DefinitionParameter[] = [
  ...R4_DEFINITION_PARAMETERS,
  'url',
  'identifier',
  'name',
  'title',
  'status',
  'version',
  'description',
  'publisher',
  'context',
  '_security',
  '_tag',
];

/** The display and the properties of a code: https://hl7.org/fhir/R4/codesystem-operation-lookup.html */
function lookupOperation(systems: readonly R4CodeSystem[]): EditionOperation {
  return {
    name: '$lookup',
    definition: 'http://hl7.org/fhir/OperationDefinition/CodeSystem-lookup',
    documentation: 'The display and the properties of a code.',
    levels: ['type'],
    parameters: [
      CODE,
      SYSTEM,
      VERSION,
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
          // Code and system are as in the national service and in later versions of FHIR.
          { name: 'code', valueCode: found.code },
          { name: 'display', valueString: display },
          { name: 'name', valueString: system.name ?? system.id },
          { name: 'system', valueUri: url },
          { name: 'version', valueString: String(edition.number) },
          {
            name: 'designation',
            part: [
              { name: 'language', valueCode: 'en' },
              { name: 'use', valueCoding: DISPLAY_USE },
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

const DISPLAY_USE = {
  system: 'http://terminology.hl7.org/CodeSystem/designation-usage',
  code: 'display',
};

/**
 * As in the national service, a value of another type than code comes twice: by the name of its type,
 * and as FHIR names it.
 */
function propertyParameter({ code, value, description }: CodeProperty) {
  const typed = Object.keys(value).filter((name) => name !== 'valueCode');
  return {
    name: 'property',
    part: [
      { name: 'code', valueCode: code },
      ...typed.map((name) => ({ name, ...value })),
      { name: 'value', ...value },
      ...(description === undefined ? [] : [{ name: 'description', valueString: description }]),
    ],
  };
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
      SYSTEM,
      VERSION,
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
