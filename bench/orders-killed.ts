/**
 * kill -9 in the middle of load, again and again: counts what was acknowledged, and fails where any
 * of it is lost.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { OrdersLoad } from '../test/journeys/orders-load.ts';
import { ROOT } from './data.ts';
import { PROGRAM_OPTIONS, PROGRAM_USAGE } from './program.ts';
import { makeToken, startProgram } from './server.ts';
import { answerHelp } from './usage.ts';

answerHelp(`Usage: npm run bench:orders-killed -- [options]
  --rounds N         kills (1000)
  --clients N        that write at a time (16)
${PROGRAM_USAGE}`);
const { values } = parseArgs({
  options: {
    ...PROGRAM_OPTIONS,
    rounds: { type: 'string', default: '1000' },
    clients: { type: 'string', default: '16' },
  },
});

/** Acknowledged writes after which the server is killed, one after the other; the rest is on its way then. */
const WRITES = [1, 7, 40, 3, 90, 250];
const REPORT_EVERY = 10;

const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-killed-'));
try {
  const load = new OrdersLoad(makeToken(folder));
  const words = ['--data', folder, '--directory-enabled', 'false', '--log-requests', 'false'];
  for (let round = 0; round < rounds; round++) {
    const server = await startProgram(words);
    await load.requireAll(server.origin);
    const running = load.run(server.origin, Number(values.clients));
    await Promise.race([load.acknowledged(WRITES[round % WRITES.length] ?? 1), running]);
    await server.stop('SIGKILL');
    await running;
    if ((round + 1) % REPORT_EVERY === 0) {
      process.stderr.write(`${round + 1} kills, ${load.writes} acknowledged writes, none lost\n`);
    }
  }
  const server = await startProgram(words);
  await load.requireAll(server.origin);
  await server.stop();
  verify();
  process.stdout.write(
    `${rounds} kills: ${load.writes} acknowledged writes, 0 lost, 0 duplicates\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** Versions, identifiers and the chain of the audit log, as the program itself checks them. */
function verify(): void {
  const words = ['src/main.ts', 'verify', '--data', folder];
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
}
