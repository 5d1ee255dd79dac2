/** `gazetteer doctor`: each check reports what is wrong and what to do, and nothing secret. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, it, type TestContext } from 'node:test';
import type { DoctorFinding } from '../../src/cli/doctor-finding.ts';
import { NODE_MIN, runtimeFindings } from '../../src/cli/doctor-machine.ts';
import { SAMPLE, serve } from '../journeys/program.ts';
import { listenOnLoopback } from '../loopback.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../storage/postgres/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { runInProcess } from './run-in-process.ts';

const PORTS = ['--port', '0', '--metrics-port', '0'];
const tls = (name: string) => join(ROOT, 'test/server/tls', name);

/** Runs the command. A later option replaces an earlier one. */
async function doctor(data: string, ...words: string[]) {
  const all = ['doctor', '--json', '--data', data, ...PORTS, ...words];
  const { code, stdout, stderr } = await runInProcess(all);
  const findings: DoctorFinding[] = JSON.parse(stdout);
  const failed = findings.filter(({ level }) => level === 'error');
  assert.equal(code, failed.length === 0 ? 0 : 1, stderr);
  return {
    stdout,
    findings,
    /** The text of the only finding of a check, with its level. */
    of: (check: string) => {
      const [first, ...others] = findings.filter((finding) => finding.check === check);
      assert.ok(first !== undefined && others.length === 0, `${check}: ${stdout}`);
      return `${first.level} ${first.text}`;
    },
  };
}

async function importedFolder(context: TestContext): Promise<string> {
  const data = join(temporaryFolder(context), 'data');
  assert.equal((await runInProcess(['import', SAMPLE, '--data', data, '--quiet'])).code, 0);
  return data;
}

it('a sound data folder has no error, and is not changed', async (context) => {
  const data = await importedFolder(context);
  const { findings, of } = await doctor(data);
  assert.deepEqual(
    findings.map(({ check }) => check),
    [
      ...['runtime', 'settings', 'data folder', 'free space', 'disk', 'port', 'metrics port'],
      ...['clock', 'audit key', 'token key', 'files of settings'],
    ],
  );
  assert.deepEqual(
    findings.filter(
      ({ level, check }) => level === 'error' || (level !== 'ok' && !/space|disk/.test(check)),
    ),
    [],
  );
  assert.match(of('disk'), /A sync takes \d+\.\d ms\./);
  assert.match(of('free space'), /\d MiB are free\. The largest edition has \d+ MiB\./);
  assert.ok(!existsSync(join(data, 'audit.key')) && !existsSync(join(data, 'token-key.json')));
  const { stdout } = await runInProcess(['doctor', '--data', data, ...PORTS]);
  assert.match(stdout, /^ok {7}runtime: Gazetteer \S+ runs on Node \S+\.\nok {7}settings: /);
});

it('a missing data folder is a warning, and is not made', async (context) => {
  const data = join(temporaryFolder(context), 'mistyped');
  const { of } = await doctor(data);
  assert.match(of('data folder'), /^warning \S+mistyped does not exist\. .* correct --data\.$/);
  assert.ok(!existsSync(data));
});

it('a file in place of the folder, and a folder that others may read', async (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'file'), '');
  assert.match(
    (await doctor(join(folder, 'file'))).of('data folder'),
    /^error .* is not a folder\./,
  );
  chmodSync(folder, 0o755);
  const { of } = await doctor(folder);
  assert.match(of('data folder'), /^warning Other users may read \S+\. Run chmod 700 on it\.$/);
});

it('a runtime that is too old', async () => {
  const [finding] = await runtimeFindings('24.20.1');
  assert.equal(finding?.text, `Node 24.20.1 is too old. Use ${NODE_MIN} or later.`);
  assert.equal((await runtimeFindings('24.21.0'))[0]?.level, 'ok');
  const start = readFileSync(join(ROOT, 'bin/gazetteer'), 'utf8');
  assert.ok(start.includes(`install Node ${NODE_MIN} or newer`));
});

it('a taken port, and one port for two purposes', async (context) => {
  const other = createServer();
  context.after(() => other.close());
  const port = String(await listenOnLoopback(other));
  const data = temporaryFolder(context);
  const { of } = await doctor(data, '--port', port, '--metrics-port', port);
  assert.match(of('port'), /^error Port \d+ on 127\.0\.0\.1 is taken .* with --port\.$/);
  assert.equal(
    of('metrics port'),
    `error port and metrics.port are both ${port}. Change one of them.`,
  );
  const metrics = await doctor(data, '--metrics-port', port);
  assert.match(metrics.of('metrics port'), /^error .* with --metrics-port\.$/);
  const off = await doctor(data, '--metrics-port', 'off');
  assert.equal(off.of('metrics port'), 'ok Health and metrics are switched off.');
});

it('beside a running server, its port is not an error, and its keys are checked', async (context) => {
  const data = join(temporaryFolder(context), 'data');
  const server = await serve(context, ['--data', data, '--threads', '1']);
  const beside = await doctor(data, '--port', String(server.port));
  assert.match(
    beside.of('port'),
    /^ok Port \d+ .* is taken, and a server uses this data folder\.$/,
  );
  assert.match(beside.of('audit key'), /^ok \S+audit\.key is valid/);
  assert.match(beside.of('token key'), /^ok \S+token-key\.json is valid/);
  assert.match(beside.of('clock'), /^ok /);
  await server.stop();
  for (const key of ['audit.key', 'token-key.json']) chmodSync(join(data, key), 0o644);
  const { of } = await doctor(data);
  assert.match(of('audit key'), /^error .* run `chmod 600` on it$/);
  assert.match(of('token key'), /^error .*`chmod 600`/);
});

it('a clock that is before the time of a file', async (context) => {
  const data = await importedFolder(context);
  const future = new Date('2100-01-01T00:00:00Z');
  utimesSync(join(data, 'directory.db'), future, future);
  assert.match(
    (await doctor(data)).of('clock'),
    /^error The clock shows \S+, which is before the time of \S+directory\.db \(2100-01-01T00:00:00\.000Z\)\. Set the clock/,
  );
});

it('a certificate, its key and the files of settings', async (context) => {
  const data = temporaryFolder(context);
  const pair = (key: string) => ['--tls-certificate', tls('first.pem'), '--tls-key', tls(key)];
  const { findings } = await doctor(data, ...pair('first-key.pem'));
  const [first] = findings.filter(({ check }) => check === 'certificate');
  assert.match(first?.text ?? '', /first\.pem is valid until 2\d{3}-.*Z\.$/);
  const wrong = await doctor(data, ...pair('second-key.pem'));
  assert.match(
    wrong.of('certificate'),
    /^error .* the private key belongs to another certificate\.$/,
  );
  const missing = await doctor(
    data,
    '--auth-jwks-file',
    'none.json',
    '--auth-issuer',
    'https://x.example',
  );
  assert.match(missing.of('files of settings'), /^error Cannot read none\.json/);
});

it('settings that are not valid end the command as they end every command', async () => {
  const { code, stdout } = await runInProcess(['doctor', '--config', 'none.json']);
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
});

it('a database that cannot be reached, without its password', async (context) => {
  const url = 'postgres://gazetteer:kept-secret@127.0.0.1:1/gazetteer';
  const { of, stdout } = await doctor(temporaryFolder(context), '--database-url', url);
  assert.match(of('database'), /^error .*127\.0\.0\.1:1/);
  assert.ok(!stdout.includes('kept-secret'));
});

describePostgres('a database', () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  it('is checked for its schema, rights and replication', async (context) => {
    const data = temporaryFolder(context);
    const database = await postgres.createDatabase();
    const check = async (user?: string) => {
      const { findings } = await doctor(data, '--database-url', postgres.url(database, user));
      return findings.filter(({ check }) => check === 'database');
    };
    assert.match((await check())[0]?.text ?? '', /"?gazetteer database migrate/);
    const url = ['--database-url', postgres.url(database)];
    assert.equal((await runInProcess(['database', 'migrate', ...url])).code, 0);
    const texts = (await check()).map(({ text }) => text).join('\n');
    assert.match(texts, /PostgreSQL \S.* has the schema and the rights that a server needs\./);
    assert.match(texts, /fsync/);
    assert.match(texts, /0 replicas are connected\./);
    assert.match(texts, /its clock agrees/);
    await postgres.run('CREATE ROLE without_rights LOGIN', database);
    assert.match(
      (await check('without_rights'))[0]?.text ?? '',
      /lacks the rights|permission denied/,
    );
  });
});
