/** kill -9 in the middle of load, again and again: nothing that was acknowledged is lost. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { repetitions } from '../campaign.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { OrdersLoad } from './orders-load.ts';
import { serve } from './program.ts';
import { tokenFor } from './token.ts';

const ROUNDS = repetitions(5, 20);

/** Acknowledged writes after which the server is killed, one after the other; the rest is on its way then. */
const WRITES = [1, 7, 40, 3, 90];

it(`every acknowledged write is there after each of ${ROUNDS} kills, whole and in its place`, async (context) => {
  const folder = temporaryFolder(context);
  const words = ['--data', folder, '--threads', '2', '--log-requests', 'false'];
  const token = await tokenFor(folder, '--scope', 'system/OrderResponse.*');
  const load = new OrdersLoad(token);
  for (let round = 0; round < ROUNDS; round++) {
    const server = await serve(context, words);
    await load.requireAll(server.origin);
    const running = load.run(server.origin, 16);
    await Promise.race([load.acknowledged(WRITES[round % WRITES.length] ?? 1), running]);
    await server.stop('SIGKILL');
    await running;
  }
  const server = await serve(context, words);
  await load.requireAll(server.origin);
  assert.ok(load.writes > ROUNDS, `${load.writes} writes were acknowledged`);
  await server.stop();
  const verified = await runInProcess(['verify', '--data', folder]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
});
