/**
 * The schemas and parameters in the OpenAPI description of the interfaces that are not FHIR.
 * https://spec.openapis.org/oas/v3.1.0.html#schema-object
 */

/** Keywords and their values. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export const TEXT: JsonSchema = { type: 'string' };
export const DATE: JsonSchema = { type: 'string', format: 'date' };

/** One of these texts. */
export function oneOf(texts: readonly string[]): JsonSchema {
  return { ...TEXT, enum: texts };
}

export function objectOf(properties: Readonly<Record<string, object>>): JsonSchema {
  return { type: 'object', properties };
}

export function arrayOf(items: object): JsonSchema {
  return { type: 'array', items };
}

/** The content of an answer in JSON. */
export function jsonContent(schema: object): Readonly<Record<string, object>> {
  return { 'application/json': { schema } };
}
