/** Chooses the kind of store by URL. Nothing else knows which kinds there are. */
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { StorageError } from './files/storage-error.ts';
import type { DatabaseFacts } from './postgres/database-store.ts';
import type { DatabaseRole } from './postgres/schema/grants.ts';
import type { Migrated } from './postgres/schema/schema.ts';
import type { ServerStore, Store, StoreOptions } from './store/store.ts';

/** The kinds of stores, by the scheme of the URL. */
const KINDS: Readonly<Record<string, 'folder' | 'database'>> = {
  'file:': 'folder',
  'postgres:': 'database',
  'postgresql:': 'database',
};

/** Loads only the modules that are needed, because loading all of them takes a while. */
export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  if (kindOf(url) === 'folder') {
    const { createFileStore } = await import('./sqlite/file-store.ts');
    return createFileStore(fileURLToPath(url));
  }
  const { createDatabaseStore } = await import('./postgres/database-store.ts');
  return createDatabaseStore(url, options);
}

export async function openServerStore(url: string, options: StoreOptions): Promise<ServerStore> {
  if (kindOf(url) === 'database') return openStore(url, options);
  const { createServerFileStore } = await import('./sqlite/server-file-store.ts');
  return createServerFileStore(fileURLToPath(url));
}

function kindOf(url: string): 'folder' | 'database' {
  // The URL of a database can list several hosts, which `URL` cannot parse.
  const [scheme = ''] = /^[^:]*:/.exec(url) ?? [];
  const kind = KINDS[scheme];
  if (kind !== undefined) return kind;
  // The message leaves the URL out, because a URL can contain a password.
  throw new StorageError(
    'unusable',
    `There is no store for URLs that begin with ${scheme} Use one of ` +
      `${Object.keys(KINDS).join(', ')}`,
  );
}

/** The URL of the store in a data folder. */
export function storeUrlOf(dataFolder: string): string {
  return pathToFileURL(resolve(dataFolder)).href;
}

/** Makes or updates the tables of a store in a database. */
export async function migrateStore(
  url: string,
  options: StoreOptions,
  how: { readonly reindex: boolean },
): Promise<Migrated> {
  const { parseDatabaseUrl } = await import('./postgres/connection/database-url.ts');
  const { migrateDatabase } = await import('./postgres/schema/schema.ts');
  return migrateDatabase(parseDatabaseUrl(url, options), undefined, how);
}

/** Records that an operator knows of the writes that a database lost. Returns how often it lost some. */
export async function confirmLosses(url: string, options: StoreOptions): Promise<number> {
  const { databaseSettings } = await import('./postgres/database-store.ts');
  const { confirmDatabaseLosses } = await import('./postgres/lanes/lost-writes.ts');
  return confirmDatabaseLosses(databaseSettings(url, options));
}

/** Checks a store in a database as a user with this role needs it, and returns what it says. */
export async function checkDatabase(
  url: string,
  options: StoreOptions,
  role: DatabaseRole,
): Promise<DatabaseFacts> {
  const { parseDatabaseUrl } = await import('./postgres/connection/database-url.ts');
  const { readDatabaseFacts } = await import('./postgres/database-store.ts');
  return readDatabaseFacts(parseDatabaseUrl(url, options), role);
}

/** SQL that gives the roles of a database their rights. */
export async function databaseGrants(
  roles: Readonly<Record<DatabaseRole, string>>,
): Promise<string> {
  const { grantsSql } = await import('./postgres/schema/grants.ts');
  return grantsSql(roles);
}
