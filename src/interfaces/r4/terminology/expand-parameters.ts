/** The parameters of `$expand`. */
import type { OperationParameter } from '../../../fhir/interactions/operation-input.ts';
import { DISPLAY_LANGUAGE } from './given-code.ts';
import { VALUE_SET_URL, VALUE_SET_VERSION } from './value-sets.ts';

/** Parameters that clients send, and that change nothing here. */
const WITHOUT_EFFECT = [
  'excludeNested',
  'excludeNotForUI',
  'excludePostCoordinated',
  'includeDefinition',
  'includeDesignations',
] as const;

export const EXPAND_PARAMETERS: readonly OperationParameter[] = [
  VALUE_SET_URL,
  {
    name: 'valueSet',
    type: 'ValueSet',
    documentation: 'In place of url: a code system, with filters or a list of codes.',
  },
  VALUE_SET_VERSION,
  {
    name: 'filter',
    type: 'string',
    documentation:
      'Words that the code or the display contains, in any case; at most 100 characters.',
  },
  { name: 'offset', type: 'integer', documentation: 'The number of codes to skip.' },
  { name: 'count', type: 'integer', documentation: 'The most codes to return; 0: only the total.' },
  {
    name: 'property',
    type: 'code',
    isRepeatable: true,
    documentation: 'A property to return with each code, such as primaryRole.',
  },
  DISPLAY_LANGUAGE,
  {
    name: 'activeOnly',
    type: 'boolean',
    documentation: 'true: only codes that are in use.',
  },
  ...WITHOUT_EFFECT.map(
    (name): OperationParameter => ({
      name,
      type: 'boolean',
      documentation:
        'No effect: codes have no hierarchy, definition or designation, and are all for display.',
    }),
  ),
  {
    name: 'designation',
    type: 'string',
    isRepeatable: true,
    documentation: 'No effect: codes have no designation.',
  },
  {
    name: 'system-version',
    type: 'uri',
    isRepeatable: true,
    documentation: 'No effect: a code system has one version, that of the edition.',
  },
];
