/** The schemas of answers. */

import { type JsonSchema, objectOf, TEXT } from '../../json/json-schema.ts';

/** An object that always has the members `required`. */
export function resultOf(
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
): JsonSchema {
  return { ...objectOf(properties), required };
}

export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

/** https://hl7.org/fhir/STU3/organization.html */
export const FHIR_ORGANIZATION: JsonSchema = {
  ...resultOf({ resourceType: { const: 'Organization' }, id: TEXT }, ['resourceType', 'id']),
  additionalProperties: true,
};
