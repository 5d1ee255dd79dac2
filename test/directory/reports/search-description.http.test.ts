/** The searches in the OpenAPI description: their examples work, and their schemas have every member. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createReportServices } from '../../../src/interfaces/reports/service.ts';
import { BASE, type DirectoryServer, SETTINGS, startDirectory } from '../directory-server.ts';
import { startSearches } from './search-records.ts';

const BY_BODY = ['organisationReportSearch', 'organisationGeneralSearch'];
const SINGLE = 'singleOrganisationSearchByCode';
const JSON_TYPE = 'application/json';

describe('the description of the searches', () => {
  let server: DirectoryServer;
  // biome-ignore lint/suspicious/noExplicitAny: the description is a document of any form.
  let paths: any;
  before(async () => {
    server = await startDirectory();
    paths = JSON.parse((await server.get('/fhir/openapi.json')).text).paths;
  });
  after(() => server.close());

  it('has examples that find organisations', async () => {
    for (const name of BY_BODY) {
      const { example } = paths[`/api/search/${name}`].post.requestBody.content[JSON_TYPE];
      const headers = { 'content-type': JSON_TYPE };
      const path = `/fhir/api/search/${name}`;
      const answer = await server.post(path, JSON.stringify(example), headers);
      assert.equal(answer.status, 200, answer.text);
      assert.ok(JSON.parse(answer.text).orgArray.length > 0, name);
    }
    const [{ name, example }] = paths[`/api/search/${SINGLE}`].get.parameters;
    const answer = await server.get(`/fhir/api/search/${SINGLE}?${name}=${example}`);
    assert.equal(JSON.parse(answer.text).main.id, example);
  });

  it('has a schema with every member of the answers', async (context) => {
    const searches = await startSearches();
    context.after(() => searches.close());
    const namesIn = (schema: { properties: object }) => Object.keys(schema.properties);
    const isSubset = (value: object, schema: { properties: object }) =>
      assert.deepEqual(
        Object.keys(value).filter((name) => !namesIn(schema).includes(name)),
        [],
      );
    const answerOf = (path: string, method: string) =>
      paths[`/api/search/${path}`][method].responses['200'].content[JSON_TYPE].schema;

    const list = answerOf('organisationReportSearch', 'post');
    const found = JSON.parse(
      (await searches.search('organisationReportSearch', { getNumberOfRecords: true })).text,
    );
    assert.deepEqual(Object.keys(found), namesIn(list));
    for (const organisation of found.orgArray) {
      isSubset(organisation, list.properties.orgArray.items);
    }

    const schema = answerOf(SINGLE, 'get');
    const single = JSON.parse((await searches.get(`${SINGLE}?code=15F`)).text);
    assert.deepEqual(Object.keys(single), namesIn(schema));
    isSubset(single.predecessor, schema.properties.predecessor.oneOf[0]);
    for (const each of Object.values<object[]>(single.relationships).flat()) {
      isSubset(each, schema.properties.relationships.additionalProperties.items);
    }
  });

  it('has all names that clients write, and the log may show them', () => {
    const editions = { current: () => undefined, byNumber: () => undefined };
    const [reports] = createReportServices({ settings: SETTINGS, serverUrl: BASE, editions });
    const written = BY_BODY.flatMap((name) =>
      Object.keys(
        paths[`/api/search/${name}`].post.requestBody.content[JSON_TYPE].schema.properties,
      ),
    );
    assert.ok(written.includes('searchQueryGeneral') && written.includes('batchSize'));
    for (const word of [...written, 'code', 'search', ...BY_BODY, SINGLE]) {
      assert.ok(reports?.words.includes(word), word);
    }
  });
});
