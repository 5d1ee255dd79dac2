/** Finds the XML files of a release in a zip, or in the zips inside it. */
import type { Entry } from 'yauzl';
import { SourceError } from '../../directory/import/source.ts';
import { entryBaseName, holds, openZip, type ZipArchive, type ZipKind } from '../zip-archive.ts';
import { copyPrivately, type Opening } from './opening.ts';
import type { ReleaseDocument } from './read-release.ts';
import { printable } from './source-text.ts';

/** The full file of the zip at this path, and the archive if the options ask for it. */
export async function zipDocuments(
  path: string,
  name: string,
  opening: Opening,
): Promise<readonly ReleaseDocument[]> {
  const outer = await open(path, name, opening);
  const located = (await locateParts(outer, opening)).filter((part) => part !== undefined);
  const sizes = located.map(({ entry }) => entry.uncompressedSize);
  const bytesTotal = sizes.reduce((sum, size) => sum + size, 0);
  return located.map(({ zip, entry }, index) => ({
    name: `${printable(entryBaseName(entry))} in ${name}`,
    chunks: zip.read(entry),
    bytesBefore: index === 0 ? 0 : (sizes[0] ?? 0),
    bytesTotal: () => bytesTotal,
  }));
}

/** The entries of a zip that matter: XML files, and zips that contain them. */
const fullXml = /^HSCOrgRefData_Full_.*\.xml$/i;
export const archiveXml = /^HSCOrgRefData_Archive_.*\.xml$/i;
const fullZip = /^fullfile\.zip$/i;
const archiveZip = /^archive\.zip$/i;

/** An XML file in a zip. */
interface Located {
  readonly zip: ZipArchive;
  readonly entry: Entry;
}

async function locateParts(
  outer: ZipArchive,
  opening: Opening,
): Promise<readonly (Located | undefined)[]> {
  if (opening.parts === 'archive') return [await locate(outer, archiveZip, archiveXml, opening)];
  const full = await locate(outer, fullZip, fullXml, opening);
  return [full, await locateArchive(outer, full, opening)];
}

async function locateArchive(
  outer: ZipArchive,
  full: Located | undefined,
  opening: Opening,
): Promise<Located | undefined> {
  const holdsArchive = outer.entries.some(
    (entry) => archiveZip.test(entryBaseName(entry)) || archiveXml.test(entryBaseName(entry)),
  );
  if (opening.includeArchive) {
    const archive = await locate(outer, archiveZip, archiveXml, opening);
    if (archive !== undefined) return archive;
    // The zip inside that contains only the full file may be imported without the other one.
    if (full !== undefined && full.zip === outer) return undefined;
    if (full !== undefined) {
      throw new SourceError(`${outer.name} holds no archive: give it without --include-archive.`);
    }
  } else if (full !== undefined) {
    return undefined;
  } else if (holdsArchive) {
    throw onlyTheArchive(outer.name);
  }
  throw notARelease(outer);
}

/** The XML file in this zip, or in the zip inside it that should contain it. */
async function locate(
  outer: ZipArchive,
  zipName: RegExp,
  xmlName: RegExp,
  opening: Opening,
): Promise<Located | undefined> {
  const entry = onlyEntry(outer, xmlName);
  if (entry !== undefined) return { zip: outer, entry };
  const inner = onlyEntry(outer, zipName);
  if (inner === undefined) return undefined;
  const name = `${printable(entryBaseName(inner))} in ${outer.name}`;
  const fileName = zipName === fullZip ? 'fullfile.zip' : 'archive.zip';
  const path = await copyPrivately(outer.read(inner), fileName, opening);
  const zip = await open(path, name, opening);
  const innerEntry = onlyEntry(zip, xmlName);
  if (innerEntry === undefined) throw notARelease(zip);
  return { zip, entry: innerEntry };
}

function onlyEntry(zip: ZipArchive, name: RegExp): Entry | undefined {
  const [entry, ...others] = zip.entries.filter((each) => name.test(entryBaseName(each)));
  if (others.length > 0 && entry !== undefined) {
    throw new SourceError(
      `${zip.name} holds ${others.length + 1} files like ${printable(entryBaseName(entry))}: ` +
        'give a zip of one release.',
    );
  }
  return entry;
}

export function onlyTheArchive(name: string): SourceError {
  return new SourceError(
    `${name} holds only the archive of closed organisations: give the full file, ` +
      'or add --include-archive.',
  );
}

function notARelease(zip: ZipArchive): SourceError {
  return new SourceError(
    `${zip.name} is another kind of zip, without a release inside (it holds ${holds(zip)}): ` +
      `${RELEASE.whole}.`,
  );
}

const RELEASE: ZipKind = {
  what: 'release',
  entriesMax: 100,
  remedy: 'fetch the release again (TRUD item 341)',
  whole: 'give the zip of TRUD item 341 as it was fetched',
  unpacked: 'XML',
};

function open(path: string, name: string, opening: Opening): Promise<ZipArchive> {
  return openZip(path, name, RELEASE, opening);
}
