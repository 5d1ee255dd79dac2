/** The program of version 0.2.2 beside the present one, and after it: with real programs of both. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it, type TestContext } from 'node:test';
import pg from 'pg';
import { serve } from '../../journeys/program.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../../storage/postgres/server.ts';
import { until } from '../../subscriptions/delivery-place.ts';
import type { OlderProgram, OlderServer } from '../older-program.ts';
import { BASE_URL } from '../record-answers.ts';
import { unpackFiles } from '../unpack.ts';
import { type Acknowledged, createWriter } from './acknowledged-writes.ts';
import { ALL_SCOPES, type VersionContent } from './content.ts';
import { installedProgram } from './installed.ts';
import { requireAcknowledged, requireUsable, run } from './upgraded.ts';

const BEFORE = '0.2.2';

async function serveOlder(
  context: TestContext,
  program: OlderProgram,
  ...words: string[]
): Promise<OlderServer> {
  const server = await program.serve(...words);
  context.after(() => server.stop('SIGKILL'));
  return server;
}

it('going back from a data folder loses nothing that the present program wrote', async (context) => {
  const program = await installedProgram(context, BEFORE);
  if (program === undefined) return;
  const { path, data, expected } = unpackFiles<VersionContent>(context, `version-${BEFORE}`);
  const words = ['--data', data];
  const written = await requireUsable(context, { path, data, words, content: expected });

  program.run('verify', ...words);
  const token = program.run('token', ...ALL_SCOPES, ...words).trim();
  const older = await serveOlder(context, program, ...words);
  const all = [...expected.acknowledged, ...written];
  await requireAcknowledged(older.origin, token, expected, all);
  const writer = createWriter(older.origin, token);
  await writer.create(60, 2);
  await older.stop('SIGTERM');

  const newer = await serve(context, [...words, '--base-url', BASE_URL]);
  await requireAcknowledged(newer.origin, token, expected, [...all, ...writer.acknowledged]);
  assert.equal(await newer.stop(), 0);
  await run('verify', ...words);
});

describePostgres('two servers over a database', () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  /** As docs/how-to/use-postgresql.md: an owner of the tables, and roles that use them. */
  async function createDatabase(sql: string): Promise<string> {
    for (const role of ['owner', 'serve', 'erase']) {
      await postgres.run(`CREATE ROLE gazetteer_${role} LOGIN`);
    }
    const database = await postgres.createDatabase();
    await postgres.run(`ALTER DATABASE ${database} OWNER TO gazetteer_owner`);
    const owner = new pg.Client(postgres.url(database, 'gazetteer_owner'));
    await owner.connect();
    await owner.query(sql);
    await owner.end();
    return database;
  }

  it('are upgraded one after the other, while clients write without an error, and can go back', async (context) => {
    const program = await installedProgram(context, BEFORE);
    if (program === undefined) return;
    const unpacked = unpackFiles<VersionContent>(context, `version-${BEFORE}-database`);
    const { path, data, expected } = unpacked;
    const database = await createDatabase(readFileSync(join(path, 'database.sql'), 'utf8'));
    await postgres.run(program.run('database', 'grants'), database);
    const folders = [data, `${data}-2`];
    cpSync(data, `${data}-2`, { recursive: true });
    const url = ['--database-url', postgres.url(database, 'gazetteer_serve')];
    const placeOf = (at: number) => ['--data', folders[at] ?? '', ...url];
    const token = program.run('token', ...ALL_SCOPES, ...placeOf(0)).trim();
    const older = [
      await serveOlder(context, program, ...placeOf(0)),
      await serveOlder(context, program, ...placeOf(1)),
    ];
    const clients = startClients(
      token,
      older.map(({ origin }) => origin),
    );
    await clients.untilWritten();

    const asOwner = ['--database-url', postgres.url(database, 'gazetteer_owner')];
    await run('database', 'migrate', ...asOwner);
    await clients.untilWritten();
    await postgres.run(await run('database', 'grants'), database);
    const newer = [];
    for (const at of [0, 1]) {
      await older[at]?.stop('SIGTERM');
      await clients.untilWritten();
      const server = await serve(context, [...placeOf(at), '--base-url', BASE_URL]);
      newer.push(server);
      clients.move(at, server.origin);
      await clients.untilWritten();
    }
    const written = await clients.stop();

    for (const { origin } of newer) {
      await requireAcknowledged(origin, token, expected, [...expected.acknowledged, ...written]);
    }
    for (const server of newer) assert.equal(await server.stop(), 0);
    await run('verify', ...placeOf(0));

    const back = await serveOlder(context, program, ...placeOf(0));
    await requireAcknowledged(back.origin, token, expected, [...expected.acknowledged, ...written]);
  });
});

interface Clients {
  /** Resolves when several more writes were acknowledged. */
  untilWritten(): Promise<void>;
  /** Another server answers in place of one. */
  move(at: number, origin: string): void;
  /** What was acknowledged. Throws if a server answered with an error. */
  stop(): Promise<readonly Acknowledged[]>;
}

/** A client for each server. It waits while its server does not listen. */
function startClients(token: string, origins: string[]): Clients {
  const acknowledged: Acknowledged[] = [];
  const stopped = new AbortController();
  const writeTo = async (at: number) => {
    while (!stopped.signal.aborted) {
      const writer = createWriter(origins[at] ?? '', token);
      try {
        await writer.create(at, 2);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // fetch throws one if nothing listens
      }
      acknowledged.push(...writer.acknowledged);
    }
  };
  const running = Promise.all(origins.map((_, at) => writeTo(at)));
  return {
    untilWritten: async () => {
      const written = acknowledged.length + 2 * origins.length;
      await Promise.race([until(() => acknowledged.length >= written), running]);
    },
    move: (at, origin) => {
      origins[at] = origin;
    },
    stop: async () => {
      stopped.abort();
      await running;
      return acknowledged;
    },
  };
}
