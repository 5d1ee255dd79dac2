/** Authorises requests: compares the scopes of the token with the scope that the request needs. */
import type { Authorize } from '../fhir/service/interaction.ts';
import type { Authenticator } from './authenticator.ts';
import type { Authenticated } from './claims.ts';
import { lackingScope } from './refusal.ts';
import { allows } from './scopes.ts';

/**
 * Returns the identity if the token allows the request, at once if the token is in the cache.
 * Throws or rejects with a FhirError, `forbidden` if the token lacks the scope.
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
