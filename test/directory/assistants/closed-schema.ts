/** A JSON Schema that refuses members which it does not name, for tests that a schema names all. */

/** `additionalProperties: true` stays open. */
export function closedSchema(schema: object): object {
  const closed = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, closedValue(keyword, value)]),
  );
  const isOpen = !('properties' in schema) || 'additionalProperties' in schema;
  return isOpen ? closed : { ...closed, additionalProperties: false };
}

function closedValue(keyword: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (keyword !== 'properties') return closedSchema(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [name, closedSchema(schema)]),
  );
}
