/** Many clients on few resources, with kills between: all of them see one order of versions. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { gazetteer, serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Call, orderFaults } from './one-order.ts';
import { orderClient } from './order-client.ts';
import { OrderHistory } from './order-history.ts';
import { storedMarks } from './write-load.ts';

const CLIENTS = 16;
const RESOURCES = 4;
const CALLS_A_ROUND = 1500;
const KILLS = Number(process.env.FAULTS_KILLS ?? 3);

it('clients see one order of versions, also over kills', async (context) => {
  const data = join(temporaryFolder(context), 'data');
  const token = await tokenFor(data);
  const words = ['--data', data, '--threads', '2', '--log-requests', 'false'];
  const start = () => serve(context, [...words, '--directory-enabled', 'false']);
  const history = new OrderHistory();

  let server = await start();
  await history.createShared(orderClient(server.origin, token), RESOURCES);
  const client = async (origin: string, until: number) => {
    const one = orderClient(origin, token);
    const seen = new Map<string, number>();
    while (history.calls < until) {
      const { status } = await history.call(one, seen);
      if (status === 0) return;
    }
  };
  for (let round = 0; round <= KILLS; round++) {
    const until = history.calls + CALLS_A_ROUND;
    const all = Promise.all(Array.from({ length: CLIENTS }, () => client(server.origin, until)));
    if (round < KILLS) {
      while (history.calls < until - CALLS_A_ROUND / 2) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      await server.stop(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      await all;
      server = await start();
    } else await all;
  }
  await server.stop();

  const verified = await gazetteer(['verify', '--data', data]);
  const faults = verified.code === 0 ? [] : [verified.stdout + verified.stderr];
  faults.push(...history.faults(await storedMarks(['--data', data])));
  context.diagnostic(
    `figures: ${history.calls} calls checked for one order, ${KILLS} kills, ` +
      `${history.acknowledgedWrites} acknowledged writes, ${faults.length} lost or told wrongly`,
  );
  assert.deepEqual(faults.slice(0, 5), []);
});

it('a stale read, a lost write and a wrong refusal are found', () => {
  const at = (beganAt: bigint) => ({ beganAt, endedAt: beganAt + 1n });
  const write = (version: number, time: bigint): Call => ({
    kind: 'write',
    isDone: true,
    mark: `mark ${version}`,
    version,
    ...at(time),
  });
  const marks = ['mark 1', 'mark 2'];
  const sound = [write(1, 0n), write(2, 10n)];
  const read = { kind: 'read', isDone: true, mark: 'mark 1', version: 1 } as const;
  const refused = { kind: 'write-if-match', isDone: false, mark: 'x', version: 0 } as const;
  assert.deepEqual(orderFaults([...sound, { ...read, ...at(5n) }], marks), []);
  assert.equal(orderFaults([...sound, { ...read, ...at(20n) }], marks).length, 1);
  assert.equal(orderFaults(sound, ['mark 1']).length, 1);
  assert.deepEqual(orderFaults([...sound, { ...refused, expected: 1, ...at(20n) }], marks), []);
  assert.equal(orderFaults([...sound, { ...refused, expected: 2, ...at(20n) }], marks).length, 1);
});
