/** Key files that several processes use. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeAuditKey } from '../../src/storage/files/key-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'gazetteer-keys-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a process that comes second gets the key that the first one made', () => {
  const path = join(folder, 'audit.key');
  const key = makeAuditKey(path);
  assert.equal(key.length, 32);
  assert.deepEqual(new Uint8Array(makeAuditKey(path)), new Uint8Array(key));
  assert.deepEqual(readdirSync(folder), ['audit.key'], 'no draft is left');
});

test('an empty file, which a killed process left, is replaced', () => {
  const path = join(folder, 'empty.key');
  writeFileSync(path, '', { mode: 0o600 });
  const key = makeAuditKey(path);
  assert.deepEqual(new Uint8Array(readFileSync(path)), new Uint8Array(key));
});

test('a file that cannot be made is reported, and not read', () => {
  assert.throws(() => makeAuditKey(join(folder, 'missing', 'audit.key')), /cannot be created/);
});

test('a file that is not a key stays as it is, and is refused', () => {
  const path = join(folder, 'short.key');
  writeFileSync(path, 'short', { mode: 0o600 });
  assert.throws(() => makeAuditKey(path), /short\.key: it has 5 bytes instead of 32/);
});
