/** Imports point one way: from the outside to the core, and services never at each other. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importsOf, ROOT, sourceFiles } from './source-files.ts';

/** For each part of `src/` the other parts that it may import. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['cli', 'version.ts'],
  'version.ts': [],
  cli: [
    'config',
    'server',
    'fhir',
    'auth',
    'directory',
    'sources',
    'order-response',
    'web',
    'storage',
    'version.ts',
  ],
  config: [],
  server: ['fhir'],
  fhir: [],
  auth: ['fhir'],
  directory: ['fhir'],
  sources: ['fhir', 'directory'],
  'order-response': ['fhir'],
  storage: ['fhir', 'directory', 'order-response'],
  web: ['directory', 'fhir'],
};

describe('the house', () => {
  const sources = sourceFiles();

  it('has no part without an arrow', () => {
    const parts = new Set(sources.flatMap(({ path }) => partOf(path) ?? []));
    assert.deepEqual([...parts].sort(), Object.keys(ARROWS).sort());
  });

  for (const [part, allowed] of Object.entries(ARROWS)) {
    it(`src/${part} imports ${allowed.join(', ') || 'nothing of ours'} besides itself`, () => {
      const strays = sources
        .filter(({ path }) => partOf(path) === part)
        .flatMap((file) =>
          importsOf(file)
            .filter((imported) => ![part, ...allowed].includes(partOf(imported) ?? imported))
            .map((imported) => `${file.path} → ${imported}`),
        );
      assert.deepEqual(strays, []);
    });
  }

  it('imports only files that are there', () => {
    const missing = sources.flatMap((file) =>
      importsOf(file)
        .filter((imported) => !existsSync(join(ROOT, imported)))
        .map((imported) => `${file.path} → ${imported}`),
    );
    assert.deepEqual(missing, []);
  });

  it('has no file in src/ that nothing leads to', () => {
    const byPath = new Map(sources.map((file) => [file.path, file]));
    const reached = new Set<string>();
    const visit = (path: string): void => {
      const file = byPath.get(path);
      if (file === undefined || reached.has(path)) return;
      reached.add(path);
      for (const imported of importsOf(file)) visit(imported);
    };
    visit('src/main.ts');
    const unreached = sources
      .map(({ path }) => path)
      .filter((path) => path.startsWith('src/') && !reached.has(path));
    assert.deepEqual(unreached, []);
  });
});

function partOf(path: string): string | undefined {
  return /^src\/([^/]+)/.exec(path)?.[1];
}
