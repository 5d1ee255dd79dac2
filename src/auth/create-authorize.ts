/** What somebody may do: who asks, held against what is needed for it. */
import type { Authorize } from '../fhir/service.ts';
import type { Authenticator } from './authenticator.ts';
import type { Authenticated } from './claims.ts';
import { lackingScope } from './refusal.ts';
import { allows } from './scopes.ts';

/**
 * The identity of those who may; at once where the token is known already. Throws or rejects with a
 * FhirError, `forbidden` where the token lacks the scope.
 */
export function createAuthorize({ authenticate }: Pick<Authenticator, 'authenticate'>): Authorize {
  return (authorization, need, address) => {
    const authenticated = authenticate(authorization, address);
    const identityOf = (known: Authenticated) => {
      if (!allows(known.scopes, need)) throw lackingScope(need);
      return known.identity;
    };
    return authenticated instanceof Promise
      ? authenticated.then(identityOf)
      : identityOf(authenticated);
  };
}
