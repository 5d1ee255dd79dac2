/** The requests of a listener that wait for changes: their number is limited, and they can end early. */
import type { ServerResponse } from 'node:http';
import { FhirError } from '../fhir/request/fhir-error.ts';
import type { RequestWait } from '../fhir/request/request.ts';
import type { Gate } from './limits/gate.ts';

export class Waits {
  readonly #gate: Gate | undefined;
  readonly #open = new Set<AbortController>();
  #isStopping = false;

  constructor(gate: Gate | undefined) {
    this.#gate = gate;
  }

  /** Throws a FhirError if too many requests wait. See `FhirRequest.beginWait`. */
  begin(outgoing: ServerResponse, client: string): RequestWait {
    const account = this.#gate?.openWait(client);
    const controller = new AbortController();
    const abort = () => controller.abort();
    const { socket } = outgoing.req;
    // A client that ended only its own side gets the answer, at once.
    socket.once('end', abort);
    outgoing.once('close', abort);
    this.#open.add(controller);
    if (this.#isStopping || outgoing.destroyed) abort();
    return {
      signal: controller.signal,
      end: () => {
        account?.close();
        this.#open.delete(controller);
        socket.off('end', abort);
        outgoing.off('close', abort);
      },
    };
  }

  /** Ends all waits, and later ones at once. */
  stop(): void {
    this.#isStopping = true;
    for (const controller of this.#open) controller.abort();
  }
}

/** See `FhirRequest.leftSignal`. */
export function leftSignalOf(outgoing: ServerResponse): AbortSignal {
  const signal = SIGNALS.get(outgoing) ?? createLeftSignal(outgoing);
  SIGNALS.set(outgoing, signal);
  return signal;
}

/** Each answer has one, however often it is asked for. */
const SIGNALS = new WeakMap<ServerResponse, AbortSignal>();

function createLeftSignal(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const { socket } = outgoing.req;
  const leave = () =>
    controller.abort(FhirError.of('unavailable', 'The client ended the connection too early.'));
  // A client that has left is seen to end its side. Only a reset closes the answer.
  socket.once('end', leave);
  outgoing.once('close', () => {
    socket.off('end', leave);
    leave();
  });
  if (outgoing.destroyed || socket.readableEnded) leave();
  return controller.signal;
}
