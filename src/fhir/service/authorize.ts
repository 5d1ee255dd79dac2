/** Checks whether the client of a request has the API key and the scope that it needs. */
import type { Identity } from '../audit/access.ts';
import { FhirError } from './fhir-error.ts';
import type {
  AnswerOptions,
  Authorize,
  MaybePromise,
  RequiredScope,
  TypeContext,
} from './interaction.ts';
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

/** The same, but the scope for one of the types is enough. With `either`, it may read or write. */
export function authorizeAny(
  request: FhirRequest,
  service: Pick<AnswerOptions, 'authorize' | 'checkApiKey'>,
  types: readonly string[],
  action: RequiredScope['action'] | 'either' | undefined,
): MaybePromise<Identity> | undefined {
  if (action === undefined) return undefined;
  service.checkApiKey?.(headerOf(request, 'apikey'));
  if (service.authorize === undefined) return undefined;
  const actions = action === 'either' ? (['read', 'write'] as const) : [action];
  const scopes = types.flatMap((type) => actions.map((each) => ({ type, action: each })));
  return firstAllowed(request, service.authorize, scopes);
}

async function firstAllowed(
  request: FhirRequest,
  check: Authorize,
  scopes: readonly RequiredScope[],
): Promise<Identity> {
  let refusal: unknown;
  for (const scope of scopes) {
    try {
      return await check(headerOf(request, 'authorization'), scope, request.addressOf?.() ?? '');
    } catch (error) {
      if (!isForbidden(error)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

/** Whether the client may read the type. Rejects if the token cannot be checked now. */
export async function mayRead(
  { request, service }: Pick<TypeContext, 'request' | 'service'>,
  type: string,
): Promise<boolean> {
  try {
    await authorize(request, service, type, 'read');
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

export function isForbidden(error: unknown): error is FhirError {
  return error instanceof FhirError && error.issues[0].kind === 'forbidden';
}
