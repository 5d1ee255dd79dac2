/** The id of a notification names a subscription and a version, wherever the store keeps it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Change } from '../../src/fhir/stored/repository.ts';
import { notificationOf } from '../../src/orders/subscriptions/notification.ts';

const CHANGE: Change = {
  type: 'OrderResponse',
  id: 'a',
  version: 2,
  writtenAt: '2026-11-28T09:00:00.000+00:00',
  method: 'PUT',
  position: '7-0123abcd',
  text: '{}',
};

function idOf(change: Change, subscription = 'one'): string | undefined {
  const channel = { id: subscription, payload: 'json', mediaType: 'application/json' } as const;
  return notificationOf(change, channel, { headers: [] }, 0, () => '').headers[
    'Gazetteer-Delivery'
  ];
}

const CASES: readonly (readonly [what: string, change: Partial<Change>, isSame: boolean])[] = [
  ['another position, after a move', { position: '1.734.9-4567abcd' }, true],
  ['another content', { text: '{"a":1}' }, true],
  ['another version', { version: 3 }, false],
  ['another resource', { id: 'b' }, false],
  ['another type', { type: 'Order' }, false],
  // Written after a restore of a backup from before the first one.
  ['the same number and another date', { writtenAt: '2026-11-28T10:00:00.000+00:00' }, false],
];

for (const [what, change, isSame] of CASES) {
  it(`a version with ${what} has ${isSame ? 'the same id' : 'another id'}`, () => {
    assert.equal(idOf({ ...CHANGE, ...change }) === idOf(CHANGE), isSame);
  });
}

it('each subscription has its own ids', () => {
  assert.notEqual(idOf(CHANGE, 'two'), idOf(CHANGE));
});
