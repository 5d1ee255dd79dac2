/** The commands about stored order responses: export, audit, backup, restore, verify. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { acquireLock } from '../../src/storage/files/lock.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { importedSample } from '../imported-sample.ts';
import {
  createOperation,
  entriesOf,
  openStore,
  readOperation,
  updateOperation,
} from '../storage/repository-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { gazetteer, serve } from './program.ts';
import { tokenFor } from './token.ts';

/** Entries at 09:00 (1), 10:00 (2, 3) and 11:00 (4). */
function fill(path: string): void {
  let now = new Date('2026-11-21T09:00:00Z');
  const store = openStore(openDataFolder(path), { now: () => now });
  store.runBatch([createOperation('a', 'one')]);
  now = new Date('2026-11-21T10:00:00Z');
  store.runBatch([updateOperation('a', 'one'), createOperation('b')]);
  now = new Date('2026-11-21T11:00:00Z');
  store.runBatch([readOperation('b')]);
  store.close();
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

it('versions and audit log are exported, all of them or from a time on', async (context) => {
  const data = temporaryFolder(context);
  fill(data);
  const exported = async (...words: string[]) => {
    const ended = await runInProcess(['orders', 'export', '--data', data, ...words]);
    assert.equal(ended.code, 0, ended.stderr);
    return ended.stdout === '' ? [] : linesOf(ended.stdout);
  };
  const names = (resources: { id: string; meta: { versionId: string } }[]) =>
    resources.map(({ id, meta }) => `${id}/${meta.versionId}`);
  assert.deepEqual(names(await exported('--format', 'ndjson')), ['a/1', 'a/2', 'b/1']);
  assert.deepEqual(names(await exported('--since', '2026-11-21T11:00:00+01:00')), ['a/2', 'b/1']);
  assert.deepEqual(await exported('--since', '2026-11-21T10:00:00.001Z'), []);
  const file = join(data, 'out.ndjson');
  const ended = await gazetteer(['orders', 'export', '--data', data, '--output', file]);
  assert.equal(ended.stdout, `${file}: wrote 3 lines.\n`);
  assert.equal(linesOf(readFileSync(file, 'utf8')).length, 3);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const again = await gazetteer(['orders', 'export', '--data', data, '--output', file]);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^gazetteer: .*out\.ndjson already exists\. Choose another/);

  const audit = async (...words: string[]) =>
    linesOf((await runInProcess(['audit', '--data', data, ...words])).stdout).map(({ id }) => id);
  // Each export has an entry too, the refused one included: it had begun.
  assert.deepEqual(await audit(), ['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  assert.equal((await audit('--since', '2026-11-21T10:30:00Z'))[0], '4');
  assert.deepEqual(await audit('--resource', 'OrderResponse/b'), ['3', '4']);
  const other = await runInProcess(['audit', '--data', data, '--resource', 'Order/b']);
  assert.deepEqual([other.code, other.stdout], [0, '']);
});

it('what takes order responses out is in the audit log, with who and how many', async (context) => {
  const data = temporaryFolder(context);
  fill(data);
  const server = await serve(context, ['--data', data, '--threads', '1']);
  const token = await tokenFor(data);
  const read = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${server.origin}/OrderResponse/a`, { headers });
    assert.equal(answer.status, 200);
    await answer.arrayBuffer();
  };
  await read();
  const file = join(data, 'backup.db');
  const since = ['--since', '2026-11-21T10:00:00Z'];
  for (const words of [
    ['orders', 'export', ...since],
    ['backup', file],
  ]) {
    const ended = await runInProcess([...words, '--data', data]);
    assert.equal(ended.code, 0, ended.stderr);
    await read();
  }
  assert.equal(await server.stop(), 0);
  const entries = entriesOf(openDataFolder(data)).slice(4);
  assert.deepEqual(
    entries.map(({ interaction, client, count }) => [interaction, client, count]),
    [
      ['read', undefined, undefined],
      ['export', 'gazetteer orders export', 2],
      ['read', undefined, undefined],
      ['backup', 'gazetteer backup', 3],
      ['read', undefined, undefined],
    ],
  );
  for (const at of [1, 3]) assert.equal(entries[at]?.subject, userInfo().username);
  assert.equal((await runInProcess(['verify', '--data', data])).code, 0);

  const nowhere = await runInProcess(['backup', file, '--data', data]);
  assert.equal(nowhere.code, 1);
  assert.equal(
    entriesOf(openDataFolder(data)).length,
    9,
    'a backup that was not made has no entry',
  );
});

it('an emptied audit log and a key that others may read are refused', async (context) => {
  const data = temporaryFolder(context);
  fill(data);
  const refused = async (finding: RegExp) => {
    const verified = await runInProcess(['verify', '--data', data]);
    assert.equal(verified.code, 1);
    assert.match(verified.stdout, finding);
    const served = await gazetteer([
      'serve',
      '--data',
      data,
      '--port',
      '0',
      '--metrics-port',
      '0',
      '--log-format',
      'text',
    ]);
    assert.equal(served.code, 1);
    assert.match(served.stderr, /^gazetteer: [^\n]+\n$/);
    return served.stderr;
  };
  const key = join(data, 'audit.key');
  chmodSync(key, 0o644);
  const message = /audit\.key: other users may read this key, .*; run `chmod 600` on it/;
  assert.match(await refused(message), message);
  chmodSync(key, 0o600);
  assert.equal((await runInProcess(['verify', '--data', data])).code, 0);

  const database = new DatabaseSync(join(data, 'orders.db'), {
    enableForeignKeyConstraints: false,
  });
  const triggers = database
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  for (const table of ['audit_entry', 'resource_version', 'search_entry', 'resource']) {
    database.exec(`DELETE FROM ${table}`);
  }
  for (const { sql } of triggers) database.exec(String(sql));
  database.close();
  const emptied = await refused(/^orders\.db: the audit log was emptied: it had entries/m);
  assert.match(emptied, /orders\.db: the audit log was emptied; restore a backup/);
});

it('an audit entry that cannot be read is told of in one line', async (context) => {
  const data = temporaryFolder(context);
  fill(data);
  const database = new DatabaseSync(join(data, 'orders.db'));
  database.exec(`DROP TRIGGER audit_entry_is_not_updated;
    UPDATE audit_entry SET entry = 'x' || entry WHERE number = 2`);
  database.close();
  for (const words of [[], ['--output', join(data, 'out.ndjson')]]) {
    const ended = await runInProcess(['audit', '--data', data, ...words]);
    assert.equal(ended.code, 1);
    assert.match(
      ended.stderr,
      /^gazetteer: orders\.db: audit entry 2 cannot be read; run `gazetteer verify`[^\n]*\n$/,
    );
    assert.ok(!existsSync(join(data, 'out.ndjson')));
  }
});

it('options that make no sense end a command with one line', async (context) => {
  const data = temporaryFolder(context);
  fill(data);
  const cases: readonly (readonly [words: string[], message: RegExp])[] = [
    [['orders', 'export', '--since', 'yesterday'], /^gazetteer: --since must be a time/],
    [['orders', 'export', '--since', '2026-11-21T10:00:00'], /^gazetteer: --since must be a time/],
    [['orders', 'export', '--format', 'csv'], /^gazetteer: --format must be ndjson\. Got "csv"/],
    [['audit', '--until', 'now'], /^gazetteer: --until must be a time with its time zone/],
    [['audit', '--patient', '|'], /^gazetteer: --patient must be SYSTEM\|VALUE, VALUE or Patient/],
    [['audit', '--patient', 'urn:x|'], /^gazetteer: --patient must be SYSTEM\|VALUE, VALUE or/],
    [['audit', '--action', 'read'], /^gazetteer: --action must be C, R, U, D or E\. Got "read"/],
    [['audit', '--limit', '0'], /^gazetteer: --limit must be a whole number from 1\. Got "0"/],
    [['audit', '--request', 'x'], /^gazetteer: --request needs --since: a time shortly before/],
    [['audit', '--resource', 'a'], /^gazetteer: --resource must be a type, a slash and an id/],
    [['verify', '--head', '12'], /^gazetteer: --head must be an audit head that verify printed/],
    [['backup', join(data, 'none', 'file')], /^gazetteer: .*cannot be created, or was removed/],
    [['restore', join(data, 'none')], /^gazetteer: .*there is no such file/],
  ];
  const all = cases.map(async ([words, message]) => {
    const ended = await runInProcess([...words, '--data', data]);
    assert.equal(ended.code, /must be|needs --since/.test(ended.stderr) ? 2 : 1, words.join(' '));
    assert.match(ended.stderr, message);
    assert.equal(ended.stderr.split('\n').length, 2, ended.stderr);
  });
  await Promise.all(all);
  for (const words of [['orders', 'export'], ['audit'], ['backup', join(data, 'x')], ['verify']]) {
    const nothing = await runInProcess([...words, '--data', join(data, 'mistyped')]);
    assert.equal(nothing.code, 1);
    assert.match(
      nothing.stderr,
      /mistyped: there (are no order responses|is no data) here; name (their|its)/,
    );
    assert.ok(!existsSync(join(data, 'mistyped')));
  }
});

it('a backup brings order responses to another folder, where no server runs', async (context) => {
  const data = temporaryFolder(context);
  const other = join(temporaryFolder(context), 'other');
  fill(data);
  const file = join(data, 'backup.db');
  assert.equal((await gazetteer(['backup', file, '--data', data])).code, 0);
  const lock = acquireLock(openDataFolder(other).path, 'serve');
  const refused = await gazetteer(['restore', file, '--data', other]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /in use by process \d+; stop it first/);
  lock.release();
  const restored = await gazetteer(['restore', file, '--data', other]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, /^Restored 2 order responses with 3 versions\.\naudit head 4:/);
  const verified = await gazetteer(['verify', '--data', other]);
  assert.match(restored.stdout, new RegExp(verified.stdout.split('\n').at(-2) ?? '-'));
  const twice = await gazetteer(['restore', file, '--data', other]);
  assert.equal(twice.code, 1);
  assert.match(
    twice.stderr,
    /are order responses or audit entries here already; .*orders\.db-shm and audit\.key away/,
  );
});

it('verify says what is sound and what is not', async (context) => {
  const data = await importedSample(context);
  fill(data);
  const verify = (...words: string[]) => runInProcess(['verify', '--data', data, ...words]);
  const sound = await verify();
  assert.equal(sound.code, 0, sound.stderr);
  const head = /^audit head (4:[0-9a-f]{64})$/m.exec(sound.stdout)?.[1] ?? '';
  assert.equal(
    sound.stdout,
    'directory.db: sound\nedition 1: sound\n' +
      `orders.db: sound, 2 order responses, 3 versions\naudit head ${head}\n`,
  );
  assert.equal((await verify('--head', head)).code, 0);

  const edition = join(data, 'editions', '000001', 'rows.values.bin');
  const bytes = new Uint8Array(readFileSync(edition));
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(edition, bytes);
  const database = new DatabaseSync(join(data, 'orders.db'));
  database.exec(
    `DROP TRIGGER audit_entry_is_not_deleted; DELETE FROM audit_entry WHERE number = 4`,
  );
  database.close();
  const wrong = await verify('--head', head);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /^edition 1: .*rows\.values\.bin: its checksum is wrong/m);
  assert.match(wrong.stdout, /^orders\.db: the audit log ends with entry 3, and had 4/m);
  assert.match(
    wrong.stderr,
    /^gazetteer: Some stored data is missing or differs from what was written\. [^\n]+\n$/,
  );
  writeFileSync(join(data, 'orders.db'), 'x'.repeat(5000));
  const broken = await verify();
  assert.equal(broken.code, 1);
  assert.match(broken.stdout, /^orders\.db: .*the database is damaged/m);
});

it('verify with the key of another audit log asks for the right key, and not for a backup', async (context) => {
  const data = temporaryFolder(context);
  fill(data);
  const key = join(data, 'audit.key');
  const before = readFileSync(key);
  writeFileSync(key, Buffer.alloc(32, 1));
  const wrong = await runInProcess(['verify', '--data', data]);
  assert.equal(wrong.code, 1);
  assert.match(
    wrong.stdout,
    /^orders\.db: could not be checked: no entry of the audit log matches audit\.key, [^\n]+; put back the audit\.key that belongs to this orders\.db, from a backup\n$/,
  );
  assert.match(
    wrong.stderr,
    /could not be checked\. Do what the lines above say, and verify again/,
  );
  writeFileSync(key, before);
  assert.equal((await runInProcess(['verify', '--data', data])).code, 0);
});

it('an order response is held, erased, and gone for clients of a running server', async (context) => {
  const data = temporaryFolder(context);
  fill(data);
  const server = await serve(context, ['--data', data, '--threads', '1']);
  const headers = { authorization: `Bearer ${await tokenFor(data)}`, accept: 'application/json' };
  const run = (...words: string[]) => runInProcess(['orders', ...words, '--data', data]);
  const held = await run('hold', 'a', '--reason', 'inquest');
  assert.deepEqual([held.code, held.stdout], [0, 'OrderResponse/a is on hold.\n']);
  const [hold] = linesOf((await run('holds')).stdout);
  assert.deepEqual([hold.type, hold.id, hold.reason], ['OrderResponse', 'a', 'inquest']);
  const refused = await run('erase', 'OrderResponse/a', '--reason', 'request');
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^gazetteer: OrderResponse\/a is on hold \(inquest\)\. End the hold/,
  );
  assert.equal((await run('release', 'a')).stdout, 'OrderResponse/a is no longer on hold.\n');

  const erased = await run('erase', 'OrderResponse/a', '--reason', 'request');
  assert.deepEqual([erased.code, erased.stderr], [0, '']);
  assert.match(erased.stdout, /^Erased the content of OrderResponse\/a \(2 versions\)\.\nBackups /);
  for (const path of ['OrderResponse/a', 'OrderResponse/a/_history/1']) {
    const answer = await fetch(`${server.origin}/${path}`, { headers });
    assert.equal(answer.status, 410);
    assert.match(await answer.text(), /The content of version \d of OrderResponse\/a was erased\./);
  }
  const history = await fetch(`${server.origin}/OrderResponse/a/_history`, { headers });
  const { total, entry } = JSON.parse(await history.text());
  assert.deepEqual(
    [total, entry.map(({ resource }: object & { resource?: object }) => resource)],
    [2, [undefined, undefined]],
  );
  const other = await fetch(`${server.origin}/OrderResponse/b`, { headers });
  assert.equal(other.status, 200);
  await other.arrayBuffer();

  const audit = linesOf((await runInProcess(['audit', '--data', data])).stdout);
  const displays = audit.map(({ event }) => event.subtype?.[0]?.display).filter(Boolean);
  assert.deepEqual(displays, [
    'gazetteer orders hold',
    'gazetteer orders release',
    'gazetteer orders erase',
  ]);
  const verified = await runInProcess(['verify', '--data', data]);
  assert.equal(verified.code, 0, verified.stdout);
});

for (const [words, message] of [
  [['erase', 'a'], /--reason must have 1 to 200 characters/],
  [['erase', 'a', '--reason', ' '], /--reason must have 1 to 200 characters/],
  [['erase', 'a b', '--reason', 'x'], /The resource must be an id, or a type/],
  [['hold', 'a/b/c', '--reason', 'x'], /The resource must be a type, a slash and an id/],
] as const) {
  it(`orders ${words.join(' ')} is refused`, async (context) => {
    const ended = await runInProcess(['orders', ...words, '--data', temporaryFolder(context)]);
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, message);
  });
}
