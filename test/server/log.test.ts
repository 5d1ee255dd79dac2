/** The content of log lines about requests and faults. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createOrderService } from '../../src/orders/order-response/service.ts';
import { describeFault, knownWordsOf, requestLine } from '../../src/server/monitoring/log.ts';
import { SETTINGS } from '../order-response/order-server.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';

const words = new Set(['STU3', 'Organization', '_search', 'name', 'contains', '_count']);

function lineOf(target: string, status: number, { method = 'GET', withValues = false } = {}) {
  const [path = '', query = ''] = target.split('?');
  const request = { method, path, query, id: 'x' };
  const facts = { status, durationMs: 1, client: '127.0.0.1' };
  return requestLine(request, facts, { words, withValues });
}

const REST = { method: 'GET', ms: 1, client: '127.0.0.1', requestId: 'x' };

describe('the line of a request', () => {
  const cases: readonly (readonly [target: string, status: number, shown: object])[] = [
    ['/STU3/Organization/RTG', 200, { path: '/STU3/Organization/RTG' }],
    ['/STU3/Organization/RTG', 304, { path: '/STU3/Organization/RTG' }],
    ['/STU3/Organization/RTG', 404, { path: '/STU3/Organization/…' }],
    ['/John%20Smith//a', 404, { path: '/…//…' }],
    ['/STU3/Organization/_search', 401, { path: '/STU3/Organization/_search' }],
    [
      '/STU3/Organization?name:contains=a&_count=1&Smith=1&name:Smith=b&Smith&_count',
      400,
      { path: '/STU3/Organization', parameters: 'name:contains _count ? ? ? _count' },
    ],
  ];
  for (const [target, status, shown] of cases) {
    test(`shows what the server knows of ${target}, answered with ${status}`, () => {
      assert.deepEqual(lineOf(target, status), { ...REST, status, ...shown });
    });
  }

  test('can show every path and parameter of a service', () => {
    const service = createOrderService({
      settings: SETTINGS,
      serverUrl: 'https://orders.test',
      store: createMemoryRepository(),
      authorize: () => ({ subject: 'a' }),
      newId: () => '',
    });
    const known = new Set(knownWordsOf([service], []));
    const expected = [
      'metadata',
      '_history',
      '_search',
      '$validate',
      'OrderResponse',
      'AuditEvent',
      '_count',
      '_since',
      '_before',
      '_after',
      '_wait',
      '_previous',
      '_format',
      '_pretty',
      'mode',
      'request.patient.identifier',
      'missing',
      '_result',
      '_offset',
      '_summary',
    ];
    const unknown = expected.filter((word) => !known.has(word));
    assert.deepEqual(unknown, []);
  });

  test('shows the path of a preflight only as far as it is known', () => {
    assert.deepEqual(lineOf('/STU3/Smith', 204, { method: 'OPTIONS' }), {
      ...REST,
      method: 'OPTIONS',
      path: '/STU3/…',
      status: 204,
    });
  });

  test('shows everything but tokens where a setting says so', () => {
    const line = lineOf('/STU3/Smith?Smith=1&access_token=a', 404, { withValues: true });
    const parameters = 'Smith=1&access_token=…';
    assert.deepEqual(line, { ...REST, status: 404, path: '/STU3/Smith', parameters });
  });
});

describe('a fault', () => {
  const faults: readonly (readonly [what: string, error: unknown])[] = [
    ['an error', new TypeError('Smith')],
    ['an error whose message looks like a stack', new Error('a\n    at Smith (file:///a:1:1)')],
    ['an error with a code', Object.assign(new Error('Smith'), { code: 'ENOSPC' })],
    ['an error with a code that is not valid', Object.assign(new Error('a'), { code: 'Smith' })],
    ['an error whose message was changed', Object.assign(new Error('Smith'), { message: 'a b' })],
    ['an error of JSON', parseError('{"Smith')],
    ['a text', 'Smith'],
  ];
  for (const [what, error] of faults) {
    test(`that is ${what} is logged without its message`, () => {
      const told = JSON.stringify(describeFault(error));
      assert.doesNotMatch(told, /Smith/);
      assert.match(told, /"type":/);
    });
  }

  test('is logged with its message where no patient data is', () => {
    assert.partialDeepStrictEqual(describeFault(new TypeError('a\u0000 text'), true), {
      type: 'TypeError',
      message: 'a\u{FFFD} text',
    });
  });

  test('is logged with its type, its code and its place', () => {
    const error = Object.assign(new RangeError('Smith'), { code: 'ENOSPC' });
    const told = Object.entries(describeFault(error));
    assert.deepEqual(told.slice(0, 2), [
      ['type', 'RangeError'],
      ['code', 'ENOSPC'],
    ]);
    assert.match(String(told[2]?.[1]), /^ {4}at .*log\.test\.ts/);
  });
});

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
