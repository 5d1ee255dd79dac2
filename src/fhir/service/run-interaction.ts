/**
 * Runs an interaction: authorize, negotiate, read the body, run. The same steps serve answers that
 * are values and answers that are promises.
 */

import { recordRefusal } from '../audit/refused-access.ts';
import { refuseOtherVersion } from '../http/media-type.ts';
import type { Negotiate, Negotiated } from '../http/negotiate.ts';
import { preferencesOf } from '../http/preferences.ts';
import { readSearchForm } from '../http/search-form.ts';
import { NO_BODY, readResourceBody } from '../interactions/resource-body.ts';
import { runRepeatable } from '../stored/repeatable-error.ts';
import { writtenTypes } from '../stored/stored-resource.ts';
import { authorize, authorizeAny } from './authorize.ts';
import { answerFailure, type Received } from './failure.ts';
import type { MaybePromise, Software, TypeContext } from './interaction.ts';
import type { Route } from './locate.ts';
import type { FhirResponse } from './request.ts';
import { SYSTEM_TYPE } from './route-table.ts';

/** The context of the interaction, while the steps before it fill it in. */
type Context = { -readonly [Name in keyof TypeContext]: TypeContext[Name] };

/** Never throws or rejects. */
export function runInteraction(
  received: Received,
  route: Route,
  software: Software,
): MaybePromise<FhirResponse> {
  const { request, service } = received;
  const context: Context = {
    request,
    service,
    software,
    interaction: route.interaction,
    type: route.type,
    id: route.id,
    version: route.version,
    startMs: performance.now(),
    onFault: received.onFault,
    identity: undefined,
    negotiated: received.unnegotiated,
    body: NO_BODY,
    isHandedOver: false,
  };
  try {
    const response = authorizeAndRun(received, route, context);
    if (!(response instanceof Promise)) return response;
    return response.catch((error) => refuse(received, context, error));
  } catch (error) {
    return refuse(received, context, error);
  }
}

function authorizeAndRun(
  received: Received,
  route: Route,
  context: Context,
): MaybePromise<FhirResponse> {
  const identity = identityOf(received, route);
  if (identity instanceof Promise) {
    return identity.then((known) => {
      context.identity = known;
      return readAndRun(received, route, context);
    });
  }
  context.identity = identity;
  return readAndRun(received, route, context);
}

/** A system interaction needs the scope for one of the types that clients write. */
function identityOf({ request, service }: Received, { interaction, type }: Route) {
  const { needs } = interaction;
  if (type.name !== SYSTEM_TYPE && needs !== 'either') {
    return authorize(request, service, type.name, needs);
  }
  const names = writtenTypes(service.types).map(({ name }) => name);
  return authorizeAny(request, service, names, needs);
}

function readAndRun(
  { negotiate }: Received,
  { interaction }: Route,
  context: Context,
): MaybePromise<FhirResponse> {
  const { body } = interaction;
  if (body === 'resource') return runWithResource(negotiate, interaction, context);
  if (body === 'form') return runWithForm(negotiate, interaction, context);
  context.negotiated = negotiateWith(negotiate, context);
  return runRepeatable(interaction.run, context);
}

function negotiateWith(negotiate: Negotiate, { request, service }: Context): Negotiated {
  const negotiated = negotiate(preferencesOf(request));
  refuseOtherVersion(request, service.version);
  return negotiated;
}

async function runWithResource(
  negotiate: Negotiate,
  interaction: Route['interaction'],
  context: Context,
): Promise<FhirResponse> {
  context.negotiated = negotiateWith(negotiate, context);
  context.body = await readResourceBody(context.request, context.service);
  return runRepeatable(interaction.run, context);
}

/** The parameters in the body can select the form of the answer. */
async function runWithForm(
  negotiate: Negotiate,
  interaction: Route['interaction'],
  context: Context,
): Promise<FhirResponse> {
  const { query, refusal } = await readSearchForm(context.request);
  context.request = { ...context.request, query };
  context.negotiated = negotiateWith(negotiate, context);
  if (refusal !== undefined) throw refusal;
  return runRepeatable(interaction.run, context);
}

/** Answers with an error. The audit log of a stored type has an entry of it before. */
function refuse(received: Received, context: Context, error: unknown): MaybePromise<FhirResponse> {
  const { code } = context.interaction;
  const fail = (cause: unknown) => answerFailure(received, cause, code);
  const recorded = recordRefusal(context, error);
  return recorded === undefined ? fail(error) : recorded.then(() => fail(error), fail);
}
