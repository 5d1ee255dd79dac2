/** The definitions of FHIR STU3 (3.0.2). */
import { type Definitions, parseDefinitions } from './definitions.ts';
import { STU3_TABLE } from './stu3.generated.ts';

export const stu3: Definitions = parseDefinitions('STU3', STU3_TABLE);
