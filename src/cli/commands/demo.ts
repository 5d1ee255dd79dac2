/** `gazetteer demo`: imports the bundled sample, serves it, and shows what to try. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { VARIABLE_PREFIX } from '../../config/settings.ts';
import { reservePort, ServerError } from '../../server/sockets/port.ts';
import { acquireLock } from '../../storage/files/lock.ts';
import { type Command, type CommandContext, CommandError } from '../parts/command.ts';

/** Beside the folder that `gazetteer serve` uses by default, so that real data stay untouched. */
const DATA_DEFAULT = 'data/demo';

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Import the sample data into a folder, serve it, and print requests to try',
  settings: ['port'],
  options: [
    {
      syntax: '--data <folder>',
      help: `The folder of the demo, which no other data may be in (default: ${DATA_DEFAULT})`,
      value: { is: (text) => text !== '', name: 'the name of a folder' },
    },
  ],
  examples: ['demo', 'demo --port 8081 --data data/demo-2'],
  run: runDemo,
};

/** The sample is beside the folder of the program. */
function sampleFile({ program }: CommandContext, name: string): string {
  return join(dirname(program), '../sample', name);
}

/** Requests to try; the demo shows the answer of the last. */
const ADDRESSES: readonly (readonly [what: string, path: string])[] = [
  ['One organisation, by its code, with FHIR R4', '/R4/Organization/RTG?_pretty=true'],
  ['The same organisation with STU3, for old clients', '/STU3/Organization/RTG?_pretty=true'],
  [
    'A search, in XML',
    '/R4/Organization?address-postalcode=LS6&active=true&_format=xml&_pretty=true',
  ],
  [
    'How many active organisations have Leeds in their names',
    '/R4/Organization?name:contains=leeds&active=true&_summary=count&_pretty=true',
  ],
];

async function runDemo(context: CommandContext): Promise<void> {
  const { stopped, streams } = context;
  const data = dataOf(context);
  await requireFreePort(context);
  requireDemoFolder(data);
  // Another demo may serve the folder, which gets a new edition from the import.
  if (existsSync(data)) acquireLock(data, 'serve').release();
  const report = (text: string) => streams.errors.write(`${text}\n`);
  const unused = unusedSettings(context);
  if (unused.length > 0) {
    report(`The demo uses only the settings host and port, not ${unused.join(', ')}.`);
  }
  for (const [i, { does, words, what }] of importsOf(context).entries()) {
    report(`Step ${i + 1} of ${STEPS}: ${does}`);
    await requireSuccess(context, startProgram(context, [...words, '--quiet']), what);
    if (stopped.aborted) return;
    writeFileSync(join(data, MARK), '');
  }
  report(`Step ${STEPS - 1} of ${STEPS}: Starting the server`);
  const server = startProgram(context, serveWords(context));
  const ended = requireSuccess(context, server, 'The server of the demo');
  const shown = showWhenListening(context, server);
  // Without a handler, the end of the server during the requests would end the program.
  shown.catch(() => {});
  await ended;
  if (!stopped.aborted) await shown;
}

/** The names of settings that someone has set, and that the demo does not use. */
export function unusedSettings({ origins }: Pick<CommandContext, 'origins'>): readonly string[] {
  const set = Object.entries(origins).filter(([, origin]) => origin !== 'default');
  return set.map(([name]) => name).filter((name) => name !== 'host' && name !== 'port');
}

/** Two imports, the server, and an order response. */
const STEPS = 4;

interface Step {
  readonly does: string;
  readonly words: readonly string[];
  /** For the message that it failed. */
  readonly what: string;
}

function importsOf(context: CommandContext): readonly Step[] {
  return [
    {
      does: `Importing the organisations of the sample into ${dataOf(context)}`,
      words: ['import', sampleFile(context, 'organisations.zip')],
      what: 'The import of the sample',
    },
    {
      does: 'Importing the postcodes of the sample, for searches near a place',
      words: ['import-postcodes', sampleFile(context, 'postcodes.zip')],
      what: 'The import of the postcodes of the sample',
    },
  ];
}

/** Without health and metrics: a demo needs no second port. */
function serveWords({ config: { host, port } }: CommandContext): readonly string[] {
  const address = ['--host', host, '--port', String(port), '--metrics-port', 'off'];
  return ['serve', ...address, '--log-requests=false', '--pages-give-tokens'];
}

function dataOf({ options }: CommandContext): string {
  return typeof options.data === 'string' ? options.data : DATA_DEFAULT;
}

/** A file that says that a folder is of a demo. */
const MARK = 'demo';

/** The demo gives tokens to everyone, and imports invented organisations: not where real data are. */
function requireDemoFolder(data: string): void {
  if (data === DATA_DEFAULT || !existsSync(data) || existsSync(join(data, MARK))) return;
  if (readdirSync(data).length === 0) return;
  throw new CommandError(
    `${data} has data that are not those of a demo. Name a new folder with --data.`,
  );
}

async function requireFreePort({ config, environment }: CommandContext): Promise<void> {
  try {
    const { release } = await reservePort(config.host, config.port);
    release();
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    const { demo } = commandsOf(environment);
    throw new ServerError(error.message.replace('--port', `${demo} --port 8081`));
  }
}

/**
 * Separate processes, because a server writes its log to the standard output of its process. They
 * do not get the settings in variables: with a real database or key, everyone would get tokens for it.
 * They end when their channel to this process closes, also if this process is killed: Ctrl+C may have
 * reached them already, and a second signal would end them at once.
 */
function startProgram(
  context: CommandContext,
  words: readonly string[],
  errors: 'inherit' | 'ignore' = 'inherit',
): ChildProcess {
  const { program, environment, stopped } = context;
  const child = fork(program, [...words, '--data', dataOf(context)], {
    env: Object.fromEntries(
      Object.entries(environment).filter(([name]) => !name.startsWith(VARIABLE_PREFIX)),
    ),
    stdio: ['ignore', 'pipe', errors, 'ipc'],
  });
  const disconnect = () => child.connected && child.disconnect();
  stopped.addEventListener('abort', disconnect, { once: true });
  return child;
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
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const { msg, port } = JSON.parse(line);
      if (msg === 'listening') await show(context, port);
    }
  } finally {
    // An unread log would keep this process running after the server has ended.
    server.stdout.resume();
  }
}

async function show(context: CommandContext, port: number): Promise<void> {
  const { environment, streams } = context;
  const { program } = commandsOf(environment);
  const origin = `http://localhost:${port}`;
  const print = (text: string) => streams.output.write(`${text}\n`);
  print(
    `
Gazetteer serves the sample data. Most of its organisations are invented.

  To look up a code, open this address in a browser:
    ${origin}/

  To create an order response, open this page in a browser:
    ${origin}/try-order-response

  To read the documentation, open this address in a browser:
    ${origin}/docs

To try the API, run these commands in another terminal:
`,
  );
  for (const [what, path] of ADDRESSES) print(`  ${what}:\n    curl '${origin}${path}'\n`);
  const example = origin + (ADDRESSES.at(-1)?.[1] ?? '');
  const answer = await answerWhenReady(() => fetch(example), context.stopped);
  print(`The last command prints:\n\n${await answer.text()}`);
  streams.errors.write(`Step ${STEPS} of ${STEPS}: Creating an order response\n`);
  const order = await orderText(context, origin);
  // A token that was not finished gives no answer to show.
  if (context.stopped.aborted) return;
  print(order);
  print(
    'To stop the server, press Ctrl+C. To use your own data, run: ' +
      `${program} import FILE && ${program} serve`,
  );
}

/** Asks again while the server answers 503, for half a minute at most. */
export async function answerWhenReady(
  ask: () => Promise<Response>,
  stopped: AbortSignal,
  pauseMs = 500,
): Promise<Response> {
  for (let asked = 1; ; asked += 1) {
    const answer = await ask();
    if (answer.status !== 503 || asked === ASKED_MAX || stopped.aborted) return answer;
    await answer.body?.cancel();
    await setTimeout(pauseMs, undefined, { signal: stopped });
  }
}

const ASKED_MAX = 60;

/** A command that sends the review of a laboratory report, and the answer to it. */
async function orderText(context: CommandContext, origin: string): Promise<string> {
  const child = startProgram(context, ['token', '--scope', 'system/OrderResponse.*'], 'ignore');
  const [token] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout).then((line) => line.trim()),
    requireSuccess(context, child, 'The command that creates a token'),
  ]);
  const target = `${origin}/OrderResponse?_pretty=true`;
  const review = sampleFile(context, 'order-response.xml');
  const create = () =>
    fetch(target, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/xml+fhir' },
      body: readFileSync(review),
    });
  const answer = await answerWhenReady(create, context.stopped);
  return `To create an order response, which says that a laboratory report was reviewed, run this command.
Its token is valid for one hour.

    curl -i '${target}' \\
      -H 'Authorization: Bearer ${token}' \\
      -H 'Content-Type: application/xml+fhir' \\
      --data-binary @${relative('.', review)}

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
