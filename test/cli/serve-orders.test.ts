/** What a server says of the store of its order responses. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { serveOrders } from '../../src/cli/serve/threads/serve-orders.ts';
import type { Log } from '../../src/server/monitoring/log.ts';
import type { ServerStore } from '../../src/storage/store/store.ts';
import type { OrdersNews } from '../../src/storage/threads/repository-messages.ts';
import type {
  OrdersThread,
  OrdersThreadOptions,
} from '../../src/storage/threads/storage-thread.ts';

it('says that the database lost stored writes until an operator confirms it', async () => {
  const lines: string[] = [];
  const log: Pick<Log, 'info' | 'report'> = {
    info: (_, message) => void lines.push(message),
    report: (code) => void lines.push(code),
  };
  let tell = (_: OrdersNews): void => {};
  const thread = { counts: {}, walBytes: 0, problem: undefined } as OrdersThread;
  const startOrders = async ({ onNews }: OrdersThreadOptions) => {
    if (onNews) tell = onNews;
    return thread;
  };
  const orders = await serveOrders({ startOrders } as ServerStore, {}, log as Log);
  assert.deepEqual([orders.note, orders.facts.losses], [undefined, 0]);
  tell({ kind: 'losses', count: 2 });
  assert.match(orders.note ?? '', /run "gazetteer database confirm-losses"/);
  assert.equal(orders.facts.losses, 2);
  tell({ kind: 'losses', count: 0 });
  assert.deepEqual([orders.note, orders.facts.losses], [undefined, 0]);
  assert.deepEqual(lines, ['GZ306', 'an operator has confirmed the lost writes']);
});
