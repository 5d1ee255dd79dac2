/** Clients that create and update order responses as fast as they can, and check that no acknowledged write is lost. */
import assert from 'node:assert/strict';

interface Known {
  /** The mark of each acknowledged version, by its number. */
  readonly marks: Map<number, string>;
  /** Marks of updates that were sent and not acknowledged. */
  readonly open: Set<string>;
}

export class OrdersLoad {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #known = new Map<string, Known>();
  /** Each resource is checked whole again after it has been written again. */
  readonly #unchecked = new Set<string>();
  readonly #waiting: { at: number; resolve: () => void }[] = [];
  #writes = 0;
  #marks = 0;

  constructor(token: string) {
    this.#headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json+fhir',
      accept: 'application/json+fhir',
    };
  }

  /** The number of acknowledged writes so far. */
  get writes(): number {
    return this.#writes;
  }

  /** Runs clients until the server ends. */
  async run(origin: string, clients: number): Promise<void> {
    await Promise.all(Array.from({ length: clients }, () => this.#client(origin)));
  }

  /** Resolves when so many more writes have been acknowledged. */
  acknowledged(more: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ at: this.#writes + more, resolve }));
  }

  /**
   * Throws unless every acknowledged version is there as it was sent, no version is missing before
   * it, requests without an answer were stored completely or not at all, and no refused resource
   * is there.
   */
  async requireAll(origin: string): Promise<void> {
    for (const id of this.#unchecked) {
      const answer = await this.#send(origin, 'GET', `/${id}/_history?_count=100`);
      requireHistory(id, JSON.parse(await answer.text()), this.#known.get(id)!);
    }
    this.#unchecked.clear();
  }

  async #client(origin: string): Promise<void> {
    for (;;) {
      try {
        const id = await this.#create(origin);
        await this.#sendRefused(origin, id);
        await this.#update(origin, id);
      } catch (error) {
        // The server has ended, and this request with it. Anything else is a failure.
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  }

  async #create(origin: string): Promise<string> {
    const mark = `mark ${this.#marks++}`;
    const answer = await this.#send(origin, 'POST', '', resourceWith(mark));
    assert.equal(answer.status, 201, await answer.text());
    const [id = '', , version] = answer.headers.get('location')?.split('/').slice(-3) ?? [];
    this.#note(id, Number(version), mark);
    return id;
  }

  async #update(origin: string, id: string): Promise<void> {
    const mark = `mark ${this.#marks++}`;
    this.#known.get(id)?.open.add(mark);
    this.#unchecked.add(id);
    const answer = await this.#send(origin, 'PUT', `/${id}`, { ...resourceWith(mark), id });
    assert.equal(answer.status, 200, await answer.text());
    this.#note(id, Number(/"(\d+)"/.exec(answer.headers.get('etag') ?? '')?.[1]), mark);
  }

  async #sendRefused(origin: string, id: string): Promise<void> {
    const resource = { ...resourceWith(REFUSED), id, orderStatus: 'done' };
    const answer = await this.#send(origin, 'PUT', `/${id}`, resource);
    assert.equal(answer.status, 400, await answer.text());
  }

  #send(origin: string, method: string, path: string, resource?: object): Promise<Response> {
    return fetch(`${origin}/OrderResponse${path}`, {
      method,
      headers: this.#headers,
      ...(resource !== undefined && { body: JSON.stringify(resource) }),
    });
  }

  #note(id: string, version: number, mark: string): void {
    const resource = this.#known.get(id) ?? { marks: new Map(), open: new Set() };
    this.#known.set(id, resource);
    assert.ok(!resource.marks.has(version), `version ${version} of ${id} was given twice`);
    resource.marks.set(version, mark);
    resource.open.delete(mark);
    this.#unchecked.add(id);
    this.#writes += 1;
    for (const { at, resolve } of this.#waiting) if (this.#writes >= at) resolve();
  }
}

function requireHistory(id: string, history: History, { marks, open }: Known): void {
  const { total, entry } = history;
  assert.equal(total, entry.length);
  const found = entry.toReversed().map(({ resource }, i) => {
    assert.equal(resource.meta.versionId, String(i + 1), `a version of ${id} is missing`);
    return resource.description;
  });
  for (const [version, mark] of marks) assert.equal(found[version - 1], mark, id);
  for (const [i, mark] of found.entries()) {
    if (!marks.has(i + 1)) assert.ok(open.has(mark), `${mark} of ${id} is from nowhere`);
  }
}

interface History {
  readonly total: number;
  readonly entry: readonly { readonly resource: Marked }[];
}

interface Marked {
  readonly meta: { readonly versionId: string };
  readonly description: string;
}

const REFUSED = 'a mark that must not be there';

/** An OrderResponse that the service takes, known again by its description. */
export function resourceWith(mark: string) {
  return {
    resourceType: 'OrderResponse',
    contained: [
      {
        resourceType: 'Order',
        id: 'order',
        subject: { reference: '#patient' },
        detail: [{ reference: 'https://reports.example/DiagnosticReport/1' }],
      },
      { resourceType: 'Patient', id: 'patient', gender: 'unknown' },
      { resourceType: 'Practitioner', id: 'practitioner', active: true },
    ],
    request: { reference: '#order' },
    who: { reference: '#practitioner' },
    orderStatus: 'completed',
    description: mark,
  };
}
