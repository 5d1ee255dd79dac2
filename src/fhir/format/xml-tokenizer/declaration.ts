/** The XML declaration: https://www.w3.org/TR/xml/#NT-XMLDecl */
import type { Window } from './window.ts';

const PATTERN = new RegExp(
  '^<\\?xml' +
    '[ \\t\\r\\n]+version[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"1\\.[0-9]+"|\'1\\.[0-9]+\')' +
    '(?:[ \\t\\r\\n]+encoding[ \\t\\r\\n]*=[ \\t\\r\\n]*(["\'])([A-Za-z][A-Za-z0-9._-]*)\\1)?' +
    '(?:[ \\t\\r\\n]+standalone[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"(?:yes|no)"|\'(?:yes|no)\'))?' +
    '[ \\t\\r\\n]*\\?>$',
);

/**
 * The encoding in the instruction between two indexes, which begins the document; undefined if
 * it is not an XML declaration. Any version 1.x is read as 1.0.
 */
export function encodingAt(window: Window, from: number, to: number): string | undefined {
  const text = window.slice(from, to);
  if (!/^<\?xml[ \t\r\n?]/.test(text)) return undefined;
  const match = PATTERN.exec(text);
  if (match === null) return window.fail('the XML declaration is malformed', to - 1);
  return match[2];
}
