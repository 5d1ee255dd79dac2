/**
 * Three nodes over three PostgreSQL servers, of which one after the other fails under load: nothing
 * that was acknowledged is lost, no answer is false, and the directory is served all the time.
 * Receivers of notifications and readers that wait miss nothing.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { orderClient } from '../faults/order-client.ts';
import { until } from '../faults/until.ts';
import { storedMarks } from '../faults/write-load.ts';
import { gazetteer, SAMPLE, serve } from '../journeys/program.ts';
import { type Owner, ownerOfTest } from '../owner.ts';
import { startFollower } from './follower.ts';
import { startLoad } from './load.ts';
import { clusterTools } from './packages.ts';
import {
  createPostgresCluster,
  type PostgresCluster,
  type PostgresServer,
} from './postgres-cluster.ts';
import { startSubscribers } from './subscribers.ts';

const ROUNDS = Number(process.env.CLUSTER_ROUNDS ?? 5);
const NODES = 3;

interface Fault {
  readonly name: string;
  /** Returns a function that repairs it. */
  readonly begin: (cluster: PostgresCluster) => Promise<() => void>;
  /** Whether no write can be stored before it is repaired. */
  readonly stopsWrites?: true;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'the primary is killed',
    begin: async (cluster) => {
      const primary = await primaryOf(cluster);
      primary.machine.kill();
      return () => primary.start();
    },
  },
  {
    name: 'the primary is frozen',
    begin: async (cluster) => {
      const { machine } = await primaryOf(cluster);
      machine.freeze();
      return () => machine.thaw();
    },
  },
  {
    name: 'the primary is cut off',
    begin: async (cluster) => {
      const { machine } = await primaryOf(cluster);
      machine.cutOff();
      return () => machine.reconnect();
    },
  },
  {
    name: 'the replica that confirms commits is killed',
    begin: async (cluster) => {
      const states = await cluster.states();
      const replica = states.find(({ isSynchronous }) => isSynchronous)?.server;
      if (replica === undefined) throw new Error('no replica confirms commits');
      replica.machine.kill();
      return () => replica.start();
    },
  },
  {
    name: 'etcd is killed',
    stopsWrites: true,
    begin: async (cluster) => {
      cluster.etcd.kill();
      await until('no primary', async () => !(await cluster.states()).some(isPrimary));
      return () => cluster.startEtcd();
    },
  },
];

const tools = clusterTools();

it('three nodes continue when PostgreSQL servers fail', {
  skip: typeof tools === 'string' && tools,
}, async (context) => {
  if (typeof tools === 'string') return;
  const owner = ownerOfTest(context);
  const cluster = createPostgresCluster(owner, tools);
  cluster.startEtcd();
  for (const server of cluster.servers) server.start();
  await untilWhole(cluster);

  const { servers, token, environment } = await startNodes(owner, cluster);
  const origins = servers.map(({ origin }) => origin);
  const clients = origins.map((origin) => orderClient(origin, token));
  const subscribers = await startSubscribers(owner, origins[0] ?? '', token, clients);
  const load = await startLoad(origins, token);
  const follower = startFollower(clients);
  await load.writesGoOn();
  for (let round = 0; round < ROUNDS; round++) {
    const fault = FAULTS[round % FAULTS.length];
    if (fault === undefined) throw new Error('no fault');
    let fromMs = performance.now();
    const mend = await fault.begin(cluster);
    if (fault.stopsWrites) {
      mend();
      fromMs = performance.now();
    }
    await load.writesGoOn();
    const seconds = ((performance.now() - fromMs) / 1000).toFixed(1);
    context.diagnostic(`round ${round + 1}, ${fault.name}: writes went on after ${seconds} s`);
    if (!fault.stopsWrites) mend();
    await Promise.all([untilWhole(cluster), subscribers.notificationsGoOn()]);
  }
  await load.stop();

  const stored = await storedMarks([], { environment });
  const addresses = stored.map(([, address]) => address);
  const { notifications, repeats, ...subscribed } = await subscribers.finish(addresses);
  const faults = [
    ...load.history.faults(stored),
    ...(await follower.finish(addresses)),
    ...subscribed.faults,
    ...load.directoryFailures,
  ];
  const { code, stdout, stderr } = await gazetteer(['verify'], { environment });
  if (code !== 0) faults.push(stdout + stderr);
  const { calls, acknowledgedWrites, unknownWrites } = load.history;
  context.diagnostic(
    `figures: ${ROUNDS} faults, ${calls} calls, ${acknowledgedWrites} acknowledged writes, ` +
      `${unknownWrites} writes without a known outcome, ${notifications} notifications, ` +
      `${repeats} repeats of notifications, ${faults.length} lost or told wrongly`,
  );
  assert.deepEqual(faults.slice(0, 5), []);
});

/** Nodes with data folders of their own over one database. */
async function startNodes(owner: Owner, cluster: PostgresCluster) {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-nodes-'));
  owner.after(() => rmSync(folder, { recursive: true, force: true }));
  const environmentOf = (node: number) => ({
    GAZETTEER_DATABASE_URL: cluster.url,
    GAZETTEER_DATA: join(folder, `node${node}`),
    GAZETTEER_ORDERS_AUDIT_KEY_FILE: join(folder, 'audit.key'),
    GAZETTEER_AUTH_OWN_KEY_FILE: join(folder, 'token.key'),
  });
  const run = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await gazetteer(words, { environment: environmentOf(0) });
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  await run('database', 'migrate');
  const scopes = ['--scope', 'system/OrderResponse.*', '--scope', 'system/Subscription.*'];
  const token = await run('token', '--make-folder', ...scopes);
  await run('import', SAMPLE, '--quiet');
  const words = [
    '--threads',
    '1',
    '--log-requests',
    'false',
    '--subscriptions-allowed-hosts',
    '127.0.0.1',
  ];
  const servers = await Promise.all(
    Array.from({ length: NODES }, (_, node) =>
      serve(owner, words, { environment: environmentOf(node) }),
    ),
  );
  return { servers, token, environment: environmentOf(0) };
}

function isPrimary({ role, state }: { readonly role: string; readonly state: string }): boolean {
  return (role === 'master' || role === 'primary') && state === 'running';
}

async function primaryOf(cluster: PostgresCluster): Promise<PostgresServer> {
  const primary = (await cluster.states()).find(isPrimary)?.server;
  if (primary === undefined) throw new Error('there is no primary');
  return primary;
}

/** One primary, and replicas that stream, of which one confirms commits. */
async function untilWhole(cluster: PostgresCluster): Promise<void> {
  await until('a whole cluster', async () => {
    const states = await cluster.states();
    const running = states.filter(({ state }) => state === 'running' || state === 'streaming');
    return (
      running.length === cluster.servers.length &&
      states.filter(isPrimary).length === 1 &&
      states.some(({ isSynchronous }) => isSynchronous)
    );
  });
}
