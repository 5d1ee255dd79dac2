/**
 * Makes the data folders of `test/fixtures` with the program of a checkout:
 * `make-data-folders.ts <checkout> <new folder>`. See `test/fixtures/README.md`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { EXAMPLE_RESPONSE } from '../../src/order-response/example.ts';
import { organisation, releaseXml } from '../sources/release-file/release-fixture.ts';
import { BASE_URL, recordAnswers } from './record-answers.ts';

const [checkout = '', target = ''] = process.argv.slice(2).map((path) => resolve(path));
const MAIN = join(checkout, 'src/main.ts');
const NODE = ['--disable-warning=ExperimentalWarning', MAIN];
const JSON_TYPE = 'application/json+fhir';
const SYSTEM = 'https://orders.example/identifier';

/** Non-ASCII text of every length in UTF-8, and characters that JSON or XML escape. */
const NOTES = ['Zoë Müller', '検査結果', 'Ω ≤ 3,5 µg', '🧪 "quoted" <&> \\ \u2028', 'plain'];

mkdirSync(target);
await makeOrderly(join(target, 'schema-1'));
await makeKilled(join(target, 'schema-1-killed'));

/** Order responses, refused accesses, commands and two editions; the server was stopped. */
async function makeOrderly(folder: string): Promise<void> {
  const data = join(folder, 'data');
  mkdirSync(folder);
  for (const codes of [
    ['A1', 'B2'],
    ['A1', 'B2', 'C3'],
  ]) {
    const release = join(folder, 'release.xml');
    const names = codes.map((code) => organisation(`<Name>${code} Ward Ø</Name>`, { code }));
    writeFileSync(release, releaseXml(names));
    run(['import', release, '--data', data, '--quiet']);
    rmSync(release);
  }
  const token = run(['token', '--data', data]).trim();
  const reader = run(['token', '--data', data, '--scope', 'system/OrderResponse.read']).trim();
  const server = await start(data);
  const { origin } = server;
  const resources: Record<string, number> = {};
  for (let number = 0; number < 12; number++) {
    const id = await create(origin, token, number);
    const versions = 1 + (number % 4);
    for (let version = 2; version <= versions; version++) {
      await send('PUT', `${origin}/OrderResponse/${id}`, token, bodyOf(number, version, id));
    }
    resources[id] = versions;
  }
  await refusedAccesses(origin, token, reader, Object.keys(resources)[3] ?? '');
  const answers = await recordAnswers(origin, token, resources);
  run(['backup', join(folder, 'backup.db'), '--data', data]);
  run(['orders', 'export', '--data', data, '--output', join(folder, 'versions.ndjson')]);
  server.process.kill('SIGTERM');
  await once(server.process, 'exit');
  run(['audit', '--data', data, '--output', join(folder, 'audit.ndjson')]);
  const verified = run(['verify', '--data', data]);
  writeJson(join(folder, 'expected.json'), { resources, verified, answers });
}

/** Everything lies in the write-ahead log: the server was killed. */
async function makeKilled(folder: string): Promise<void> {
  const data = join(folder, 'running');
  mkdirSync(folder);
  const token = run(['token', '--make-folder', '--data', data]).trim();
  const server = await start(data);
  const { origin } = server;
  const resources: Record<string, number> = {};
  for (let number = 0; number < 5; number++) {
    const id = await create(origin, token, number);
    resources[id] = 1;
  }
  const [first = ''] = Object.keys(resources);
  await send('PUT', `${origin}/OrderResponse/${first}`, token, bodyOf(0, 2, first));
  resources[first] = 2;
  const answers = await recordAnswers(origin, token, resources);
  server.process.kill('SIGKILL');
  await once(server.process, 'exit');
  cpSync(data, join(folder, 'data'), { recursive: true });
  const verified = run(['verify', '--data', data]);
  rmSync(data, { recursive: true });
  writeJson(join(folder, 'expected.json'), { resources, verified, answers });
}

/** No token, no scope, no valid body, no such resource, a precondition that is false. */
async function refusedAccesses(origin: string, token: string, reader: string, id: string) {
  const url = `${origin}/OrderResponse/${id}`;
  await send('GET', url, 'none');
  await send('GET', url, '');
  await send('POST', `${origin}/OrderResponse`, reader, bodyOf(1, 1));
  await send('POST', `${origin}/OrderResponse`, token, '{"resourceType":"OrderResponse"}');
  await send('PUT', url, token, 'no JSON');
  await send('GET', `${url}/_history/99`, token);
  await send('GET', `${origin}/OrderResponse/nobody`, token);
  await send('PUT', `${origin}/OrderResponse/nobody`, token, bodyOf(1, 1, 'nobody'));
  await send('PUT', url, token, bodyOf(1, 2, id), { 'if-match': 'W/"77"' });
  for (const value of ['number-1', 'shared']) {
    await send('POST', `${origin}/OrderResponse`, token, bodyOf(1, 1), {
      'if-none-exist': `identifier=${encodeURIComponent(`${SYSTEM}|${value}`)}`,
    });
  }
}

/** Every third one has an identifier without a system, and every one an identifier of several. */
function bodyOf(number: number, version: number, id?: string): string {
  return JSON.stringify({
    ...EXAMPLE_RESPONSE,
    ...(id && { id }),
    identifier: [
      { system: SYSTEM, value: `number-${number}` },
      { system: SYSTEM, value: `version-${version} ${NOTES[number % NOTES.length]}` },
      { system: `${SYSTEM}/other`, value: 'shared' },
      { system: SYSTEM, value: 'shared' },
      ...(number % 3 === 0 ? [{ value: `bare-${number}` }, { system: SYSTEM }] : []),
    ],
    description: `${NOTES[(number + version) % NOTES.length]}, version ${version}`,
  });
}

async function create(origin: string, token: string, number: number): Promise<string> {
  const url = `${origin}/OrderResponse`;
  const answer = await send('POST', url, token, bodyOf(number, 1));
  const id = answer.headers.get('location')?.split('/').at(-3);
  if (id === undefined) throw new Error(await answer.text());
  return id;
}

function send(
  method: string,
  url: string,
  token: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const authorization = token === '' ? {} : { authorization: `Bearer ${token}` };
  return fetch(url, {
    method,
    headers: { 'content-type': JSON_TYPE, accept: JSON_TYPE, ...authorization, ...headers },
    ...(body !== undefined && { body }),
  });
}

function run(words: readonly string[]): string {
  return execFileSync(process.execPath, [...NODE, ...words], { encoding: 'utf8' });
}

async function start(data: string): Promise<{ origin: string; process: ChildProcess }> {
  const words = ['serve', '--data', data, '--port', '0', '--metrics-port', '0'];
  const child = spawn(
    process.execPath,
    [...NODE, ...words, '--threads', '1', '--base-url', BASE_URL],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, port } = JSON.parse(line);
    if (msg === 'listening') return { origin: `http://127.0.0.1:${port}`, process: child };
  }
  throw new Error('the server ended before it listened');
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 1)}\n`);
}
