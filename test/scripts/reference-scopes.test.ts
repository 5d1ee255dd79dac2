/** The table of scopes says what the server asks for. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { scopeRows } from '../../scripts/reference-scopes.ts';
import { JSON_TYPE } from '../order-response/order-server.ts';
import { setUp } from '../subscriptions/subscription-server.ts';

it('any scope for order responses or subscriptions lets a Bundle in', async (context) => {
  const row = scopeRows().find(([, requests]) => requests?.includes('`[base]`'));
  assert.deepEqual(row?.[0]?.split(' or '), [
    '`system/OrderResponse.read`',
    '`system/OrderResponse.write`',
    '`system/Subscription.read`',
    '`system/Subscription.write`',
  ]);
  const { send } = await setUp(context);
  const entry = [{ request: { method: 'GET', url: 'OrderResponse/a' } }];
  const batch = { resourceType: 'Bundle', type: 'batch', entry };
  for (const [token, status, inEntry] of [
    ['blind', 200, '403'],
    ['auditor', 403, undefined],
  ] as const) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': JSON_TYPE };
    const answer = await send('POST', '', headers, batch);
    assert.equal(answer.status, status, answer.text);
    const [first] = JSON.parse(answer.text).entry ?? [];
    assert.equal(first?.response.status.slice(0, 3), inEntry);
  }
});
