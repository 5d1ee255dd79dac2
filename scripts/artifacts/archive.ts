/** Archives whose bytes depend on nothing but the names, the content and the modes of the files. */
import { readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { create } from 'tar';

export interface ArchiveOptions {
  /** The folder whose content is packed. */
  readonly folder: string;
  /** The folder of the files in the archive. */
  readonly prefix?: string;
  readonly time: Date;
}

/**
 * Writes a tar file, compressed if its name ends so. All files have the same time, belong to nobody, and are in the order of their
 * names. All users can read them, and run all or none.
 */
export async function writeArchive(path: string, options: ArchiveOptions): Promise<void> {
  const { folder, prefix, time } = options;
  await create(
    {
      file: path,
      cwd: folder,
      ...(prefix !== undefined && { prefix }),
      mtime: time,
      // Without owners, and without details of the machine in the header of gzip.
      portable: true,
      noDirRecurse: true,
      ...(!path.endsWith('.tar') && { gzip: { level: 6 } }),
      onWriteEntry: ({ stat }) => {
        if (stat !== undefined) stat.mode = modeOf(stat);
      },
    },
    pathsIn(folder),
  );
}

/** Folders, files and links, with each folder before what is in it. */
function pathsIn(folder: string, parent = ''): string[] {
  return readdirSync(join(folder, parent), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(parent, entry.name);
      return entry.isDirectory() ? [path, ...pathsIn(folder, path)] : [path];
    });
}

/** The same for every umask of the person who makes the archive. */
function modeOf(stat: Stats): number {
  return stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644;
}
