/**
 * FHIR batch and transaction: several requests in one Bundle.
 * https://hl7.org/fhir/DSTU2/http.html#transaction
 */

import { randomUUID } from 'node:crypto';
import { type AnswerBudget, AnswerRoom } from '../bundle/answer-room.ts';
import { runBatch } from '../bundle/batch.ts';
import { readBundle, type SentBundle } from '../bundle/sent-bundle.ts';
import { runTransaction } from '../bundle/transaction.ts';
import type { Definitions } from '../definitions/definitions.ts';
import { inTurns } from '../http/gzip.ts';
import { type Form, validForm } from '../http/negotiate.ts';
import { STATUS_CODES } from '../request/node-http.ts';
import type { FhirResponse } from '../request/request.ts';
import { answerBody } from '../service/answer.ts';
import {
  bundlePieces,
  encodeBundle,
  encodeEntries,
  type StoredBundle,
} from '../service/bundle-pieces.ts';
import type { Authorize, Service, SystemInteraction, TypeContext } from '../service/interaction.ts';
import { RETURN, WRITE_ERRORS } from '../statement/open-api-answers.ts';

/** `entriesMax`: the most entries of a Bundle. `budget`: for the answers of all Bundles in memory. */
export function createTransaction(
  entriesMax: number,
  budget: AnswerBudget = { lengthMax: 64 * 1024 ** 2, length: 0 },
): SystemInteraction {
  return {
    code: 'transaction',
    method: 'POST',
    path: '',
    // Each entry needs the scope of its interaction.
    needs: 'either',
    body: 'resource',
    describe: () => ({
      operationId: 'transaction',
      summary:
        'Batch or transaction: the interactions in a Bundle, each one separately, or all or none.',
      parameters: [RETURN],
      returns: 'Bundle',
      errors: [
        ...WRITE_ERRORS,
        'no-record',
        'gone',
        'conflict',
        'precondition-failed',
        'too-costly',
      ],
    }),
    run: (context) => run(context, entriesMax, budget),
  };
}

async function run(
  context: TypeContext,
  entriesMax: number,
  budget: AnswerBudget,
): Promise<FhirResponse> {
  const { service, negotiated } = context;
  const form = validForm(negotiated);
  const bundle = readBundle(context, entriesMax);
  const room = new AnswerRoom(budget);
  room.requireRoom();
  try {
    const once = authorizeOnce(service);
    const answers =
      bundle.type === 'batch'
        ? await runBatch(context, once, bundle.entries, room)
        : await runTransaction(context, once, bundle.entries, room);
    // A Bundle with writes is answered: its client must learn what is stored.
    const hasWrites = bundle.entries.some(({ method = 'GET' }) => method !== 'GET');
    if (!hasWrites) room.requireAll();
    const body = encodeAnswers(answerBundle(bundle, answers), form, service.version.definitions);
    const onClosed = () => room.close();
    return { ...answerBody(context, form, body), interaction: bundle.type, onClosed };
  } catch (error) {
    room.close();
    throw error;
  }
}

/** A long Bundle is sent in a piece for each entry. */
function encodeAnswers(
  bundle: StoredBundle,
  form: Form,
  definitions: Definitions,
): Pick<FhirResponse, 'body' | 'pieces'> {
  const { entry = [], ...head } = bundle;
  const length = entry.reduce((sum, { resource = '' }) => sum + String(resource).length, 0);
  if (length <= AT_ONCE_LENGTH_MAX) return { body: encodeBundle(bundle, form, definitions) };
  const parts = entry.values().flatMap((each) => encodeEntries([each], form, definitions));
  return { pieces: inTurns(bundlePieces(head, parts, form, definitions)) };
}

/** Joining so many characters takes less than a millisecond. */
const AT_ONCE_LENGTH_MAX = 64 * 1024;

/** All entries have the same token, so that it is checked once for each scope. */
function authorizeOnce(service: Service): Service {
  const { authorize } = service;
  if (authorize === undefined) return service;
  const known = new Map<string, ReturnType<Authorize>>();
  return {
    ...service,
    authorize: (authorization, scope, address) => {
      const name = `${scope.type}.${scope.action}`;
      const identity = known.get(name) ?? authorize(authorization, scope, address);
      known.set(name, identity);
      return identity;
    },
  };
}

/** `answers`: one for each entry, in the order of the request. */
function answerBundle({ type }: SentBundle, answers: readonly FhirResponse[]): StoredBundle {
  return {
    resourceType: 'Bundle',
    id: randomUUID(),
    type: `${type}-response`,
    ...(answers.length > 0 && { entry: answers.map(entryOf) }),
  };
}

function entryOf({ status, headers, body, lastUpdated }: FhirResponse) {
  const header = (name: string) => {
    const at = headers.findIndex((value, index) => index % 2 === 0 && value === name);
    return at < 0 ? undefined : headers[at + 1];
  };
  const [location, etag] = [header('Location'), header('ETag')];
  const text = typeof body === 'string' ? body : Buffer.from(body ?? []).toString();
  return {
    ...(text !== '' && { resource: text }),
    response: {
      status: `${status} ${STATUS_CODES[status]}`,
      ...(location !== undefined && { location }),
      ...(etag !== undefined && { etag }),
      ...(lastUpdated !== undefined && { lastModified: lastUpdated }),
    },
  };
}
