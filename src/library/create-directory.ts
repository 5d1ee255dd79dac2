/**
 * The directory as a library: imports release files into memory, and reads and searches them without
 * a server. The entry of the npm package. Its exports are the public interface.
 */
import { tmpdir } from 'node:os';
import { loadConfig } from '../config/load-config.ts';
import { sectionOf } from '../config/section.ts';
import { isNodeEnough, NODE_MIN } from '../config/version.ts';
import { buildEdition } from '../directory/edition/build-edition.ts';
import { type Edition, openEdition } from '../directory/edition/edition.ts';
import { createCollector } from '../directory/import/collector.ts';
import { TopUp } from '../directory/import/top-up.ts';
import type { PostcodeFile } from '../directory/places/postcodes.ts';
import { openPostcodes } from '../directory/places/stored-postcodes.ts';
import { SourceError } from '../directory/record/source.ts';
import type { DirectorySettings } from '../interfaces/answer/settings.ts';
import { readSource } from '../sources/import/read-source.ts';
import { readPostcodeFile } from '../sources/postcodes/read-postcode-file.ts';
import type { Directory } from './directory.ts';
import { faceOf, openDirectory } from './open-directory.ts';
import type { FhirVersionName } from './organization.ts';

export type * from '../directory/ask/answers.ts';
export type * from '../directory/places/areas.ts';
export type * from '../directory/record/named-code.ts';
export type * from './directory.ts';
export { DirectoryError } from './directory.ts';
export type * from './organization.ts';

if (!isNodeEnough(process.versions.node)) {
  throw new Error(`gazetteer-fhir needs Node ${NODE_MIN} or newer. This is ${process.version}.`);
}

export interface DirectoryOptions<Version extends FhirVersionName = FhirVersionName> {
  /** The path of a release file, or several paths: every kind of whole file that `gazetteer import` reads. */
  readonly release: string | readonly string[];
  /** Whether to import the archive of closed records too. Default: false. */
  readonly includeArchive?: boolean;
  /** The FHIR version of the resources. Default: STU3. */
  readonly fhirVersion?: Version;
  /** The address in links and references, without a slash at the end. Default: `http://localhost:8080`. */
  readonly serverUrl?: string;
  /** The path of a file of postcodes: an ONS Postcode Directory or a Code-Point Open. */
  readonly postcodes?: string;
}

/** Rejects with an error that names the file and the problem if a file cannot be imported. */
export async function createDirectory<Version extends FhirVersionName = 'STU3'>(
  options: DirectoryOptions<Version>,
): Promise<Directory<Version>> {
  if (options?.release === undefined) {
    throw new TypeError('createDirectory needs the path of a release file: { release: FILE }.');
  }
  const { fhirVersion = 'STU3', serverUrl = 'http://localhost:8080' } = options;
  // Before the release is read, which takes a while.
  faceOf(fhirVersion);
  const settings = sectionOf(loadConfig({ flags: {}, environment: {} }), 'directory');
  const edition = await importRelease(options, settings);
  return openDirectory<Version>(edition, { settings, fhirVersion, serverUrl });
}

async function importRelease(
  { release, includeArchive = false, postcodes }: DirectoryOptions,
  settings: DirectorySettings,
): Promise<Edition> {
  const files = [release].flat();
  const collector = createCollector(() => {});
  const now = new Date();
  const topUp = new TopUp(collector, now);
  for (const file of files) {
    await readSource({
      file,
      includeArchive,
      temporaryFolder: tmpdir(),
      settings: [settings],
      receiver: collector,
      topUp,
      now,
    });
  }
  const [changes] = topUp.files;
  if (changes !== undefined) {
    throw new SourceError(
      `${changes} has changes only. Give a release file of the whole directory.`,
    );
  }
  const collected = collector.finish();
  if (collected.ordinals.full.length === 0) {
    throw new SourceError(`${files.join(', ')} has no organisation that can be imported.`);
  }
  const hasLinks = collected.manifests.every((manifest) => manifest.hasRelations === true);
  const arrays = buildEdition({ ...collected, hasLinks });
  const identity = { number: 1, publishedAt: now.toISOString() };
  return openEdition(
    identity,
    arrays,
    postcodes === undefined ? undefined : await readPostcodes(postcodes, now),
  );
}

async function readPostcodes(file: string, now: Date): Promise<PostcodeFile> {
  const { arrays, ...read } = await readPostcodeFile(file);
  const importedAt = now.toISOString();
  return openPostcodes({
    arrays,
    about: { ...read, version: importedAt, source: file, importedAt },
  });
}
