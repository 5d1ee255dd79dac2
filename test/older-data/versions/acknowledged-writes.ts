/** The order responses of the fixtures of versions, and what the server acknowledged of each write. */
import { bodyOf, send } from '../older-program.ts';

/** A version as the server returned it when it was written. */
export interface Acknowledged {
  /** `OrderResponse/{id}/_history/{version}`. */
  readonly path: string;
  readonly status: number;
  /** Null in a transaction. */
  readonly etag: string | null;
  /** The resource in JSON; empty for a delete. */
  readonly body: string;
}

/** Clients of one server, which keep what it acknowledged. */
export interface Writer {
  readonly acknowledged: readonly Acknowledged[];
  /** The number of versions by id. */
  readonly resources: Readonly<Record<string, number>>;
  /** Creates an order response with some versions. Returns its id. */
  create(number: number, versions: number): Promise<string>;
  update(id: string, number: number): Promise<void>;
  remove(id: string): Promise<void>;
  /** Creates several order responses in one transaction. */
  createTogether(numbers: readonly number[]): Promise<void>;
}

const REPRESENTATION = { prefer: 'return=representation' };

/** `versions`: the number of versions by id of what is there. */
export function createWriter(
  origin: string,
  token: string,
  versions: Readonly<Record<string, number>> = {},
): Writer {
  const acknowledged: Acknowledged[] = [];
  const resources: Record<string, number> = { ...versions };
  const keep = (location: string, answer: Omit<Acknowledged, 'path'>): string => {
    const path = location.slice(location.indexOf('OrderResponse/'));
    const [, id = '', , version] = path.split('/');
    acknowledged.push({ path, ...answer });
    resources[id] = Number(version);
    return id;
  };
  const write = async (method: string, path: string, body: string): Promise<string> => {
    const url = `${origin}/OrderResponse${path}`;
    const answer = await send(method, url, token, body, REPRESENTATION);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    const { id, meta } = JSON.parse(text);
    const etag = answer.headers.get('etag');
    const location = `OrderResponse/${id}/_history/${meta.versionId}`;
    return keep(location, { status: answer.status, etag, body: text });
  };
  const update = async (id: string, number: number): Promise<void> => {
    await write('PUT', `/${id}`, bodyOf(number, (resources[id] ?? 0) + 1, id));
  };
  return {
    acknowledged,
    resources,
    update,
    create: async (number, versions) => {
      const id = await write('POST', '', bodyOf(number, 1));
      for (let version = 2; version <= versions; version++) await update(id, number);
      return id;
    },
    remove: async (id) => {
      const { status, headers } = await send('DELETE', `${origin}/OrderResponse/${id}`, token);
      if (status !== 204) throw new Error(`DELETE ${id}: ${status}`);
      const location = `OrderResponse/${id}/_history/${(resources[id] ?? 0) + 1}`;
      keep(location, { status, etag: headers.get('etag'), body: '' });
    },
    createTogether: async (numbers) => {
      const entry = numbers.map((number) => ({
        resource: JSON.parse(bodyOf(number, 1)),
        request: { method: 'POST', url: 'OrderResponse' },
      }));
      const bundle = JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry });
      const answer = await send('POST', origin, token, bundle, REPRESENTATION);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`transaction: ${answer.status} ${text}`);
      const entries: { response: { location: string }; resource: unknown }[] =
        JSON.parse(text).entry;
      for (const { response, resource } of entries) {
        keep(response.location, { status: 201, etag: null, body: JSON.stringify(resource) });
      }
    },
  };
}
