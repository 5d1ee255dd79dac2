/** Imports the bundled sample, serves it, and shows what to try: `npm run demo -- --port 8081`. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { reservePort } from '../src/server/port.ts';
import { ServerError } from '../src/server/server-error.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { port: { type: 'string', default: '8080' } } });
const { port } = values;

/** Beside the folder that `gazetteer serve` uses by default, so that real data stay untouched. */
const data = 'data/demo';

/** The review of a laboratory report, completed. */
const ORDER_RESPONSE = 'sample/order-response.xml';

/** What to try; the answer of the last is shown. */
const ADDRESSES: readonly (readonly [what: string, path: string])[] = [
  ['One organisation, by its code', '/STU3/Organization/RTG?_pretty=true'],
  [
    'A search, in XML',
    '/STU3/Organization?address-postalcode=LS6&active=true&_format=xml&_pretty=true',
  ],
  [
    'How many active organisations have Leeds in their names',
    '/STU3/Organization?name:contains=leeds&active=true&_summary=count&_pretty=true',
  ],
];

try {
  await reservePort('127.0.0.1', Number(port));
} catch (error) {
  if (!(error instanceof ServerError)) throw error;
  console.error(`${error.message.replace('--port', 'npm run demo -- --port 8081')}`);
  process.exit(1);
}
const imported = gazetteerSync(['import', 'sample/organisations.zip', '--data', data, '--quiet']);
if (imported !== 0) process.exit(imported);

const server = spawn(
  process.execPath,
  [
    'src/main.ts',
    'serve',
    '--data',
    data,
    '--port',
    port,
    '--metrics-port',
    '0',
    '--log-requests=false',
  ],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
);
// Ctrl+C in a terminal reaches the server by itself.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => server.kill('SIGTERM'));
server.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

for await (const line of createInterface({ input: server.stdout })) {
  const { msg } = JSON.parse(line);
  if (msg === 'listening') await show();
}

async function show(): Promise<void> {
  const origin = `http://localhost:${port}`;
  console.log(
    `
Gazetteer serves the sample data. Most of its organisations are invented.

  To look up a code, open this address in a browser:
    ${origin}/

To try the API, run these commands in another terminal:
`,
  );
  for (const [what, path] of ADDRESSES) console.log(`  ${what}:\n    curl '${origin}${path}'\n`);
  const answer = await fetch(origin + (ADDRESSES.at(-1)?.[1] ?? ''));
  console.log(`The last command prints:\n\n${await answer.text()}`);
  await showOrder(origin);
  console.log(
    'To stop the server, press Ctrl+C. To use your own data, run: bin/gazetteer import FILE && bin/gazetteer serve',
  );
}

/** Prints a command that creates an order response, runs it and prints the answer. */
async function showOrder(origin: string): Promise<void> {
  const { stdout } = spawnSync(
    process.execPath,
    ['src/main.ts', 'token', '--data', data, '--scope', 'system/OrderResponse.*'],
    { cwd: root, encoding: 'utf8' },
  );
  const token = stdout.trim();
  const target = `${origin}/OrderResponse?_pretty=true`;
  console.log(
    `To create an order response, which says that a laboratory report was reviewed, run this command.
Its token is valid for one hour.

    curl -i '${target}' \\
      -H 'Authorization: Bearer ${token}' \\
      -H 'Content-Type: application/xml+fhir' \\
      --data-binary @${ORDER_RESPONSE}
`,
  );
  const answer = await fetch(target, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/xml+fhir' },
    body: readFileSync(new URL(`../${ORDER_RESPONSE}`, import.meta.url)),
  });
  console.log(
    `The demo ran this command once. The answer was ${answer.status}, Location: ${answer.headers.get('location')}\n\n${await answer.text()}`,
  );
}

function gazetteerSync(words: readonly string[]): number {
  const { status } = spawnSync(process.execPath, ['src/main.ts', ...words], {
    cwd: root,
    stdio: 'inherit',
  });
  return status ?? 1;
}
