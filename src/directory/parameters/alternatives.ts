/** One parameter value as its alternatives: https://hl7.org/fhir/STU3/search.html#escaping */

export interface Alternative {
  /** The text between commas, split at its unescaped pipes, each part unescaped. */
  readonly parts: readonly string[];
  /** A backslash stands before something that is never escaped. */
  readonly hasLoneBackslash: boolean;
}

/** At least one alternative, also of an empty value. */
export function parseAlternatives(value: string): Alternative[] {
  const alternatives: Alternative[] = [];
  let parts: string[] = [];
  let part = '';
  let hasLoneBackslash = false;
  for (let at = 0; at < value.length; at++) {
    const character = value[at]!;
    if (character === '\\') {
      const next = value[at + 1] ?? '';
      if (next !== '' && ESCAPED.includes(next)) {
        part += next;
        at += 1;
      } else {
        hasLoneBackslash = true;
      }
    } else if (character === '|') {
      parts.push(part);
      part = '';
    } else if (character === ',') {
      alternatives.push({ parts: [...parts, part], hasLoneBackslash });
      parts = [];
      part = '';
      hasLoneBackslash = false;
    } else {
      part += character;
    }
  }
  alternatives.push({ parts: [...parts, part], hasLoneBackslash });
  return alternatives;
}

const ESCAPED = ',|$\\';
