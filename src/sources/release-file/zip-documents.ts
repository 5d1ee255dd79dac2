/** Finds the XML files of a release in a zip, or in the zips inside it. */
import type { Entry } from 'yauzl';
import { SourceError } from '../../directory/record/source.ts';
import { copyPrivately, type Opening } from '../archive/opening.ts';
import {
  entryBaseName,
  holds,
  openZip,
  type ZipArchive,
  type ZipKind,
} from '../archive/zip-archive.ts';
import { printable } from '../text/source-text.ts';
import type { ReleaseDocument } from './read-release.ts';

/** The full file of the zip at this path, and the archive if the options ask for it. */
export async function zipDocuments(
  path: string,
  name: string,
  opening: Opening,
): Promise<readonly ReleaseDocument[]> {
  const outer = await open(path, name, opening);
  const located = await locateParts(outer, opening);
  const sizes = located.map(({ entry }) => entry.uncompressedSize);
  const bytesTotal = sizes.reduce((sum, size) => sum + size, 0);
  return located.map(({ zip, entry, isArchive, chosen }, index) => ({
    name: `${printable(entryBaseName(entry))} in ${name}`,
    isArchive,
    ...(chosen && { chosen }),
    chunks: zip.read(entry),
    bytesBefore: index === 0 ? 0 : (sizes[0] ?? 0),
    bytesTotal: () => bytesTotal,
  }));
}

/** A part of a release: the names of its XML file, and of the zip that contains it. */
interface Part {
  readonly xml: RegExp;
  readonly zip: RegExp;
  readonly copy: string;
  readonly isArchive: boolean;
}

export const archiveXml = /^HSCOrgRefData_Archive_.*\.xml$/i;
const FULL: Part = {
  xml: /^HSCOrgRefData_Full_.*\.xml$/i,
  zip: /^fullfile\.zip$/i,
  copy: 'fullfile.zip',
  isArchive: false,
};
const ARCHIVE: Part = {
  xml: archiveXml,
  zip: /^archive\.zip$/i,
  copy: 'archive.zip',
  isArchive: true,
};

/** An XML file in a zip. */
interface Located extends Pick<ReleaseDocument, 'chosen'> {
  readonly zip: ZipArchive;
  readonly entry: Entry;
  readonly isArchive: boolean;
}

async function locateParts(outer: ZipArchive, opening: Opening): Promise<readonly Located[]> {
  const archives = memoized(() => locate(outer, ARCHIVE, opening));
  if (opening.parts === 'archive') return (await archives()).slice(0, 1);
  const full = chooseFull(await locate(outer, FULL, opening), outer.name, archives);
  return locateArchive(outer, await full, archives, opening);
}

/** Zips inside are copied only once. */
function memoized<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** Of several full files, the one with the date of the archive. */
async function chooseFull(
  found: readonly Located[],
  name: string,
  archives: () => Promise<readonly Located[]>,
): Promise<Located | undefined> {
  if (found.length < 2) return found[0];
  const [archive] = await archives();
  const date = archive && dateOf(archive);
  const [full, ...others] = found.filter((each) => date !== undefined && dateOf(each) === date);
  if (full === undefined || others.length > 0) throw severalFiles(name, found);
  return {
    ...full,
    chosen: {
      reason: 'kept, because it has the date of the archive',
      insteadOf: found.filter((each) => each !== full).map(({ entry }) => nameOf(entry)),
    },
  };
}

/** `20190826` in the name of a file. */
function dateOf({ entry }: Located): string | undefined {
  return /_(\d{8})/.exec(entryBaseName(entry))?.[1];
}

async function locateArchive(
  outer: ZipArchive,
  full: Located | undefined,
  archives: () => Promise<readonly Located[]>,
  opening: Opening,
): Promise<readonly Located[]> {
  if (opening.includeArchive) {
    const [archive, ...others] = await archives();
    if (archive !== undefined) {
      if (others.length > 0) throw severalFiles(outer.name, [archive, ...others]);
      return full === undefined ? [archive] : [full, archive];
    }
    // The zip inside that contains only the full file may be imported without the other one.
    if (full !== undefined && full.zip === outer) return [full];
    if (full !== undefined) {
      throw new SourceError(`${outer.name} holds no archive: give it without --include-archive.`);
    }
  } else if (full !== undefined) {
    return [full];
  } else if (outer.entries.some((entry) => isOf(entry, ARCHIVE.zip) || isOf(entry, ARCHIVE.xml))) {
    throw onlyTheArchive(outer.name);
  }
  throw notARelease(outer);
}

/** The XML files of a part in this zip, or in the zip inside it that should contain them. */
async function locate(outer: ZipArchive, part: Part, opening: Opening): Promise<Located[]> {
  const { isArchive } = part;
  const locatedIn = (zip: ZipArchive): Located[] =>
    zip.entries
      .filter((entry) => isOf(entry, part.xml))
      .map((entry) => ({ zip, entry, isArchive }));
  const found = locatedIn(outer);
  if (found.length > 0) return found;
  const [inner, ...others] = outer.entries.filter((entry) => isOf(entry, part.zip));
  if (inner === undefined) return [];
  if (others.length > 0) {
    throw new SourceError(
      `${outer.name} holds ${others.length + 1} files ${nameOf(inner)}: ` +
        'unpack it, and import the zip that you want.',
    );
  }
  const path = await copyPrivately(outer.read(inner), part.copy, opening);
  const zip = await open(path, `${nameOf(inner)} in ${outer.name}`, opening);
  const foundInside = locatedIn(zip);
  if (foundInside.length === 0) throw notARelease(zip);
  return foundInside;
}

function isOf(entry: Entry, name: RegExp): boolean {
  return name.test(entryBaseName(entry));
}

function nameOf(entry: Entry): string {
  return printable(entryBaseName(entry));
}

function severalFiles(name: string, found: readonly Located[]): SourceError {
  const names = found.map(({ entry }) => nameOf(entry)).join(' and ');
  return new SourceError(
    `${name} holds several releases (${names}): unpack it, and import the file that you want.`,
  );
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
