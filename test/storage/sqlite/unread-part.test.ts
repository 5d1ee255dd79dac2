/** What a verification reports of a database that its disk cannot read, or that changed meanwhile. */
import assert from 'node:assert/strict';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { unlessChanged, unlessUnread } from '../../../src/storage/sqlite/database/unread-part.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** Linux gives an error of the disk at the begin of this file. */
const UNREADABLE = '/proc/self/mem';
const skip = !existsSync(UNREADABLE) && 'no file has an error of the disk';

const PART = {
  name: 'orders.db',
  findings: ['entry 17 was changed'],
  head: { number: 20, mac: new Uint8Array(32) },
};

function databaseIn(context: TestContext): string {
  const path = join(temporaryFolder(context), 'a.db');
  writeFileSync(path, 'x');
  return path;
}

it('an error of the disk is added to findings of rows, and the head stays', { skip }, (context) => {
  const path = databaseIn(context);
  symlinkSync(UNREADABLE, `${path}-wal`);
  const { findings, ...rest } = unlessUnread(PART, path, false);
  assert.deepEqual(rest, { name: PART.name, head: PART.head });
  assert.equal(findings.length, 2);
  assert.equal(findings[0], PART.findings[0]);
  assert.match(findings[1] ?? '', /a\.db-wal: the disk reports an error/);
});

it('an error of the disk replaces what SQLite reported', { skip }, (context) => {
  const path = databaseIn(context);
  symlinkSync(UNREADABLE, `${path}-wal`);
  const part = unlessUnread({ name: 'orders.db', findings: ['malformed'] }, path, true);
  assert.equal(part.isUnchecked, true);
  assert.match(part.findings.join(), /^[^,]*: the disk reports an error; check it$/);
});

it('findings stay as they are where the disk can be read, also without a log', (context) => {
  assert.equal(unlessUnread(PART, databaseIn(context), true), PART);
});

it('a part whose database changed meanwhile could not be checked', () => {
  assert.equal(unlessChanged(PART, 'a.db', false), PART);
  assert.deepEqual(unlessChanged(PART, 'a.db', true), {
    name: 'orders.db',
    findings: ['a.db: changed while it was read; try again'],
    isUnchecked: true,
  });
});
