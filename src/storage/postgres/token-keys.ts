/** The public keys of tokens in a database, and the copy of them that this machine keeps. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type DataFolder, FILE_MODE, makePrivateFolder } from '../data-folder.ts';
import type { DatabaseAddress } from '../database-address.ts';
import { startPoll } from '../poll.ts';
import type { SharedTokenKeys, TokenKey } from '../store.ts';
import { type Connection, withConnection } from './connection/connection.ts';
import { SharedConnection, TOKEN_KEY_CHANNEL } from './connection/shared-connection.ts';
import { requireDatabaseSchema } from './schema.ts';

/** The database reports each change. Polling finds those whose message was lost. */
const LOOK_MS = 30_000;

/** The interval while the database is unavailable. */
const LOOK_AGAIN_MS = 2_000;

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
      let isAway = false;
      const report = (keys: readonly TokenKey[]) => {
        const text = JSON.stringify(keys);
        if (text === known) return;
        known = text;
        onKeys(keys);
      };
      const shared = new SharedConnection(address, {
        name: 'gazetteer keys',
        channels: [TOKEN_KEY_CHANNEL],
        onNotification: () => poll.look(),
        onEnd: () => poll.look(),
      });
      const look = async (hasEnded: () => boolean) => {
        const keys = await shared.read(async (connection) => {
          await addKey(connection, own);
          return await readKeys(connection);
        });
        isAway = false;
        if (hasEnded()) return;
        report(keys);
        writeCopy(folder, keys);
      };
      const copy = readCopy(folder);
      if (copy.length > 0) report(copy);
      const poll = startPoll(look, {
        pauseMs: () => (isAway ? LOOK_AGAIN_MS : LOOK_MS),
        // The watch of the editions reports it.
        onProblem: () => {
          isAway = true;
        },
      });
      return async () => {
        poll.end();
        await shared.close();
      };
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
