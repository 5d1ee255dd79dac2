/**
 * Several nodes over PostgreSQL with failover, under faults: `npm run test:cluster -- [--rounds N]`.
 * Needs root on Linux and the Debian packages patroni, etcd-server and postgresql.
 */
import { parseArgs } from 'node:util';
import { clusterTools } from '../test/cluster/packages.ts';
import { runLongTests } from './long-tests.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
const tools = clusterTools();
runLongTests(
  'test/cluster/*.test.ts',
  { CLUSTER_ROUNDS: values.rounds },
  typeof tools === 'string' && tools,
);
