/** What order responses take of the disk: a version, and an access. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { orderClient } from '../../test/faults/order-client.ts';
import { gazetteer, serve } from '../../test/journeys/program.ts';
import type { Owner } from '../../test/owner.ts';
import { round } from '../figures.ts';

const CALLS = 4000;
const CLIENTS = 32;

export async function measureOrders(
  owner: Owner,
  data: string,
): Promise<{ readonly writeKb: number; readonly readKb: number }> {
  const environment = { GAZETTEER_DATA: data };
  const scope = ['--make-folder', '--scope', 'system/OrderResponse.*'];
  const token = (await gazetteer(['token', ...scope], { environment })).stdout.trim();
  const ids: string[] = [];
  /** Serves for these calls. A server that has stopped leaves all in one file. */
  const kbAfter = async (call: (client: ReturnType<typeof orderClient>, at: number) => unknown) => {
    const words = ['--directory-enabled=false', '--log-requests', 'false'];
    const server = await serve(owner, words, { environment });
    const client = orderClient(server.origin, token);
    let next = 0;
    const loop = async () => {
      while (next < CALLS) await call(client, next++);
    };
    await Promise.all(Array.from({ length: CLIENTS }, loop));
    await server.stop();
    return ordersKb(data);
  };
  const write = async (client: ReturnType<typeof orderClient>, at: number) => {
    const { stored, text } = await client.create(`version ${at}`, { value: String(at) });
    if (stored === undefined) throw new Error(text);
    ids.push(stored.id);
  };
  const first = await kbAfter(() => Promise.resolve());
  const written = await kbAfter(write);
  const read = await kbAfter((client, at) => client.read(ids[at] ?? ''));
  return { writeKb: round((written - first) / CALLS), readKb: round((read - written) / CALLS) };
}

function ordersKb(data: string): number {
  const files = readdirSync(data).filter((name) => name.startsWith('orders.db'));
  return files.reduce((sum, name) => sum + statSync(join(data, name)).size, 0) / 1024;
}
