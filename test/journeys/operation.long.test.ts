/** The server in operation: probes, metrics, TLS, limits, proxies, and what it says of itself. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { connect } from 'node:tls';
import { SETTINGS } from '../../src/config/settings.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { importedSample } from '../imported-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { gazetteer, SAMPLE, type Server, serve } from './program.ts';

const TLS = join(ROOT, 'test/server/tls');

it('it is live at once, ready with an edition, and metrics count over all threads', async (context) => {
  const data = temporaryFolder(context);
  const server = await serve(context, ['--data', data, '--threads', '2']);
  const status = async (path: string) => (await fetch(server.operation + path)).status;
  assert.deepEqual([await status('/livez'), await status('/readyz/directory')], [200, 503]);
  assert.deepEqual([await status('/readyz/orders'), await status('/readyz')], [200, 200]);
  assert.equal((await samples(server)).get('gazetteer_edition_number'), undefined);

  await gazetteer(['import', SAMPLE, '--data', data, '--quiet']);
  await server.logged(/^serving edition$/);
  while ((await status('/readyz/directory')) !== 200);
  const base = `${server.origin}/STU3`;
  // Connections of their own are shared out among the threads.
  const ask = async (path: string) => {
    const answer = await fetch(base + path, { headers: { Connection: 'close' } });
    await answer.arrayBuffer();
  };
  for (let i = 0; i < 20; i++) await ask('/Organization/RTG');
  for (let i = 0; i < 3; i++) await ask('/Organization?name=leeds&_format=xml');
  await ask('/Organization/NOPE');
  await ask('/Organization?colour=red');
  await ask('/Nothing');
  await ask('/../legacy/STU3/Organization/RTG');
  const found = await samplesOf(server, 27);
  const expected = {
    'gazetteer_requests_total{interaction="read",status="200",format="json"}': 21,
    'gazetteer_requests_total{interaction="read",status="404",format="json"}': 1,
    'gazetteer_requests_total{interaction="search",status="200",format="xml"}': 3,
    'gazetteer_requests_total{interaction="search",status="400",format="json"}': 1,
    'gazetteer_requests_total{interaction="other",status="404",format="json"}': 1,
    'gazetteer_request_duration_seconds_count{interaction="read"}': 22,
    'gazetteer_request_duration_seconds_bucket{interaction="search",le="+Inf"}': 4,
    'gazetteer_service_requests_total{service="OrganisationDirectory"}': 26,
    'gazetteer_service_requests_total{service="LegacyOrganisationDirectory"}': 1,
    'gazetteer_service_requests_total{service="OrderResponses"}': 0,
    gazetteer_edition_number: 1,
    gazetteer_imports_total: 1,
    gazetteer_threads: 2,
    gazetteer_replaced_threads_total: 0,
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(found.get(name), value, name);
  const records = found.get('gazetteer_records');
  assert.ok(records !== undefined && records > 500);
  assert.equal(found.get('gazetteer_import_changes{change="added"}'), records);
  const age = found.get('gazetteer_edition_age_seconds');
  assert.ok(age !== undefined && age >= 0 && age < 600);
  assert.ok(Number(found.get('process_resident_memory_bytes')) > 1e7);
  for (const path of ['/metrics', '/livez', '/readyz', '/STU3/metrics']) {
    assert.equal((await fetch(server.origin + path)).status, 404, `${path} on the public port`);
  }
  assert.equal(await status('/STU3/Organization'), 404);
  assert.equal((await fetch(`${server.operation}/livez`, { method: 'POST' })).status, 405);
  assert.equal(await server.stop(), 0);
  const reasons = server.log.flatMap(({ msg, reason }) =>
    msg === 'serving edition' ? [reason] : [],
  );
  assert.deepEqual(reasons, ['import']);
});

it('health and metrics can be switched off, and a taken port is named', async (context) => {
  const data = temporaryFolder(context);
  const server = await serve(context, ['--data', data, '--metrics-port', 'off']);
  assert.equal(
    server.log.find(({ msg }) => msg === 'health and metrics'),
    undefined,
  );
  const ended = await gazetteer([
    'serve',
    '--log-format',
    'text',
    '--port',
    '0',
    '--metrics-port',
    String(server.port),
    '--data',
    temporaryFolder(context),
  ]);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /^gazetteer: Port \d+ on 127\.0\.0\.1 is taken .*--metrics-port\.\n$/);
});

it('readiness ends with the stop, while a request is still answered', async (context) => {
  const data = await importedSample(context);
  const server = await serve(context, ['--data', data, '--threads', '1']);
  const socket = connectPlain(server.port, '127.0.0.1');
  context.after(() => socket.destroy());
  const closed = once(socket, 'close');
  socket.write(
    'POST /STU3/Organization/_search HTTP/1.1\r\nHost: localhost\r\n' +
      'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\n\r\nactive',
  );
  await fetch(`${server.origin}/STU3/metadata`);
  assert.equal((await fetch(`${server.operation}/readyz`)).status, 200);
  const ended = server.stop();
  await server.logged(/^stopping/);
  const answer = await fetch(`${server.operation}/readyz`);
  assert.deepEqual(
    [answer.status, await answer.text()],
    [503, 'directory: stopping\norders: stopping\n'],
  );
  socket.write('=true');
  socket.resume();
  await closed;
  assert.equal(await ended, 0);
});

it('it speaks TLS, and takes a new certificate on SIGHUP but keeps the old where that fails', async (context) => {
  const data = temporaryFolder(context);
  const [cert, key] = [join(data, 'cert.pem'), join(data, 'key.pem')];
  const install = (name: string) => {
    copyFileSync(join(TLS, `${name}.pem`), cert);
    copyFileSync(join(TLS, `${name}-key.pem`), key);
  };
  install('first');
  const words = ['--data', join(data, 'data'), '--threads', '2'];
  const server = await serve(context, [...words, '--tls-certificate', cert, '--tls-key', key]);
  assert.match(String((await server.logged(/^listening$/)).url), /^https:/);
  assert.deepEqual(await askSecurely(server.port), { status: 200, subject: 'first' });

  writeFileSync(cert, 'nonsense');
  server.process.kill('SIGHUP');
  const { problem, err } = await server.logged(/^cannot reload the certificate$/);
  assert.match(String(problem), /are not a certificate and its key in PEM/);
  assert.equal(err, undefined);
  assert.deepEqual(await askSecurely(server.port), { status: 200, subject: 'first' });

  install('second');
  server.process.kill('SIGHUP');
  const used = () => server.log.filter(({ msg }) => msg === 'using certificate').length;
  while (used() < 2) await once(server.process.stdout!, 'data');
  // Each thread takes it in its own time, and connections are shared out.
  for (let inARow = 0; inARow < 20; ) {
    const { subject } = await askSecurely(server.port);
    inARow = subject === 'second' ? inARow + 1 : 0;
  }
  assert.equal(await server.stop(), 0);
});

it('a certificate that cannot be used ends the start with one line', async (context) => {
  const data = temporaryFolder(context);
  const key = join(TLS, 'second-key.pem');
  const certificate = join(TLS, 'first.pem');
  const words = ['serve', '--data', data, '--port', '0', '--tls-certificate', certificate];
  const ended = await gazetteer([...words, '--tls-key', key, '--log-format', 'text']);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /first\.pem and .*second-key\.pem are not a certificate and its key/);
  assert.match(ended.stderr, /^gazetteer: [^\n]+\n$/);
});

it('limits are settings, count for all threads, and speak the format of the request', async (context) => {
  const data = temporaryFolder(context);
  const server = await serve(context, [
    '--data',
    data,
    '--threads',
    '2',
    '--limits-requests-per-second',
    '3',
    '--limits-header-bytes',
    '2048',
    '--limits-form-bytes',
    '1024',
    '--proxies',
    '127.0.0.1',
  ]);
  const ask = (client: string, accept = 'application/json') =>
    fetch(`${server.origin}/STU3/metadata`, {
      headers: { 'X-Forwarded-For': client, Accept: accept, Connection: 'close' },
    });
  // Far more than pass even if the asking took seconds: some are refused.
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask('192.0.2.1')));
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0 && answers.length - refused.length >= 3);
  const [one] = refused;
  assert.match(one!.headers.get('Retry-After') ?? '', /^[1-9]\d*$/);
  const outcome = (await one!.json()) as { resourceType: string; issue: { code: string }[] };
  assert.deepEqual(
    [outcome.resourceType, outcome.issue[0]?.code],
    ['OperationOutcome', 'throttled'],
  );
  const inXml = await Promise.all(
    Array.from({ length: 60 }, () => ask('192.0.2.2', 'application/fhir+xml')),
  );
  const xml = inXml.find(({ status }) => status === 429);
  assert.match((await xml?.text()) ?? '', /<OperationOutcome .*<code value="throttled"\/>/);
  assert.equal((await ask('192.0.2.3')).status, 200);
  const page = await fetch(server.origin, { headers: { 'X-Forwarded-For': '192.0.2.4' } });
  assert.match(await page.text(), /^<!DOCTYPE html>/i);
  const long = await fetch(`${server.origin}/STU3/metadata?${'x'.repeat(3000)}`);
  assert.equal(long.status, 431);
  const body = await fetch(`${server.origin}/STU3/Organization/_search`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Forwarded-For': '192.0.2.3',
    },
    body: `name=${'x'.repeat(1024)}`,
  });
  assert.equal(body.status, 413);
  const found = await samples(server);
  assert.ok(Number(found.get('gazetteer_refused_requests_total{limit="rate"}')) >= 2);
  const status431 = 'gazetteer_requests_total{interaction="other",status="431",format="none"}';
  assert.equal(found.get(status431), 1);
  await server.stop();
  const clients = new Set(
    server.log.flatMap(({ client }) => (client === undefined ? [] : [client])),
  );
  assert.deepEqual([...clients].sort(), ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']);
});

it('connections beyond the limit are answered 503, whichever thread they reach', async (context) => {
  const data = temporaryFolder(context);
  const words = ['--data', data, '--threads', '2', '--limits-connections', '2'];
  const server = await serve(context, words);
  const open = async () => {
    const socket = connectPlain(server.port, '127.0.0.1');
    context.after(() => socket.destroy());
    socket.write('GET /STU3/metadata HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [chunk] = await once(socket, 'data');
    return String(chunk).slice(0, 'HTTP/1.1 200'.length);
  };
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push(await open());
  assert.deepEqual(statuses, ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 503', 'HTTP/1.1 503']);
  assert.ok(Number((await samples(server)).get('gazetteer_connections')) >= 2);
});

it('--print-config shows every setting, what holds, and where it came from', async (context) => {
  const config = join(temporaryFolder(context), 'config.json');
  writeFileSync(config, '{"port": 1, "host": "0.0.0.0", "proxies": ["10.0.0.0/8"]}');
  const { code, stdout, stderr } = await runInProcess(
    ['serve', '--print-config', '--config', config, '--port', '9000'],
    { GAZETTEER_HOST: '::' },
  );
  assert.deepEqual([code, stderr], [0, '']);
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  assert.deepEqual(
    rows.map(([path]) => path),
    Object.keys(SETTINGS),
  );
  const shown = new Map(rows.map(([path, ...rest]) => [path, rest]));
  assert.deepEqual(shown.get('port'), ['--port', '9000']);
  assert.deepEqual(shown.get('host'), ['GAZETTEER_HOST', '"::"']);
  assert.deepEqual(shown.get('proxies'), [`proxies in ${config}`, '["10.0.0.0/8"]']);
  assert.deepEqual(shown.get('log.level'), ['default', '"info"']);
  assert.deepEqual(shown.get('threads'), ['default', '(the number of cores)']);
  assert.deepEqual(shown.get('tls.key'), ['default', '-']);
});

it('bad settings of operation are refused, with a line each', async () => {
  const cases = [
    [
      ['--metrics-port', 'on'],
      /^gazetteer: --metrics-port must be a whole number .* or off\. Got "on"\.$/,
    ],
    [
      ['--proxies', '10.0.0.1,x'],
      /^gazetteer: --proxies must be addresses .* Got "10\.0\.0\.1,x"\.$/,
    ],
    [
      ['--proxies', '10.0.0.0/33'],
      /^gazetteer: --proxies must be addresses .* Got "10\.0\.0\.0\/33"\.$/,
    ],
    [
      ['--tls-key', 'x'],
      /^gazetteer: tls\.certificate is not set\. Set all of tls\.certificate, tls\.key, or none\.$/,
    ],
    [['--limits-connections', '0'], /^gazetteer: --limits-connections must be .* Got 0\.$/],
  ] as const;
  const words = cases.flatMap(([flags]) => flags);
  for (const [flags, message] of cases) {
    const ended = await runInProcess(['serve', ...flags]);
    assert.equal(ended.code, 2);
    assert.match(ended.stderr.trimEnd(), message);
  }
  const together = await runInProcess(['serve', ...words]);
  assert.equal(together.stderr.trimEnd().split('\n').length, 4, together.stderr);
});

/** The samples once so many requests are counted: a thread counts a request after it answers. */
async function samplesOf(server: Server, requests: number): Promise<Map<string, number>> {
  for (;;) {
    const found = await samples(server);
    const counted = [...found].filter(([name]) => name.startsWith('gazetteer_requests_total{'));
    if (counted.reduce((sum, [, count]) => sum + count, 0) >= requests) return found;
  }
}

/** The samples of `/metrics`, by name and labels. */
async function samples(server: Server): Promise<Map<string, number>> {
  const answer = await fetch(`${server.operation}/metrics`);
  assert.match(answer.headers.get('Content-Type') ?? '', /^text\/plain; version=0\.0\.4/);
  const lines = (await answer.text()).split('\n').filter((line) => !/^(#|$)/.test(line));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

/** Asks over TLS without trusting anybody; whose certificate was shown. */
async function askSecurely(
  port: number,
): Promise<{ status: number | undefined; subject: unknown }> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const subject = socket.getPeerCertificate().subject.CN;
  const asking = request({ path: '/STU3/metadata', createConnection: () => socket });
  asking.end();
  const [answer] = await once(asking, 'response');
  answer.resume();
  await once(answer, 'end');
  socket.destroy();
  return { status: answer.statusCode, subject };
}
