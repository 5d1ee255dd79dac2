/** Three PostgreSQL servers that Patroni keeps: one primary, and replicas that confirm each commit. */
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Owner } from '../owner.ts';
import { createNetwork, type Machine } from './machines.ts';
import type { Tools } from './packages.ts';

export interface PostgresCluster {
  readonly etcd: Machine;
  readonly servers: readonly PostgresServer[];
  /** With all servers as hosts. */
  readonly url: string;
  /** What each server says of itself; servers that do not answer are left out. */
  states(): Promise<readonly ServerState[]>;
  startEtcd(): void;
  /** Where logs are. */
  readonly folder: string;
}

export interface PostgresServer {
  readonly machine: Machine;
  /** Starts Patroni, which starts PostgreSQL. */
  start(): void;
}

export interface ServerState {
  readonly server: PostgresServer;
  readonly role: string;
  readonly state: string;
  /** Whether it confirms the commits of the primary. */
  readonly isSynchronous: boolean;
}

const SUBNET = '10.213.77';
const ETCD_NUMBER = 250;
const PASSWORD = 'cluster-test';
const REST_PORT = 8008;
const ANSWER_TIMEOUT_MS = 1000;

export function createPostgresCluster(owner: Owner, tools: Tools, count = 3): PostgresCluster {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-cluster-'));
  owner.after(() => rmSync(folder, { recursive: true, force: true }));
  chownSync(folder, tools.uid, tools.gid);
  const network = createNetwork(owner, 'gzt', SUBNET);
  const etcd = network.addMachine(ETCD_NUMBER);
  const startEtcd = () => {
    const clients = `http://${etcd.address}:2379`;
    etcd.start({
      command: 'etcd',
      // Patroni 3.0.2 is safe with the second API only: with the third, a leader that was frozen
      // takes the lead back without a look at its successor.
      args: [
        '--enable-v2',
        '--data-dir',
        join(folder, 'etcd'),
        '--listen-client-urls',
        clients,
        '--advertise-client-urls',
        clients,
        '--listen-peer-urls',
        `http://${etcd.address}:2380`,
      ],
      logFile: join(folder, 'etcd.log'),
    });
  };
  const servers = Array.from({ length: count }, (_, at) =>
    createServer(network.addMachine(at + 1), etcd, folder, tools),
  );
  const hosts = servers.map(({ machine }) => `${machine.address}:5432`).join();
  return {
    etcd,
    servers,
    url: `postgres://postgres:${PASSWORD}@${hosts}/postgres?sslmode=disable&target_session_attrs=read-write`,
    folder,
    startEtcd,
    states: async () =>
      (await Promise.all(servers.map(stateOf))).filter((each) => each !== undefined),
  };
}

function createServer(
  machine: Machine,
  etcd: Machine,
  folder: string,
  tools: Tools,
): PostgresServer {
  const place = join(folder, machine.name);
  mkdirSync(place);
  chownSync(place, tools.uid, tools.gid);
  const file = join(place, 'patroni.json');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(patroniConfig(machine, etcd, place, tools.postgresBin)));
  chownSync(file, tools.uid, tools.gid);
  return {
    machine,
    start: () => {
      machine.start({
        command: 'patroni',
        args: [file],
        user: tools,
        logFile: join(folder, `${machine.name}.log`),
      });
    },
  };
}

/** Patroni's least times, so that a round is short. */
function patroniConfig({ name, address }: Machine, etcd: Machine, place: string, bin: string) {
  const user = (username: string) => ({ username, password: PASSWORD });
  return {
    scope: 'gazetteer',
    name,
    restapi: { listen: `${address}:${REST_PORT}`, connect_address: `${address}:${REST_PORT}` },
    etcd: { host: `${etcd.address}:2379` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 60, shared_buffers: '64MB', wal_keep_size: '256MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(place, 'data'),
      bin_dir: bin,
      pgpass: join(place, 'pgpass'),
      pg_hba: [
        'host all all 0.0.0.0/0 scram-sha-256',
        'host replication all 0.0.0.0/0 scram-sha-256',
      ],
      authentication: {
        superuser: user('postgres'),
        replication: user('replicator'),
        rewind: user('rewinder'),
      },
      parameters: { unix_socket_directories: place },
    },
    watchdog: { mode: 'off' },
  };
}

/** Of Patroni's REST API. */
interface PatroniState {
  readonly role: string;
  readonly state: string;
  readonly sync_standby?: boolean;
}

async function stateOf(server: PostgresServer): Promise<ServerState | undefined> {
  try {
    const answer = await fetch(`http://${server.machine.address}:${REST_PORT}/patroni`, {
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const said: PatroniState = JSON.parse(await answer.text());
    return {
      server,
      role: said.role,
      state: said.state,
      isSynchronous: said.sync_standby === true,
    };
  } catch {
    return undefined;
  }
}
