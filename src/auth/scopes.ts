/** The scopes of a token, in the syntax of SMART on FHIR: `system/OrderResponse.write`. */
import { AUDIT_EVENT } from '../fhir/audit/audit-event.ts';
import type { RequiredScope } from '../fhir/service/interaction.ts';

export interface Scope {
  /** A resource type, or `*` for all types but AuditEvent. */
  readonly type: string;
  readonly action: 'read' | 'write' | '*';
}

/**
 * The scopes in the claims `scope` and `scp`: a text with spaces between the scopes, or a list.
 * Other scopes are ignored, also `patient/…`: the server does not know whose record a resource is.
 */
export function parseScopes(...claims: readonly unknown[]): Scope[] {
  return claims.flatMap(wordsOf).flatMap((word) => parseScope(word) ?? []);
}

export function parseScope(word: string): Scope | undefined {
  const [, type, action] = SCOPE.exec(word) ?? [];
  if (type === undefined) return undefined;
  return { type, action: action === 'read' || action === 'write' ? action : '*' };
}

export function allows(scopes: readonly Scope[], { type, action }: RequiredScope): boolean {
  return scopes.some(
    (scope) =>
      (scope.type === type || (scope.type === '*' && isInAll(type))) &&
      (scope.action === action || scope.action === '*'),
  );
}

/** The right to read resources does not include the right to see who else reads them. */
export function isInAll(type: string): boolean {
  return type !== AUDIT_EVENT;
}

const SCOPE = /^(?:system|user)\/([A-Z][A-Za-z]*|\*)\.(read|write|\*)$/;

function wordsOf(claim: unknown): string[] {
  const texts = Array.isArray(claim) ? claim : [claim];
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));
}
