/**
 * Checks a data folder after a power loss, with the program's own code, and lists the promises
 * that it breaks.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openOwnKey } from '../../src/auth/own-key.ts';
import { editionPath, readEditionFolder } from '../../src/storage/editions/edition-folder.ts';
import { type DataFolder, openDataFolder } from '../../src/storage/files/data-folder.ts';
import { writeKeyFile } from '../../src/storage/files/key-file.ts';
import { parseHead } from '../../src/storage/repository/audit-chain.ts';
import type { OrdersVerdict } from '../../src/storage/sql/verify.ts';
import { openDatabase } from '../../src/storage/sqlite/database/database.ts';
import {
  EDITION_MIGRATIONS,
  EditionCatalogue,
} from '../../src/storage/sqlite/editions/edition-catalogue.ts';
import { verifyEditions } from '../../src/storage/sqlite/editions/verify-editions.ts';
import { openRepositoryDatabase } from '../../src/storage/sqlite/repository-database.ts';
import { restoreRepository } from '../../src/storage/sqlite/restore-repository.ts';
import { verifyRepository } from '../../src/storage/sqlite/verify-repository.ts';
import { BACKUP, DATA, RESTORED } from './record-run.ts';
import type { Promised } from './recording.ts';

/** What the program had promised before the power loss, and what was in progress. */
export interface Promises {
  readonly given: readonly Promised[];
  /** The editions that may be current. */
  readonly editions: ReadonlySet<number | undefined>;
}

export function promisesAt(all: readonly Promised[], moment: bigint): Promises {
  const given = all.filter(({ at }) => BigInt(at) <= moment);
  const last = ofKind(given, 'edition').at(-1)?.number;
  const onTheirWay = ofKind(all, 'edition').filter(
    ({ begunAt, at }) => BigInt(begunAt) <= moment && BigInt(at) > moment,
  );
  return { given, editions: new Set([last, ...onTheirWay.map(({ number }) => number)]) };
}

/**
 * A sentence for each broken promise. `root` is the folder after the power loss, which this
 * function changes.
 */
export function brokenPromises(root: string, promises: Promises): string[] {
  const broken: string[] = [];
  const inspect = (what: string, check: () => Iterable<string>) => {
    try {
      for (const fault of check()) broken.push(`${what}: ${fault}`);
    } catch (error) {
      broken.push(`${what}: ${error}`);
    }
  };
  const { given } = promises;
  inspect('folder', () => {
    const folder = openDataFolder(join(root, DATA));
    inspect('token key', () => tokenFaults(folder, ofKind(given, 'token').length > 0));
    inspect('orders', () => orderFaults(folder, given));
    inspect('directory', () => directoryFaults(folder, promises.editions));
    return [];
  });
  const [backup] = ofKind(given, 'backup');
  inspect('backup', () => backupFaults(root, backup?.versions));
  const versions = ofKind(given, 'restore').length > 0 ? backup?.versions : undefined;
  inspect('restored', () => restoredFaults(join(root, RESTORED), versions));
  return broken;
}

function* tokenFaults(folder: DataFolder, isPromised: boolean) {
  let isMade = false;
  openOwnKey(folder.tokenKey, (path, key) => {
    isMade = true;
    writeKeyFile(path, key);
  });
  if (isMade && isPromised) yield 'the key is lost';
}

function* orderFaults(folder: DataFolder, given: readonly Promised[]) {
  const orders = openRepositoryDatabase(folder);
  try {
    const head = parseHead(ofKind(given, 'head').at(-1)?.head ?? '');
    const verdict = verifyRepository(orders, head === undefined ? {} : { expectedHead: head });
    yield* verdict.findings;
    const { database } = orders;
    const texts = new Map<string, string>();
    const select = database.prepare(
      `SELECT r.id, v.version, v.text FROM resource_version AS v
       JOIN resource AS r ON r.key = v.resource`,
    );
    for (const { id, version, text } of select.iterate()) texts.set(`${id}/${version}`, `${text}`);
    const lost = ofKind(given, 'version').filter(
      ({ id, version, mark }) => texts.get(`${id}/${version}`)?.includes(`"${mark}"`) !== true,
    );
    if (lost.length > 0) yield `${lost.length} acknowledged versions are lost`;
    const reads = Number(database.prepare(COUNT_READS).get()?.n);
    if (reads < ofKind(given, 'read').length) yield 'audit entries of reads are lost';
  } finally {
    orders.database.close();
  }
}

const COUNT_READS = `
  SELECT count(*) AS n FROM audit_entry WHERE entry LIKE '%"interaction":"read"%'`;

function* directoryFaults(folder: DataFolder, editions: ReadonlySet<number | undefined>) {
  const database = openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS);
  try {
    const list = new EditionCatalogue(database).list();
    const current = list.current()?.number;
    if (!editions.has(current)) {
      yield `edition ${current} is current, and not ${[...editions].join(' or ')}`;
    }
    if (current !== undefined) {
      readEditionFolder(editionPath(folder, current), list.kept(current).manifest_checksum);
    }
  } finally {
    database.close();
  }
  for (const { findings } of verifyEditions(folder)) yield* findings;
}

/** Complete or absent until it was promised; complete afterwards. */
function* backupFaults(root: string, versions: number | undefined) {
  const path = join(root, BACKUP);
  if (!existsSync(path)) {
    if (versions !== undefined) yield 'it is lost';
    return;
  }
  const copy = join(root, 'restored-from-backup');
  yield* tooFew(restoreRepository(openDataFolder(copy), path), versions);
  rmSync(copy, { recursive: true });
}

function* restoredFaults(path: string, versions: number | undefined) {
  if (!existsSync(join(path, 'orders.db'))) {
    if (versions !== undefined) yield 'they are lost';
    return;
  }
  const orders = openRepositoryDatabase(openDataFolder(path));
  try {
    const verdict = verifyRepository(orders);
    yield* verdict.findings;
    yield* tooFew(verdict, versions);
  } finally {
    orders.database.close();
  }
}

function* tooFew({ versions }: OrdersVerdict, expected = 1) {
  if (versions < expected) yield `it has ${versions} versions, and had ${expected}`;
}

type OfKind<Kind extends Promised['kind']> = Extract<Promised, { kind: Kind }>;

function ofKind<Kind extends Promised['kind']>(all: readonly Promised[], kind: Kind) {
  return all.filter((promise): promise is OfKind<Kind> => promise.kind === kind);
}
