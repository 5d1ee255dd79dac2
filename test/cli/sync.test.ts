/** `gazetteer sync` copies another directory, and says so if nothing has changed there. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { manyRecords, startPeer } from '../sources/peer/scripted-peer.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

it('copies all records of a Gazetteer, and follows it', async (context) => {
  const peer = await startPeer(context, manyRecords(30));
  const data = join(temporaryFolder(context), 'data');
  const sync = () => runInProcess(['sync', peer.url, '--data', data]);
  const first = await sync();
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^Edition 1, .* is now current: 30 added,/m);
  const second = await sync();
  assert.equal(second.code, 0, second.stderr);
  assert.match(second.stdout, /Nothing has changed at \S+\. Edition 1 stays current\.\n$/);
  const exported = await runInProcess(['export', '--format', 'ndjson', '--data', data]);
  assert.equal(exported.stdout.trimEnd().split('\n').length, 30);
});
