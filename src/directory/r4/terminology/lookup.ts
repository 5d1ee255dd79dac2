/**
 * `$lookup`: the display and the properties of a code.
 * https://hl7.org/fhir/R4/codesystem-operation-lookup.html
 */
import type { OperationInput } from '../../../fhir/interactions/operation.ts';
import type { CodeProperty } from '../../edition/code-systems.ts';
import type { EditionOperation } from '../../face.ts';
import type { R4CodeSystem } from './code-systems.ts';
import {
  codeSystemOf,
  DISPLAY_LANGUAGE,
  namedProperties,
  operationError,
} from './find-code-system.ts';

export function lookupOperation(systems: readonly R4CodeSystem[]): EditionOperation {
  return {
    name: '$lookup',
    definition: 'http://hl7.org/fhir/OperationDefinition/CodeSystem-lookup',
    documentation: 'The display and the properties of a code.',
    levels: ['type'],
    parameters: [
      { name: 'code', type: 'code', documentation: 'The code, such as RR8 or RO197.' },
      { name: 'system', type: 'uri', documentation: 'The URL of the code system.' },
      { name: 'version', type: 'string', documentation: 'The version of the code system.' },
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
      const found = system.find(code, edition);
      if (found === undefined) {
        throw operationError('no-record', `The code system ${url} has no code "${code}".`);
      }
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
  const coding = input.object('coding');
  const code = input.text('code');
  const url = input.text('system');
  const version = input.text('version');
  if (coding === undefined) {
    if (code !== undefined && url !== undefined) return { code, url, version };
  } else if (code !== undefined || url !== undefined || version !== undefined) {
    throw operationError(
      'invalid-parameter',
      'The request has a coding, and also code, system or version. Send only one of the two forms.',
    );
  } else {
    const { code: codeOfCoding, system, version: versionOfCoding } = coding;
    if (typeof codeOfCoding === 'string' && typeof system === 'string') {
      return {
        code: codeOfCoding,
        url: system,
        version: typeof versionOfCoding === 'string' ? versionOfCoding : undefined,
      };
    }
  }
  throw operationError(
    'invalid-parameter',
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
