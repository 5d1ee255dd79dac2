/** Which test files a run has, and which of them share a process. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export type Selection = { readonly files: readonly string[] } | { readonly problem: string };

export interface Wanted {
  /** Files, folders or globs, from the root. Without one, all tests. */
  readonly paths: readonly string[];
  /** The long tests of the folders, instead of those of `npm run check`. */
  readonly isLong: boolean;
  /** Only tests that import one of these files, and `test/tidy`, which reads all files. */
  readonly changed: readonly string[] | undefined;
}

/** Tests of a machine that this one may not be. `npm run test:cluster` and similar scripts run them. */
const RUN_BY_SCRIPTS = [
  'test/clients',
  'test/cluster',
  'test/crash',
  'test/faults',
  'test/hapi-client',
  'test/image',
  'test/artifacts',
  'test/package',
  'test/systemd',
];

/** Slow for a reason, such as kills, a browser or minutes of commands. */
const LONG = /\.(?:long|browser)\.test\.ts$/;

/** All paths are relative to `root`, and so are the results. */
export function selectTests(root: string, { paths, isLong, changed }: Wanted): Selection {
  const files = new Set<string>();
  for (const path of paths.length > 0 ? paths : ['test']) {
    const found = testsOf(root, path.replace(/\/+$/, ''), isLong);
    if ('problem' in found) return found;
    for (const file of found.files) files.add(file);
  }
  if (changed === undefined) return { files: [...files] };
  const changedFiles = new Set(changed.flatMap((path) => [path, ...readersOf(root, path)]));
  const affected = [...files].filter((file) => isAffected(root, file, changedFiles));
  if (affected.length > 0) return { files: affected };
  return { problem: 'No test imports a file that changed.' };
}

function testsOf(root: string, path: string, isLong: boolean): Selection {
  const absolute = join(root, path);
  if (!existsSync(absolute)) {
    const files = globSync(path, { cwd: root });
    return files.length > 0 ? { files } : { problem: `${path} matches no test file.` };
  }
  if (!statSync(absolute).isDirectory()) return { files: [path] };
  const all = globSync(`${path}/**/*.test.ts`, { cwd: root }).filter(
    (file) => !isRunByScript(file),
  );
  const files = all.filter((file) => LONG.test(file) === isLong);
  if (files.length > 0) return { files };
  if (all.length > 0) {
    const [kind, option] = isLong ? ['no', 'Leave --long out'] : ['only', 'Add --long'];
    return { problem: `${path} has ${kind} long tests. ${option} to run its tests.` };
  }
  return { problem: `${path} has no tests of npm test. CONTRIBUTING.md lists the other scripts.` };
}

function isRunByScript(file: string): boolean {
  return RUN_BY_SCRIPTS.some((folder) => file.startsWith(`${folder}/`));
}

/** The files that differ from a commit, and those that are not tracked. */
export function changedPaths(root: string, since: string): Selection {
  const files: string[] = [];
  for (const words of [
    ['diff', '--name-only', '--relative', since, '--'],
    ['ls-files', '--others', '--exclude-standard'],
  ]) {
    const { stdout, stderr, status } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
    if (status !== 0) return { problem: `git ${words.join(' ')}: ${stderr.trim()}` };
    files.push(...stdout.split('\n').filter((path) => path !== ''));
  }
  return { files };
}

/** What reads a file that is not imported: the sources beside a template, and all of them a sample. */
function readersOf(root: string, path: string): readonly string[] {
  const [, folder] = /^(src\/[^/]+\/|sample\/)/.exec(path) ?? [];
  if (folder === undefined || path.endsWith('.ts')) return [];
  return globSync(`${folder === 'sample/' ? 'src/' : folder}**/*.ts`, { cwd: root });
}

function isAffected(root: string, file: string, changed: ReadonlySet<string>): boolean {
  if (file.startsWith('test/tidy/')) return changed.size > 0;
  return importedFiles(root, file).some((path) => changed.has(path));
}

/** The tests of `npm run check` that import a file. */
export function testsThatImport(root: string, path: string): readonly string[] {
  const tests = testsOf(root, 'test', false);
  if ('problem' in tests) return [];
  return tests.files.filter((file) => importedFiles(root, file).includes(path)).sort();
}

/** The file, and all that it imports, runs in threads or starts as a program. */
function importedFiles(root: string, file: string): readonly string[] {
  const found = new Set([file]);
  for (const path of found) for (const next of importsOf(root, path)) found.add(next);
  return [...found];
}

const importsKnown = new Map<string, readonly string[]>();

function importsOf(root: string, path: string): readonly string[] {
  const absolute = join(root, path);
  const known = importsKnown.get(absolute);
  if (known !== undefined) return known;
  const text = path.endsWith('.ts') && existsSync(absolute) ? readFileSync(absolute, 'utf8') : '';
  const imports = [...text.matchAll(IMPORTED)].map(([, , specifier = '']) =>
    specifier.startsWith('.')
      ? relative(root, join(dirname(absolute), specifier))
      : specifier.replace(/^\//, ''),
  );
  importsKnown.set(absolute, imports);
  return imports;
}

/** A relative specifier, or a path from the root such as that of the program. */
const IMPORTED = /(['"`])(\.{1,2}\/[^'"`\n]+\.ts|(?:src|scripts|bench)\/[^'"`\n]+\.m?ts)\1/g;

/**
 * The files that run in one process, one after the other: most need less time than the start of a
 * process. Long tests come first, each in a process of its own, so that none runs alone at the end.
 */
export function groupsOf(root: string, files: readonly string[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const isApart = LONG.test(file) || OWN_PROCESS.test(file);
    const key = isApart ? file : `${dirname(file)} ${importedFirst(root, file) ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  const parts = [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / FILES_MAX) }, (_, part) =>
      group.slice(part * FILES_MAX, (part + 1) * FILES_MAX),
    ),
  );
  return parts.sort((one, other) => weight(other) - weight(one));
}

/** Groups of more files would keep one processor busy after the others are done. */
const FILES_MAX = 12;

/** These start programs and servers, which are to be ended with their file. */
const OWN_PROCESS = /^test\/(?:journeys|scripts)\//;

/** Waits at its top level. Files that import it share processes of their own, which import it first. */
const WITH_TOP_LEVEL_AWAIT = 'src/cli/commands.ts';

/** What a process of this file imports before the file, if anything. */
export function importedFirst(root: string, file: string): string | undefined {
  return importedFiles(root, file).find((path) => path === WITH_TOP_LEVEL_AWAIT);
}

function weight(group: readonly string[]): number {
  const isSlow = group.some((file) => LONG.test(file) || OWN_PROCESS.test(file));
  return isSlow ? FILES_MAX + 1 : group.length;
}
