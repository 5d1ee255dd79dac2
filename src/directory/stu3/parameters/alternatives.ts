/** One parameter value as its alternatives: https://hl7.org/fhir/STU3/search.html#escaping */

/**
 * The text of an alternative, split at its unescaped pipes, each part unescaped. A backslash that
 * stands before nothing that is ever escaped stays: no parameter allows one.
 */
export type Alternative = readonly string[];

/** At least one alternative, also of an empty value. */
export function parseAlternatives(value: string): Alternative[] {
  if (!SPECIAL.test(value)) return [[value]];
  const alternatives: Alternative[] = [];
  let parts: string[] = [];
  let part = '';
  for (let at = 0; at < value.length; at++) {
    const character = value[at]!;
    const next = value[at + 1];
    if (character === '\\' && next !== undefined && ESCAPED.includes(next)) {
      part += next;
      at += 1;
    } else if (character === '|') {
      parts.push(part);
      part = '';
    } else if (character === ',') {
      alternatives.push([...parts, part]);
      parts = [];
      part = '';
    } else {
      part += character;
    }
  }
  alternatives.push([...parts, part]);
  return alternatives;
}

const ESCAPED = ',|$\\';
/** What splits values, and what escapes it. */
const SPECIAL = /[,|\\]/;
