/**
 * Several nodes over PostgreSQL with failover, under faults: `npm run test:cluster -- [--rounds N]`.
 * Needs root on Linux and the Debian packages patroni, etcd-server and postgresql.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { clusterTools, inOwnNetwork } from '../test/cluster/packages.ts';
import { runLongTests } from './long-tests.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    // Set by this program for itself.
    'in-own-network': { type: 'boolean', default: false },
  },
});
const tools = clusterTools();
if (typeof tools === 'string' || values['in-own-network']) {
  runLongTests(
    'test/cluster/*.test.ts',
    { CLUSTER_ROUNDS: values.rounds },
    typeof tools === 'string' && tools,
  );
} else {
  const again = [
    process.execPath,
    ...process.execArgv,
    fileURLToPath(import.meta.url),
    '--in-own-network',
    '--rounds',
    values.rounds,
  ];
  const [command, ...args] = inOwnNetwork(again);
  process.exitCode = spawnSync(command, args, { stdio: 'inherit' }).status ?? 1;
}
