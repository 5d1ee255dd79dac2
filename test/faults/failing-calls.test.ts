/**
 * File operations that fail under load: acknowledged writes stay, clients get the correct error,
 * and the server recovers by itself.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { whyNoLibrary } from './compile-library.ts';
import { createInjector } from './injector.ts';
import { until } from './until.ts';
import { createWriteLoad } from './write-load.ts';

interface FaultCase {
  readonly name: string;
  readonly fault: string;
  /**
   * The diagnostics that every client gets, where all calls fail; absent where only some calls
   * fail.
   */
  readonly told?: RegExp;
}

const [EIO, ENOSPC, EROFS, EDQUOT] = [5, 28, 30, 122];
const HALF_A_WRITE = 9999;
const FULL = /^There is no space left .* Nothing was stored/;
const READ_ONLY = /read-only\. Nothing was stored/;
const BROKEN = /^The disk .* reports an error\. Nothing was stored/;
const UNSYNCED = /may or may not be stored/;

const LOG = 'path=orders.db-wal';
const MAIN = 'path=orders.db$';

const CASES: readonly FaultCase[] = [
  { name: 'syncs of the log, EIO', fault: `sync=${EIO} ${LOG}`, told: UNSYNCED },
  { name: 'syncs of the log, ENOSPC', fault: `sync=${ENOSPC} ${LOG}`, told: UNSYNCED },
  { name: 'some syncs of the log, EIO', fault: `sync=${EIO} ${LOG} percent=30` },
  { name: 'writes of the log, ENOSPC', fault: `write=${ENOSPC} ${LOG}`, told: FULL },
  { name: 'writes of the log, EDQUOT', fault: `write=${EDQUOT} ${LOG}`, told: FULL },
  { name: 'writes of the log, EROFS', fault: `write=${EROFS} ${LOG}`, told: READ_ONLY },
  { name: 'writes of the log, EIO', fault: `write=${EIO} ${LOG}`, told: BROKEN },
  { name: 'some writes of the log, ENOSPC', fault: `write=${ENOSPC} ${LOG} percent=5` },
  { name: 'some writes of the log, EIO', fault: `write=${EIO} ${LOG} percent=5` },
  { name: 'some writes of the log, short', fault: `write=${HALF_A_WRITE} ${LOG} percent=5` },
  { name: 'some reads, EIO', fault: `read=${EIO} path=orders.db percent=20` },
  { name: 'syncs of the database, EIO', fault: `sync=${EIO} ${MAIN}` },
  { name: 'some writes of the database, ENOSPC', fault: `write=${ENOSPC} ${MAIN} percent=50` },
  { name: 'writes of the database, EIO', fault: `write=${EIO} ${MAIN}` },
];

const CLIENTS = 16;
const HITS = 3;
const REFUSALS = 20;

it('failing calls lose nothing and are reported correctly', {
  skip: whyNoLibrary(),
}, async (context) => {
  const { environment, inject, hits } = createInjector(context);
  const data = join(temporaryFolder(context), 'data');
  const token = await tokenFor(data);
  const words = ['--data', data, '--threads', '2', '--log-requests', 'false'];
  const server = await serve(context, [...words, '--directory-enabled', 'false'], { environment });
  const load = createWriteLoad(token);
  const isReady = async () => (await fetch(`${server.operation}/readyz/orders`)).status === 200;
  const count = (status: number) => load.statuses.get(status) ?? 0;

  const stop = load.start(server.origin, CLIENTS);
  for (const { name, fault, told } of CASES) {
    await context.test(name, async (test) => {
      const before = hits();
      inject(fault);
      test.after(() => inject(''));
      await until('the fault', () => hits() >= before + HITS);
      if (told !== undefined) {
        await until('the probe that fails', async () => !(await isReady()));
        load.startCounting();
        await until('refusals', () => count(503) >= REFUSALS);
        assert.equal(count(201) + count(200), 0, 'something was acknowledged');
        assert.deepEqual(
          [...load.refusals].filter((text) => !told.test(text)),
          [],
        );
      }
      inject('');
      await until('readiness', isReady);
      load.startCounting();
      await until('writes that are stored', () => count(201) >= REFUSALS);
    });
  }
  await context.test('a log that cannot be truncated is reported with its size', async (test) => {
    inject(`write=${EIO} ${MAIN}`);
    test.after(() => inject(''));
    const { bytes } = await server.logged(/^the write-ahead log grows$/);
    assert.ok(Number(bytes) > 0, String(bytes));
    inject('');
    await server.logged(/^the write-ahead log has its normal size again$/);
  });
  await stop();
  await server.stop('SIGKILL');
  const faults = await load.faults(data);
  context.diagnostic(
    `figures: ${CASES.length} faults, ${hits()} failed calls, ` +
      `${load.acknowledged} acknowledged writes, ${faults.length} lost or told wrongly`,
  );
  assert.deepEqual(faults.slice(0, 5), []);
});
