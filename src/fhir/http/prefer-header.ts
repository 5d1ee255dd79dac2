/** The header Prefer (RFC 7240): https://www.rfc-editor.org/rfc/rfc7240#section-2 */
import { parseHeaderList, parseHeaderParameter } from './header-list.ts';

/** The value of a preference in lower case. If the preference is repeated, the first one counts. */
export function preferredValue(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (const { text } of parseHeaderList(header)) {
    const [preference, value] = parseHeaderParameter(text);
    if (preference === name) return value.toLowerCase();
  }
  return undefined;
}
