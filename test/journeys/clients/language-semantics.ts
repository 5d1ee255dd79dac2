/** How other languages read JSON that does not have the expected shape. */

type Json = unknown;

/** A property, or undefined if the value is not an object. */
function property(value: Json, name: string | number): Json {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === String(name))?.[1];
}

/** JavaScript: throws where a value in the path is undefined. */
export function inJavaScript(value: Json, ...path: (string | number)[]): Json {
  let at = value;
  for (const name of path) {
    if (at === undefined || at === null) throw new TypeError(`no ${name} of ${at}`);
    at = property(at, name);
  }
  return at;
}

/** PHP after `json_decode`: a property of an array is null, with a warning that nobody sees. */
export function inPhp(value: Json, ...path: (string | number)[]): Json {
  let at = value;
  for (const name of path) {
    const isList = Array.isArray(at);
    at = isList === (typeof name === 'number') ? property(at, name) : undefined;
  }
  return at ?? null;
}

/** Python: a key of a list, or one that is not there, throws. */
export function inPython(value: Json, ...path: (string | number)[]): Json {
  let at = value;
  for (const name of path) {
    if (Array.isArray(at) !== (typeof name === 'number')) throw new TypeError('list indices');
    at = property(at, name);
    if (at === undefined) throw new RangeError(`KeyError: ${name}`);
  }
  return at;
}

/**
 * R after `jsonlite::fromJSON`: a list of objects is a data frame, so that `$` reads a column. The
 * column of an array in each row is a list, whose `$` is NULL.
 */
export function columnInR(rows: Json, ...path: string[]): readonly Json[] | null {
  if (!Array.isArray(rows)) return null;
  let column: readonly Json[] = rows;
  for (const name of path) {
    if (column.some((cell) => Array.isArray(cell))) return null;
    column = column.map((cell) => property(cell, name));
  }
  return column;
}
