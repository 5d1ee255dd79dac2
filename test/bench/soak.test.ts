/** What judges a soak finds lost writes, changed contents, owed notifications and growth. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compareOrders } from '../../bench/soak/account.ts';
import { changesIn } from '../../bench/soak/level.ts';
import { appendMinute, beginFile, type Minute } from '../../bench/soak/minutes.ts';
import { Transactions } from '../../bench/soak/transactions.ts';
import { resourceWith } from '../journeys/orders-load.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const MARKS = ['transaction 0/0;', 'transaction 0/1;', 'transaction 0/2;'];

function acknowledgedTransaction(): Transactions {
  const transactions = new Transactions('http://127.0.0.1', '');
  const entry = MARKS.map((_, at) => ({
    response: { status: '201 Created', location: `OrderResponse/${at}/_history/1` },
  }));
  transactions.acknowledge(MARKS, JSON.stringify({ resourceType: 'Bundle', entry }));
  return transactions;
}

function versionLine(id: number, content: object): string {
  return JSON.stringify({ ...content, id: String(id), meta: { versionId: '1' } });
}

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

const LINES = MARKS.map((mark, id) => versionLine(id, resourceWith(mark)));

describe('the account of acknowledged writes', () => {
  it('is right if everything is stored as it was sent', async () => {
    const { stored, faults } = await compareOrders(linesOf(LINES));
    assert.deepEqual([...faults, ...acknowledgedTransaction().faults(stored)], []);
  });

  it('names a lost create, and its transaction that is stored in part', async () => {
    const { stored } = await compareOrders(linesOf(LINES.slice(0, 2)));
    assert.deepEqual(acknowledgedTransaction().faults(stored), [
      'transaction 0/2; was stored as 2/1, and is lost',
      'transaction 0 is stored in part',
    ]);
  });

  it('names a version whose content is not what a client sent', async () => {
    const changed = versionLine(0, { ...resourceWith(MARKS[0] ?? ''), orderStatus: 'error' });
    const { faults } = await compareOrders(linesOf([changed]));
    assert.match(faults.join(), /^0\/1 is not what a client sent: /);
  });
});

const LEVEL = { memoryMb: 500, descriptors: 80, threads: 20 };

/** Readings by the minute; those that are left out are level. */
function run(
  length: number,
  readingAt: (minute: number) => Partial<typeof LEVEL> = () => LEVEL,
): Minute[] {
  return Array.from({ length }, (_, at) => ({
    minute: at + 1,
    server: 'folder',
    heapMb: 100,
    diskMb: 10,
    requests: 1000,
    readMedianMs: 1,
    readP99Ms: 5,
    createMedianMs: 8,
    createP99Ms: 20,
    ...LEVEL,
    ...readingAt(at + 1),
  }));
}

function growthIn(minutes: readonly Minute[]): string[] {
  return changesIn(minutes)
    .filter(({ isGrowth }) => isGrowth)
    .map(({ what }) => what);
}

describe('the level of memory, descriptors and threads', () => {
  it('is no growth if all is level, or grows in the first ten minutes', () => {
    assert.deepEqual(growthIn(run(120)), []);
    assert.deepEqual(
      growthIn(run(120, (minute) => ({ memoryMb: 400 + 10 * Math.min(10, minute) }))),
      [],
    );
  });

  it('is growth if memory gains a tenth of a percent each minute', () => {
    const grows = run(120, (minute) => ({ memoryMb: 500 * 1.001 ** minute }));
    assert.deepEqual(growthIn(grows), ['memory MB']);
  });

  it('forgives single minutes with much memory, as of an import', () => {
    const swings = run(120, (minute) => ({ memoryMb: minute % 7 === 0 ? 900 : 500 }));
    assert.deepEqual(growthIn(swings), []);
  });

  it('is growth if descriptors or threads are not given back', () => {
    const leaks = (minute: number) => ({ descriptors: 80 + minute, threads: 20 + minute / 10 });
    assert.deepEqual(growthIn(run(120, leaks)), ['descriptors', 'threads']);
  });

  it('says nothing about memory in a run of less than half an hour', () => {
    const grows = (minute: number) => ({ memoryMb: 500 + 100 * minute, threads: 20 + minute });
    assert.deepEqual(growthIn(run(10, grows)), ['threads']);
    assert.deepEqual(growthIn(run(30, grows)), ['memory MB', 'threads']);
  });

  it('is growth if nothing could be read', () => {
    assert.deepEqual(growthIn(run(30, () => ({ memoryMb: Number.NaN }))), ['memory MB']);
  });
});

it('writes minutes as CSV, with nothing for what was not measured', (context) => {
  const file = join(temporaryFolder(context), 'soak.csv');
  beginFile(file);
  for (const minute of run(2)) appendMinute(file, { ...minute, createP99Ms: Number.NaN });
  const [heading = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.match(heading, /^minute,server,memory MB,.*,create p99 ms$/);
  assert.deepEqual(lines, [
    '1,folder,500,100,80,20,10,1000,1,5,8,',
    '2,folder,500,100,80,20,10,1000,1,5,8,',
  ]);
});
