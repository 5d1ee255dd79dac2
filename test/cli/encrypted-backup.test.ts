/** Encrypted backups from the command line: made, restored, refused, and exchanged with age. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { acquireLock } from '../../src/storage/files/lock.ts';
import { openStore as openAnyStore, storeUrlOf } from '../../src/storage/open.ts';
import { KEY, OTHER_KEY, SECOND_KEY } from '../storage/age-keys.ts';
import {
  createOperation,
  entriesOf,
  openStore,
  updateOperation,
} from '../storage/repository-place.ts';
import { storeOptions } from '../storage/store-options.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

/** A folder with order responses in `data`, and commands that work in it. */
function placeOf(context: TestContext) {
  const folder = temporaryFolder(context);
  const place = (name: string) => join(folder, name);
  const data = openDataFolder(place('data'));
  const store = openStore(data);
  store.runBatch([createOperation('a', 'one'), updateOperation('a'), createOperation('b')]);
  store.close();
  writeFileSync(place('identity.txt'), `# made for a test\n${KEY.identity}\n`);
  const backUp = (file: string, ...options: string[]) =>
    runInProcess(['backup', place(file), '--data', data.path, ...options]);
  const restore = (file: string, target: string, ...options: string[]) =>
    runInProcess(['restore', place(file), '--data', place(target), ...options]);
  const identity = ['--identity', place('identity.txt')];
  return { place, data, backUp, restore, identity, names: () => readdirSync(folder).sort() };
}

describe('an encrypted backup', () => {
  it('is restored with the identity of each recipient', async (context) => {
    const { place, data, backUp, restore, identity } = placeOf(context);
    writeFileSync(place('keys.txt'), `# comment\r\n\r\n${OTHER_KEY.recipient}\r\n`);
    const recipients = [KEY, SECOND_KEY].flatMap((key) => ['--recipient', key.recipient]);
    const before = entriesOf(data);
    const made = await backUp('backup', ...recipients, '--recipients-file', place('keys.txt'));
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /^Wrote \S+, encrypted\. Only the identities of its recipients can/);
    assert.match(made.stdout, /\nIt contains 2 order responses with 3 versions\.\n$/);
    const bytes = readFileSync(place('backup'));
    assert.equal(statSync(place('backup')).mode & 0o777, 0o600);
    for (const text of ['SQLite', 'OrderResponse', 'dr-1']) assert.ok(!bytes.includes(text), text);
    assert.ok(!readdirSync(data.path).some((name) => name.endsWith('.draft')));
    assert.equal(entriesOf(data).at(-1)?.interaction, 'backup');
    for (const key of [KEY, SECOND_KEY, OTHER_KEY]) {
      writeFileSync(place('identity.txt'), `${key.identity}\n`);
      const target = `restored-${key.identity.slice(-4)}`;
      const restored = await restore('backup', target, ...identity);
      assert.equal(restored.code, 0, restored.stderr);
      assert.match(restored.stdout, /^Restored 2 order responses with 3 versions\.\naudit head 3:/);
      assert.deepEqual(entriesOf(openDataFolder(place(target))), before);
      assert.ok(!readdirSync(place(target)).some((name) => name.endsWith('.draft')));
    }
  });

  it('is refused with one line that names the remedy, and nothing is restored', async (context) => {
    const { place, backUp, restore, identity } = placeOf(context);
    await backUp('encrypted', '--recipient', KEY.recipient);
    await backUp('foreign', '--recipient', OTHER_KEY.recipient);
    await backUp('plain');
    const encrypted = readFileSync(place('encrypted'));
    writeFileSync(place('cut'), encrypted.subarray(0, -1));
    writeFileSync(place('cut-early'), encrypted.subarray(0, 100));
    encrypted[encrypted.length - 100]! ^= 1;
    writeFileSync(place('damaged'), encrypted);
    writeFileSync(place('text'), '-----BEGIN AGE ENCRYPTED FILE-----\n');
    writeFileSync(place('other'), 'x'.repeat(100));
    const damaged = /the backup is damaged, or was cut short; use another backup/;
    const cases: readonly (readonly [file: string, options: string[], message: RegExp])[] = [
      ['encrypted', [], /this backup is encrypted; name the file of its identity with --identity/],
      ['text', [], /this backup is encrypted; name the file of its identity with --identity/],
      ['plain', identity, /this backup is not encrypted; restore it without --identity/],
      ['foreign', identity, /no identity of the file opens this backup; give the identity of one/],
      ['cut', identity, damaged],
      ['cut-early', identity, damaged],
      ['damaged', identity, damaged],
      [
        'text',
        identity,
        /text form of age \(armor\); decrypt it with "age --decrypt", and restore/,
      ],
      ['other', identity, /this is not a backup that is encrypted with age; use another file/],
      ['none', identity, /there is no such file/],
    ];
    for (const [file, options, message] of cases) {
      mkdirSync(place('target'), { recursive: true, mode: 0o700 });
      const refused = await restore(file, 'target', ...options);
      assert.equal(refused.code, 1, file);
      assert.match(refused.stderr, /^gazetteer: [^\n]+\n$/);
      assert.match(refused.stderr, message);
      assert.ok(refused.stderr.includes(place(file)), refused.stderr);
      const left = readdirSync(place('target'));
      assert.deepEqual(
        left.filter((name) => !['editions', 'serve.lock'].includes(name)),
        [],
        file,
      );
    }
    assert.equal((await restore('encrypted', 'target', ...identity)).code, 0);
  });

  it('leaves no new folder behind where it is refused', async (context) => {
    const { place, backUp, restore, identity } = placeOf(context);
    await backUp('encrypted', '--recipient', KEY.recipient);
    writeFileSync(place('cut'), readFileSync(place('encrypted')).subarray(0, -1));
    const refused = await restore('cut', 'new', ...identity);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^gazetteer: [^\n]+ was cut short; use another backup\n$/);
    assert.equal(existsSync(place('new')), false);
    const restored = await restore('encrypted', 'new', ...identity);
    assert.deepEqual([restored.code, existsSync(place('new'))], [0, true]);
    assert.match(restored.stderr, /^Created the data folder \S+new\.\n$/);
  });

  it('needs keys that are keys, and shows no secret', async (context) => {
    const { place, backUp, restore, names } = placeOf(context);
    await backUp('backup', '--recipient', KEY.recipient);
    writeFileSync(place('wrong.txt'), `# comment\n${OTHER_KEY.identity.slice(0, -1)}\n`);
    writeFileSync(place('empty.txt'), '# comment\n');
    writeFileSync(place('secret.txt'), 'age-encryption.org/v1\n');
    writeFileSync(place('large.txt'), '#'.repeat(2 * 1024 * 1024));
    const identities = await Promise.all(Array.from({ length: 101 }, generateX25519Identity));
    const recipients = await Promise.all(identities.map(identityToRecipient));
    writeFileSync(place('many.txt'), recipients.join('\n'));
    const before = names();
    const forBackup: readonly (readonly [options: string[], code: number, message: RegExp])[] = [
      [['--recipient', 'x'], 2, /--recipient must be an age recipient, .* Got "x"\./],
      [
        ['--recipient', 'age1xyz'],
        2,
        /Got "age1xyz", which is cut off or mistyped\. Copy the whole/,
      ],
      [
        ['--recipient', 'age1yubikey1qxyz'],
        2,
        /, which is a recipient of a plugin\. Use a recipient that age/,
      ],
      [['--recipient', ''], 2, /--recipient must be an age recipient, .* Got ""\./],
      [['--recipient', KEY.identity], 2, /Got an identity, which is a secret\./],
      [
        ['--recipients-file', place('wrong.txt')],
        1,
        /^gazetteer: Line 2 of \S+wrong\.txt is not an/,
      ],
      [['--recipients-file', place('empty.txt')], 1, /empty\.txt contains no age recipient\. Name/],
      [
        ['--recipients-file', place('large.txt')],
        1,
        /large\.txt is too large for --recipients-file/,
      ],
      [['--recipients-file', place('many.txt')], 2, /can have at most 100 recipients\. Got 101\./],
      [
        ['--recipients-file', place('none.txt')],
        2,
        /--recipients-file names .*, which does not exist/,
      ],
    ];
    for (const [options, code, message] of forBackup) {
      const refused = await backUp('new', ...options);
      assert.equal(refused.code, code, options.join(' '));
      assert.match(refused.stderr, message);
      assert.ok(!refused.stderr.includes('SECRET-KEY-1'), refused.stderr);
    }
    const forRestore: readonly (readonly [file: string, message: RegExp])[] = [
      [
        'wrong.txt',
        /Line 2 of \S+wrong\.txt is not an age identity, .* name another file with --id/,
      ],
      ['empty.txt', /empty\.txt contains no age identity\. Name another file with --identity\./],
      [
        'secret.txt',
        /secret\.txt is encrypted\. Decrypt it with "age --decrypt", and name the res/,
      ],
    ];
    for (const [file, message] of forRestore) {
      const refused = await restore('backup', 'target', '--identity', place(file));
      assert.equal(refused.code, 1, file);
      assert.match(refused.stderr, message);
      assert.ok(!refused.stderr.includes('SECRET-KEY-1'), refused.stderr);
    }
    assert.deepEqual(names(), before);
  });

  it('is written completely or not at all, and only then has an audit entry', async (context) => {
    const { place, data, backUp, names } = placeOf(context);
    writeFileSync(join(data.path, 'backup.draft'), 'of a backup that was killed');
    writeFileSync(place('mine'), 'mine');
    const [before, entries] = [names(), entriesOf(data).length];
    const recipient = ['--recipient', KEY.recipient];
    assert.match(
      (await backUp('mine', ...recipient)).stderr,
      /mine already exists: choose another/,
    );
    assert.match((await backUp('none/new', ...recipient)).stderr, /none\/new: cannot be created/);
    const stopped = AbortSignal.abort();
    const store = await openAnyStore(storeUrlOf(data.path), storeOptions(data.path));
    const options = { recipients: [KEY.recipient], stopped };
    await assert.rejects(store.backUpOrders(place('new'), options), { name: 'AbortError' });
    const lock = acquireLock(data.path, 'backup');
    assert.match(
      (await backUp('new', ...recipient)).stderr,
      /process \d+ is encrypting a backup; try/,
    );
    lock.release();
    assert.deepEqual(names(), before);
    assert.equal(readFileSync(place('mine'), 'utf8'), 'mine');
    assert.ok(!existsSync(join(data.path, 'backup.draft')));
    assert.equal(entriesOf(data).length, entries);
  });

  it('restores nothing if it is stopped', async (context) => {
    const { place, backUp } = placeOf(context);
    await backUp('backup', '--recipient', KEY.recipient);
    const store = await openAnyStore(storeUrlOf(place('target')), storeOptions(place('target')));
    const options = { identities: [KEY.identity], stopped: AbortSignal.abort(), onMade: () => {} };
    await assert.rejects(store.restoreOrders(place('backup'), options), { name: 'AbortError' });
    assert.equal(existsSync(place('target')), false);
  });
});

describe('beside the program age', () => {
  const { error } = spawnSync('age', ['--version']);
  const skip = error && 'the program age is not installed (apt-get install age)';

  it('each reads what the other wrote', { skip }, async (context) => {
    const { place, backUp, restore, identity } = placeOf(context);
    const age = (...words: string[]) => {
      const { status, stderr } = spawnSync('age', words, { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    };
    await backUp('plain');
    await backUp('backup', '--recipient', SECOND_KEY.recipient, '--recipient', KEY.recipient);
    age('--decrypt', ...identity, '--output', place('decrypted'), place('backup'));
    age('--encrypt', '--recipient', KEY.recipient, '--output', place('by-age'), place('plain'));
    for (const [file, ...options] of [['decrypted'], ['by-age', ...identity]] as const) {
      const restored = await restore(file, `of-${file}`, ...options);
      assert.equal(restored.code, 0, restored.stderr);
      assert.match(restored.stdout, /^Restored 2 order responses with 3 versions\./);
    }
  });
});
