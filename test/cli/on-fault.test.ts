/** The log has the message of a fault in the directory, and not of one in order responses. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createOnFault } from '../../src/cli/serve/threads/serve-services.ts';
import { SERVICE_NAMES } from '../../src/cli/serve/threads/service-names.ts';
import { ORDER_SERVICE_NAME } from '../../src/orders/order-response/service.ts';

it('reports a fault with its message only where the service has no data of patients', () => {
  const fault = new TypeError('the message');
  for (const name of [...SERVICE_NAMES, undefined]) {
    const reported: unknown[] = [];
    const onFault = createOnFault(
      () => name,
      (...words) => reported.push(words),
    );
    onFault(fault, { method: 'GET', path: '/', query: '', headers: {}, id: 'request-1' });
    const withMessage = name !== undefined && name !== ORDER_SERVICE_NAME;
    assert.deepEqual(reported, [[fault, 'request-1', withMessage]], `${name}`);
  }
});
