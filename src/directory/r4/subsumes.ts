/**
 * `$subsumes`: how two codes of a code system relate. The code systems have no hierarchy.
 * https://hl7.org/fhir/R4/codesystem-operation-subsumes.html
 */
import type { EditionOperation } from '../face.ts';
import type { R4CodeSystem } from './code-systems.ts';
import { codeSystemOf, operationError } from './find-code-system.ts';

export function subsumesOperation(systems: readonly R4CodeSystem[]): EditionOperation {
  return {
    name: '$subsumes',
    definition: 'http://hl7.org/fhir/OperationDefinition/CodeSystem-subsumes',
    documentation: 'Whether two codes are equivalent: the code systems have no hierarchy.',
    levels: ['type'],
    parameters: [
      { name: 'codeA', type: 'code', documentation: 'A code, such as RO197.' },
      { name: 'codeB', type: 'code', documentation: 'Another code.' },
      { name: 'system', type: 'uri', documentation: 'The URL of the code system.' },
      { name: 'version', type: 'string', documentation: 'The version of the code system.' },
    ],
    returns: 'Parameters',
    run: (input, edition) => {
      const [codeA, codeB, url] = ['codeA', 'codeB', 'system'].map((name) => input.text(name));
      if (codeA === undefined || codeB === undefined || url === undefined) {
        throw operationError('invalid-parameter', '$subsumes needs codeA, codeB and system.');
      }
      const system = codeSystemOf(systems, url, input.text('version'), edition);
      for (const code of [codeA, codeB]) {
        if (system.find(code, edition) === undefined) {
          throw operationError('no-record', `The code system ${url} has no code "${code}".`);
        }
      }
      const outcome = codeA === codeB ? 'equivalent' : 'not-subsumed';
      return { resourceType: 'Parameters', parameter: [{ name: 'outcome', valueCode: outcome }] };
    },
  };
}
