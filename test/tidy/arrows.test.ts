/** Imports point one way: from the outside to the core, and services never at each other. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importsOf, ROOT, sourceFiles } from './source-files.ts';

/** For each part of `src/` the other parts that it may import. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['cli'],
  threads: [],
  config: [],
  fhir: [],
  nhs: ['fhir'],
  directory: ['threads', 'fhir'],
  interfaces: ['threads', 'fhir', 'nhs', 'directory'],
  orders: ['threads', 'fhir', 'nhs'],
  storage: ['threads', 'fhir', 'directory', 'orders'],
  sources: ['threads', 'config', 'fhir', 'directory', 'interfaces'],
  auth: ['fhir'],
  server: ['threads', 'fhir'],
  telemetry: ['threads', 'fhir', 'server'],
  library: ['config', 'fhir', 'directory', 'interfaces', 'sources'],
  web: ['config', 'threads', 'fhir', 'directory', 'interfaces'],
  cli: [
    'threads',
    'config',
    'fhir',
    'directory',
    'interfaces',
    'orders',
    'storage',
    'sources',
    'auth',
    'server',
    'telemetry',
    'library',
    'web',
  ],
};

/** Files and folders of `src/` that only some files may import. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  // The kind of a store is chosen by URL, in one place.
  'src/storage/sqlite/': ['src/storage/open.ts'],
  'src/storage/postgres/': ['src/storage/open.ts'],
  'src/storage/sqlite/orders-thread.ts': ['src/storage/sqlite/start-orders-thread.ts'],
  'src/storage/postgres/database-thread.ts': ['src/storage/postgres/start-database-thread.ts'],
  // The interfaces of the directory share what is below them, and nothing with each other.
  'src/interfaces/stu3/': [
    'src/interfaces/served-faces.ts',
    'src/sources/fhir/organization-record.ts',
  ],
  // A source of R4 reads the URIs that the face writes.
  'src/interfaces/r4/': ['src/interfaces/served-faces.ts', 'src/sources/r4/'],
  'src/interfaces/ord/': [
    'src/cli/serve/threads/plain-services.ts',
    'src/cli/serve/threads/service-names.ts',
  ],
  'src/web/': ['src/cli/'],
  'src/cli/': ['src/main.ts'],
};

/** A function, a value or a class; types may be part of one of these. */
const EXPORTED = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;

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

  for (const [closed, importers] of Object.entries(DOORS)) {
    it(`${closed} is imported only by ${importers.join(', ')}`, () => {
      const strays = sources
        .filter(({ path }) => path.startsWith('src/'))
        .filter(({ path }) => ![closed, ...importers].some((prefix) => path.startsWith(prefix)))
        .flatMap((file) =>
          importsOf(file)
            .filter((imported) => imported.startsWith(closed))
            .map((imported) => `${file.path} → ${imported}`),
        );
      assert.deepEqual(strays, []);
    });
  }

  it('has no circle of imports', () => {
    const imports = new Map(sources.map((file) => [file.path, importsOf(file)]));
    assert.deepEqual(circlesIn(imports), []);
  });

  it('finds a circle through several files', () => {
    const imports = new Map([
      ['a.ts', ['b.ts', 'd.ts']],
      ['b.ts', ['c.ts']],
      ['c.ts', ['a.ts']],
      ['d.ts', []],
    ]);
    assert.deepEqual(circlesIn(imports), ['a.ts ↔ b.ts ↔ c.ts']);
  });

  it('imports only files that are there', () => {
    const missing = sources.flatMap((file) =>
      importsOf(file)
        .filter((imported) => !existsSync(join(ROOT, imported)))
        .map((imported) => `${file.path} → ${imported}`),
    );
    assert.deepEqual(missing, []);
  });

  it('exports no function and no value that no other file names', () => {
    const unused = sources
      .filter(({ path }) => path.startsWith('src/'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(EXPORTED)]
          .map(([, name = '']) => name)
          .filter((name) => {
            const isNamed = new RegExp(`\\b${name}\\b`);
            return !sources.some((other) => other.path !== path && isNamed.test(other.text));
          })
          .map((name) => `${path}: ${name}`),
      );
    assert.deepEqual(unused, []);
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
    visit('src/library/create-directory.ts');
    const unreached = sources
      .map(({ path }) => path)
      .filter((path) => path.startsWith('src/') && !reached.has(path));
    assert.deepEqual(unreached, []);
  });
});

function partOf(path: string): string | undefined {
  return /^src\/([^/]+)/.exec(path)?.[1];
}

/** The groups of files that import each other, directly or through others. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const reached = new Map([...imports.keys()].map((path) => [path, reachedFrom(path, imports)]));
  const circles = [...imports.keys()].flatMap((path) => {
    const others = [...(reached.get(path) ?? [])].filter((other) => reached.get(other)?.has(path));
    return others.length === 0 ? [] : [[...new Set([path, ...others])].sort().join(' ↔ ')];
  });
  return [...new Set(circles)];
}

/** The files that a file imports, and those that they import, and so on. */
function reachedFrom(
  start: string,
  imports: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...(imports.get(start) ?? [])];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    waiting.push(...(imports.get(path) ?? []));
  }
  return reached;
}
