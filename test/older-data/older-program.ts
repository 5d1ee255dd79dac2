/** Runs the program of another checkout: its commands, its server and what clients send to that. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EXAMPLE_RESPONSE } from '../../src/orders/order-response/example.ts';
import { BASE_URL } from './record-answers.ts';

const JSON_TYPE = 'application/json+fhir';
export const SYSTEM = 'https://orders.example/identifier';

/** Non-ASCII text of every length in UTF-8, and characters that JSON or XML escape. */
const NOTES = ['Zoë Müller', '検査結果', 'Ω ≤ 3,5 µg', '🧪 "quoted" <&> \\ \u2028', 'plain'];

export interface OlderServer {
  readonly origin: string;
  stop(signal: NodeJS.Signals): Promise<void>;
}

export interface OlderProgram {
  /** Runs a command, and returns its output. */
  run(...words: string[]): string;
  serve(...words: string[]): Promise<OlderServer>;
}

export function olderProgram(checkout: string): OlderProgram {
  const command = ['--disable-warning=ExperimentalWarning', join(checkout, 'src/main.ts')];
  const installed = join(checkout, 'node_modules/.bin/node');
  const node = existsSync(installed) ? installed : process.execPath;
  return {
    run: (...words) =>
      execFileSync(node, [...command, ...words], { encoding: 'utf8', cwd: checkout }),
    serve: async (...words) => {
      const fixed = ['--port', '0', '--metrics-port', '0', '--limits-delay-ms', '0'];
      const child = spawn(
        node,
        [...command, 'serve', ...fixed, '--threads', '1', '--base-url', BASE_URL, ...words],
        { stdio: ['ignore', 'pipe', 'inherit'], cwd: checkout },
      );
      return { origin: `http://127.0.0.1:${await portOf(child)}`, stop: stopperOf(child) };
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  const lines = createInterface({ input: child.stdout! });
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the server ended before it listened')));
    lines.on('line', (line) => {
      const { msg, port } = JSON.parse(line);
      if (msg === 'listening') resolve(port);
    });
  });
}

function stopperOf(child: ChildProcess): OlderServer['stop'] {
  return async (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
}

/** Every third one has an identifier without a system, and every one an identifier of several. */
export function bodyOf(number: number, version: number, id?: string): string {
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

/** Creates order responses, and updates them. Returns the number of versions by id. */
export async function writeResources(
  origin: string,
  token: string,
  versions: readonly number[],
): Promise<Record<string, number>> {
  const resources: Record<string, number> = {};
  for (const [number, last] of versions.entries()) {
    const id = await create(origin, token, number);
    for (let version = 2; version <= last; version++) {
      await send('PUT', `${origin}/OrderResponse/${id}`, token, bodyOf(number, version, id));
    }
    resources[id] = last;
  }
  return resources;
}

async function create(origin: string, token: string, number: number): Promise<string> {
  const answer = await send('POST', `${origin}/OrderResponse`, token, bodyOf(number, 1));
  const id = answer.headers.get('location')?.split('/').at(-3);
  if (id === undefined) throw new Error(await answer.text());
  return id;
}

/** No token, no scope, no valid body, no such resource, a precondition that is false. */
export async function sendRefused(origin: string, token: string, reader: string, id: string) {
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

export function send(
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

export function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 1)}\n`);
}
