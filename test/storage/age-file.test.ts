/** Files in the age format: what another program wrote, pieces of every size, and damage. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import {
  decryptFile,
  encryptFile,
  isAgeFile,
  isIdentity,
  isRecipient,
} from '../../src/storage/files/age-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { KEY, OTHER_KEY, SECOND_KEY } from './age-keys.ts';

/** "hello, age" for the first two keys, written by age 1.1.1. */
const WRITTEN_BY_AGE = Buffer.from(
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBPekJrZTYzY0ltZDRJSndRaG80enhZUzNLeG9IU0NUOWJWb2' +
    'RQU2Yvd0YwClNSMXFmVDBOdnRBWW15SjNWN3RjNm5lSm54ZXFidlhrRW4wWkg5SEJxQVUKLT4gWDI1NTE5IFFjc3dC' +
    'UmVpMTJJTlFUV2JOdFB5R0c0bWhPOEM2dzYzOW9uUzZEbHRuejAKYUp2WWFPVGZZNkpXbWVvTHRscG0vdHdNaTNpRD' +
    'V6S05CaGZSVlJWU3FwNAotLS0gZThyby81MDVDVzhWTlBiVFJ1cFNEUkJXY1NHQ0srK1E4bFEyWFFFK3JJMAqOSuC4' +
    'HUDawUFbErbXu2qIETSe0K+tsRSCuZqkJKtlvPp+C3PgZj5bF1E=',
  'base64',
);

function placeOf(context: TestContext) {
  const folder = temporaryFolder(context);
  const place = (name: string) => join(folder, name);
  const decrypted = async (bytes: Uint8Array, ...identities: string[]) => {
    writeFileSync(place('file.age'), bytes);
    await decryptFile({ from: place('file.age'), to: place('plain'), identities });
    return readFileSync(place('plain'));
  };
  const encrypted = async (bytes: Uint8Array, ...recipients: string[]) => {
    writeFileSync(place('plain'), bytes);
    await encryptFile({ from: place('plain'), to: place('file.age'), recipients });
    return readFileSync(place('file.age'));
  };
  return { place, encrypted, decrypted };
}

it('each recipient of a file that age wrote can read it', async (context) => {
  const { decrypted } = placeOf(context);
  for (const identities of [
    [KEY.identity],
    [SECOND_KEY.identity],
    [OTHER_KEY.identity, KEY.identity],
  ]) {
    assert.equal(String(await decrypted(WRITTEN_BY_AGE, ...identities)), 'hello, age');
  }
});

it('files of all lengths come back', async (context) => {
  const { encrypted, decrypted } = placeOf(context);
  for (const length of [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]) {
    const bytes = Buffer.alloc(length, 'gazetteer');
    const file = await encrypted(bytes, KEY.recipient, SECOND_KEY.recipient);
    assert.ok(!file.includes('gazetteer'));
    assert.ok((await decrypted(file, SECOND_KEY.identity)).equals(bytes), `${length} bytes`);
  }
});

it('a file is refused if a byte of it was changed or is missing', async (context) => {
  const { encrypted, decrypted } = placeOf(context);
  const file = await encrypted(Buffer.alloc(150_000, 'gazetteer'), KEY.recipient);
  const header = file.indexOf('\n--- ');
  const content = file.indexOf('\n', header + 1) + 1;
  const piece = content + 16 + 65_536 + 16;
  const damaged = { name: 'StorageError', kind: 'damaged', message: /file\.age: .*; use another/ };
  for (const length of [22, header, header + 5, content - 1, content, content + 10, piece]) {
    await assert.rejects(decrypted(file.subarray(0, length), KEY.identity), damaged, `${length}`);
  }
  await assert.rejects(decrypted(file.subarray(0, -1), KEY.identity), damaged);
  await assert.rejects(decrypted(Buffer.concat([file, Buffer.of(0)]), KEY.identity), damaged);
  for (const place of [header + 8, content, content + 16, piece, file.length - 1]) {
    const changed = Buffer.from(file);
    changed[place] = changed[place]! ^ 1;
    await assert.rejects(decrypted(changed, KEY.identity), damaged, `${place}`);
  }
});

it('a header without an end is refused', async (context) => {
  const { decrypted } = placeOf(context);
  const endless = Buffer.concat([
    Buffer.from('age-encryption.org/v1\n-> X25519 '),
    Buffer.alloc(3_000_000, 'A'),
  ]);
  await assert.rejects(decrypted(endless, KEY.identity), { kind: 'damaged' });
});

it('a fault of the disk names the file that has it', async (context) => {
  const { place, encrypted } = placeOf(context);
  await encrypted(Buffer.from('x'), KEY.recipient);
  const recipients = [KEY.recipient];
  await assert.rejects(encryptFile({ from: place('none'), to: place('plain'), recipients }), {
    name: 'StorageError',
    message: /none: /,
  });
  await assert.rejects(
    encryptFile({ from: place('plain'), to: join(place('none'), 'x'), recipients }),
    { code: 'ENOENT' },
  );
});

it('the kinds of files and keys are told apart', async (context) => {
  const { place } = placeOf(context);
  for (const [text, expected] of [
    ['age-encryption.org/v1\n-> ', true],
    ['-----BEGIN AGE ENCRYPTED FILE-----\n', true],
    ['age-encryption.org/v', false],
    ['SQLite format 3\0', false],
    ['', false],
  ] as const) {
    writeFileSync(place('file'), text);
    assert.equal(isAgeFile(place('file')), expected, text);
  }
  const notOfTheCurve = 'age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z';
  for (const [text, ofRecipient, ofIdentity] of [
    [KEY.recipient, true, false],
    [KEY.identity, false, true],
    [KEY.recipient.slice(0, -1), false, false],
    [KEY.identity.slice(0, -1), false, false],
    [notOfTheCurve, false, false],
    ['ssh-ed25519 AAAA', false, false],
    ['', false, false],
  ] as const) {
    assert.equal(await isRecipient(text), ofRecipient, text);
    assert.equal(await isIdentity(text), ofIdentity, text);
  }
});
