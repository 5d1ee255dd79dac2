/** Codes of roles, relationships and record classes: with a prefix in release files, without it here. */
import { isCode } from './source-text.ts';

/** `RO177` → `177`, in any case; undefined if the result is not a code. */
export function roleCode(id: string | undefined): string | undefined {
  return codeWithout(/^RO/i, id);
}

/** `RE4` → `4`, in any case; undefined if the result is not a code. */
export function relationshipCode(id: string | undefined): string | undefined {
  return codeWithout(/^RE/i, id);
}

/** `RC1` → `1`, in any case; undefined if the result is not a code. */
export function classCode(id: string | undefined): string | undefined {
  return codeWithout(/^RC/i, id);
}

/** `177` → `RO177`; a code that is not a number stays the same. */
export function roleName(code: string | undefined): string {
  return code === undefined ? 'a role' : code.replace(/^(?=\d+$)/, 'RO');
}

function codeWithout(prefix: RegExp, id: string | undefined): string | undefined {
  const code = (id ?? '').trim().replace(prefix, '');
  return isCode(code) ? code : undefined;
}
