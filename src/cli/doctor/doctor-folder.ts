/** What `gazetteer doctor` checks of the data folder: rights, free space, and the speed of the disk. */
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DataFolder, requireOwnership } from '../../storage/files/data-folder.ts';
import { measureSyncMs } from '../../storage/files/probe-disk.ts';

/** What a check found. */
export interface CheckResult {
  readonly level: 'ok' | 'warning' | 'error';
  /** The state that was found; if it is not ok, also the remedy. */
  readonly text: string;
}

export const ok = (text: string): CheckResult => ({ level: 'ok', text });
export const warning = (text: string): CheckResult => ({ level: 'warning', text });
export const failure = (text: string): CheckResult => ({ level: 'error', text });

export function ownershipOf(folder: DataFolder): CheckResult {
  const { path } = folder;
  requireOwnership(folder);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    return warning(
      `${path} does not exist. If the path is right, the first import creates it. Otherwise correct --data.`,
    );
  }
  if (!stats.isDirectory()) return failure(`${path} is not a folder. Correct --data.`);
  const user = process.geteuid?.() ?? stats.uid;
  if (stats.uid !== user) {
    return failure(
      `${path} belongs to another user (uid ${stats.uid}, this user is ${user}). Run the ` +
        'command as that user, or change the owner of the folder with chown.',
    );
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return failure(
      `This user cannot read and write ${path}. Run chmod 700 on it. If the file system is ` +
        'read-only, mount it for writing.',
    );
  }
  if ((stats.mode & OTHERS) !== 0 && process.platform !== 'win32') {
    return warning(`Other users may read ${path}. Run chmod 700 on it.`);
  }
  return ok(`${path} belongs to this user, and no other user may read it.`);
}

/** The file modes of other users. Windows has none. */
const OTHERS = 0o077;

export function fileSystemOf({ path }: DataFolder): CheckResult | undefined {
  // Only Linux has the same number for a type of file system on every machine.
  if (process.platform !== 'linux') return undefined;
  return fileSystemFinding(path, statfsSync(existingAbove(path)).type);
}

/** `type` is the magic number of the file system: https://man7.org/linux/man-pages/man2/statfs.2.html */
export function fileSystemFinding(path: string, type: number): CheckResult {
  // The number is signed on some machines.
  const name = NETWORK_FILE_SYSTEMS.get(type >>> 0);
  if (name === undefined) return ok(`${path} is on a local file system.`);
  return warning(
    `${path} is on a network file system (${name}). Its locks and syncs are not safe enough for ` +
      'order responses. Use a local disk, or set database.url to use a database.',
  );
}

const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB 2'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x0bd00bd0, 'Lustre'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
]);

export function spaceOf({ path, editions, cache }: DataFolder): CheckResult {
  const { bavail, bsize, files, ffree } = statfsSync(existingAbove(path));
  const edition = Math.max(0, ...sizesIn(editions), ...sizesIn(cache));
  // Some file systems have no limit on the number of files, and report 0.
  const freeFiles = files === 0 ? Number.POSITIVE_INFINITY : ffree;
  return spaceFinding(bavail * bsize, freeFiles, edition);
}

/**
 * An import writes the new edition before it removes an old one. `edition` is the size of the
 * largest one in bytes, or 0.
 */
export function spaceFinding(free: number, freeFiles: number, edition: number): CheckResult {
  if (freeFiles < FILES_MIN) {
    return failure(
      `The file system has room for only ${freeFiles} more files (inodes). Remove files, or use another disk.`,
    );
  }
  const needed = edition === 0 ? EDITION_BYTES : edition;
  const facts =
    edition === 0
      ? `${sizeText(free)} are free. There is no edition yet; a whole directory needs about ${sizeText(needed)}.`
      : `${sizeText(free)} are free. The largest edition has ${sizeText(edition)}.`;
  if (free < needed) {
    return failure(`${facts} The next import does not fit. Free some space, or use a larger disk.`);
  }
  if (free < needed * COMFORTABLE_EDITIONS) {
    return warning(`${facts} That is less than ${COMFORTABLE_EDITIONS} editions. Free some space.`);
  }
  return ok(facts);
}

/** Assumed for a national directory. */
const EDITION_BYTES = 1024 ** 3;
/** More than a new edition and the logs of the databases need. */
const FILES_MIN = 1000;
const COMFORTABLE_EDITIONS = 3;

/** The sizes of the folders of editions. */
function sizesIn(path: string): number[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) =>
      readdirSync(join(path, name))
        .map((file) => statSync(join(path, name, file), { throwIfNoEntry: false })?.size ?? 0)
        .reduce((sum, size) => sum + size, 0),
    );
}

function existingAbove(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingAbove(dirname(path));
}

function sizeText(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2).toLocaleString('en-GB')} MiB`;
}

export function speedOf(path: string): CheckResult {
  const ms = measureSyncMs(path);
  const text = `A sync takes ${ms.toFixed(1)} ms.`;
  if (ms < SLOW_SYNC_MS) return ok(text);
  return warning(
    `${text} Each write of an order response waits for one. Use a faster disk: an SSD of this machine.`,
  );
}

const SLOW_SYNC_MS = 25;
