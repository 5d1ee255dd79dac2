/** The definitions of FHIR DSTU2 (1.0.2). */
import { type Definitions, parseDefinitions } from './definitions.ts';
import { DSTU2_TABLE } from './dstu2.generated.ts';

export const dstu2: Definitions = parseDefinitions('DSTU2', DSTU2_TABLE, {
  hasComments: true,
  isNamespaceOptional: true,
});
