/** Runs the commands of documents, and compares their answers with what the documents show. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { madeOnce } from '../made-once.ts';
import { type Owner, ownerOfSuite } from '../owner.ts';
import { startNational } from '../sources/top-up/national-server.ts';
import { KEY, publishedRelease, startTrud } from '../sources/trud/trud-server.ts';
import { KEY as AGE_KEY } from '../storage/age-keys.ts';
import { startPostgres, WITHOUT_POSTGRES } from '../storage/postgres/server.ts';
import { type Command, commandsOf, documents } from './commands.ts';
import { isInstalled, openTerminal, prepareFolder, type Terminal } from './terminal.ts';

/** The commands that no test can run, and why. */
export const LEFT_OUT: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^docker /, 'test/image runs the image'],
  [
    /^(sha256sum|tar --extract|ln -sfn|\/opt\/gazetteer\/bin\/gazetteer demo)\b/,
    'test/artifacts checks, unpacks and runs a release',
  ],
  [/^(useradd|systemctl (?!st(art|op)))/, 'changes the machine; test/systemd runs the steps'],
  [
    /^npm (test( .*)?|run (check( +#.*)?|check:long|release:artifacts( .*)?|release:check|test:demo|test:node24))$/,
    'runs this very test',
  ],
  [/^npm run (types|lint|format)$/, 'is part of the check'],
  [/^npm run (soak|bench:sizing)( .*)?$/, 'takes minutes or hours; the long checks have a soak'],
  [/^npm sbom$/, 'is named as what is not used'],
  [
    /^npm run test:(artifacts|clients|cluster|crash|faults|hapi-client|image|kills|mutation|package|systemd)$/,
    'takes minutes, or packages of its own',
  ],
  [
    /^(bin\/)?gazetteer database (grants|migrate)/,
    'needs a database; test/storage/postgres has the command',
  ],
  [
    /^(npm (pack|install)|npx|gazetteer demo)\b/,
    'test/package packs, installs and runs the package',
  ],
  [
    /^(claude mcp|gazetteer mcp|gazetteer serve --mcp|curl \S+ \S+\/mcp |which gazetteer)/,
    'needs an assistant; a journey has its client',
  ],
  [
    /^gazetteer subscriptions (test|off) /,
    'needs a subscription; test/subscriptions has the commands',
  ],
  [/^gazetteer completion/, 'changes the shell; test/cli/completion.test.ts has the scripts'],
  [/^npm run bench/, 'measures for minutes'],
  [
    /^(scp|chown|chmod 400|install -m 0644 deploy\/gazetteer-backup|systemctl start gazetteer-backup)\b/,
    'changes the machine; test/deploy has the service of backups',
  ],
  [/^age-keygen /, 'makes another key than the one that the page names next'],
  [
    /^npm run (docs|generate(:reference)?|pin-images|screenshots)$/,
    'needs the network, git, or a browser; test/web/documents writes the site',
  ],
];

const SERVE = 'bin/gazetteer serve';
const SERVE_SERVICE = `${SERVE} --data /srv/gazetteer`;

/** The server that a reader of the page already runs. */
export const SERVERS: ReadonlyMap<string, string> = new Map([
  ['docs/how-to/back-up-and-restore.md', SERVE_SERVICE],
  ['docs/how-to/erase-order-responses.md', `${SERVE} --data data/demo`],
  ['docs/how-to/follow-order-responses.md', `${SERVE} --data data/demo`],
  ['docs/how-to/get-the-data-out.md', SERVE],
  ['docs/how-to/use-postcodes.md', SERVE],
  ['docs/how-to/monitor.md', SERVE],
  ['docs/how-to/move-a-client.md', SERVE],
  ['docs/how-to/move-to-a-database.md', SERVE_SERVICE],
  ['docs/how-to/run-as-a-service.md', SERVE_SERVICE],
  ['docs/how-to/run-in-a-container.md', SERVE],
  ['docs/how-to/set-up-tokens.md', SERVE_SERVICE],
  ['docs/how-to/sync-with-a-peer.md', SERVE],
  ['docs/how-to/upgrade.md', SERVE_SERVICE],
  ['docs/how-to/use-tls-or-a-proxy.md', SERVE],
  ['docs/how-to/verify-the-audit-log.md', SERVE_SERVICE],
  ['docs/how-to/write-a-client.md', 'npm run demo'],
  ['docs/how-to/write-order-responses.md', `${SERVE} --data data/demo`],
  ['docs/reference/codes.md', SERVE],
  ['docs/reference/events.md', SERVE],
  ['docs/reference/directory-api.md', SERVE],
  ['docs/reference/errors.md', SERVE],
  ['docs/reference/ord-api.md', SERVE],
  ['docs/reference/reports-api.md', SERVE],
  ['docs/reference/reports-search.md', SERVE],
  ['docs/reference/terminology.md', SERVE],
  ['docs/reference/r4-api.md', SERVE],
]);

/** What a reader of the page has elsewhere, such as an account at a service. */
const ELSEWHERE: ReadonlyMap<string, (owner: Owner, terminal: Terminal) => Promise<void>> = new Map(
  [
    ['docs/how-to/back-up-and-restore.md', keepIdentity],
    ['docs/how-to/move-to-a-database.md', createDatabaseToMoveTo],
    ['docs/how-to/stay-current.md', openTrudAccount],
    ['docs/how-to/use-postgresql.md', createDatabase],
  ],
);

async function keepIdentity(_: Owner, terminal: Terminal): Promise<void> {
  writeFileSync(join(terminal.checkout, '..', 'backup-identity.txt'), `${AGE_KEY.identity}\n`);
}

async function createDatabase(owner: Owner, terminal: Terminal): Promise<void> {
  const postgres = await startPostgres();
  owner.after(() => postgres.stop());
  terminal.databaseUrl = postgres.url(await postgres.createDatabase());
}

async function createDatabaseToMoveTo(owner: Owner, terminal: Terminal): Promise<void> {
  await createDatabase(owner, terminal);
  await terminal.run('bin/gazetteer import sample/organisations.zip --quiet --data /srv/gazetteer');
}

async function openTrudAccount(owner: Owner, terminal: Terminal): Promise<void> {
  const trud = await startTrud(owner, await publishedRelease());
  terminal.set('GAZETTEER_TRUD_URL', trud.url);
  terminal.set('GAZETTEER_ORD_URL', (await startNational(owner)).ord);
  const folder = join(terminal.root, 'etc', 'gazetteer');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'trud.key'), KEY);
}

/** Why a page cannot be followed on this machine. */
const IMPOSSIBLE: ReadonlyMap<string, string | undefined> = new Map([
  ['docs/how-to/move-to-a-database.md', WITHOUT_POSTGRES],
  ['docs/how-to/use-postgresql.md', WITHOUT_POSTGRES],
]);

/** Programs that a machine may lack. */
export const OPTIONAL: readonly string[] = ['curl', 'jq', 'ps', 'python3', '/usr/bin/time'];

export const COMMANDS: ReadonlyMap<string, readonly Command[]> = new Map(
  documents().map((page) => [page, commandsOf(page)]),
);
const isLeftOut = ({ text }: Command) => LEFT_OUT.some(([pattern]) => pattern.test(text));

/** The guides take as long as all other pages together. */
export function isGuide(page: string): boolean {
  return page.startsWith('docs/how-to/');
}

/** Runs the commands of each page that `isWanted`, one page beside another. */
export function describePages(isWanted: (page: string) => boolean): void {
  describe('the documents', { concurrency: 2 }, () => {
    let prepared = '';
    const owner = ownerOfSuite();
    let reading: Promise<Terminal> | undefined;
    before(async () => {
      prepared = await madeOnce('documents', prepareFolder);
    });
    /** A terminal with a server, for all pages that only read from it. */
    const terminalToRead = async (): Promise<Terminal> => {
      const terminal = openTerminal(owner, prepared);
      await terminal.run(SERVE);
      return terminal;
    };
    for (const [page, all] of COMMANDS) {
      if (!isWanted(page)) continue;
      const toRun = all.filter((command) => !isLeftOut(command));
      if (toRun.length === 0) continue;
      const skip = IMPOSSIBLE.get(page) ?? false;
      it(`the commands of ${page} work`, { skip }, async (context) => {
        const server = SERVERS.get(page);
        const isShared = server === SERVE && toRun.every(onlyReads);
        if (isShared) reading ??= terminalToRead();
        const terminal = (isShared && (await reading)) || openTerminal(context, prepared);
        await ELSEWHERE.get(page)?.(context, terminal);
        if (server !== undefined && !isShared) await terminal.run(server);
        for (const command of toRun) {
          const missing = OPTIONAL.find((name) => uses(command, name) && !isInstalled(name));
          const skip = missing !== undefined && `there is no ${missing}`;
          await context.test(`${command.place}: ${command.text}`, { skip }, () =>
            works(terminal, command),
          );
        }
        if (!isShared) await terminal.stopServer();
      });
    }
  });
}

function onlyReads({ text }: Command): boolean {
  return /^(curl -s |KEY=)/.test(text);
}

function uses({ text }: Command, program: string): boolean {
  return text.split(/\s+/).includes(program);
}

async function works(terminal: Terminal, command: Command): Promise<void> {
  // The page says to stop all servers before a move.
  if (command.text.includes('bin/gazetteer move ')) await terminal.stopServer();
  const { code, stdout, stderr } = await terminal.run(command.text);
  assert.equal(code, 0, stderr);
  if (!uses(command, 'curl')) return;
  const status = Number(/status (\d+)$/.exec(stderr)?.[1]);
  const { answer } = command;
  if (answer?.startsWith('HTTP/')) {
    assert.equal(status, Number(answer.split(' ')[1]), stdout);
    assert.deepEqual(
      fieldNames(answer).filter((name) => !fieldNames(stdout).includes(name)),
      [],
    );
  } else if (answer !== undefined) {
    const shown = JSON.parse(answer);
    const isError =
      shown.resourceType === 'OperationOutcome' || 'errorCode' in shown || 'error' in shown;
    assert.equal(status >= 400, isError, stdout);
    assertShape(JSON.parse(stdout), shown, shown.resourceType);
  } else assert.ok(status < 300, stdout);
}

function fieldNames(head: string): string[] {
  return [...head.matchAll(/^([\w-]+): /gm)].map(([, name = '']) => name.toLowerCase());
}

/**
 * The answer has everything that the document shows, in the same place and of the same type. Values
 * that are the same in every run are equal.
 */
function assertShape(answered: unknown, shown: unknown, place: string): void {
  assert.equal(typeof answered, typeof shown, place);
  if (!isObject(shown) || !isObject(answered)) return;
  for (const [key, value] of Object.entries(shown)) {
    if (SAME_IN_EVERY_RUN.has(key)) assert.deepEqual(answered[key], value, `${place}.${key}`);
    assertShape(answered[key], value, `${place}.${key}`);
  }
}

const SAME_IN_EVERY_RUN = new Set(['resourceType', 'total', 'code', 'diagnostics', 'location']);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
