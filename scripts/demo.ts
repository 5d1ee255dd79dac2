/** Imports the bundled sample, serves it, and shows what to try. */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const port = process.argv[2] ?? '8080';

/** Beside the folder that `gazetteer serve` uses by default, so that real data stay untouched. */
const data = 'data/demo';

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

const importing = gazetteerSync(['import', 'sample/organisations.zip', '--data', data, '--quiet']);
if (importing !== 0) process.exit(importing);

const server = spawn(
  process.execPath,
  ['src/main.ts', 'serve', '--data', data, '--port', port, '--log-requests=false'],
  {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => server.kill('SIGTERM'));
}
server.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

for await (const line of createInterface({ input: server.stdout })) {
  const { msg } = JSON.parse(line);
  if (msg === 'listening') await show();
}

async function show(): Promise<void> {
  const origin = `http://localhost:${port}`;
  console.log('\nGazetteer serves its sample: invented organisations. Three things to try:\n');
  for (const [what, path] of ADDRESSES) console.log(`  ${what}:\n    curl '${origin}${path}'\n`);
  const answer = await fetch(origin + (ADDRESSES.at(-1)?.[1] ?? ''));
  console.log(`The last one answers:\n\n${await answer.text()}\n`);
  console.log(
    'Ctrl+C stops it. With your own data: bin/gazetteer import FILE, bin/gazetteer serve',
  );
}

function gazetteerSync(words: readonly string[]): number {
  const { status } = spawnSync(process.execPath, ['src/main.ts', ...words], {
    cwd: root,
    stdio: 'inherit',
  });
  return status ?? 1;
}
