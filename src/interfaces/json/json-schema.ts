/**
 * The schemas and parameters in the OpenAPI description of the interfaces that are not FHIR.
 * https://spec.openapis.org/oas/v3.1.0.html#schema-object
 */

export const TEXT = { type: 'string' };
export const DATE = { type: 'string', format: 'date' };

/** One of these texts. */
export function oneOf(texts: readonly string[]) {
  return { ...TEXT, enum: texts };
}

export function objectOf(properties: Readonly<Record<string, object>>) {
  return { type: 'object', properties };
}

export function arrayOf(items: object) {
  return { type: 'array', items };
}

/** A text in the query of an operation, unless `more` has another schema or place. */
export function parameterOf(name: string, description: string, more: object = {}) {
  return { name, in: 'query', description, schema: TEXT, ...more };
}

/** The content of an answer in JSON. */
export function jsonContent(schema: object) {
  return { 'application/json': { schema } };
}
