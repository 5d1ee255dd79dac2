/** Runs an interaction: checks the token, negotiates the form, reads the body, runs. */

import type { Identity } from '../audit/audit.ts';
import { headerOf } from '../http/headers.ts';
import { readSearchForm, refuseOtherVersion } from '../http/media-type.ts';
import { type Negotiate, preferencesOf } from '../http/negotiate.ts';
import { FhirError, RepeatableError } from '../request/fhir-error.ts';
import type { FhirRequest, FhirResponse } from '../request/request.ts';
import { answerFailure, type Received } from './failure.ts';
import type {
  AnswerOptions,
  MaybePromise,
  RequiredScope,
  Software,
  TypeContext,
} from './interaction.ts';
import type { Route } from './locate.ts';
import { recordRefusal } from './refused-access.ts';
import { NO_BODY, readResourceBody } from './resource-body.ts';
import { SYSTEM_TYPE } from './route-table.ts';
import { writtenTypes } from './stored-resource.ts';

/** The context of the interaction, while the steps before it fill it in. */
type Context = { -readonly [Name in keyof TypeContext]: TypeContext[Name] };

/** Never throws or rejects. */
export function runInteraction(
  received: Received,
  { interaction, type, id, version }: Route,
  software: Software,
): MaybePromise<FhirResponse> {
  const { request, service, negotiate } = received;
  const context: Context = {
    request,
    service,
    software,
    interaction,
    type,
    id,
    version,
    startMs: performance.now(),
    onFault: received.onFault,
    identity: undefined,
    negotiated: received.unnegotiated,
    body: NO_BODY,
    isHandedOver: false,
  };
  try {
    const response = after(identityOf(context), (identity) => {
      context.identity = identity;
      return after(readRequest(context, negotiate), () => runRepeatable(interaction.run, context));
    });
    if (!(response instanceof Promise)) return response;
    return response.catch((error) => refuse(received, context, error));
  } catch (error) {
    return refuse(received, context, error);
  }
}

/** A system interaction needs the scope for one of the types that clients write. */
function identityOf({ request, service, interaction: { needs }, type }: Context) {
  if (type.name !== SYSTEM_TYPE && needs !== 'either') {
    return authorize(request, service, [type.name], needs);
  }
  const names = writtenTypes(service.types).map(({ name }) => name);
  return authorize(request, service, names, needs);
}

/** Negotiates the form, and reads the body that the interaction takes. */
function readRequest(context: Context, negotiate: Negotiate): MaybePromise<void> {
  const { request, service, interaction } = context;
  if (interaction.body === 'form') return readForm(context, negotiate);
  setForm(context, negotiate);
  if (interaction.body === undefined) return undefined;
  return readResourceBody(request, service).then((body) => {
    context.body = body;
  });
}

function setForm(context: Context, negotiate: Negotiate): void {
  context.negotiated = negotiate(preferencesOf(context.request));
  refuseOtherVersion(context.request, context.service.version);
}

/** The parameters in the body can select the form of the answer. */
async function readForm(context: Context, negotiate: Negotiate): Promise<void> {
  const { query, refusal } = await readSearchForm(context.request);
  context.request = { ...context.request, query };
  setForm(context, negotiate);
  if (refusal !== undefined) throw refusal;
}

/** Answers with an error. The audit log of a stored type has an entry of it before. */
function refuse(received: Received, context: Context, error: unknown): MaybePromise<FhirResponse> {
  const { code } = context.interaction;
  const fail = (cause: unknown) => answerFailure(received, cause, code);
  const recorded = recordRefusal(context, error);
  return recorded === undefined ? fail(error) : recorded.then(() => fail(error), fail);
}

/**
 * The identity of the client, if the service asks for a token. Throws or rejects if the client
 * lacks the API key, or the scope for all of the types. `either`: it may read or write. `action` is
 * undefined if the request needs no scope.
 */
export function authorize(
  request: FhirRequest,
  service: Pick<AnswerOptions, 'authorize' | 'checkApiKey'>,
  types: readonly string[],
  action: RequiredScope['action'] | 'either' | undefined,
): MaybePromise<Identity | undefined> {
  if (action === undefined) return undefined;
  const { authorize: check, checkApiKey } = service;
  checkApiKey?.(headerOf(request, 'apikey'));
  if (check === undefined) return undefined;
  const address = request.addressOf?.() ?? '';
  const ask = (scope: RequiredScope) => check(headerOf(request, 'authorization'), scope, address);
  const actions = action === 'either' ? (['read', 'write'] as const) : [action];
  const scopes = types.flatMap((type) => actions.map((each) => ({ type, action: each })));
  const [first, ...others] = scopes;
  return first !== undefined && others.length === 0 ? ask(first) : firstAllowed(scopes, ask);
}

async function firstAllowed(
  scopes: readonly RequiredScope[],
  ask: (scope: RequiredScope) => MaybePromise<Identity>,
): Promise<Identity> {
  let refusal: unknown;
  for (const scope of scopes) {
    try {
      return await ask(scope);
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
    await authorize(request, service, [type], 'read');
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

export function isForbidden(error: unknown): error is FhirError {
  return error instanceof FhirError && error.issues[0].kind === 'forbidden';
}

/** Uses a value at once, or when it is there. */
export function after<T, R>(
  value: MaybePromise<T>,
  use: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** Runs an action, and runs it again when its `RepeatableError` is over. */
export function runRepeatable<Context, Result>(
  run: (context: Context) => MaybePromise<Result>,
  context: Context,
): MaybePromise<Result> {
  try {
    const result = run(context);
    if (!(result instanceof Promise)) return result;
    return result.catch((error) => runAgain(error, run, context));
  } catch (error) {
    return runAgain(error, run, context);
  }
}

/** Throws an error of another kind. */
function runAgain<Context, Result>(
  error: unknown,
  run: (context: Context) => MaybePromise<Result>,
  context: Context,
): Promise<Result> {
  if (error instanceof RepeatableError) return error.ready.then(() => run(context));
  throw error;
}
