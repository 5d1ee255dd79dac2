/** The documents work: every command that they name runs, and answers as they show. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Command, commandsOf, documents } from './commands.ts';
import { isInstalled, openTerminal, STAND_INS, type Terminal } from './terminal.ts';

/** What no test can run, and why. */
const LEFT_OUT: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^docker /, 'needs Docker and the network'],
  [/^(useradd|systemctl) /, 'changes the machine; test/tidy/deploy.test.ts has the unit'],
  [/^npm (test( -- .*)?|run (check|test:node24))$/, 'runs this very test'],
  [/^npm run test:(clients|crash|faults|mutation)$/, 'takes minutes, or packages of its own'],
  [/^npm run bench/, 'measures for minutes'],
  [/^npm run (generate|screenshots)$/, 'needs the network, or a browser'],
];

/** What a reader of the page has done elsewhere. */
const BEFORE = new Map([['docs/sync.md', 'bin/gazetteer serve']]);

/** Programs that a machine may lack. */
const OPTIONAL = ['curl', 'jq', 'ps', '/usr/bin/time'];

const commands = new Map(documents().map((page) => [page, commandsOf(page)]));
const isLeftOut = ({ text }: Command) => LEFT_OUT.some(([pattern]) => pattern.test(text));

describe('the documents', { concurrency: 2 }, () => {
  for (const [page, all] of commands) {
    const toRun = all.filter((command) => !isLeftOut(command));
    if (toRun.length === 0) continue;
    it(`the commands of ${page} work`, async (context) => {
      const terminal = await openTerminal(context);
      const before = BEFORE.get(page);
      if (before !== undefined) await terminal.run(before);
      for (const command of toRun) {
        const lacking = OPTIONAL.find((name) => uses(command, name) && !isInstalled(name));
        const skip = lacking !== undefined && `there is no ${lacking}`;
        await context.test(`${command.place}: ${command.text}`, { skip }, () =>
          works(terminal, command),
        );
      }
      await terminal.stopServer();
    });
  }
});

it('every exception and every stand-in is for something that the documents have', () => {
  const texts = [...commands.values()].flat().map(({ text }) => text);
  const patterns = LEFT_OUT.map(([pattern]) => pattern);
  assert.deepEqual(
    patterns.filter((pattern) => !texts.some((text) => pattern.test(text))),
    [],
  );
  const stoodFor = [...STAND_INS.map(([documented]) => documented), ...OPTIONAL];
  assert.deepEqual(
    stoodFor.filter((documented) => !texts.some((text) => text.includes(documented))),
    [],
  );
  assert.deepEqual(
    [...BEFORE.keys()].filter((page) => !commands.has(page)),
    [],
  );
});

it('answers are shown of a search, of an error and of a create', () => {
  const shown = [...commands.values()].flat().flatMap(({ answer }) => answer ?? []);
  for (const sign of ['"searchset"', '"OperationOutcome"', 'HTTP/1.1 201 Created']) {
    assert.ok(
      shown.some((answer) => answer.includes(sign)),
      sign,
    );
  }
});

function uses({ text }: Command, program: string): boolean {
  return text.split(/\s+/).includes(program);
}

async function works(terminal: Terminal, command: Command): Promise<void> {
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
    const isError = shown.resourceType === 'OperationOutcome';
    assert.equal(status >= 400, isError, stdout);
    assertShape(JSON.parse(stdout), shown, shown.resourceType);
  } else assert.ok(status < 300, stdout);
}

function fieldNames(head: string): string[] {
  return [...head.matchAll(/^([\w-]+): /gm)].map(([, name = '']) => name.toLowerCase());
}

/** Whatever the document shows is in the answer, at the same place and of the same type. */
function assertShape(answered: unknown, shown: unknown, place: string): void {
  assert.equal(typeof answered, typeof shown, place);
  if (!isObject(shown) || !isObject(answered)) return;
  for (const [key, value] of Object.entries(shown)) {
    assertShape(answered[key], value, `${place}.${key}`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
