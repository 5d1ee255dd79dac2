/** The lists of codes of the ORD interface: roles, relationships and record classes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DirectoryServer } from '../directory-server.ts';
import { startOrd } from './ord-server.ts';

const RO197 = { id: 'RO197', code: '197', displayName: 'NHS TRUST', primaryRole: 'true' };
const RO29 = { id: 'RO29', code: '29', displayName: 'TREATMENT CENTRE', primaryRole: 'false' };

describe('the codes of ORD', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startOrd();
  });
  after(() => server.close());

  it('are roles, which say whether they are primary roles', async () => {
    const { text } = await server.get('roles');
    const { Roles } = JSON.parse(text);
    assert.deepEqual(Roles[0], RO29);
    assert.deepEqual(
      Roles.find(({ id }: { id: string }) => id === 'RO197'),
      RO197,
    );
    // A code that the code system lacks has no name.
    assert.deepEqual(Roles.at(-1), { id: 'RO999', code: '999', primaryRole: 'true' });
  });

  it('are the same list with one member for one id', async () => {
    for (const id of ['RO197', 'ro197']) {
      const { text } = await server.get(`roles/${id}`);
      assert.deepEqual(JSON.parse(text), { Roles: [RO197] });
    }
  });

  it('are record classes and relationships', async () => {
    const { text } = await server.get('recordclasses');
    assert.deepEqual(JSON.parse(text), {
      RecordClasses: [
        { id: 'RC1', code: '1', displayName: 'HSCOrg' },
        { id: 'RC2', code: '2', displayName: 'HSCSite' },
      ],
    });
    const one = await server.get('recordclasses/RC2');
    assert.equal(JSON.parse(one.text).RecordClasses.length, 1);
    const { Relationships } = JSON.parse((await server.get('rels')).text);
    assert.ok(Array.isArray(Relationships));
  });

  it('are elements of a code system in XML', async () => {
    const { text } = await server.get('roles/RO197?_format=xml');
    assert.equal(
      text,
      '<?xml version="1.0" encoding="UTF-8"?><CodeSystem name="OrganisationRole"><Roles><Role>' +
        '<id>RO197</id><code>197</code><displayName>NHS TRUST</displayName>' +
        '<primaryRole>true</primaryRole></Role></Roles></CodeSystem>',
    );
  });

  it('are 304 for their ETag', async () => {
    for (const path of ['roles', 'rels', 'recordclasses', 'roles/RO197']) {
      const { headers } = await server.get(path);
      const etag = headers.get('etag') ?? '';
      assert.equal((await server.get(path, { 'if-none-match': etag })).status, 304);
    }
  });
});
