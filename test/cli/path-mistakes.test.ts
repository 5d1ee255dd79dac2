/**
 * Every argument and option that takes a path says in words what is wrong with it, and never repeats a
 * text of the system or of JavaScript.
 */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import type { Setting } from '../../src/config/settings/setting.ts';
import { flagOf, SETTINGS } from '../../src/config/settings.ts';
import { importedSample } from '../imported-sample.ts';
import { SAMPLE } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

/** What Node and the system write, and a stack of the program. */
const RAW =
  /\bE[A-Z]{3,}\b|illegal operation|no such file or directory|not a directory,|SyntaxError|Unexpected token|unexpected error|\n {4}at /;

interface PathCase {
  readonly words: readonly string[];
  /** Whether a folder is what it takes. */
  readonly takesFolder?: true;
}

const INTROSPECTION = [
  '--auth-issuer',
  'https://issuer.example',
  '--auth-introspection-url',
  'https://issuer.example/introspect',
  '--auth-introspection-client',
  'gazetteer',
];

/** Settings that are valid only with others. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'tls.certificate': ['--tls-key', 'README.md'],
  'tls.key': ['--tls-certificate', 'README.md'],
  'auth.jwksFile': ['--auth-issuer', 'https://issuer.example'],
  'auth.introspectionSecretFile': INTROSPECTION,
  'telemetry.headersFile': ['--telemetry-endpoint', 'http://127.0.0.1:4318'],
  'subscriptions.webhookSecretFile': ['--subscriptions-webhooks', 'https://hooks.example'],
  'database.passwordFile': ['--database-url', 'postgres://gazetteer@127.0.0.1:1/gazetteer'],
  'database.caFile': ['--database-url', 'postgres://gazetteer@127.0.0.1:1/gazetteer'],
  'orders.auditKeyFile': ['--database-url', 'postgres://gazetteer@127.0.0.1:1/gazetteer'],
};

/** `PATH` is replaced. A command of the table stands for all that read or write the path in the same way. */
const CASES: readonly PathCase[] = [
  { words: ['import', 'PATH'] },
  { words: ['import', SAMPLE, '--again', '--quiet', '--report', 'PATH'] },
  { words: ['sync', 'http://127.0.0.1:1/STU3', '--report', 'PATH'] },
  { words: ['fetch', '--from', 'r4', '--report', 'PATH'] },
  { words: ['import-postcodes', 'PATH'] },
  { words: ['import-practitioners', 'PATH'] },
  { words: ['restore', 'PATH'] },
  { words: ['restore', SAMPLE, '--identity', 'PATH'] },
  { words: ['backup', 'PATH'] },
  { words: ['backup', 'new.backup', '--recipients-file', 'PATH'] },
  { words: ['audit', '--output', 'PATH'] },
  { words: ['orders', 'export', '--output', 'PATH'] },
  { words: ['export', '--format', 'csv', '--output', 'PATH'] },
  { words: ['export', '--format', 'sqlite', '--output', 'PATH'] },
  { words: ['export', '--format', 'parquet', '--output', 'PATH'] },
  { words: ['resolve', 'RTG', '--output', 'PATH'] },
  { words: ['report', 'epraccur', '--output', 'PATH'] },
  { words: ['search', 'leeds', '--config', 'PATH'] },
  { words: ['token', '--auth-own-key-file', 'PATH'] },
  ...Object.entries(SETTINGS).flatMap(([path, setting]: [string, Setting]): PathCase[] => {
    const words = ['serve', flagOf(path), 'PATH', ...(NEEDED[path] ?? [])];
    if (setting.isFolder === true) return [{ words, takesFolder: true }];
    return setting.isFile === true && path !== 'auth.ownKeyFile' ? [{ words }] : [];
  }),
];

describe('a path that cannot be used', () => {
  for (const { words, takesFolder } of CASES) {
    it(`of "${words.join(' ')}" is explained in one line`, async (context) => {
      const folder = temporaryFolder(context);
      const at = (name: string) => join(folder, name);
      mkdirSync(at('folder'));
      writeFileSync(at('file'), 'a\nb');
      symlinkSync(at('loop'), at('loop'));
      const data = words[0] === 'restore' ? at('new') : await importedSample(context);
      const paths = [
        ...(takesFolder ? [at('file')] : [at('folder')]),
        join(at('file'), 'inside'),
        join(at('none'), 'inside'),
        at('loop'),
        at('n'.repeat(300)),
        '',
      ];
      for (const path of paths) {
        const given = words.map((word) => (word === 'PATH' ? path : word));
        const { code, stderr } = await runInProcess([...given, '--data', data]);
        assert.ok(code === 1 || code === 2, `${path}: ${code}`);
        // The random name of a folder can look like that of an error.
        assert.doesNotMatch(stderr.replaceAll(folder, ''), RAW, path);
        assert.match(stderr, /^(gazetteer: [^\n]+\n)+$|^\{[^\n]+\}\n$/, path);
      }
    });
  }

  it('is tried for every option that takes one', () => {
    const taken = COMMANDS.flatMap(({ options = [] }) => options.map(({ syntax }) => syntax))
      .filter((syntax) => /<(?:file|path)>/.test(syntax))
      .map((syntax) => syntax.split(' ')[0] ?? '');
    const tried = CASES.flatMap(({ words }) => words);
    assert.deepEqual(
      [...new Set(taken)].filter((flag) => !tried.includes(flag)),
      [],
    );
  });
});

for (const [text, problem] of [
  ['#!/bin/sh\necho', 'is not JSON: a value was expected (line 1, column 1)'],
  ['{\n  "port": 1,\n}', 'is not JSON: a property name in quotes was expected (line 3, column 1)'],
  ['', 'is not JSON: a value was expected (line 1, column 1)'],
  ['['.repeat(100_000), 'is nested more than 64 levels deep (line 1, column 65)'],
] as const) {
  it(`a settings file that begins with ${JSON.stringify(text.slice(0, 12))} says where it is wrong`, async (context) => {
    const file = join(temporaryFolder(context), 'config.json');
    writeFileSync(file, text);
    const { code, stderr } = await runInProcess(['search', 'leeds', '--config', file]);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^gazetteer: [^\n]+ Correct the file, or name another one with --config\.\n$/,
    );
    assert.ok(stderr.includes(`${file} ${problem}`), stderr);
  });
}

for (const [text, names] of [
  ['{"port":18200,"port":18201}', ['"port"']],
  ['{"log":{"level":"info","level":"warn"}}', ['"level"']],
  ['{"port":1,"port":2,"log":{"level":"info","level":"warn"}}', ['"port"', '"level"']],
  ['{"log":{"level":"info"},"log":{"format":"json"}}', ['"log"']],
  ['{"log":{"level":"info"},"log.level":"warn"}', ['log.level']],
  ['{"log.level":"warn","log":{"level":"info"}}', ['log.level']],
] as const) {
  it(`a settings file with ${text} is refused`, async (context) => {
    const file = join(temporaryFolder(context), 'config.json');
    writeFileSync(file, text);
    const { code, stderr } = await runInProcess(['serve', '--config', file, '--print-config']);
    assert.equal(code, 2);
    const lines = stderr.split('\n').slice(0, -1);
    assert.equal(lines.length, names.length, stderr);
    for (const name of names) {
      assert.ok(
        lines.some((line) => line.startsWith(`gazetteer: ${file} has ${name} twice`)),
        stderr,
      );
    }
  });
}
