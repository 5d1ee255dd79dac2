/** Limits the bytes of request bodies in memory, for the whole server and for each client. */
import { FhirError } from '../fhir/service/fhir-error.ts';
import { type ClientTotalsMemory, createClientTotals } from './client-totals.ts';

export interface BodyLimits {
  /** The most bytes for all requests together. */
  readonly bodyBytesInFlight: number;
  /** The most bytes for each client address. */
  readonly bodyBytesPerClient: number;
}

/** Counts the body of one request. */
export interface BodyAccount {
  /**
   * Reserves this many more bytes. Returns undefined, or the reason if a limit is exceeded.
   */
  take(bytes: number): FhirError | undefined;
  /** Call it when the request is answered. */
  close(): void;
}

export type OpenBodyAccount = (address: string) => BodyAccount;

/** Never refuses the only body of a client: the limit of a single body applies to it. */
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

/** A key that no client address can equal. */
const WHOLE_SERVER = 'all';

const RETRY = ['Retry-After', '2'];

const TOO_MUCH_OF_CLIENT = new FhirError(
  [
    {
      kind: 'unavailable',
      diagnostics:
        'Your address sends too many bytes at the same time. Send fewer requests in parallel, and repeat this one.',
    },
  ],
  RETRY,
);

const TOO_MUCH_OF_ALL = new FhirError(
  [
    {
      kind: 'unavailable',
      diagnostics: 'The server receives too many bytes at the same time. Try again in a moment.',
    },
  ],
  RETRY,
);
