/** The files for systemd, containers and several machines: their programs accept them, and they agree. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';
import { loadConfig } from '../../src/config/load-config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { parseDatabaseUrl } from '../../src/storage/postgres/connection/database-url.ts';
import { gazetteer, keptEnvironment } from '../journeys/program.ts';
import { freePort } from '../loopback.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { readPage } from './markdown.ts';
import { readYaml } from './read-yaml.ts';
import { ROOT } from './source-files.ts';

it('the settings file of the unit is where the steps put it, and the program takes it', async (context) => {
  const root = installedRoot(context);
  const [, ...words] = lineOfUnit(root, 'ExecStart');
  const ended = await gazetteer([...words, '--print-config']);
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(ended.stdout, /^baseUrl +baseUrl in \S+config\.json +"http:\/\/localhost:8080"/m);
});

it('the lines of the unit start a service that is ready, reload it, and SIGTERM stops it', async (context) => {
  const root = installedRoot(context);
  const [program = '', ...words] = lineOfUnit(root, 'ExecStart');
  const ports = { GAZETTEER_PORT: '0', GAZETTEER_METRICS_PORT: '0' };
  const service = spawn(program, words, {
    env: { ...keptEnvironment(), ...ports },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => service.kill('SIGKILL'));
  const exited = once(service, 'exit');
  const messages: string[] = [];
  let operation = '';
  for await (const line of createInterface({ input: service.stdout })) {
    const { msg, host, port } = JSON.parse(line);
    messages.push(msg);
    if (msg === 'health and metrics') operation = `http://${host}:${port}`;
    if (msg !== 'listening') continue;
    const [killer = '', ...reload] = lineOfUnit(root, 'ExecReload');
    execFileSync(
      killer,
      reload.map((word) => word.replace('$MAINPID', String(service.pid))),
    );
    const { status } = await fetch(`${operation}/readyz`);
    assert.equal(status, 200);
    service.kill('SIGTERM');
  }
  assert.deepEqual(await exited, [0, null], messages.join('\n'));
  assert.equal(messages.at(-1), 'stopped');
});

it('systemd finds nothing wrong with the units', {
  skip: spawnSync('systemd-analyze', ['--version']).error !== undefined && 'there is no systemd',
}, (context) => {
  const folder = temporaryFolder(context);
  const names = ['gazetteer.service', 'gazetteer-backup.service', 'gazetteer-backup.timer'];
  const units = names.map((name) => join(folder, name));
  for (const [at, name] of names.entries()) {
    const text = readFileSync(join(ROOT, 'deploy', name), 'utf8');
    const own = text.replace('/opt/gazetteer/bin/gazetteer', join(ROOT, 'bin/gazetteer'));
    writeFileSync(units[at] ?? '', own);
  }
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], {
    encoding: 'utf8',
  });
  const complaints = stderr.split('\n').filter((line) => line.includes('gazetteer'));
  assert.deepEqual([status, complaints], [0, []]);
});

it('the health check of the image fails without a server, and not if health is switched off', async () => {
  const image = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8').replaceAll('\\\n', '');
  const [, command = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(image) ?? [];
  const [, ...words]: readonly string[] = JSON.parse(command);
  const statusWith = (port: string) =>
    spawnSync(process.execPath, words, { env: { GAZETTEER_METRICS_PORT: port } }).status;
  assert.equal(statusWith(String(await freePort())), 1);
  assert.equal(statusWith('off'), 0);
});

describe('the files for several nodes', () => {
  const compose: readonly ComposeFile[] = readYaml('deploy/compose.yaml');
  const kubernetes: readonly Manifest[] = [
    ...readYaml<Manifest>('deploy/kubernetes/gazetteer.yaml'),
    ...readYaml<Manifest>('deploy/kubernetes/import.yaml'),
  ];
  const skip = compose.length === 0 && 'there is no Python with PyYAML';

  it('docker-compose accepts the compose file', {
    skip: isMissing('docker-compose') && 'there is no docker-compose',
  }, () => {
    const file = join(ROOT, 'deploy/compose.yaml');
    const { status, stderr } = spawnSync('docker-compose', ['-f', file, 'config', '--quiet'], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });

  it('the containers are confined, and only this machine can connect to them', { skip }, () => {
    const services = Object.entries(compose[0]?.services ?? {});
    assert.ok(services.length > 0);
    for (const [name, service] of services) {
      assert.deepEqual(service.cap_drop, ['ALL'], name);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
      assert.match(service.mem_limit ?? '', /^\d+[gm]$/, name);
      for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:/, name);
    }
  });

  it('HAProxy accepts its file', {
    skip: isMissing('haproxy') && 'there is no HAProxy',
  }, (context) => {
    const file = join(temporaryFolder(context), 'haproxy.cfg');
    const text = readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8');
    const hosts = text.replace(/^( {2}server gz\d) gz\d/gm, '$1 127.0.0.1');
    // The user of the package may be missing.
    writeFileSync(file, hosts.replace(/^ {2}(user|group) .*\n/gm, ''));
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });

  it('HAProxy uses the ports of the nodes, and keeps idle connections for less time', () => {
    const text = readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8');
    const ports = [...text.matchAll(/^ {2}server \S+ \S+:(\d+)$/gm)].map(([, port]) => port);
    assert.deepEqual(ports, Array(6).fill(String(SETTINGS.port.defaultValue)));
    const checks = [...text.matchAll(/check port (\d+)/g)].map(([, port]) => port);
    assert.deepEqual(checks, Array(2).fill(String(SETTINGS['metrics.port'].defaultValue)));
    const asked = [...text.matchAll(/^backend (\w+)\n.*\n.*GET \/readyz\/(\w+)$/gm)];
    assert.deepEqual(
      asked.map(([, backend, service]) => [backend, service]),
      [
        ['orders', 'orders'],
        ['directory', 'directory'],
      ],
    );
    const idle = Number(/timeout http-keep-alive (\d+)s/.exec(text)?.[1]);
    assert.ok(idle < (SETTINGS['limits.idleSeconds'].defaultValue ?? 0));
    const wait = Number(/timeout server (\d+)s/.exec(text)?.[1]);
    assert.ok(wait > (SETTINGS['database.failoverSeconds'].defaultValue ?? Infinity));
  });

  it('the program accepts the settings of the containers', { skip }, () => {
    const settings = [
      compose[0]?.services.gz1?.environment,
      kubernetes.find(({ kind }) => kind === 'ConfigMap')?.data,
    ];
    for (const environment of settings) {
      const here = { ...environment, GAZETTEER_BASE_URL: 'http://localhost:8080' };
      const config = loadConfig({ flags: {}, environment: here });
      assert.match(config['database.url'] ?? '', /^postgres:/);
      assert.notEqual(config['orders.auditKeyFile'], undefined);
    }
  });

  it('the program accepts the settings of three machines', () => {
    const text = readFileSync(join(ROOT, 'deploy/three-machines.json'), 'utf8');
    const config = loadConfig({ flags: {}, environment: {}, file: { name: 'file', text } });
    assert.equal(config.port, SETTINGS.port.defaultValue);
    const { hosts, mustAcceptWrites, sslMode } = parseDatabaseUrl(config['database.url'] ?? '');
    assert.deepEqual([hosts.length, mustAcceptWrites, sslMode], [3, true, 'verify-full']);
  });

  it('the pods have the user and the ports of the image, and mount only what they have', {
    skip,
  }, () => {
    const image = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
    const user = Number(/^USER (\d+):\1$/m.exec(image)?.[1]);
    assert.match(image, new RegExp(`useradd .*--uid ${user} `));
    const pods = kubernetes.flatMap(({ spec }) => spec?.template?.spec ?? []);
    assert.equal(pods.length, 2);
    for (const pod of pods) {
      assert.equal(pod.enableServiceLinks, false);
      assert.equal(pod.securityContext.runAsUser, user);
      const volumes = pod.volumes.map(({ name }) => name);
      for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
        for (const { name } of container.volumeMounts) assert.ok(volumes.includes(name), name);
      }
    }
    const ports = pods.flatMap(({ containers }) => containers.flatMap(({ ports = [] }) => ports));
    assert.deepEqual(
      ports.map(({ containerPort }) => containerPort),
      [SETTINGS.port.defaultValue, SETTINGS['metrics.port'].defaultValue],
    );
  });
});

/** A folder in place of `/`, where those steps of the manual have run that copy files. */
function installedRoot(context: TestContext): string {
  const root = temporaryFolder(context);
  const steps = readPage('docs/how-to/run-as-a-service.md').codeBlocks.find(({ text }) =>
    text.includes('systemctl enable'),
  );
  const copies = steps?.text.match(/^install .*$/gm) ?? [];
  assert.equal(copies.length, 2);
  for (const copy of copies) {
    const [program = '', ...words] = copy.split(' ');
    execFileSync(program, words.map(placeIn(root)), { cwd: ROOT });
  }
  return root;
}

/** The words of a line of the unit, with the paths of a service that is installed in `root`. */
function lineOfUnit(root: string, name: string): string[] {
  const unit = readFileSync(join(root, 'etc/systemd/system/gazetteer.service'), 'utf8');
  const line = new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
  assert.ok(line !== undefined, name);
  return line.split(' ').map(placeIn(root));
}

/** Programs stay where they are; the checkout is the service's own folder. */
function placeIn(root: string): (word: string) => string {
  return (word) => {
    if (word.startsWith('/opt/gazetteer/')) return word.replace('/opt/gazetteer/', ROOT);
    return /^\/(etc|var)\//.test(word) ? join(root, word) : word;
  };
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
}

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly ports?: readonly string[];
}

interface Manifest {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly template?: { readonly spec: Pod } };
}

interface Pod {
  readonly enableServiceLinks: boolean;
  readonly securityContext: { readonly runAsUser: number };
  readonly volumes: readonly { readonly name: string }[];
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
}

interface Container {
  readonly ports?: readonly { readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string }[];
}

function isMissing(program: string): boolean {
  return spawnSync(program, ['--version']).error !== undefined;
}
