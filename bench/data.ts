/** The data of the benchmark: generated releases and their editions, made once and kept. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../src/config/load-config.ts';
import { sectionOf } from '../src/config/section.ts';
import { type Edition, openEdition } from '../src/directory/edition/edition.ts';
import type { PostcodeFile } from '../src/directory/places/postcodes.ts';
import { type RenderedEdition, renderEdition } from '../src/interfaces/faces/rendered-edition.ts';
import { DIRECTORY_FACES } from '../src/interfaces/served-faces.ts';
import { openDataFolder } from '../src/storage/files/data-folder.ts';
import { openEditionStore } from '../src/storage/sqlite/editions/edition-store.ts';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const RESULTS = join(ROOT, 'bench', 'results');

/** The sizes at which searches are measured, to see how cost grows; the last takes minutes. */
export const SIZES = [35_000, 350_000] as const;
export const LARGE_SIZE = 3_500_000;

/** More than the largest release unpacks to. */
const UNPACKED_MAX = String(16 * 1024 ** 3);

/** A release of so many organisations; a later revision differs in some 2 % of them. */
export function releaseFile(records: number, revision = 0): string {
  const file = join(folderOf(records), `release-${revision}.xml.gz`);
  if (existsSync(file)) return file;
  const made = `${file}.part`;
  const options = { records, revision, format: 'xml.gz', out: made };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  run(ROOT, ['scripts/release/generate-release.ts', ...words]);
  spawnSync('mv', [made, file]);
  return file;
}

/** A data folder with editions of the release's first revisions. */
export function dataFolder(records: number, revisions = 1): string {
  const folder = join(folderOf(records), `data-${revisions}`);
  if (existsSync(join(folder, 'editions', String(revisions).padStart(6, '0')))) return folder;
  for (let revision = 0; revision < revisions; revision++) {
    importRelease(ROOT, releaseFile(records, revision), folder);
  }
  return folder;
}

/** Imports by the program in a tree of the sources. */
export function importRelease(tree: string, file: string, folder: string): void {
  run(tree, ['src/main.ts', ...importWords(file, folder)]);
}

/** The words after the name of the program. */
export function importWords(file: string, folder: string): string[] {
  const options = ['--data', folder, '--import-unpacked-max', UNPACKED_MAX, '--quiet'];
  return ['import', file, ...options];
}

/** Runs a script of a tree to its end; throws where it fails. */
export function run(tree: string, words: readonly string[]): void {
  const { status } = spawnSync(process.execPath, words, {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${words.join(' ')} failed`);
}

/** An edition of a data folder, the current one unless told, as a server thread has it. */
export async function openSample(
  folder: string,
  wanted?: number,
  postcodes?: PostcodeFile,
): Promise<Edition> {
  const store = openEditionStore(openDataFolder(folder, { mustExist: true }));
  try {
    const number = wanted ?? (await store.current())?.number;
    if (number === undefined) throw new Error(`${folder} has no edition`);
    const publishedAt = new Date(0).toISOString();
    return openEdition({ number, publishedAt }, await store.load(number), postcodes);
  } finally {
    await store.close();
  }
}

/** As the first face of a server with default settings shows it. */
export function renderSample(edition: Edition): RenderedEdition {
  const settings = sectionOf(loadConfig({ flags: {}, environment: {} }), 'directory');
  return renderEdition(DIRECTORY_FACES[0], edition, settings);
}

/** For what is made once of a size, and kept. */
export function folderOf(records: number): string {
  const folder = join(RESULTS, String(records));
  mkdirSync(folder, { recursive: true });
  return folder;
}
