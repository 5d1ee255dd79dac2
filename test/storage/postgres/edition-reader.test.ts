/** The editions of a database as a server reads them, even while the database is unavailable. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it, type TestContext } from 'node:test';
import type { FhirError } from '../../../src/fhir/request/fhir-error.ts';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import {
  openDatabaseEditions,
  openDatabaseHistory,
} from '../../../src/storage/postgres/editions/database-editions.ts';
import { openDatabaseReader } from '../../../src/storage/postgres/editions/database-reader.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { arraysOf, publishEdition, smallEdition } from '../edition-store.contract.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

describePostgres('a reader of the editions of a database', () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  /** A store, and readers with a data folder of their own. */
  async function place(context: TestContext) {
    const address = parseDatabaseUrl(server.url(await server.createDatabase()));
    const folder = temporaryFolder(context);
    const openFolder = (name: string) => () => openDataFolder(join(folder, name));
    const store = openDatabaseEditions({ address, openFolder: openFolder('importer') });
    context.after(() => store.close());
    const openReader = async (name = 'reader') => {
      const problems: (string | undefined)[] = [];
      const waiting: (() => void)[] = [];
      const reader = await openDatabaseReader({
        address,
        openFolder: openFolder(name),
        onProblem: (problem) => {
          problems.push(problem?.message);
          for (const wake of waiting.splice(0)) wake();
        },
      });
      context.after(() => reader.close());
      const nextProblem = () => new Promise<void>((resolve) => waiting.push(resolve));
      return { reader, problems, nextProblem };
    };
    const cached = () =>
      readdirSync(join(folder, 'reader', 'cache')).filter((name) => /^[0-9a-f-]{36}$/.test(name));
    const history = openDatabaseHistory({ address, openFolder: openFolder('reader') });
    context.after(() => history[Symbol.dispose]());
    return { store, openReader, history, cached, cache: join(folder, 'reader', 'cache') };
  }

  it('copies what it loads, and removes the copies of editions that are no longer kept', async (context) => {
    const { store, openReader, cached } = await place(context);
    const { reader } = await openReader();
    await publishEdition(store, 1, 1);
    assert.deepEqual({ ...(await reader.load(1)) }, arraysOf(1));
    assert.equal(cached().length, 1);
    await publishEdition(store, 2, 1);
    assert.equal((await reader.current())?.number, 2);
    assert.deepEqual(cached(), []);
    await assert.rejects(reader.load(1), { name: 'EditionGoneError' });
  });

  it('copies an edition again if its copy is damaged', async (context) => {
    const { store, openReader, cached, cache } = await place(context);
    const { reader } = await openReader();
    await publishEdition(store, 1);
    await reader.load(1);
    writeFileSync(join(cache, cached()[0]!, 'records.bytes.bin'), 'damaged');
    assert.deepEqual({ ...(await reader.load(1)) }, arraysOf(1));
  });

  it('continues while the database is unavailable, and follows it again afterwards', async (context) => {
    const { store, openReader } = await place(context);
    await smallEdition(store, 1, 3);
    const { reader, problems, nextProblem } = await openReader();
    await reader.load(1);
    const served: number[] = [];
    let wake = () => {};
    context.after(
      reader.watch(
        ({ number }) => {
          served.push(number);
          wake();
        },
        (error) => assert.fail(String(error)),
      ),
    );
    const away = nextProblem();
    await server.kill();
    await away;
    assert.match(problems[0] ?? '', /^127\.0\.0\.1:\d+: /);
    assert.equal((await reader.current())?.number, 1);
    assert.deepEqual({ ...(await reader.load(1)) }, { small: Uint32Array.of(1, 2) });
    const back = nextProblem();
    await server.start();
    await back;
    assert.equal(problems.at(-1), undefined);
    const isServed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    await smallEdition(store, 2, 3);
    await isServed;
    assert.deepEqual(served, [1, 2]);
  });

  it('starts while the database is unavailable, with or without a copy on this machine', async (context) => {
    const { store, openReader } = await place(context);
    await smallEdition(store, 1, 3);
    const first = await openReader();
    await first.reader.load(1);
    await first.reader.close();
    await server.kill();
    context.after(() => server.start());
    const { reader, problems } = await openReader();
    assert.equal(problems.length, 1);
    assert.equal((await reader.current())?.number, 1);
    assert.deepEqual({ ...(await reader.load(1)) }, { small: Uint32Array.of(1, 2) });
    const other = await openReader('other machine');
    assert.equal(await other.reader.current(), undefined);
  });

  it('says that the history is not available, which is no fault, while the database is away', async (context) => {
    const { store, history } = await place(context);
    await smallEdition(store, 1);
    await server.kill();
    context.after(() => server.start());
    for (const answer of [history.list(), history.codes(1, 'added')]) {
      await assert.rejects(answer, (error: FhirError) => {
        assert.equal(error.issues[0].kind, 'unavailable');
        return true;
      });
    }
  });
});
