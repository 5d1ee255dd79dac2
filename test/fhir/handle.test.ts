/** The answers of the core to its own faults. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createHandle } from '../../src/fhir/handle.ts';
import type { FhirRequest } from '../../src/fhir/request/request.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { SETTINGS, servedStu3 } from '../directory/directory-server.ts';

it('a fault is 500 with the request id, without details of the fault, and is reported', async () => {
  const told: unknown[] = [];
  const fault = new TypeError('secret detail');
  const handle = createHandle({
    services: [
      createDirectoryService(servedStu3(SETTINGS, 'http://a.test'), {
        current: () => {
          throw fault;
        },
        byNumber: () => undefined,
      }),
    ],
    software: { name: 'Gazetteer', version: '0', releaseDate: '2026-01-01' },
    onFault: (error, { id }) => told.push([error, id]),
  });
  const request: FhirRequest = {
    method: 'GET',
    path: '/STU3/Organization/RR8',
    query: '',
    headers: {},
    id: 'request-7',
  };
  const { status, headers, body } = await handle(request);
  assert.equal(status, 500);
  assert.ok(headers.includes('application/fhir+json; charset=utf-8'));
  const [issue] = JSON.parse(String(body)).issue;
  assert.equal(issue.code, 'exception');
  assert.equal(issue.details.coding[0].code, 'INTERNAL_SERVER_ERROR');
  assert.match(issue.diagnostics, /request id request-7\.$/);
  assert.ok(!String(body).includes('secret'));
  assert.deepEqual(told, [[fault, 'request-7']]);
});
