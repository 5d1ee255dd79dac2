/** Chooses the kind of store by URL. Nothing else knows which kinds there are. */
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { DatabaseFacts } from './database-address.ts';
import { readDatabaseFacts } from './postgres/check-database.ts';
import { createDatabaseStore } from './postgres/database-store.ts';
import { parseDatabaseUrl } from './postgres/database-url.ts';
import { type DatabaseRole, grantsSql } from './postgres/grants.ts';
import { type Migrated, migrateDatabase } from './postgres/schema.ts';
import { createFileStore } from './sqlite/file-store.ts';
import { StorageError } from './storage-error.ts';
import type { Store, StoreOptions } from './store.ts';

/** By the scheme of the URL. */
const STORES: Readonly<Record<string, (url: string, options: StoreOptions) => Store>> = {
  'file:': (url) => createFileStore(fileURLToPath(url)),
  'postgres:': createDatabaseStore,
  'postgresql:': createDatabaseStore,
};

export function openStore(url: string, options: StoreOptions): Store {
  // The URL of a database can list several hosts, which `URL` cannot parse.
  const [scheme = ''] = /^[^:]*:/.exec(url) ?? [];
  const create = STORES[scheme];
  if (create !== undefined) return create(url, options);
  // The message leaves the URL out, because a URL can contain a password.
  throw new StorageError(
    'unusable',
    `There is no store for URLs that begin with ${scheme} Use one of ` +
      `${Object.keys(STORES).join(', ')}`,
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
  return migrateDatabase(parseDatabaseUrl(url, options), undefined, how);
}

/** Checks a store in a database as a user with this role needs it, and returns what it says. */
export async function checkDatabase(
  url: string,
  options: StoreOptions,
  role: DatabaseRole,
): Promise<DatabaseFacts> {
  return readDatabaseFacts(parseDatabaseUrl(url, options), role);
}

/** SQL that gives the roles of a database their rights. */
export function databaseGrants(roles: Readonly<Record<DatabaseRole, string>>): string {
  return grantsSql(roles);
}
