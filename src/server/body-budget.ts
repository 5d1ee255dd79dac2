/** How many bytes of bodies are in memory at a time: of the whole server, and of each client. */
import { FhirError } from '../fhir/fhir-error.ts';
import { type ClientTotalsMemory, createClientTotals } from './client-totals.ts';

export interface BodyLimits {
  /** Of all requests together. */
  readonly bodyBytesInFlight: number;
  /** Of each client address. */
  readonly bodyBytesPerClient: number;
}

/** Counts the body of one request. */
export interface BodyAccount {
  /** Why so many more bytes cannot be taken, or nothing. */
  take(bytes: number): FhirError | undefined;
  /** To be called when the request is answered. */
  close(): void;
}

export type OpenBodyAccount = (address: string) => BodyAccount;

/** A single body is never refused here: its own limit says how large it may be. */
export function createBodyBudget(
  limits: BodyLimits,
  memory: ClientTotalsMemory,
  thread: number,
): OpenBodyAccount {
  const totals = createClientTotals(memory, thread);
  return (address) => {
    const ofClient = totals.open(address);
    const ofServer = totals.open(WHOLE_SERVER);
    let own = 0;
    const isOver = (total: number, limit: number): boolean => total > limit && total > own;
    return {
      take: (bytes) => {
        own += bytes;
        ofClient.add(bytes);
        ofServer.add(bytes);
        if (isOver(ofClient.total(), limits.bodyBytesPerClient)) return TOO_MUCH_OF_CLIENT;
        return isOver(ofServer.total(), limits.bodyBytesInFlight) ? TOO_MUCH_OF_ALL : undefined;
      },
      close: () => {
        ofClient.close();
        ofServer.close();
      },
    };
  };
}

/** No client has it for an address. */
const WHOLE_SERVER = 'all';

const RETRY = ['Retry-After', '2'];

const TOO_MUCH_OF_CLIENT = new FhirError(
  [
    {
      kind: 'unavailable',
      diagnostics:
        'Your address sends too much at a time. Send fewer requests at once, and this one again.',
    },
  ],
  RETRY,
);

const TOO_MUCH_OF_ALL = new FhirError(
  [
    {
      kind: 'unavailable',
      diagnostics: 'The server receives too much at a time. Try again in a moment.',
    },
  ],
  RETRY,
);
