/** What `gazetteer doctor` checks of the data folder: rights, free space, and the speed of the disk. */
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DataFolder } from '../storage/data-folder.ts';
import { measureSyncMs } from '../storage/disk-speed.ts';
import { type DoctorFinding, failure, findingsOf, ok, warning } from './doctor-finding.ts';

export async function folderFindings(folder: DataFolder): Promise<DoctorFinding[]> {
  const owned = await findingsOf('data folder', () => [ownershipOf(folder.path)]);
  const isUsable = owned.every(({ level }) => level !== 'error') && existsSync(folder.path);
  return [
    ...owned,
    ...(await findingsOf('free space', () => [spaceOf(folder)])),
    ...(isUsable ? await findingsOf('disk', () => [speedOf(folder.path)]) : []),
  ];
}

function ownershipOf(path: string) {
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
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  if ((stats.mode & OTHERS) !== 0 && process.platform !== 'win32') {
    return warning(`Other users may read ${path}. Run chmod 700 on it.`);
  }
  return ok(`${path} belongs to this user, and no other user may read it.`);
}

/** The file modes of other users. Windows has none. */
const OTHERS = 0o077;

/** An import writes the new edition before it removes an old one. */
function spaceOf({ path, editions, cache }: DataFolder) {
  const { bavail, bsize } = statfsSync(existingAbove(path));
  const free = bavail * bsize;
  const sizes = [...sizesIn(editions), ...sizesIn(cache)];
  const edition = Math.max(0, ...sizes);
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

function speedOf(path: string) {
  const ms = measureSyncMs(path);
  const text = `A sync takes ${ms.toFixed(1)} ms.`;
  if (ms < SLOW_SYNC_MS) return ok(text);
  return warning(
    `${text} Each write of an order response waits for one. Use a faster disk: an SSD of this machine.`,
  );
}

const SLOW_SYNC_MS = 25;
