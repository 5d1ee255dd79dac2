/** The limit of open files: what the server says when it is too small, or reached. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  createDescriptorWatch,
  descriptorLimit,
  descriptorProblem,
  openDescriptors,
} from '../../src/server/monitoring/file-descriptors.ts';

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max processes             7823                 7823                 processes
Max open files            1024                 524288               files
`;

it('the limit is the soft one, and unknown where the system does not tell it', () => {
  assert.equal(
    descriptorLimit(() => LIMITS),
    1024,
  );
  for (const read of [() => '', () => LIMITS.replace('1024', 'unlimited'), fail]) {
    assert.equal(descriptorLimit(read), undefined);
  }
});

it('a limit below limits.connections is a problem that names the remedy', () => {
  assert.match(descriptorProblem(10_000, 1024) ?? '', /may have 1024 open files.*ulimit -n/);
  assert.equal(descriptorProblem(1024, 1024), undefined);
});

it('the open descriptors are counted on Linux', { skip: process.platform !== 'linux' }, () => {
  assert.ok((openDescriptors() ?? 0) > 2);
});

it('a lack of descriptors is reported at most once a minute', async () => {
  const reported: [code: string, details: object][] = [];
  let nowMs = 0;
  let code: string | undefined;
  const watch = createDescriptorWatch(
    { report: (...line: [string, object]) => reported.push(line) } as never,
    {
      nowMs: () => nowMs,
      probe: async () => {
        if (code !== undefined) throw Object.assign(new Error(code), { code });
      },
    },
  );
  for (const [atMs, fault, total] of [
    [0, undefined, 0],
    [1000, 'ENOENT', 0],
    [2000, 'EMFILE', 1],
    [61_999, 'EMFILE', 1],
    [62_000, 'ENFILE', 2],
    [200_000, undefined, 2],
  ] as const) {
    nowMs = atMs;
    code = fault;
    await watch();
    assert.equal(reported.length, total, `${atMs} ms`);
  }
  assert.match(JSON.stringify(reported[0]), /^\["GZ106",\{"problem":"EMFILE\. .*ulimit -n/);
});

function fail(): never {
  throw new Error('no such file');
}
