/** The directory as `fhir-kit-client` sees it: https://github.com/Vermonster/fhir-kit-client */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Client, type FhirResource } from 'fhir-kit-client';
import { importedSample } from '../imported-sample.ts';
import { type Owner, ownerOfSuite } from '../owner.ts';
import { serve } from './program.ts';

const resourceType = 'Organization';

describe('fhir-kit-client works with the FHIR form', () => {
  const owner = ownerOfSuite();
  let client: Client;
  before(async () => {
    client = await startClient(owner, 'fhir');
  });

  it('reads what the server can do', async () => {
    const statement = await client.capabilityStatement();
    assert.equal(statement.resourceType, 'CapabilityStatement');
    const { fhirVersion, rest } = statement as unknown as Statement;
    assert.equal(fhirVersion, '3.0.2');
    const types = rest[0]?.resource.map(({ type }) => type);
    assert.deepEqual(types, ['Organization', 'CodeSystem', 'ValueSet', 'SearchParameter']);
  });

  it('reads an organisation, with its answer and validators', async () => {
    const organization = await client.read({ resourceType, id: 'RTG' });
    assert.equal(organization.id, 'RTG');
    assert.deepEqual(organization.identifier, [
      { system: 'https://fhir.nhs.uk/Id/ods-organization-code', value: 'RTG' },
    ]);
    const { response } = Client.httpFor(organization);
    assert.equal(response?.status, 200);
    assert.match(response.headers.get('ETag') ?? '', /^W\//);
  });

  it('resolves references, relative and absolute', async () => {
    for (const reference of ['Organization/RTG', `${client.baseUrl}/Organization/RTG`]) {
      assert.equal((await client.resolve({ reference })).id, 'RTG');
    }
  });

  it('reads the codes of organisations', async () => {
    const id = 'ODSAPI-OrganizationRole-1';
    const codes = await client.read({ resourceType: 'CodeSystem', id });
    assert.equal(codes.resourceType, 'CodeSystem');
  });

  it('searches with parameters that repeat and with modifiers', async () => {
    const both = await search(client, { 'ods-org-role': ['76', '177'] });
    const one = await search(client, { 'ods-org-role': '76' });
    assert.ok(both.total > 0 && both.total <= one.total);
    const { entry } = await search(client, { 'name:contains': 'leeds', active: 'true' });
    for (const { resource } of entry) assert.match(String(resource.name), /leeds/i);
    assert.ok(entry.length > 0);
  });

  it('pages forth to the total and back to the first page', async () => {
    const pages: string[][] = [];
    let page = await search(client, { 'ods-org-role': ['76', '177'], _count: 20 });
    const { total } = page;
    for (;;) {
      pages.push(codesOf(page));
      const next = client.nextPage({ bundle: page });
      if (next === undefined) break;
      page = bundleOf(await next);
    }
    assert.ok(pages.length > 2, 'several pages');
    assert.equal(new Set(pages.flat()).size, total);
    for (const codes of pages.slice(0, -1).reverse()) {
      page = bundleOf(await client.prevPage({ bundle: page })!);
      assert.deepEqual(codesOf(page), codes);
    }
    assert.equal(client.prevPage({ bundle: page }), undefined);
  });

  it('searches by form, and gets what it gets by address', async () => {
    const searchParams = { name: 'Leeds', 'address-city': 'leeds', _count: 3 };
    const options = { postSearch: true };
    const posted = await client.resourceSearch({ resourceType, searchParams, options });
    assert.equal(Client.httpFor(posted).request?.method, 'POST');
    assert.deepEqual(posted, await client.resourceSearch({ resourceType, searchParams }));
    assert.ok(bundleOf(posted).total > 0);
  });

  it('gets the outcome and the status of what is refused', async () => {
    const cases: readonly (readonly [
      request: () => Promise<FhirResource>,
      status: number,
      code: string,
    ])[] = [
      [() => client.read({ resourceType, id: 'NOPE' }), 404, 'NO_RECORD_FOUND'],
      [() => client.search({ resourceType, searchParams: { name: 'ab' } }), 400, 'INVALID_VALUE'],
      [() => client.search({ resourceType, searchParams: { x: '1' } }), 400, 'INVALID_PARAMETER'],
      [() => client.vread({ resourceType, id: 'RTG', version: '1' }), 404, 'NO_RECORD_FOUND'],
      [() => client.delete({ resourceType, id: 'RTG' }), 405, 'NOT_IMPLEMENTED'],
      [() => client.create({ resourceType, body: { resourceType } }), 405, 'NOT_IMPLEMENTED'],
    ];
    for (const [request, status, code] of cases) {
      await assert.rejects(request, ({ response }: Refusal) => {
        assert.equal(response.status, status);
        assert.equal(response.data.resourceType, 'OperationOutcome');
        assert.equal(response.data.issue[0]?.details.coding[0]?.code, code);
        return true;
      });
    }
  });
});

it('fhir-kit-client pages through the legacy form', async (context) => {
  const client = await startClient(context, 'legacy');
  let page = await client.search({ resourceType, searchParams: { name: 'Leeds', _count: 4 } });
  const { total }: { readonly total?: unknown } & FhirResource = page;
  const codes: string[] = [];
  for (;;) {
    const bundle = bundleOf(page);
    codes.push(...codesOf(bundle));
    const next = client.nextPage({ bundle });
    if (next === undefined) break;
    page = await next;
  }
  assert.ok(codes.length > 4, 'more than a page');
  assert.equal(total, String(codes.length));
  await assert.rejects(client.read({ resourceType, id: 'NOPE' }), ({ response }: LegacyRefusal) => {
    assert.equal(response.data.issue[0]?.details.coding.code, 'NO_RECORD_FOUND');
    return response.status === 404;
  });
});

it('fhir-kit-client works with the R4 interface', async (context) => {
  const client = await startClient(context, 'fhir', '/R4');
  const { fhirVersion } = (await client.capabilityStatement()) as unknown as Statement;
  assert.equal(fhirVersion, '4.0.1');
  const organization = await client.read({ resourceType, id: 'RTG' });
  assert.equal(organization.id, 'RTG');

  let page = await search(client, { 'roleCode:not': 'RO197', _count: 20, _sort: '-name' });
  const codes = codesOf(page);
  for (
    let next = client.nextPage({ bundle: page });
    next;
    next = client.nextPage({ bundle: page })
  ) {
    page = bundleOf(await next);
    codes.push(...codesOf(page));
  }
  assert.ok(codes.length > 40, 'several pages');
  assert.equal(new Set(codes).size, page.total);

  const affiliations = bundleOf(
    await client.search({
      resourceType: 'OrganizationAffiliation',
      searchParams: { active: 'true', _include: 'OrganizationAffiliation:primary-organization' },
    }),
  );
  const resources = affiliations.entry.map(({ resource }) => resource);
  const [first] = resources;
  const { organization: primary } = first as unknown as Affiliation;
  const { reference } = primary;
  const included = resources.filter((each) => each.resourceType === resourceType);
  assert.ok(included.some(({ id }) => reference === `Organization/${id}`));
  assert.equal((await client.resolve({ reference })).resourceType, resourceType);
});

interface Affiliation {
  readonly organization: { readonly reference: string };
}

interface Statement {
  readonly fhirVersion: string;
  readonly rest: readonly { readonly resource: readonly { readonly type: string }[] }[];
}

/** What the client throws: the status, and the outcome as `data`. */
interface RefusalWith<Coding> {
  readonly response: {
    readonly status: number;
    readonly data: {
      readonly resourceType: string;
      readonly issue: readonly { readonly details: { readonly coding: Coding } }[];
    };
  };
}
type Refusal = RefusalWith<readonly { readonly code: string }[]>;
type LegacyRefusal = RefusalWith<{ readonly code: string }>;

interface Bundle extends FhirResource {
  readonly total: number;
  readonly link: { relation: string; url: string }[];
  readonly entry: readonly { readonly resource: FhirResource }[];
}

/** The client types every answer as some resource. */
const bundleOf = (resource: FhirResource) => resource as Bundle;

const codesOf = ({ entry }: Bundle) => entry.map(({ resource }) => String(resource.id));

async function search(client: Client, searchParams: Record<string, string | number | string[]>) {
  return bundleOf(await client.search({ resourceType, searchParams }));
}

async function startClient(owner: Owner, form: 'fhir' | 'legacy', path = '/STU3'): Promise<Client> {
  const data = await importedSample(owner);
  const words = ['--data', data, '--threads', '1', '--directory-json', form];
  const { port } = await serve(owner, words);
  return new Client({ baseUrl: `http://localhost:${port}${path}` });
}
