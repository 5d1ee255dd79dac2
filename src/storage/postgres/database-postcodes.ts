/**
 * The postcodes in a database, which all its servers share, and the copy that this machine keeps for
 * a start while the database is unavailable.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { StoredPostcodes } from '../../directory/places/stored-postcodes.ts';
import { type DataFolder, makePrivateFolder, replaceFile } from '../files/data-folder.ts';
import { StorageError, withStorageErrors } from '../files/storage-error.ts';
import { decodePostcodes } from '../postcodes/postcode-bytes.ts';
import { readStoredPostcodes } from '../postcodes/postcode-file.ts';
import type { PostcodeStore } from '../postcodes/postcode-store.ts';
import { type Connection, withConnection } from './connection/connection.ts';
import type { DatabaseAddress } from './connection/database-address.ts';
import { databaseNameOf } from './editions/edition-cache.ts';
import { connectWithLock, IMPORT_LOCK } from './schema/program-lock.ts';
import { requireDatabaseSchema } from './schema/schema.ts';
import { POSTCODE_CHANNEL, watchDatabase } from './schema/shared-connection.ts';

export function createDatabasePostcodes(
  address: DatabaseAddress,
  openFolder: () => DataFolder,
): PostcodeStore {
  const readBytes = () =>
    withConnection(address, { name: 'gazetteer postcodes' }, async (connection) => {
      await requireDatabaseSchema(connection);
      return await readParts(connection);
    });
  return {
    read: async () => {
      const memory = await readBytes();
      return memory && decodePostcodes(PLACE, memory);
    },
    bytes: async () => {
      const memory = await readBytes();
      return memory && new Uint8Array(memory);
    },
    publish: (bytes) => writeParts(address, bytes),
    watch: (onNew, onProblem) => {
      const copy = copyPath(openFolder(), address);
      return watchPostcodes(address, copy, readBytes, onNew, onProblem);
    },
  };
}

/** `copy`: the path of the copy of this machine. */
async function watchPostcodes(
  address: DatabaseAddress,
  copy: string,
  readBytes: () => Promise<SharedArrayBuffer | undefined>,
  ...[onNew, onProblem]: Parameters<PostcodeStore['watch']>
): Promise<() => Promise<void>> {
  const firstLook = Promise.withResolvers<void>();
  let known: string | undefined;
  const report = (stored: StoredPostcodes | undefined) => {
    if (stored === undefined || stored.about.version === known) return;
    known = stored.about.version;
    onNew(stored);
  };
  const end = watchDatabase(address, {
    name: 'gazetteer serve postcodes',
    channel: POSTCODE_CHANNEL,
    look: async (read, hasEnded) => {
      const version = await read(readVersion);
      if (version !== undefined && version !== known) {
        const memory = await readBytes();
        if (memory !== undefined && !hasEnded()) {
          report(decodePostcodes(PLACE, memory));
          replaceFile(copy, new Uint8Array(memory));
        }
      }
      firstLook.resolve();
    },
    onProblem: (error) => {
      try {
        if (known === undefined) report(readStoredPostcodes(copy));
      } catch {
        // The copy is damaged. The database has the postcodes.
      }
      firstLook.resolve();
      // The watch of the editions reports a database that is away.
      const isUnreachable = error instanceof StorageError && error.kind === 'unreachable';
      if (!isUnreachable) onProblem(error);
    },
  });
  await firstLook.promise;
  return end;
}

const PLACE = 'the postcodes in the database';

async function readVersion(connection: Connection): Promise<string | undefined> {
  const [row] = await connection.query('SELECT version FROM postcode_part LIMIT 1');
  return row === undefined ? undefined : String(row.version);
}

const PART_BYTES = 1 << 20;

/** All parts are of one version, also if another one is published meanwhile. */
async function readParts(connection: Connection): Promise<SharedArrayBuffer | undefined> {
  await connection.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const [row = {}] = await connection.query(
    'SELECT count(*) AS parts, sum(length(bytes)) AS bytes FROM postcode_part',
  );
  if (Number(row.parts) === 0) return undefined;
  const memory = new SharedArrayBuffer(Number(row.bytes));
  const target = new Uint8Array(memory);
  let at = 0;
  for (let part = 0; part < Number(row.parts); part++) {
    const [found] = await connection.queryPrepared(
      'SELECT bytes FROM postcode_part WHERE part = $1',
      [part],
    );
    if (!Buffer.isBuffer(found?.bytes)) throw new StorageError('damaged', `${PLACE}: incomplete`);
    target.set(found.bytes, at);
    at += found.bytes.length;
  }
  return memory;
}

async function writeParts(address: DatabaseAddress, bytes: Uint8Array): Promise<void> {
  await using connection = await connectWithLock(address, IMPORT_LOCK);
  await connection.transaction(() => insertPostcodes(connection, bytes));
}

/** Replaces the postcodes in the open transaction. */
export async function insertPostcodes(connection: Connection, bytes: Uint8Array): Promise<void> {
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  const { version } = decodePostcodes(PLACE, memory).about;
  await connection.query('DELETE FROM postcode_part');
  for (let part = 0; part * PART_BYTES < bytes.length; part++) {
    const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    await connection.queryPrepared(
      'INSERT INTO postcode_part (version, part, bytes) VALUES ($1, $2, $3)',
      [version, part, Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)],
    );
  }
  await connection.query(`NOTIFY ${POSTCODE_CHANNEL}`);
}

/** Makes the folder. A copy of another database has another name. */
function copyPath({ cache }: DataFolder, address: DatabaseAddress): string {
  withStorageErrors(cache, () => makePrivateFolder(cache));
  const name = createHash('sha256').update(databaseNameOf(address)).digest('hex').slice(0, 16);
  return join(cache, `postcodes-${name}.bin`);
}
