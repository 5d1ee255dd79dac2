/** Several faces over one edition: each answers with its own bodies and validators, kept ones too. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createHandle, type Handle } from '../../src/fhir/handle.ts';
import type { DirectoryFace } from '../../src/interfaces/faces/face.ts';
import { serveFace } from '../../src/interfaces/faces/rendered-edition.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { STU3_FACE } from '../../src/interfaces/stu3/face.ts';
import { BASE, editionOf, SETTINGS, SOFTWARE } from './directory-server.ts';
import { RECORDS } from './records.ts';

/** Its Organizations have an alias in place of a name. */
const OTHER_FACE: DirectoryFace = {
  name: 'OtherDirectory',
  title: 'Another directory',
  description: 'Another directory.',
  notFound: 'No such organisation',
  version: STU3_FACE.version,
  pathOf: () => '/other',
  hapiContext: STU3_FACE.hapiContext,
  searchParameters: STU3_FACE.searchParameters,
  searchCombinations: [],
  createSearchParser: STU3_FACE.createSearchParser,
  profileOf: () => 'http://other.test/Organization',
  createMapping: () => (record) => ({
    resourceType: 'Organization',
    id: record.code,
    alias: [record.name ?? ''],
  }),
  jsonFormOf: STU3_FACE.jsonFormOf,
  definitionTypes: () => [],
};

/** The first two are made, the third is noted and the fourth is kept. */
const TIMES = 4;

it('two faces over one edition never answer with each other’s bodies', async () => {
  const handle = handleOf([STU3_FACE, OTHER_FACE]);
  const alone = [handleOf([STU3_FACE]), handleOf([OTHER_FACE])] as const;
  for (const format of ['json', 'xml', 'json&_pretty=true']) {
    for (const target of ['Organization/RTG', 'Organization', 'Organization?_count=2&_page=2']) {
      const [path = '', query] = target.split('?');
      const search = [query, `_format=${format}`].filter(Boolean).join('&');
      for (let time = 0; time < TIMES; time++) {
        for (const [i, base] of ['/STU3', '/other'].entries()) {
          const whole = `/fhir${base}/${path}?${search}`;
          const answer = await ask(handle, whole);
          assert.equal(answer.status, 200, whole);
          assert.deepEqual(answer, await ask(alone[i]!, whole));
          assert.equal(answer.text.includes('alias'), i === 1, whole);
        }
      }
      const [one, other] = await Promise.all(
        ['/STU3', '/other'].map((base) => ask(handle, `/fhir${base}/${path}?${search}`)),
      );
      assert.notEqual(one?.etag, other?.etag, target);
    }
  }
});

it('each face has the definitions and the download that it names', async () => {
  const handle = handleOf([STU3_FACE, OTHER_FACE]);
  const id = 'ODSAPI-OrganizationRole-1';
  assert.equal((await ask(handle, `/fhir/STU3/CodeSystem/${id}`)).status, 200);
  assert.equal((await ask(handle, `/fhir/other/CodeSystem/${id}`)).status, 404);
  assert.equal((await ask(handle, '/fhir/editions/current.ndjson')).status, 200);
  assert.equal((await ask(handleOf([OTHER_FACE]), '/fhir/editions/current.ndjson')).status, 404);
});

const EDITION = editionOf(RECORDS);

function handleOf(faces: readonly DirectoryFace[]): Handle {
  const editions = { current: () => EDITION, byNumber: () => EDITION };
  return createHandle({
    services: faces.map((face) =>
      createDirectoryService(serveFace(face, { settings: SETTINGS, serverUrl: BASE }), editions),
    ),
    software: SOFTWARE,
    onFault: (error) => {
      throw error;
    },
  });
}

async function ask(handle: Handle, target: string) {
  const [path = '', query = ''] = target.split('?');
  const { status, body, headers } = await handle({
    method: 'GET',
    path,
    query,
    headers: {},
    id: 'faces',
  });
  const etag = headers[headers.indexOf('ETag') + 1];
  return { status, etag, text: Buffer.from(body ?? '').toString() };
}
