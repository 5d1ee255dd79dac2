/** The README: its commands exist, and its sample answers are what the program says. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { flagOf } from '../../src/config/settings.ts';
import { importedSample } from '../imported-sample.ts';
import { serve } from '../journeys/program.ts';
import { projectFiles, ROOT } from './source-files.ts';

const PAGES = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'];
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const { scripts } = JSON.parse(textOf('package.json'));

it('every npm script that is named is there', () => {
  for (const page of PAGES) {
    for (const [, name = ''] of textOf(page).matchAll(
      /npm (?:run )?(demo|check|test[:\w-]*|[a-z]+(?=`))/g,
    )) {
      if (name !== 'run' && name !== 'ci') assert.ok(name in scripts, `${page}: npm run ${name}`);
    }
  }
});

it('the first screen says how to try the program and how to run its tests', () => {
  const screen = textOf('README.md').split('\n').slice(0, 30);
  for (const command of ['npm run demo', 'npm run check']) {
    assert.ok(
      screen.some((line) => line.startsWith(command)),
      command,
    );
  }
});

it('no command needs more than the Node that npm ran the installation with', () => {
  const documents = projectFiles().filter((path) => path.endsWith('.md'));
  const bare = documents.flatMap((page) =>
    [...textOf(page).matchAll(/(?:^|`)node (?:scripts|bench)\/.*/gm)].map(
      ([line]) => `${page}: ${line}`,
    ),
  );
  assert.deepEqual(bare, []);
  for (const page of documents) {
    for (const [, name = ''] of textOf(page).matchAll(/npm run ([a-z][\w:-]*)/g)) {
      assert.ok(name in scripts, `${page}: npm run ${name}`);
    }
  }
});

it('every command and flag of the program that is named is there', () => {
  const known = new Map(
    COMMANDS.map(({ name, settings, options = [] }) => [
      name,
      [
        ...settings.map(flagOf),
        ...options.map(({ syntax }) => syntax.split(' ')[0]),
        '--help',
        '--version',
        '--config',
      ],
    ]),
  );
  let found = 0;
  for (const page of PAGES) {
    for (const [, name = '', rest = ''] of textOf(page).matchAll(
      /bin\/gazetteer (\w+)([^`\n]*)/g,
    )) {
      assert.ok(known.has(name), `${page}: ${name}`);
      for (const [flag] of rest.matchAll(/--[\w-]+/g))
        assert.ok(known.get(name)?.includes(flag), flag);
      found += 1;
    }
  }
  assert.ok(found > 2);
});

it('every file that is named is there', () => {
  for (const page of PAGES) {
    for (const [, path = ''] of textOf(page).matchAll(/\]\(([^)#:]+)\)/g)) {
      assert.ok(existsSync(join(ROOT, path)), `${page}: ${path}`);
    }
    for (const [, path = ''] of textOf(page).matchAll(
      /`((?:src|test|scripts|docs|bench)\/[\w./-]+)`/g,
    )) {
      assert.ok(existsSync(join(ROOT, path)), `${page}: ${path}`);
    }
  }
});

it('the sample answer is what the program says', async (context) => {
  const [, command = '', expected = ''] =
    /```sh\ncurl '([^']+)'\n```\n\n```json\n([\s\S]*?)\n```/.exec(textOf('README.md')) ?? [];
  const data = await importedSample(context);
  const server = await serve(context, [
    '--data',
    data,
    '--threads',
    '1',
    '--base-url',
    'http://localhost:8080',
  ]);
  const { pathname, search } = new URL(command);
  const answer = await fetch(`${server.origin}${pathname}${search}`);
  assert.equal(withoutTime(await answer.text()), withoutTime(`${expected}\n`));
});

/** The edition's time of publishing differs from import to import, and with it the Bundle's id. */
function withoutTime(text: string): string {
  return text.replace(/"id": ".*"/, '').replace(/"lastUpdated": ".*"/, '');
}

it('every file, folder and name of the code that the architecture names is there', () => {
  const sources = projectFiles().filter((path) => /^(?:src|scripts)\/.*\.(?:ts|scss)$/.test(path));
  const code = sources.map(textOf).join('\n');
  const words = [...textOf('ARCHITECTURE.md').matchAll(/`([^`\n]+)`/g)].map(
    ([, word = '']) => word,
  );
  const paths = words.filter((word) =>
    /^[a-z0-9-]+\/(?:[a-z0-9/.-]+\.ts|(?:[a-z0-9-]+\/)*)$/.test(word),
  );
  const names = words.filter((word) => /^[A-Za-z]\w*(?:\(\))?$/.test(word));
  const known = (path: string) =>
    existsSync(join(ROOT, 'src', path)) || existsSync(join(ROOT, path));
  assert.deepEqual(
    paths.filter((path) => !known(path)),
    [],
  );
  const isNamed = (name: string) => new RegExp(`\\b${name.replace('()', '')}\\b`).test(code);
  assert.deepEqual(
    names.filter((name) => !isNamed(name)),
    [],
  );
  assert.ok(paths.length > 80 && names.length > 20, `${paths.length} ${names.length}`);
});
