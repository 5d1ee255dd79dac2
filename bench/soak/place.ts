/** The servers of a soak: one with a data folder, and one with a PostgreSQL database if there can be one. */
import { once } from 'node:events';
import { join } from 'node:path';
import { gazetteer, type Server, serve } from '../../test/journeys/program.ts';
import type { Owner } from '../../test/owner.ts';
import type { PostgresServer } from '../../test/storage/postgres/server.ts';
import { postgresBin, startPrimary } from '../cluster/database.ts';
import { endTogether } from '../server.ts';

export interface Place {
  readonly name: 'folder' | 'database';
  /** The variables that say where the data is. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folders on the disk that hold it. */
  readonly folders: readonly string[];
  readonly postgres?: PostgresServer;
  readonly server: Server;
  readonly token: string;
  /** Runs a command to its end, and throws if it fails. */
  run(...words: readonly string[]): Promise<string>;
}

/** Why there is no server with a database. */
export const WITHOUT_DATABASE =
  postgresBin() === undefined
    ? 'there is no PostgreSQL in /usr/lib/postgresql: apt-get install postgresql'
    : undefined;

const SETTINGS = [
  '--threads',
  '2',
  '--log-requests',
  'false',
  '--subscriptions-allowed-hosts',
  '127.0.0.1',
];

/** As `bin/gazetteer` sets it, which the bundle is started without. */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

const SCOPES = ['--scope', 'system/OrderResponse.*', '--scope', 'system/Subscription.*'];

export interface PlaceOptions {
  /** In which data folders are made. */
  readonly folder: string;
  /** The release that is imported first. */
  readonly release: string;
  /** For how long the token is valid. */
  readonly days: number;
}

/** The first place is the folder. */
export async function startPlaces(owner: Owner, options: PlaceOptions): Promise<Place[]> {
  const data = join(options.folder, 'folder');
  const folder = await startPlace(owner, options, {
    name: 'folder',
    environment: { GAZETTEER_DATA: data },
    folders: [data],
  });
  const bin = postgresBin();
  if (bin === undefined) return [folder];
  const postgres = await startPrimary(bin, undefined);
  owner.after(() => postgres.stop());
  const own = join(options.folder, 'database');
  const url = postgres.url(await postgres.createDatabase());
  const database = await startPlace(owner, options, {
    name: 'database',
    environment: { GAZETTEER_DATA: own, GAZETTEER_DATABASE_URL: url },
    folders: [own, postgres.folder],
    postgres,
  });
  return [folder, database];
}

async function startPlace(
  owner: Owner,
  { release, days }: PlaceOptions,
  place: Omit<Place, 'server' | 'token' | 'run'>,
): Promise<Place> {
  const { environment } = place;
  const run = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await gazetteer(words, { environment });
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    return stdout.trim();
  };
  if (place.postgres !== undefined) await run('database', 'migrate');
  const token = await run('token', '--make-folder', '--expires', `${days}d`, ...SCOPES);
  await run('import', release, '--quiet');
  const server = await serve(owner, SETTINGS, { environment: { ...environment, ...ALLOCATOR } });
  endTogether(server.process);
  return { ...place, run, token, server };
}

/** Stops a server, and answers what was wrong with its end. */
export async function stopServer({ name, server }: Place): Promise<string[]> {
  const { exitCode } = server.process;
  if (exitCode !== null) return [`${name}: the server ended before the run with ${exitCode}`];
  const ended = once(server.process, 'exit');
  await server.stop();
  const [code] = await ended;
  return code === 0 ? [] : [`${name}: the server ended with ${code}`];
}
