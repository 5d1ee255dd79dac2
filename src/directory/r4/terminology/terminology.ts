/** The types CodeSystem and ValueSet of the R4 face, with their operations. */

import type { DefinitionParameter } from '../../definition-search.ts';
import { codeSystemDefinitions } from '../../edition/code-systems.ts';
import type { DefinitionType } from '../../face.ts';
import type { DirectorySettings } from '../../settings.ts';
import { R4_DEFINITION_PARAMETERS } from '../page-parameters.ts';
import { r4CodeSystems } from './code-systems.ts';
import { expandOperation } from './expand.ts';
import { lookupOperation } from './lookup.ts';
import { subsumesOperation } from './subsumes.ts';
import { validateCodeOperation } from './validate-code.ts';

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
