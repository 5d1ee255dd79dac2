/** The benchmark of clients that leave asks for the dearest answers of endpoints that exist. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dearRequests } from '../../bench/leaving/dear-requests.ts';
import { editionOf } from '../directory/directory-server.ts';
import { organization } from '../directory/records.ts';

it('the requests of an endpoint are the same for the same number, and differ where answers are kept', () => {
  const requests = dearRequests(editionOf([organization('A10000')]));
  const different = requests.filter((request) => {
    assert.deepEqual(request(3), request(3));
    return JSON.stringify(request(0)) !== JSON.stringify(request(1));
  });
  assert.deepEqual(
    different.map((request) => `${request(0).method} ${request(0).path}`),
    [
      'POST /match',
      'GET /match',
      'GET /api/getReport',
      'GET /results.csv',
      'GET /events',
      'GET /changes',
      'POST /mcp',
      'POST /R4/ValueSet/$expand',
    ],
  );
});

it('the days before all records are days', () => {
  const requests = dearRequests(editionOf([organization('A10000')]));
  const events = requests.find((request) => request(0).path === '/events');
  assert.ok(events !== undefined);
  const days = [0, 1, 27, 28, 335, 336].map((number) => events(number).query?.slice(6, 16));
  assert.deepEqual(days, [
    '0001-01-01',
    '0001-01-02',
    '0001-01-28',
    '0001-02-01',
    '0001-12-28',
    '0002-01-01',
  ]);
});
