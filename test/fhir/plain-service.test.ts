/** A service that is not FHIR, beside FHIR services: it answers everything below its base. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createHandle } from '../../src/fhir/handle.ts';
import type { PlainService } from '../../src/fhir/service/interaction.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { knownWordsOf } from '../../src/server/monitoring/log.ts';
import { BASE, editionOf, SETTINGS, SOFTWARE, servedStu3 } from '../directory/directory-server.ts';
import { RECORDS } from '../directory/records.ts';

const EDITION = editionOf(RECORDS);
const FHIR = createDirectoryService(servedStu3(SETTINGS, BASE), {
  current: () => EDITION,
  byNumber: () => EDITION,
});

const PLAIN: PlainService = {
  name: 'Plain',
  title: 'Plain 1',
  description: 'Not FHIR.',
  baseUrl: `${BASE}/STU3/plain`,
  words: ['things', 'Size'],
  operations: { 'things/{id}': { get: { operationId: 'readThing' } } },
  handle: ({ method, path }) => ({ status: 200, headers: [], body: `${method} ${path}` }),
};

const handle = createHandle({
  services: [FHIR],
  plainServices: [PLAIN],
  otherPaths: ['/fhir/organizations'],
  software: SOFTWARE,
  onFault: (error) => {
    throw error;
  },
});

async function ask(path: string, method = 'GET'): Promise<string> {
  const { body } = await handle({ method, path, query: '', headers: {}, id: 'plain' });
  return Buffer.from(body ?? '').toString();
}

it('a plain service answers every method and path below its base', async () => {
  assert.equal(await ask('/fhir/STU3/plain'), 'GET /fhir/STU3/plain');
  assert.equal(await ask('/fhir/STU3/plain/'), 'GET /fhir/STU3/plain/');
  assert.equal(await ask('/fhir/STU3/plain/a/b', 'DELETE'), 'DELETE /fhir/STU3/plain/a/b');
});

it('a FHIR service answers the paths beside it', async () => {
  assert.equal(JSON.parse(await ask('/fhir/STU3/Organization/RTG')).id, 'RTG');
  assert.equal(JSON.parse(await ask('/fhir/STU3/plainly')).resourceType, 'OperationOutcome');
  assert.equal(JSON.parse(await ask('/fhir/other')).resourceType, 'OperationOutcome');
});

it('the error of a path where nothing is names the bases', async () => {
  const { issue } = JSON.parse(await ask('/fhir/other'));
  assert.equal(
    issue[0].diagnostics,
    `Unknown path "/fhir/other". The paths are ${BASE}/STU3, ${BASE}/STU3/plain.`,
  );
});

const NEAR: readonly (readonly [path: string, nearest: string])[] = [
  ['/fhir/stu3/Organization/RTG', '/fhir/STU3/Organization/RTG'],
  ['/fhir/sut3/organisation', '/fhir/STU3/Organization'],
  ['/fhir/stu3', '/fhir/STU3'],
  ['/FHIR/STU3/PLAIN/things/1', '/fhir/STU3/plain/things/1'],
  ['/fhir/organisations/RTG', '/fhir/organizations/RTG'],
];
for (const [path, nearest] of NEAR) {
  it(`the error of ${path} asks whether ${nearest} was meant`, async () => {
    const { issue } = JSON.parse(await ask(path));
    assert.ok(issue[0].diagnostics.includes(`. Did you mean "${nearest}"? The`));
  });
}

it('a plain service is in the OpenAPI description, and its words may be in the log', async () => {
  const response = await handle({
    method: 'GET',
    path: '/fhir/openapi.json',
    query: '',
    headers: {},
    id: 'plain',
  });
  const pieces = [];
  for await (const piece of response.pieces ?? []) pieces.push(piece);
  const { paths, tags } = JSON.parse(Buffer.concat(pieces).toString());
  assert.deepEqual(paths['/STU3/plain/things/{id}'], {
    get: { tags: ['Plain'], security: [], operationId: 'readThing' },
  });
  assert.deepEqual(tags.at(-1), { name: 'Plain', description: 'Not FHIR.' });
  const words = knownWordsOf([FHIR], [PLAIN]);
  for (const word of ['plain', 'things', 'Size', 'Organization']) assert.ok(words.includes(word));
});
