/** Checks whether the client of a request has the API key and the scope that it needs. */
import type { Identity } from './access.ts';
import { FhirError } from './fhir-error.ts';
import type { AnswerOptions, Authorize, MaybePromise, RequiredScope } from './interaction.ts';
import { type FhirRequest, headerOf } from './request.ts';

/**
 * The identity of the client, if the service asks for a token. Throws or rejects if the client
 * lacks the API key or the scope. `action` is undefined if the request needs no scope.
 */
export function authorize(
  request: FhirRequest,
  service: Pick<AnswerOptions, 'authorize' | 'checkApiKey'>,
  type: string,
  action: RequiredScope['action'] | undefined,
): MaybePromise<Identity> | undefined {
  if (action === undefined) return undefined;
  service.checkApiKey?.(headerOf(request, 'apikey'));
  if (service.authorize === undefined) return undefined;
  const address = request.addressOf?.() ?? '';
  return service.authorize(headerOf(request, 'authorization'), { type, action }, address);
}

/** The same for each of the types: the client needs the scope for all of them; `either`: any scope. */
export function authorizeAll(
  request: FhirRequest,
  service: Pick<AnswerOptions, 'authorize' | 'checkApiKey'>,
  types: readonly string[],
  action: RequiredScope['action'] | 'either' | undefined,
): MaybePromise<Identity> | undefined {
  if (action === 'either') {
    service.checkApiKey?.(headerOf(request, 'apikey'));
    return service.authorize === undefined
      ? undefined
      : authorizeAny(request, service.authorize, types);
  }
  let identity: MaybePromise<Identity> | undefined;
  for (const type of types) {
    identity =
      identity instanceof Promise
        ? identity.then(async (first) => (await authorize(request, service, type, action)) ?? first)
        : authorize(request, service, type, action);
  }
  return identity;
}

async function authorizeAny(
  request: FhirRequest,
  check: Authorize,
  types: readonly string[],
): Promise<Identity> {
  const scopes = types.flatMap((type) =>
    (['read', 'write'] as const).map((action) => ({ type, action })),
  );
  let refusal: unknown;
  for (const scope of scopes) {
    try {
      return await check(headerOf(request, 'authorization'), scope, request.addressOf?.() ?? '');
    } catch (error) {
      if (!(error instanceof FhirError) || error.issues[0].kind !== 'forbidden') throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}
