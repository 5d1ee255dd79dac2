/**
 * Measures the store of order responses alone: creates through the storage thread by many clients
 * at a time, beside how often this disk syncs.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Access } from '../../src/fhir/audit/audit.ts';
import type { UnstampedText } from '../../src/fhir/stored/stored-text.ts';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { startOrdersThread } from '../../src/storage/sqlite/start-orders-thread.ts';
import { createRepositoryClient } from '../../src/storage/threads/repository-client.ts';
import { quantile, round } from '../figures.ts';
import { answerHelp } from '../usage.ts';
import { measureSyncs } from './disk.ts';

/** About as long as the example of the service's description. */
const TEXT: UnstampedText = {
  start: `{"resourceType":"OrderResponse","id":"${randomUUID()}","meta":{"versionId":"`,
  end: `"},"text":"${'x'.repeat(2500)}"}`,
};

const ACCESS: Access = {
  identity: { subject: 'user-1', client: 'bench' },
  address: '127.0.0.1',
  requestId: 'bench-1',
  interaction: 'create',
};

answerHelp(`Usage: npm run bench:orders-store -- [options]
  --seconds N        of creates (5)
  --clients N        that create at a time (64)
`);
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '64' },
  },
});
const place = mkdtempSync(join(tmpdir(), 'gazetteer-bench-'));
try {
  const syncs = measureSyncs();
  const clients = Number(values.clients);
  const figures = await measureCreates(join(place, 'data'), Number(values.seconds), clients);
  process.stdout.write(
    `${JSON.stringify({ clients, ...figures, 'syncs/s of the disk': Math.round(syncs) })}\n`,
  );
} finally {
  rmSync(place, { recursive: true });
}

async function measureCreates(path: string, seconds: number, clients: number) {
  const thread = await startOrdersThread({
    folder: openDataFolder(path),
    onFault: (fault) => console.error(fault),
    onRestart: () => {},
  });
  const store = createRepositoryClient(thread.connect());
  const latencies: number[] = [];
  const run = async (untilMs: number) => {
    while (performance.now() < untilMs) {
      const startMs = performance.now();
      await store.create(
        {
          type: 'OrderResponse',
          id: ascendingUuid(),
          text: TEXT,
          entries: [{ field: 'identifier', system: 'https://example.org/ids', code: randomUUID() }],
        },
        ACCESS,
      );
      latencies.push(performance.now() - startMs);
    }
  };
  const all = (untilMs: number) => Promise.all(Array.from({ length: clients }, () => run(untilMs)));
  await all(performance.now() + 1000); // warm
  latencies.length = 0;
  const before = thread.counts;
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  await all(startMs + seconds * 1000);
  const elapsedMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  const { batches, writes } = thread.counts;
  const made = writes - before.writes;
  store.close();
  await thread.stop();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => round(quantile(latencies, share));
  return {
    'creates/s': Math.round((made / elapsedMs) * 1000),
    'writes per sync': round(made / (batches - before.batches)),
    'CPU ms per create': round((user + system) / 1000 / made),
    'ms, median': at(0.5),
    'ms, 99th percentile': at(0.99),
  };
}

/** As the service makes ids: those of one time lie side by side. */
function ascendingUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
