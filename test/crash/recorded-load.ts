/**
 * Clients that create, update and read order responses, and record the time of each
 * acknowledgement.
 */
import assert from 'node:assert/strict';
import { randomFor } from '../../scripts/release/random.ts';
import { orderClient } from '../faults/order-client.ts';
import type { Promised } from './recording.ts';

export interface RecordedLoad {
  /** Runs until this many more versions are acknowledged, or the server exits. */
  write(origin: string, clients: number, versions: number): Promise<void>;
}

const CREATES_MIN = 5;
const TEXT_LENGTHS = [0, 0, 40, 400, 4000];

export function createRecordedLoad(
  token: string,
  promises: Promised[],
  seed: number,
): RecordedLoad {
  const ids: string[] = [];
  let acknowledged = 0;
  let marks = 0;

  const write = async (client: ReturnType<typeof orderClient>) => {
    const number = marks++;
    const random = randomFor(seed, number);
    const mark = `mark ${number};${'x'.repeat(random.pick(TEXT_LENGTHS))}`;
    const isCreate = ids.length < CREATES_MIN || random.isChance(5000);
    const answer = isCreate
      ? await client.create(mark, { value: `v${number}`, isConditional: random.isChance(5000) })
      : await client.update(random.pick(ids), mark);
    const { status, stored, endedAt } = answer;
    if (stored !== undefined) {
      const at = String(endedAt);
      promises.push({ kind: 'version', id: stored.id, version: stored.version, mark, at });
      if (isCreate) ids.push(stored.id);
      acknowledged += 1;
    } else assert.ok([0, 503].includes(status), `${status} ${answer.text}`);
    return status;
  };

  const read = async (client: ReturnType<typeof orderClient>) => {
    const { status, endedAt } = await client.read(ids[marks % ids.length] ?? '');
    if (status === 200) promises.push({ kind: 'read', at: String(endedAt) });
    return status;
  };

  return {
    write: async (origin, clients, versions) => {
      const client = orderClient(origin, token);
      const until = acknowledged + versions;
      const loop = async () => {
        for (let turn = 0; acknowledged < until; turn++) {
          const isRead = turn % 7 === 6 && ids.length > 0;
          const status = isRead ? await read(client) : await write(client);
          if (status === 0) return;
        }
      };
      await Promise.all(Array.from({ length: clients }, loop));
    },
  };
}
