/** Clients that create and update order responses as fast as they can, and remember what was acknowledged. */
import assert from 'node:assert/strict';

export interface Load {
  /** Writes that were acknowledged so far. */
  readonly writes: number;
  /** Runs clients until the server goes away. */
  run(origin: string, clients: number): Promise<void>;
  /** Resolves when so many more writes have been acknowledged. */
  acknowledged(more: number): Promise<void>;
  /**
   * Every acknowledged version is there as it was sent, no version is missing before it, what came
   * of requests without an answer is whole, and nothing that was refused is there.
   */
  demandAll(origin: string): Promise<void>;
}

interface Known {
  /** The mark of each acknowledged version, by its number. */
  readonly marks: Map<number, string>;
  /** Marks of updates that were sent and not acknowledged. */
  readonly open: Set<string>;
}

export function createLoad(token: string): Load {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json+fhir',
    accept: 'application/json+fhir',
  };
  const known = new Map<string, Known>();
  /** Each resource is checked whole once more after it has been written again. */
  const unchecked = new Set<string>();
  const waiting: { at: number; resolve: () => void }[] = [];
  let writes = 0;
  let marks = 0;

  const note = (id: string, version: number, mark: string): void => {
    const resource = known.get(id) ?? { marks: new Map(), open: new Set() };
    known.set(id, resource);
    assert.ok(!resource.marks.has(version), `version ${version} of ${id} was given twice`);
    resource.marks.set(version, mark);
    resource.open.delete(mark);
    unchecked.add(id);
    writes += 1;
    for (const { at, resolve } of waiting) if (writes >= at) resolve();
  };

  const create = async (origin: string): Promise<string> => {
    const mark = `mark ${marks++}`;
    const body = JSON.stringify(resourceWith(mark));
    const answer = await fetch(`${origin}/OrderResponse`, { method: 'POST', headers, body });
    assert.equal(answer.status, 201, await answer.text());
    const [id = '', , version] = answer.headers.get('location')?.split('/').slice(-3) ?? [];
    note(id, Number(version), mark);
    return id;
  };

  const update = async (origin: string, id: string): Promise<void> => {
    const mark = `mark ${marks++}`;
    const resource = known.get(id);
    resource?.open.add(mark);
    unchecked.add(id);
    const body = JSON.stringify({ ...resourceWith(mark), id });
    const answer = await fetch(`${origin}/OrderResponse/${id}`, { method: 'PUT', headers, body });
    assert.equal(answer.status, 200, await answer.text());
    note(id, Number(/"(\d+)"/.exec(answer.headers.get('etag') ?? '')?.[1]), mark);
  };

  const refused = async (origin: string, id: string): Promise<void> => {
    const body = JSON.stringify({ ...resourceWith(REFUSED), id, orderStatus: 'done' });
    const answer = await fetch(`${origin}/OrderResponse/${id}`, { method: 'PUT', headers, body });
    assert.equal(answer.status, 400, await answer.text());
  };

  const client = async (origin: string): Promise<void> => {
    for (;;) {
      try {
        const id = await create(origin);
        await refused(origin, id);
        await update(origin, id);
      } catch (error) {
        // The server is gone, and this request with it; anything else is a failure.
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  };

  return {
    get writes() {
      return writes;
    },
    run: async (origin, clients) => {
      await Promise.all(Array.from({ length: clients }, () => client(origin)));
    },
    acknowledged: (more) => new Promise((resolve) => waiting.push({ at: writes + more, resolve })),
    demandAll: async (origin) => {
      for (const id of unchecked) {
        const { marks: acknowledged, open } = known.get(id)!;
        const answer = await fetch(`${origin}/OrderResponse/${id}/_history?_count=100`, {
          headers,
        });
        const { total, entry } = JSON.parse(await answer.text());
        assert.equal(total, entry.length);
        const found = entry.toReversed().map(({ resource }: { resource: Marked }, i: number) => {
          assert.equal(resource.meta.versionId, String(i + 1), `a version of ${id} is missing`);
          return resource.description;
        });
        for (const [version, mark] of acknowledged) assert.equal(found[version - 1], mark, id);
        for (const [i, mark] of found.entries()) {
          if (!acknowledged.has(i + 1))
            assert.ok(open.has(mark), `${mark} of ${id} is from nowhere`);
        }
      }
      unchecked.clear();
    },
  };
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
