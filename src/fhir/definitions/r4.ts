/** The definitions of FHIR R4 (4.0.1): the resources that the directory serves, and all data types. */
import { type Definitions, parseDefinitions } from './definitions.ts';
import { R4_TABLE } from './r4.generated.ts';

export const r4: Definitions = parseDefinitions('R4', R4_TABLE);
