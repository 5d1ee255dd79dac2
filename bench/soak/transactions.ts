/** Clients of FHIR transactions, and the marks of the order responses that they created. */
import { resourceWith } from '../../test/journeys/orders-load.ts';
import type { Stored } from './account.ts';

const CREATES = 3;
const ANSWER_TIMEOUT_MS = 30_000;

export class Transactions {
  readonly #origin: string;
  readonly #token: string;
  /** The mark of each acknowledged create, with its address `id/version`. */
  readonly #acknowledged = new Map<string, string>();
  #next = 0;

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  get acknowledgedWrites(): number {
    return this.#acknowledged.size;
  }

  /** Answers the status; 0 if there was no answer. */
  async send(): Promise<number> {
    const number = this.#next++;
    const marks = Array.from({ length: CREATES }, (_, at) => `transaction ${number}/${at};`);
    try {
      const answer = await fetch(`${this.#origin}/`, {
        method: 'POST',
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json+fhir',
          accept: 'application/json+fhir',
        },
        body: JSON.stringify(transactionOf(marks)),
      });
      const text = await answer.text();
      if (answer.status === 200) this.acknowledge(marks, text);
      return answer.status;
    } catch {
      return 0;
    }
  }

  /** Notes what the answer to a transaction says. */
  acknowledge(marks: readonly string[], answer: string): void {
    const { entry }: Answer = JSON.parse(answer);
    for (const [at, mark] of marks.entries()) {
      const location = entry[at]?.response.location ?? '';
      const [, id, version] = /OrderResponse\/([^/]+)\/_history\/(\d+)/.exec(location) ?? [];
      this.#acknowledged.set(mark, `${id}/${version}`);
    }
  }

  faults(stored: readonly Stored[]): string[] {
    const found = new Map(stored);
    const lost = [...this.#acknowledged].filter(([mark, address]) => found.get(mark) !== address);
    const parts = Map.groupBy(
      stored.map(([mark]) => /^transaction (\d+)\//.exec(mark)?.[1]).filter((one) => one),
      (number) => number,
    );
    const partial = [...parts].filter(([, { length }]) => length !== CREATES);
    return [
      ...lost.map(([mark, address]) => `${mark} was stored as ${address}, and is lost`),
      ...partial.map(([number]) => `transaction ${number} is stored in part`),
    ];
  }
}

interface Answer {
  readonly entry: readonly { readonly response: { readonly location?: string } }[];
}

function transactionOf(marks: readonly string[]) {
  return {
    resourceType: 'Bundle',
    type: 'transaction',
    entry: marks.map((mark) => ({
      resource: resourceWith(mark),
      request: { method: 'POST', url: 'OrderResponse' },
    })),
  };
}
