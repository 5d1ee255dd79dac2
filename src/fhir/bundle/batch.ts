/** Runs a batch: each entry is a separate request. https://hl7.org/fhir/DSTU2/http.html#batch */
import { setImmediate } from 'node:timers/promises';
import { ERROR_ROWS } from '../request/fhir-error.ts';
import type { FhirRequest, FhirResponse } from '../request/request.ts';
import { answerFailure, type Received } from '../service/failure.ts';
import type { Service, TypeContext } from '../service/interaction.ts';
import { runInteraction } from '../service/run-interaction.ts';
import { NOTHING_STORED_OF_ENTRY, RepositoryError } from '../stored/repository-error.ts';
import type { AnswerRoom } from './answer-room.ts';
import { entryForm, entryRequest, entryRoute } from './entry-request.ts';
import { resolveLinks } from './link-resolver.ts';
import { ENTRY_METHODS, type SentBatch, type SentEntry } from './sent-bundle.ts';

/** The answers in the order of the entries. */
export async function runBatch(
  context: TypeContext,
  service: Service,
  entries: SentBatch['entries'],
  room: AnswerRoom,
): Promise<readonly FhirResponse[]> {
  const answers = new Map<SentBatch['entries'][number], FhirResponse>();
  const run = async (entry: SentEntry) => {
    const answer = await runEntry(context, service, entry, room);
    if (answer.status === ERROR_ROWS.unavailable.status) room.fail(UNAVAILABLE);
    answers.set(entry, answer);
    return answer;
  };
  for (const entry of entries) {
    if (entry.method !== undefined) continue;
    answers.set(entry, answerFailure(receivedOf(context, service, context.request), entry.refusal));
  }
  const requests = entries.filter((entry) => entry.method !== undefined);
  for (const method of ENTRY_METHODS.filter((each) => each !== 'GET')) {
    const running = await startEach(
      requests.filter((entry) => entry.method === method),
      run,
    );
    await Promise.all(running);
  }
  // One after the other, because each answer takes a turn, and only then is its length known.
  for (const entry of requests.filter(({ method }) => method === 'GET')) {
    await run(entry);
    await setImmediate();
  }
  return entries.flatMap((entry) => answers.get(entry) ?? []);
}

/** Starts all, and lets other requests run in between. */
export async function startEach<T>(
  entries: readonly SentEntry[],
  start: (entry: SentEntry) => T,
): Promise<T[]> {
  const started: T[] = [];
  for (const entry of entries) {
    started.push(start(entry));
    if (started.length % AT_ONCE === 0) await setImmediate();
  }
  return started;
}

const UNAVAILABLE = new RepositoryError(
  'The server was unavailable for another entry of the Bundle, so this one did not run. ' +
    `${NOTHING_STORED_OF_ENTRY} Try again later.`,
);

/** Reading and checking this number of resources takes a few milliseconds. */
const AT_ONCE = 16;

async function runEntry(
  context: TypeContext,
  service: Service,
  entry: SentEntry,
  room: AnswerRoom,
): Promise<FhirResponse> {
  const links = { context, targets: new Map() };
  const request = entryRequest(context, entry, () => resolveLinks(entry, links));
  const received = receivedOf(context, service, request);
  try {
    room.requireRoom(entry.method);
    const route = entryRoute(request, context.service);
    return room.keep(await runInteraction(received, route, context.software), entry.method);
  } catch (error) {
    return answerFailure(received, error);
  }
}

/** The request of an entry, as if it had been sent alone. */
export function receivedOf(context: TypeContext, service: Service, request: FhirRequest): Received {
  const form = entryForm(context);
  return {
    request,
    service,
    onFault: context.onFault,
    negotiate: () => form,
    unnegotiated: form,
    isUnhandled: false,
  };
}
