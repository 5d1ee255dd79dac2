/** `gazetteer demo`: imports the bundled sample, serves it, and shows what to try. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { reservePort } from '../server/port.ts';
import { ServerError } from '../server/server-error.ts';
import { type Command, type CommandContext, CommandError } from './command.ts';

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Import the sample data into data/demo, serve it, and print requests to try',
  settings: ['port'],
  examples: ['demo', 'demo --port 8081'],
  run: runDemo,
};

/** Beside the folder that `gazetteer serve` uses by default, so that real data stay untouched. */
const DATA = 'data/demo';

const SAMPLE = fileURLToPath(new URL('../../sample/', import.meta.url));
/** The review of a laboratory report, completed. */
const ORDER_RESPONSE = `${SAMPLE}order-response.xml`;

/** Requests to try; the demo shows the answer of the last. */
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

async function runDemo(context: CommandContext): Promise<void> {
  const { config, stopped } = context;
  await requireFreePort(context);
  const imported = startProgram(context, ['import', `${SAMPLE}organisations.zip`, '--quiet']);
  await requireSuccess(context, imported, 'The import of the sample');
  if (stopped.aborted) return;
  const server = startProgram(context, [
    'serve',
    ...['--port', String(config.port), '--metrics-port', '0', '--log-requests=false'],
  ]);
  // Ctrl+C in a terminal reaches the server by itself.
  const stop = () => stopped.reason !== 'SIGINT' && server.kill('SIGTERM');
  stopped.addEventListener('abort', stop, { once: true });
  const ended = requireSuccess(context, server, 'The server of the demo');
  const shown = showWhenListening(context, server);
  // Without a handler, the end of the server during the requests would end the program.
  shown.catch(() => {});
  await ended;
  if (!stopped.aborted) await shown;
}

async function requireFreePort({ config, environment }: CommandContext): Promise<void> {
  try {
    await reservePort(config.host, config.port);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    const { demo } = commandsOf(environment);
    throw new ServerError(error.message.replace('--port', `${demo} --port 8081`));
  }
}

/** Separate processes, because a server writes its log to the standard output of its process. */
function startProgram(
  { program, environment }: CommandContext,
  words: readonly string[],
  errors: 'inherit' | 'ignore' = 'inherit',
): ChildProcess {
  return fork(program, [...words, '--data', DATA], {
    env: environment,
    stdio: ['ignore', 'pipe', errors, 'ipc'],
  });
}

/** A program that the user stopped did not fail. */
async function requireSuccess(
  { stopped }: CommandContext,
  child: ChildProcess,
  what: string,
): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0 && !stopped.aborted)
    throw new CommandError(`${what} failed. The lines above may give the reason.`);
}

async function showWhenListening(context: CommandContext, server: ChildProcess): Promise<void> {
  if (server.stdout === null) return;
  for await (const line of createInterface({ input: server.stdout })) {
    const { msg } = JSON.parse(line);
    if (msg === 'listening') await show(context);
  }
}

async function show(context: CommandContext): Promise<void> {
  const { config, environment, streams } = context;
  const { program } = commandsOf(environment);
  const origin = `http://localhost:${config.port}`;
  const print = (text: string) => streams.output.write(`${text}\n`);
  print(
    `
Gazetteer serves the sample data. Most of its organisations are invented.

  To look up a code, open this address in a browser:
    ${origin}/

To try the API, run these commands in another terminal:
`,
  );
  for (const [what, path] of ADDRESSES) print(`  ${what}:\n    curl '${origin}${path}'\n`);
  const answer = await fetch(origin + (ADDRESSES.at(-1)?.[1] ?? ''));
  print(`The last command prints:\n\n${await answer.text()}`);
  print(await orderText(context, origin));
  print(
    'To stop the server, press Ctrl+C. To use your own data, run: ' +
      `${program} import FILE && ${program} serve`,
  );
}

/** A command that creates an order response, and the answer to it. */
async function orderText(context: CommandContext, origin: string): Promise<string> {
  const child = startProgram(context, ['token', '--scope', 'system/OrderResponse.*'], 'ignore');
  const [token] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout).then((line) => line.trim()),
    requireSuccess(context, child, 'The command that creates a token'),
  ]);
  const target = `${origin}/OrderResponse?_pretty=true`;
  const answer = await fetch(target, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/xml+fhir' },
    body: readFileSync(ORDER_RESPONSE),
  });
  return `To create an order response, which says that a laboratory report was reviewed, run this command.
Its token is valid for one hour.

    curl -i '${target}' \\
      -H 'Authorization: Bearer ${token}' \\
      -H 'Content-Type: application/xml+fhir' \\
      --data-binary @${relative('.', ORDER_RESPONSE)}

The demo ran this command once. The answer was ${answer.status}, Location: ${answer.headers.get('location')}

${await answer.text()}`;
}

/** The commands as the user types them: npm sets the variable in the programs that it starts. */
function commandsOf({ npm_lifecycle_event: event }: CommandContext['environment']): {
  readonly demo: string;
  readonly program: string;
} {
  switch (event) {
    case 'demo':
      return { demo: 'npm run demo --', program: 'bin/gazetteer' };
    case 'npx':
      return { demo: 'npx gazetteer-fhir demo', program: 'npx gazetteer-fhir' };
    default:
      return { demo: 'gazetteer demo', program: 'gazetteer' };
  }
}
