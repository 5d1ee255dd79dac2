/** Texts as PostgreSQL can store and compare them: without U+0000 and halves of surrogate pairs. */

export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** A list of texts in JSON, for `jsonb`. */
export function storableList(texts: readonly string[]): string {
  return JSON.stringify(texts.map(storable));
}

/** JSON without the escapes that `jsonb` refuses. */
export function storableJson(json: string): string {
  if (!json.includes('\\u')) return json;
  return JSON.stringify(
    JSON.parse(json, (_, part: unknown) => (typeof part === 'string' ? storable(part) : part)),
  );
}
