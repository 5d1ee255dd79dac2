/** The data folder of a server: the paths of its files, who may read them, and their durability. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  lossOfDirectory,
  lossOfOrders,
  requireDirectoryOfEditions,
  requireOrdersOfKey,
} from './lost-databases.ts';
import { StorageError, systemCode, withStorageErrors } from './storage-error.ts';

/** The absolute paths of a data folder, and of the files and folders in it. */
export interface DataFolder {
  readonly path: string;
  /** The SQLite database that lists the editions of the directory. */
  readonly directoryDatabase: string;
  /** Holds a folder for each edition. */
  readonly editions: string;
  /** The postcodes that the operator imported last. */
  readonly postcodes: string;
  /** The practitioners that the operator imported last. */
  readonly practitioners: string;
  /** Copies of editions of a database. */
  readonly cache: string;
  /** The SQLite database of order responses and their audit log. */
  readonly ordersDatabase: string;
  /** The key of the audit log's chain. */
  readonly auditKey: string;
  /** The key that the installation's own tokens are signed with. */
  readonly tokenKey: string;
  /** Private copies that an import makes. The next import removes the copies of one that died. */
  readonly temporary: string;
  /** The state that a sync keeps for the next one. */
  readonly sync: string;
  /** The state and the downloads of fetches. */
  readonly fetch: string;
  /** Which edition each receiver of webhooks has. */
  readonly webhooks: string;
  /** The files for analysis of the current edition, while a server runs. */
  readonly tables: string;
}

/** The name of the file with the key of the audit log. */
export const AUDIT_KEY = 'audit.key';

/** Only the user that runs the server may read the data. */
export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** The data that the folder must contain already: the directory (true), order responses, or any. */
export type MustExist = boolean | 'orders' | 'either';

/** Called with a data folder that was created, and with the first of the folders that it needed. */
export type OnMade = (path: string, first: string) => void;

/**
 * Creates a missing folder and then calls `onMade`, unless the folder must exist. Throws a
 * `StorageError` if the folder cannot be used.
 */
export function openDataFolder(
  path: string,
  options: { mustExist?: MustExist; onMade?: OnMade } = {},
): DataFolder {
  const folder = dataFolderAt(path);
  const absolute = folder.path;
  requireOwnership(folder);
  requirePresence(folder, options.mustExist ?? false);
  withStorageErrors(absolute, () => {
    const first = makePrivateFolder(absolute);
    if (first !== undefined) options.onMade?.(absolute, first);
    requirePrivacy(folder);
    requireAccess(absolute);
    makePrivateFolder(folder.editions);
  });
  return folder;
}

/**
 * For commands that only read: changes nothing but the permissions of others, and the disk need not
 * be writable. Throws a `StorageError` if the folder cannot be read.
 */
export function openDataFolderToRead(path: string, mustExist: MustExist): DataFolder {
  const folder = dataFolderAt(path);
  requireOwnership(folder);
  requirePresence(folder, mustExist);
  withStorageErrors(folder.path, () => {
    if (isMissing(folder.path)) return;
    try {
      requirePrivacy(folder);
    } catch (fault) {
      if (!NO_CHANGE_OF_MODE.has(systemCode(fault) ?? '')) throw fault;
    }
    accessSync(folder.path, constants.R_OK | constants.X_OK);
  });
  return folder;
}

/** The file system is read-only, or the folder belongs to another user. */
const NO_CHANGE_OF_MODE: ReadonlySet<string> = new Set(['EROFS', 'EPERM', 'EACCES']);

/** Whether the path does not exist. A folder that this user cannot open is not missing. */
export function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** The paths of a folder, which need not exist. */
export function dataFolderAt(path: string): DataFolder {
  const absolute = resolve(path);
  return {
    path: absolute,
    directoryDatabase: join(absolute, 'directory.db'),
    editions: join(absolute, 'editions'),
    postcodes: join(absolute, 'postcodes.bin'),
    practitioners: join(absolute, 'practitioners.bin'),
    cache: join(absolute, 'cache'),
    ordersDatabase: join(absolute, 'orders.db'),
    auditKey: join(absolute, AUDIT_KEY),
    tokenKey: join(absolute, 'token-key.json'),
    temporary: join(absolute, 'temporary'),
    sync: join(absolute, 'sync'),
    fetch: join(absolute, 'fetch'),
    webhooks: join(absolute, 'webhooks.json'),
    tables: join(absolute, 'tables'),
  };
}

/** Checks access first, because a folder that the user may not open looks empty. */
export function requireOwnership({ path, directoryDatabase }: DataFolder): void {
  try {
    statSync(directoryDatabase, { throwIfNoEntry: false });
  } catch (fault) {
    if (systemCode(fault) !== 'EACCES') return;
    const owner = ownerOf(path);
    const remedy =
      owner === undefined
        ? 'this user cannot open this folder or a folder above it; run the command as the user of ' +
          'the server, or name another folder with --data'
        : owner === process.geteuid?.()
          ? 'this user cannot open this folder; run chmod u+rwx on it'
          : `this folder belongs to another user (uid ${owner}); run the command as that user, ` +
            `with "sudo -u '#${owner}'", or name another folder with --data`;
    throw new StorageError('unusable', `${path}: ${remedy}`, fault);
  }
}

/** Undefined if this user may not read the owner. */
function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

function requirePresence(folder: DataFolder, mustExist: MustExist): void {
  const hasDirectory = existsSync(folder.directoryDatabase);
  const hasOrders = existsSync(folder.ordersDatabase);
  const tables = [folder.postcodes, folder.practitioners];
  const isLost = lossOfOrders(folder) !== undefined || lossOfDirectory(folder) !== undefined;
  const hasAny = hasDirectory || hasOrders || tables.some(existsSync) || isLost;
  const refuse = (remedy: string): never => {
    throw new StorageError('unusable', `${folder.path}: ${remedy}`);
  };
  if (mustExist === true) {
    requireDirectoryOfEditions(folder);
    if (!hasDirectory) {
      refuse('there is no directory here; name its folder with --data, or import one first');
    }
  }
  if (mustExist === 'orders' && !hasOrders) {
    requireOrdersOfKey(folder);
    refuse('there are no order responses here; name their folder with --data');
  }
  if (mustExist === 'either' && !hasAny) {
    refuse('there is no data here; name its folder with --data');
  }
}

/**
 * Creates a missing folder and its missing parents, so that each survives a power loss. The
 * recursive form of `mkdirSync` never returns below a dangling link or in `/proc`. Returns the
 * first folder that it created.
 */
export function makePrivateFolder(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return undefined;
  }
  const above = dirname(path);
  const first = existsSync(above) || above === path ? undefined : makePrivateFolder(above);
  mkdirSync(path, FOLDER_MODE);
  chmodSync(path, FOLDER_MODE); // the umask can remove the owner's own permissions
  syncFolder(above);
  return first ?? path;
}

/** A read-only disk can still be read. Writes to it fail later, with their own message. */
function requireAccess(path: string): void {
  accessSync(path, constants.R_OK | constants.X_OK);
  try {
    accessSync(path, constants.W_OK);
  } catch (fault) {
    if (systemCode(fault) !== 'EROFS') throw fault;
  }
}

/**
 * If other users may read the folder, this function removes their permissions where the folder
 * contains our data. It refuses any other folder, such as a home folder or `/tmp`, because a
 * changed mode would do harm there.
 */
function requirePrivacy(folder: DataFolder): void {
  const othersMayEnter = (statSync(folder.path).mode & 0o077) !== 0;
  if (!othersMayEnter || process.platform === 'win32') {
    return; // Windows has no file modes
  }
  const isOurs = existsSync(folder.directoryDatabase) || existsSync(folder.ordersDatabase);
  if (!isOurs && readdirSync(folder.path).length > 0) {
    throw new StorageError(
      'unusable',
      `${folder.path}: other users may read this folder, and it is not empty; ` +
        'choose a separate folder for the data, or run `chmod 700` on it',
    );
  }
  chmodSync(folder.path, FOLDER_MODE);
}

/** Makes the names in a folder durable: without this, a power loss can remove a new file or folder. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') {
    return; // Windows cannot open a folder, and keeps its entries in order itself
  }
  withFile(path, 'r', fsyncSync);
}

/** Opens a file for `action` only. A new file gets the mode of private files, less the umask. */
export function withFile<Result>(
  path: string,
  flags: string,
  action: (file: number) => Result,
): Result {
  const file = openSync(path, flags, FILE_MODE);
  try {
    return action(file);
  } finally {
    closeSync(file);
  }
}

/**
 * One program at a time may do this. The next one replaces what an interrupted one left. The file is
 * durable when it returns. Throws a `StorageError`.
 */
export function replaceFile(path: string, bytes: Uint8Array): void {
  const draft = `${path}.draft`;
  withStorageErrors(path, () => {
    try {
      writeDurably(draft, 'w', bytes);
      renameSync(draft, path);
      syncFolder(dirname(path));
    } catch (fault) {
      rmSync(draft, { force: true });
      throw fault;
    }
  });
}

/** Only the owner can read the file. Its name is not yet durable. */
export function writeDurably(path: string, flags: 'w' | 'wx', bytes: Uint8Array): void {
  withFile(path, flags, (file) => {
    fchmodSync(file, FILE_MODE); // independent of the umask
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  });
}
