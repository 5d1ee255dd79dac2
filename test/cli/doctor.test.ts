/** `gazetteer doctor`: each check reports what is wrong and what to do, and nothing secret. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, it } from 'node:test';
import { type DoctorFinding, runtimeFindings, skewFinding } from '../../src/cli/doctor/doctor.ts';
import { fileSystemFinding, spaceFinding } from '../../src/cli/doctor/doctor-folder.ts';
import { validityFinding } from '../../src/cli/doctor/doctor-keys.ts';
import { NODE_MIN } from '../../src/config/version.ts';
import { importedSample } from '../imported-sample.ts';
import { serve } from '../journeys/program.ts';
import { listenOnLoopback } from '../loopback.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../storage/postgres/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { runInProcess } from './run-in-process.ts';

const IS_LINUX = process.platform === 'linux';
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

it('a sound data folder has no error, and is not changed', async (context) => {
  const data = await importedSample(context);
  const { findings, of } = await doctor(data);
  assert.deepEqual(
    findings.map(({ check }) => check),
    [
      'runtime',
      'settings',
      'data folder',
      ...(IS_LINUX ? ['file system'] : []),
      'free space',
      'disk',
      'port',
      'metrics port',
      ...(IS_LINUX ? ['open files'] : []),
      'clock',
      'audit key',
      'token key',
      'files of settings',
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
  assert.equal(finding?.text, `Node 24.20.1 is too old. Use ${NODE_MIN} or newer.`);
  assert.equal((await runtimeFindings('24.21.0'))[0]?.level, 'ok');
  const start = readFileSync(join(ROOT, 'bin/gazetteer'), 'utf8');
  assert.ok(start.includes(`Install Node ${NODE_MIN} or newer`));
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
    `error port and metrics.port are both ${port}. Give each its own port, or set metrics.port to off, which switches health and metrics off.`,
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
    /^ok Port \d+ .* is taken\. A server uses this data folder; if it does not listen there, another/,
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
  const data = await importedSample(context);
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
  assert.match(
    missing.of('files of settings'),
    /^error --auth-jwks-file names "none\.json", which does not exist\. Create/,
  );
});

const DAY_MS = 86_400_000;
for (const [days, level, text] of [
  [-1, 'error', /^a\.pem is not valid before 2026-01-01\S+\. Set the clock .*, or use another/],
  [1, 'ok', /^a\.pem is valid until 2026-04-01/],
  [80, 'warning', /^a\.pem expires on 2026-04-01\S+\. Renew it soon\.$/],
  [91, 'error', /^a\.pem expired on 2026-04-01\S+\. Renew it\.$/],
] as const) {
  it(`a certificate of 90 days, ${days} days after its first`, () => {
    const [from, until] = ['2026-01-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'];
    const finding = validityFinding('a.pem', from, until, Date.parse(from) + days * DAY_MS);
    assert.equal(finding.level, level);
    assert.match(finding.text, text);
  });
}

it('key files that other users may read', {
  skip: process.platform === 'win32' && 'Windows has no file modes',
}, async (context) => {
  const data = temporaryFolder(context);
  const [key = '', token = '', headers = ''] = ['key.pem', 'token.txt', 'headers.txt'].map((name) =>
    join(data, name),
  );
  copyFileSync(tls('first-key.pem'), key);
  writeFileSync(token, 'a-token');
  writeFileSync(headers, 'Authorization: Bearer a-token\n');
  const words = [
    '--tls-certificate',
    tls('first.pem'),
    '--tls-key',
    key,
    '--sync-token-file',
    token,
    '--telemetry-endpoint',
    'http://127.0.0.1:4318',
    '--telemetry-headers-file',
    headers,
  ];
  const files = [key, token, headers];
  const check = async (mode: number) => {
    for (const file of files) chmodSync(file, mode);
    const { findings } = await doctor(data, ...words);
    return findings.flatMap(({ level, text }) =>
      level === 'warning' && text.startsWith('Other users may read') ? [text] : [],
    );
  };
  const remedies = files.map((file) => `Other users may read ${file}. Run chmod 600 on it.`);
  chmodSync(data, 0o700);
  assert.deepEqual(await check(0o644), remedies);
  assert.deepEqual(await check(0o600), []);
});

it('a key file of another user, which only members of its group may read', {
  skip: process.getuid?.() !== 0 && 'only root can give a file to another user',
}, async (context) => {
  const token = join(temporaryFolder(context), 'token.txt');
  writeFileSync(token, 'a-token');
  chownSync(token, 65_534, 0);
  const check = async (mode: number) => {
    chmodSync(token, mode);
    return (await doctor(dirname(token), '--sync-token-file', token)).of('files of settings');
  };
  assert.match(await check(0o440), /^ok /);
  assert.match(
    await check(0o444),
    /^warning Other users may read \S+token\.txt\. Its owner must .* set defaultMode to 0440\.$/,
  );
});

it('settings that a server refuses together', async (context) => {
  const data = temporaryFolder(context);
  const nothing = await doctor(data, '--directory-enabled=false', '--orders-enabled=false');
  assert.match(nothing.of('settings'), /^error directory\.enabled and orders\.enabled are both/);
  const issuer = ['--auth-issuer', 'https://issuer.example'];
  const keys = ['--auth-jwks-url', 'https://issuer.example/keys'];
  const { of } = await doctor(data, ...issuer, ...keys, '--pages-give-tokens');
  assert.match(of('settings'), /^error pages\.giveTokens is set, .* or auth\.ownKey to true\.$/);
});

it('pages that give everyone a token', async (context) => {
  const data = temporaryFolder(context);
  const given = await doctor(data, '--pages-give-tokens');
  assert.match(
    given.of('tokens'),
    /^warning Everyone who can reach the server gets a token .* Set pages\.giveTokens to false/,
  );
  const none = await doctor(data, '--pages-give-tokens', '--orders-enabled=false');
  assert.ok(!none.findings.some(({ check }) => check === 'tokens'));
});

it('the packages of telemetry', async (context) => {
  const data = temporaryFolder(context);
  const { of } = await doctor(data, '--telemetry-endpoint', 'http://127.0.0.1:4318');
  assert.equal(of('telemetry'), 'ok The packages of OpenTelemetry are installed.');
});

it('a file of headers for telemetry that is missing', async (context) => {
  const data = temporaryFolder(context);
  const { of } = await doctor(
    data,
    '--telemetry-endpoint',
    'http://127.0.0.1:4318',
    '--telemetry-headers-file',
    join(data, 'none'),
  );
  assert.match(
    of('files of settings'),
    /^error --telemetry-headers-file names \S+, which does not exist\./,
  );
});

it('a network file system', () => {
  for (const [type, name] of [
    [0x6969, 'NFS'],
    [0xff534d42, 'CIFS'],
    [0xff534d42 | 0, 'CIFS'],
  ] as const) {
    const { level, text } = fileSystemFinding('/srv/data', type);
    assert.equal(level, 'warning');
    assert.match(
      text,
      new RegExp(`^/srv/data is on a network file system \\(${name}\\)\\. .* Use a`),
    );
  }
  assert.equal(fileSystemFinding('/srv/data', 0xef53).level, 'ok');
});

const MIB = 1024 ** 2;
for (const [free, files, edition, level, text] of [
  [900 * MIB, Number.POSITIVE_INFINITY, 0, 'error', /900 MiB are free\. .* does not fit\. Free/],
  [200 * MIB, 50_000, 300 * MIB, 'error', /largest edition has 300 MiB\. .* does not fit\. Free/],
  [700 * MIB, 50_000, 300 * MIB, 'warning', /less than 3 editions\. Free some space\.$/],
  [950 * MIB, 50_000, 300 * MIB, 'ok', /^950 MiB are free\. The largest edition has 300 MiB\.$/],
  [950 * MIB, 12, 300 * MIB, 'error', /room for only 12 more files \(inodes\)\. Remove files/],
] as const) {
  it(`${free / MIB} MiB and ${files} files free, with an edition of ${edition / MIB} MiB`, () => {
    const finding = spaceFinding(free, files, edition);
    assert.equal(finding.level, level);
    assert.match(finding.text, text);
  });
}

it('a database whose clock differs', () => {
  assert.equal(skewFinding('db1', 9_000).level, 'ok');
  assert.deepEqual(skewFinding('db1', 61_000), {
    level: 'warning',
    text: 'db1: its clock is 61 s ahead of the clock of this machine. Start a time service on both.',
  });
  assert.match(skewFinding('db1', -61_000).text, /^db1: its clock is 61 s behind the clock/);
});

it('a data folder that this user cannot open is not called missing', {
  skip: process.getuid?.() !== 0 && 'only root can be another user',
}, async (context) => {
  const folder = temporaryFolder(context);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  // Loads the commands: the other user may not be able to read the checkout, as in root's home.
  await doctor(join(folder, 'other'));
  await runInProcess(['token', '--data', join(folder, 'other')]);
  process.seteuid?.(65_534);
  try {
    const { of, findings } = await doctor(data);
    assert.match(
      of('data folder'),
      /^error \S+data: this user cannot open this folder or a folder above it; run the command as/,
    );
    assert.ok(!findings.some(({ check }) => check === 'audit key' || check === 'token key'));
    const { code, stderr } = await runInProcess(['token', '--data', data]);
    assert.equal(code, 1);
    assert.match(stderr, /cannot open this folder or a folder above it/);
  } finally {
    process.seteuid?.(0);
  }
});

it('settings that are not valid end the command as they end every command', async () => {
  const { code, stdout } = await runInProcess(['doctor', '--config', 'none.json']);
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
});

it('a database that cannot be reached, without its password', async (context) => {
  const url = 'postgres://gazetteer:kept-secret@127.0.0.1:1/gazetteer';
  const { of, stdout, findings } = await doctor(temporaryFolder(context), '--database-url', url);
  assert.match(of('database'), /^error .*127\.0\.0\.1:1/);
  assert.ok(!findings.some(({ check }) => check === 'file system'));
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

it('authorities of receivers without a certificate are an error', async (context) => {
  const data = temporaryFolder(context);
  const file = join(data, 'ca.pem');
  writeFileSync(file, 'no certificate\n');
  const { stdout } = await doctor(data, '--subscriptions-ca-file', file);
  assert.match(stdout, /ca\.pem has no valid certificate in PEM/);
});
