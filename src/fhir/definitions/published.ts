/** The definitions of the versions of FHIR that the services use. */
import { type Definitions, parseDefinitions } from './definitions.ts';
import { DSTU2_TABLE } from './dstu2.generated.ts';
import { R4_TABLE } from './r4.generated.ts';
import { STU3_TABLE } from './stu3.generated.ts';

/** FHIR R4 (4.0.1): the resources that the directory serves, and all data types. */
export const r4: Definitions = parseDefinitions('R4', R4_TABLE);

/** FHIR STU3 (3.0.2). */
export const stu3: Definitions = parseDefinitions('STU3', STU3_TABLE);

/** FHIR DSTU2 (1.0.2). */
export const dstu2: Definitions = parseDefinitions('DSTU2', DSTU2_TABLE, {
  hasComments: true,
  isNamespaceOptional: true,
});
