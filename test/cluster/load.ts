/** Clients of several nodes that read and write all the time, and what they see of an outage. */
import { setTimeout as delay } from 'node:timers/promises';
import { orderClient } from '../faults/order-client.ts';
import { OrderHistory } from '../faults/order-history.ts';

export interface ClusterLoad {
  readonly history: OrderHistory;
  /** Resolves when every node has acknowledged a write that began after this call. */
  writesGoOn(): Promise<void>;
  /** Requests to the directory that were not answered with 200. */
  readonly directoryFailures: readonly string[];
  stop(): Promise<void>;
}

const CLIENTS_A_NODE = 4;
const SHARED_RESOURCES = 4;
const PAUSE_MS = 30;
/** An organisation of the sample. */
const ORGANISATION = '/STU3/Organization/RR8';

export async function startLoad(origins: readonly string[], token: string): Promise<ClusterLoad> {
  const history = new OrderHistory();
  const clients = origins.map((origin) => orderClient(origin, token));
  const [first] = clients;
  if (first === undefined) throw new Error('a load needs a node');
  await history.createShared(first, SHARED_RESOURCES);
  /** For each node: when the last write began that was acknowledged. */
  const lastWrites = origins.map(() => 0n);
  const directoryFailures: string[] = [];
  let isStopped = false;

  const writeAndRead = async (node: number) => {
    const seen = new Map<string, number>();
    while (!isStopped) {
      const answer = await history.call(clients[node] ?? first, seen);
      const { stored, beganAt } = answer;
      if (stored !== undefined && beganAt > (lastWrites[node] ?? 0n)) lastWrites[node] = beganAt;
      await delay(PAUSE_MS);
    }
  };
  const readDirectory = async (origin: string) => {
    while (!isStopped) {
      const status = await fetch(origin + ORGANISATION).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        },
        (error) => String(error),
      );
      if (status !== 200) directoryFailures.push(`${origin}: ${status}`);
      await delay(PAUSE_MS);
    }
  };
  const all = Promise.all(
    origins.flatMap((origin, node) => [
      readDirectory(origin),
      ...Array.from({ length: CLIENTS_A_NODE }, () => writeAndRead(node)),
    ]),
  );

  return {
    history,
    directoryFailures,
    writesGoOn: async () => {
      const from = process.hrtime.bigint();
      while (lastWrites.some((beganAt) => beganAt < from)) await delay(PAUSE_MS);
    },
    stop: async () => {
      isStopped = true;
      await all;
    },
  };
}
