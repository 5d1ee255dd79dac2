/** Clients of the retired service, written as they are, against `directory.json = "legacy"`. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { importedSample } from '../imported-sample.ts';
import { type Owner, ownerOfSuite } from '../owner.ts';
import { fetchFromPage } from './clients/browser-page.ts';
import { loadByLinks, loadByPage } from './clients/etl-script.ts';
import { HAPI_ACCEPT, HapiClient, type HapiGeneration } from './clients/hapi-client.ts';
import { namesOf } from './clients/identifier-script.ts';
import { LookUpFailure, LookUpLibrary } from './clients/look-up-library.ts';
import { findDestination } from './clients/prescription-coordinator.ts';
import { serve } from './program.ts';

describe('clients of the retired service work against the legacy form', () => {
  const owner = ownerOfSuite();
  let directory: string;
  let size: number;
  before(async () => {
    ({ directory, size } = await startLegacy(owner));
  });

  it('a prescription coordinator reads single objects', async () => {
    assert.deepEqual(await findDestination(directory, 'RTG'), {
      code: 'RTG',
      name: 'UNIVERSITY HOSPITALS OF DERBY AND BURTON NHS FOUNDATION TRUST',
      isOpen: true,
      kind: 'HSCOrg',
      postcode: 'DE22 3NE',
      phone: undefined,
      roles: [
        { code: '197', isPrimary: true, since: '1998-04-01', status: 'Active' },
        { code: '57', isPrimary: false, since: '1998-04-01', status: 'Active' },
      ],
    });
  });

  it('a prescription coordinator reads roles by position', async () => {
    const pharmacies = await loadByPage(directory, 'ods-org-role=182&ods-org-primaryRole=true');
    assert.ok(pharmacies.length > 20);
    for (const { code, status } of pharmacies) {
      const { roles, isOpen } = await findDestination(directory, code);
      const [first, ...others] = roles;
      assert.deepEqual([first?.code, first?.isPrimary], ['182', true], code);
      assert.ok(
        others.every(({ isPrimary }) => !isPrimary),
        code,
      );
      assert.ok(
        roles.every((role) => /^(Active|Inactive)$/.test(role.status)),
        code,
      );
      assert.equal(isOpen, status === 'Active', code);
    }
  });

  it('a nightly load gets to the total, by page and by links', async () => {
    const byPage = await loadByPage(directory, '');
    assert.equal(byPage.length, size);
    assert.equal(new Set(byPage.map(({ code }) => code)).size, size);
    assert.deepEqual(await loadByLinks(directory, '_count=20'), byPage);
  });

  it('a nightly load follows the pages of a search with a repeated parameter', async () => {
    const both = 'ods-org-role=76&ods-org-role=177';
    const [found, practices, prescribing] = await Promise.all(
      [both, 'ods-org-role=76', 'ods-org-role=177'].map((query) => loadByLinks(directory, query)),
    );
    const codesOf = (rows: typeof found = []) => rows.map(({ code }) => code);
    const second = new Set(codesOf(prescribing));
    assert.ok(codesOf(found).length > 20, 'more than a page');
    assert.deepEqual(
      codesOf(found),
      codesOf(practices).filter((code) => second.has(code)),
    );
    assert.deepEqual(await loadByPage(directory, both), found);
  });

  it('a nightly load of a search without a match is empty', async () => {
    assert.deepEqual(await loadByPage(directory, 'name=nowhere'), []);
    assert.deepEqual(await loadByLinks(directory, 'name=nowhere'), []);
  });

  it('a look-up library gets null for a code that nobody has', async () => {
    const library = new LookUpLibrary(directory);
    const found = await library.findByCode('RTG');
    assert.equal(found?.identifier.system, 'https://fhir.nhs.uk/Id/ods-organization-code');
    for (const code of ['NOPE', '0', 'A B', 'é', '../metadata']) {
      assert.equal(await library.findByCode(code), null, code);
    }
  });

  it('a look-up library counts, and throws what the service said', async () => {
    const library = new LookUpLibrary(directory);
    assert.equal(await library.count('name=nowhere'), 0);
    assert.equal(await library.count('active=true&active=false'), 0);
    assert.equal(
      (await library.count('active=true')) + (await library.count('active=false')),
      size,
    );
    await assert.rejects(
      library.count('name=ab'),
      new LookUpFailure(400, 'INVALID_VALUE', 'Supplied name needs a minimum of 3 Characters.'),
    );
  });

  it('a script looks codes up by identifier, 20 at a time', async () => {
    const some = await loadByPage(directory, 'ods-org-role=182');
    assert.ok(some.length > 40);
    const names = await namesOf(directory, ['NOPE', ...some.map(({ code }) => code)]);
    assert.deepEqual(names, [undefined, ...some.map(({ name }) => name)]);
  });

  for (const generation of ['dstu2', 'dstu3'] as const) {
    it(`HAPI as of ${generation} asks for metadata, then XML`, () =>
      asHapi(directory, generation, size));
  }

  it('an Accept with old and new names gets the first that is served', async () => {
    const both = 'application/fhir+xml;q=1.0, application/xml+fhir;q=0.9';
    const cases: readonly (readonly [accept: string, type: string])[] = [
      [HAPI_ACCEPT.dstu2, 'application/xml+fhir'],
      [HAPI_ACCEPT.dstu3, 'application/fhir+xml'],
      [`application/xml+fhir;q=1.0, ${both.replace('1.0', '0.8')}`, 'application/xml+fhir'],
      [`${both}, application/fhir+json;q=0.9, application/json+fhir;q=0.8`, 'application/fhir+xml'],
      [`${both}, application/json+fhir;q=1.0`, 'application/json+fhir'],
    ];
    for (const [accept, type] of cases) {
      const { headers } = await fetch(`${directory}/Organization/RTG`, {
        headers: { Accept: accept },
      });
      assert.equal(headers.get('Content-Type'), `${type}; charset=utf-8`, accept);
    }
  });

  it('a page in a browser reads across origins', async () => {
    const origin = 'https://demo.example.org';
    const plain = await fetchFromPage(origin, `${directory}/Organization/rtg`, {
      headers: { Accept: 'application/fhir+json' },
    });
    assert.equal(plain.wasPreflighted, false);
    assert.equal(JSON.parse(plain.body).identifier.value, 'RTG');
    assert.match(plain.headers.get('content-location') ?? '', /\/STU3\/Organization\/RTG$/);
    assert.match(plain.headers.get('x-request-id') ?? '', /./);
    const etag = plain.headers.get('etag') ?? '';
    const again = await fetchFromPage(origin, `${directory}/Organization/RTG`, {
      headers: { 'If-None-Match': etag, 'X-Request-Id': 'demo-1' },
    });
    assert.deepEqual([again.wasPreflighted, again.status], [true, 304]);
    assert.equal(again.headers.get('x-request-id'), 'demo-1');
    const form = await fetchFromPage(origin, `${directory}/Organization/_search`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Prefer: 'handling=lenient' },
      body: 'name=University&unknown=1',
    });
    assert.deepEqual([form.wasPreflighted, form.status], [true, 200]);
    const missing = await fetchFromPage(origin, `${directory}/Organization/NOPE`);
    assert.equal(missing.status, 404);
    await assert.rejects(
      fetchFromPage(origin, `${directory}/Organization/RTG`, { method: 'DELETE' }),
      /DELETE is not allowed/,
    );
  });
});

async function asHapi(directory: string, generation: HapiGeneration, size: number) {
  const client = new HapiClient(directory, generation);
  const read = await client.read('Organization', 'RTG');
  assert.equal(read.status, 200);
  assert.deepEqual(client.requests, ['/metadata?_format=xml', '/Organization/RTG?_format=xml']);
  const { identifier, type }: Record<string, unknown> = Object(read.resource);
  assert.ok(Array.isArray(identifier) && Array.isArray(type), 'XML is as FHIR has it');

  const found = new Set<string>();
  let bundle = bundleOf(await client.search('Organization', '_count=19'));
  for (;;) {
    assert.equal(bundle.total, size);
    for (const { resource } of bundle.entry) found.add(resource.id);
    const next = bundle.link.find(({ relation }) => relation === 'next')?.url;
    if (next === undefined) break;
    assert.match(next, /[?&]_format=xml(&|$)/, 'links keep the format');
    bundle = bundleOf(await client.page(next));
  }
  assert.equal(found.size, size);

  const missing = await client.read('Organization', 'NOPE');
  assert.equal(missing.status, 404);
  const { resourceType }: Record<string, unknown> = Object(missing.resource);
  assert.equal(resourceType, 'OperationOutcome');
  assert.equal(client.requests.filter((path) => path.startsWith('/metadata')).length, 1);
}

interface Bundle {
  readonly total: number;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry: readonly { readonly resource: { readonly id: string } }[];
}

function bundleOf({ resource }: { readonly resource: unknown }): Bundle {
  return resource as Bundle;
}

/** The sample, served in the legacy form at the address that its links have. */
async function startLegacy(owner: Owner) {
  const data = await importedSample(owner);
  const words = ['--data', data, '--threads', '1', '--directory-json', 'legacy'];
  const { port } = await serve(owner, words);
  const directory = `http://localhost:${port}/STU3`;
  const count = await fetch(`${directory}/Organization?_summary=count`);
  const { total }: { total?: string } = Object(await count.json());
  const size = Number(total);
  assert.ok(size > 100);
  return { directory, size };
}
