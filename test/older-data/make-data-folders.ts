/**
 * Makes a data folder of `test/fixtures` with the program of a checkout:
 * `make-data-folders.ts <checkout> <kind> <new folder>`. See `test/fixtures/README.md`.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { organisation, releaseXml } from '../sources/release-file/release-fixture.ts';
import {
  bodyOf,
  olderProgram,
  SYSTEM,
  send,
  sendRefused,
  writeJson,
  writeResources,
} from './older-program.ts';
import { recordAnswers, recordDirectory, recordSearch } from './record-answers.ts';

const KINDS: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  stopped: makeStopped,
  killed: makeKilled,
  erased: makeErased,
};

const [checkout = '', kind = '', target = ''] = process.argv.slice(2);
const { run, serve } = olderProgram(resolve(checkout));
const make = KINDS[kind];
if (make === undefined) throw new Error(`the kind must be one of ${Object.keys(KINDS).join(', ')}`);
mkdirSync(target);
await make(resolve(target));

/** Order responses, refused accesses, commands and two editions; the server was stopped. */
async function makeStopped(folder: string): Promise<void> {
  const data = join(folder, 'data');
  for (const codes of [
    ['A1', 'B2'],
    ['A1', 'B2', 'C3'],
  ]) {
    const release = join(folder, 'release.xml');
    const names = codes.map((code) => organisation(`<Name>${code} Ward Ø</Name>`, { code }));
    writeFileSync(release, releaseXml(names));
    run('import', release, '--data', data, '--quiet');
    rmSync(release);
  }
  const token = run('token', '--data', data, '--expires', '365d').trim();
  const reader = run('token', '--data', data, '--scope', 'system/OrderResponse.read').trim();
  const { origin, stop } = await serve('--data', data);
  const versions = Array.from({ length: 12 }, (_, number) => 1 + (number % 4));
  const resources = await writeResources(origin, token, versions);
  await sendRefused(origin, token, reader, Object.keys(resources)[3] ?? '');
  const answers = await recordAnswers(origin, token, resources);
  const directory = await recordDirectory(origin);
  run('backup', join(folder, 'backup.db'), '--data', data);
  run('orders', 'export', '--data', data, '--output', join(folder, 'versions.ndjson'));
  await stop('SIGTERM');
  run('audit', '--data', data, '--output', join(folder, 'audit.ndjson'));
  const verified = run('verify', '--data', data);
  writeJson(join(folder, 'expected.json'), { resources, verified, answers, directory, token });
}

/** Everything lies in the write-ahead log: the server was killed. */
async function makeKilled(folder: string): Promise<void> {
  const data = join(folder, 'running');
  const token = run('token', '--make-folder', '--data', data).trim();
  const { origin, stop } = await serve('--data', data);
  const resources = await writeResources(origin, token, [2, 1, 1, 1, 1]);
  const answers = await recordAnswers(origin, token, resources);
  await stop('SIGKILL');
  cpSync(data, join(folder, 'data'), { recursive: true });
  const verified = run('verify', '--data', data);
  rmSync(data, { recursive: true });
  writeJson(join(folder, 'expected.json'), { resources, verified, answers });
}

/** A deleted, an erased and a held order response, searches, and a page that waits for its client. */
async function makeErased(folder: string): Promise<void> {
  const data = join(folder, 'data');
  const token = run('token', '--make-folder', '--data', data, '--expires', '365d').trim();
  const { origin, stop } = await serve('--data', data, '--orders-allow-delete');
  const resources = await writeResources(origin, token, [1, 2, 3, 1, 2, 1]);
  const [deleted = '', erased = '', held = ''] = Object.keys(resources);
  await send('DELETE', `${origin}/OrderResponse/${deleted}`, token);
  resources[deleted] = 2;
  const answered = await send(
    'GET',
    `${origin}/OrderResponse?identifier=${encodeURIComponent(`${SYSTEM}|shared`)}&_count=2`,
    token,
  );
  const { link }: { link: { relation: string; url: string }[] } = JSON.parse(await answered.text());
  const page = new URL(link.find(({ relation }) => relation === 'next')?.url ?? '');
  await send('PUT', `${origin}/OrderResponse/${held}`, token, bodyOf(2, 4, held));
  resources[held] = 4;
  await stop('SIGTERM');
  run('orders', 'erase', `OrderResponse/${erased}`, '--reason', 'asked for', '--data', data);
  run('orders', 'hold', `OrderResponse/${held}`, '--reason', 'dispute', '--data', data);
  const again = await serve('--data', data);
  const answers = await recordAnswers(again.origin, token, resources);
  const search = await recordSearch(again.origin, token, page.pathname + page.search);
  await again.stop('SIGTERM');
  run('audit', '--data', data, '--output', join(folder, 'audit.ndjson'));
  const verified = run('verify', '--data', data);
  writeJson(join(folder, 'expected.json'), { resources, verified, answers, search, token });
}
