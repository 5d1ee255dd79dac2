/** The JSON form of the retired national service, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DirectoryServer, startDirectory } from './directory-server.ts';

describe('legacy JSON', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory({ settings: { json: 'legacy' } });
  });
  after(() => server.close());

  it('has single objects and strings in the same places as the national service', async () => {
    const organization = JSON.parse((await server.get('Organization/RR8')).text);
    assert.deepEqual(Object.keys(organization), [
      'resourceType',
      'id',
      'meta',
      'extension',
      'identifier',
      'active',
      'type',
      'name',
      'telecom',
      'address',
    ]);
    assert.equal(organization.identifier.value, 'RR8');
    assert.equal(organization.type.coding.code, '1');
    assert.equal(typeof organization.meta.profile, 'string');
    assert.equal(organization.address.city, 'LEEDS');
    assert.ok(Array.isArray(organization.address.line));
    assert.ok(Array.isArray(organization.telecom));
  });

  it('has a total that is a string, and no search.mode', async () => {
    const bundle = JSON.parse((await server.get('Organization?name=leeds')).text);
    assert.equal(bundle.total, '2');
    assert.equal(bundle.entry[0].search, undefined);
    assert.equal(bundle.entry[0].resource.identifier.value, 'RR8');
    const nothing = JSON.parse((await server.get('Organization?name=nowhere')).text);
    assert.equal(nothing.total, '0');
    assert.deepEqual(nothing.entry, []);
    const count = JSON.parse((await server.get('Organization?_summary=count')).text);
    assert.deepEqual(Object.keys(count).slice(-2), ['type', 'total']);
  });

  it('has an outcome with a single coding', async () => {
    const { issue } = JSON.parse((await server.get('Organization?name=x')).text);
    assert.equal(issue[0].details.coding.code, 'INVALID_VALUE');
    assert.ok(Array.isArray(issue));
  });

  it('has the hint of an outcome', async () => {
    const { issue } = JSON.parse((await server.get('Organization?Name=leeds')).text);
    assert.equal(
      issue[0].details.text,
      'Unknown search parameter "Name". Did you mean "name"? See http://directory.test/fhir/STU3/metadata for the list of search parameters.',
    );
  });

  it('leaves all else as it is', async (context) => {
    const ordinary = await startDirectory();
    context.after(() => ordinary.close());
    for (const path of [
      'Organization/RR8?_format=xml',
      'metadata',
      'CodeSystem/ODSAPI-OrganizationRole-1',
      'ValueSet/ODSAPI-OrganizationRecordClass-1',
      'Organization?name=leeds&_format=xml',
      '/fhir/editions/current.ndjson',
    ]) {
      const text = (answer: { text: string }) =>
        answer.text.replace(/<id value="[-0-9a-f]{36}"\/>/, '');
      assert.equal(text(await server.get(path)), text(await ordinary.get(path)), path);
    }
  });
});
