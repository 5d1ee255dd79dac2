/** The public keys of tokens in a database, and the copy of them that this machine keeps. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type DataFolder, FILE_MODE, makePrivateFolder } from '../files/data-folder.ts';
import type { SharedTokenKeys, TokenKey } from '../store/shared-token-keys.ts';
import { type Connection, withConnection } from './connection/connection.ts';
import type { DatabaseAddress } from './connection/database-address.ts';
import { requireDatabaseSchema } from './schema/schema.ts';
import { TOKEN_KEY_CHANNEL, watchDatabase } from './schema/shared-connection.ts';

export function createSharedTokenKeys(
  address: DatabaseAddress,
  openFolder: () => DataFolder,
): SharedTokenKeys {
  return {
    add: (key) =>
      withConnection(address, { name: 'gazetteer token' }, async (connection) => {
        await requireDatabaseSchema(connection);
        await addKey(connection, key);
      }),
    watch: (own, onKeys) => {
      const folder = openFolder();
      let known = '';
      const report = (keys: readonly TokenKey[]) => {
        const text = JSON.stringify(keys);
        if (text === known) return;
        known = text;
        onKeys(keys);
      };
      const copy = readCopy(folder);
      if (copy.length > 0) report(copy);
      return watchDatabase(address, {
        name: 'gazetteer keys',
        channel: TOKEN_KEY_CHANNEL,
        look: async (read, hasEnded) => {
          const keys = await read(async (connection) => {
            await addKey(connection, own);
            return await readKeys(connection);
          });
          if (hasEnded()) return;
          report(keys);
          writeCopy(folder, keys);
        },
        onProblem: () => {}, // the watch of the editions reports it
      });
    },
  };
}

/** A revoked key stays revoked. */
async function addKey(connection: Connection, { issuer, publicKey }: TokenKey): Promise<void> {
  await connection.query(
    `WITH added AS (
       INSERT INTO token_key (issuer, public_key, host) VALUES ($1, $2, $3)
       ON CONFLICT (issuer) DO NOTHING RETURNING issuer)
     SELECT pg_notify('${TOKEN_KEY_CHANNEL}', issuer) FROM added`,
    [issuer, JSON.stringify(publicKey), hostname()],
  );
}

async function readKeys(connection: Connection): Promise<readonly TokenKey[]> {
  const rows = await connection.query(
    'SELECT issuer, public_key FROM token_key WHERE revoked_at IS NULL ORDER BY issuer',
  );
  return rows.map((row) => ({
    issuer: String(row.issuer),
    publicKey: JSON.parse(String(row.public_key)),
  }));
}

function copyPath(folder: DataFolder): string {
  return join(folder.cache, 'token-keys.json');
}

/** A server that starts while the database is unavailable accepts the keys that it read before. */
function readCopy(folder: DataFolder): readonly TokenKey[] {
  try {
    return JSON.parse(readFileSync(copyPath(folder), 'utf8'));
  } catch {
    return [];
  }
}

/** Does nothing if the disk fails: the database has the keys. */
function writeCopy(folder: DataFolder, keys: readonly TokenKey[]): void {
  const draft = `${copyPath(folder)}.new`;
  try {
    makePrivateFolder(folder.cache);
    writeFileSync(draft, JSON.stringify(keys), { mode: FILE_MODE });
    renameSync(draft, copyPath(folder));
  } catch {
    // The next poll tries again.
  }
}
