/**
 * `$subsumes`: how two codes of a code system relate. The code systems have no hierarchy.
 * https://hl7.org/fhir/R4/codesystem-operation-subsumes.html
 */
import type { OperationInput } from '../../../fhir/interactions/operation.ts';
import type { EditionOperation } from '../../face.ts';
import type { R4CodeSystem } from './code-systems.ts';
import { codeSystemAt, operationError } from './find-code-system.ts';

export function subsumesOperation(systems: readonly R4CodeSystem[]): EditionOperation {
  return {
    name: '$subsumes',
    definition: 'http://hl7.org/fhir/OperationDefinition/CodeSystem-subsumes',
    documentation: 'Whether two codes are equivalent: the code systems have no hierarchy.',
    levels: ['type', 'instance'],
    parameters: [
      { name: 'codeA', type: 'code', documentation: 'A code, such as RO197.' },
      { name: 'codeB', type: 'code', documentation: 'Another code.' },
      { name: 'system', type: 'uri', documentation: 'The URL of the code system.' },
      { name: 'version', type: 'string', documentation: 'The version of the code system.' },
      { name: 'codingA', type: 'Coding', documentation: 'In place of codeA.' },
      { name: 'codingB', type: 'Coding', documentation: 'In place of codeB.' },
    ],
    returns: 'Parameters',
    run: (input, edition, id) => {
      const given = [givenCode(input, 'A'), givenCode(input, 'B')] as const;
      const urls = new Set([input.text('system'), ...given.map(({ system }) => system)]);
      urls.delete(undefined);
      if (urls.size > 1) {
        throw operationError('invalid-value', 'The codes have different code systems.');
      }
      const [url] = urls;
      const place = { systems, edition, id };
      const system = codeSystemAt(place, url, input.text('version'), 'system');
      const [codeA, codeB] = given.map(({ code }) => {
        const found = system.find(code, edition);
        if (found !== undefined) return found.code;
        throw operationError('no-record', `The code system ${system.url} has no code "${code}".`);
      });
      const outcome = codeA === codeB ? 'equivalent' : 'not-subsumed';
      return { resourceType: 'Parameters', parameter: [{ name: 'outcome', valueCode: outcome }] };
    },
  };
}

/** Throws a FhirError if the request does not have exactly one of the two forms. */
function givenCode(input: OperationInput, letter: 'A' | 'B') {
  const code = input.text(`code${letter}`);
  const coding = input.object(`coding${letter}`);
  if (coding === undefined && code !== undefined) return { code };
  const { code: codeOfCoding, system } = coding ?? {};
  if (code === undefined && typeof codeOfCoding === 'string') {
    return { code: codeOfCoding, ...(typeof system === 'string' && { system }) };
  }
  throw operationError(
    'invalid-parameter',
    `$subsumes needs one of code${letter} and coding${letter}, with a code.`,
  );
}
