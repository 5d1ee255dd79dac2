/** The resources that say what codes and parameters mean, and the statement that names them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import { decodeXml } from '../../src/fhir/format/xml.ts';
import { type DirectoryServer, editionOf, startDirectory } from './directory-server.ts';
import { organization, RECORDS, role } from './records.ts';

const PATHS = [
  'CodeSystem/ODSAPI-OrganizationRole-1',
  'CodeSystem/ODSAPI-OrganizationRecordClass-1',
  'ValueSet/ODSAPI-OrganizationRole-1',
  'ValueSet/ODSAPI-OrganizationRecordClass-1',
  'SearchParameter/ODSAPI-OrganizationRole-Role-1',
  'SearchParameter/ODSAPI-OrganizationRole-PrimaryRole-1',
];

describe('the resources of definitions', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory();
  });
  after(() => server.close());
  const json = async (path: string) => JSON.parse((await server.get(path)).text);

  for (const path of [...PATHS, 'metadata']) {
    it(`${path} is valid in JSON and XML, indented or not, and the same in all`, async () => {
      const resources = [];
      for (const query of [
        '_format=json',
        '_format=json&_pretty=true',
        '_format=xml',
        '_format=xml&_pretty=true',
      ]) {
        const { status, text } = await server.get(`${path}?${query}`);
        assert.equal(status, 200);
        const decode = query.includes('json') ? decodeJson : decodeXml;
        const { resource, findings } = decode(Buffer.from(text), STU3.definitions);
        assert.deepEqual(findings, [], query);
        assert.equal(text.includes('\n'), query.includes('pretty'));
        resources.push(resource);
      }
      for (const resource of resources) assert.deepEqual(resource, resources[0]);
    });
  }

  for (const path of PATHS) {
    it(`${path} has validators, and 304 and HEAD by them`, async () => {
      const got = await server.get(path);
      const etag = got.headers.get('etag') ?? '';
      assert.match(etag, /^W\/"[0-9a-f]{16}/);
      assert.equal((await server.get(path, { 'if-none-match': etag })).status, 304);
      const head = await server.get(path, {}, 'HEAD');
      assert.equal(head.headers.get('content-length'), got.headers.get('content-length'));
      assert.equal(head.headers.get('etag'), etag);
    });

    it(`${path} has the id of its address and the published url`, async () => {
      const [type, id] = path.split('/');
      const resource = await json(path);
      assert.equal(resource.resourceType, type);
      assert.equal(resource.id, id);
      const url = `https://fhir.nhs.uk/STU3/${path}`;
      assert.equal(
        resource.url,
        path === PATHS[0]
          ? 'https://directory.spineservices.nhs.uk/STU3/CodeSystem/ODSAPI-OrganizationRole-1'
          : url,
      );
    });
  }

  it('the code system of roles has each code once, also codes that the source does not define', async (context) => {
    const { concept, content, count } = await json(PATHS[0]!);
    assert.equal(content, 'complete');
    assert.equal(count, 8);
    assert.deepEqual(concept.slice(0, 2), [
      { code: '29', display: 'TREATMENT CENTRE' },
      { code: '57', display: 'FOUNDATION TRUST' },
    ]);
    assert.deepEqual(concept.at(-1), { code: '999' });
    const twice = editionOf([organization('A1', { roles: [role('1', { isPrimary: true })] })], 1, {
      roles: [
        { code: '1', display: 'FIRST' },
        { code: '1', display: 'SECOND' },
      ],
      relationships: [],
      recordClasses: [],
    });
    const other = await startDirectory({
      editions: { current: () => twice, byNumber: () => twice },
    });
    context.after(() => other.close());
    const roles = JSON.parse((await other.get(PATHS[0]!)).text);
    const classes = JSON.parse((await other.get(PATHS[1]!)).text);
    assert.deepEqual(roles.concept, [{ code: '1', display: 'FIRST' }]);
    assert.equal(roles.count, 1);
    assert.equal(classes.concept, undefined);
    assert.equal(classes.count, 0);
  });

  it('the code system of record classes has the two of the source', async () => {
    const { concept } = await json(PATHS[1]!);
    assert.deepEqual(concept, [
      { code: '1', display: 'HSCOrg' },
      { code: '2', display: 'HSCSite' },
    ]);
  });

  it('value sets hold their code systems whole', async () => {
    for (const [at, of] of [
      [2, 0],
      [3, 1],
    ] as const) {
      const { url } = await json(PATHS[of]!);
      assert.deepEqual((await json(PATHS[at]!)).compose, { include: [{ system: url }] });
      assert.equal((await json(PATHS[of]!)).valueSet, (await json(PATHS[at]!)).url);
    }
  });

  it('search parameters name the elements that they compare', async () => {
    const url = 'https://fhir.nhs.uk/STU3/StructureDefinition/Extension-ODSAPI-OrganizationRole-1';
    for (const [path, code, part] of [
      [PATHS[4]!, 'ods-org-role', 'role'],
      [PATHS[5]!, 'ods-org-primaryRole', 'primaryRole'],
    ] as const) {
      const parameter = await json(path);
      assert.equal(parameter.code, code);
      assert.equal(parameter.type, 'token');
      assert.deepEqual(parameter.base, ['Organization']);
      assert.equal(
        parameter.expression,
        `Organization.extension.where(url = '${url}').extension.where(url = '${part}').value`,
      );
    }
  });

  it('follow the settings of systems and urls', async (context) => {
    const settings = {
      roleSystem: 'urn:roles',
      recordClassSystem: 'urn:classes',
      roleUrl: "urn:it's",
      primaryRoleUrl: 'primaryrole',
    };
    const other = await startDirectory({ settings });
    context.after(() => other.close());
    const text = async (path: string) => JSON.parse((await other.get(path)).text);
    assert.equal((await text(PATHS[0]!)).url, 'urn:roles');
    assert.equal((await text(PATHS[3]!)).compose.include[0].system, 'urn:classes');
    assert.equal(
      (await text(PATHS[5]!)).expression,
      "Organization.extension.where(url = 'urn:it\\'s').extension.where(url = 'primaryrole').value",
    );
  });

  it('change with the edition', async (context) => {
    let current = editionOf(RECORDS);
    const switched = await startDirectory({
      editions: { current: () => current, byNumber: () => current },
    });
    context.after(() => switched.close());
    const before = await switched.get(PATHS[0]!);
    current = editionOf(RECORDS.slice(0, 2), 2);
    const after = await switched.get(PATHS[0]!, { 'if-none-match': before.headers.get('etag')! });
    assert.equal(after.status, 200);
    assert.equal(JSON.parse(after.text).version, '2');
  });
});

describe('the capability statement', () => {
  it('names every type, interaction, parameter and document of the server', async (context) => {
    const server = await startDirectory();
    context.after(() => server.close());
    const { rest, instantiates, ...elements } = JSON.parse((await server.get('metadata')).text);
    const { acceptUnknown, kind, status, fhirVersion, format, date } = elements;
    assert.deepEqual(instantiates, ['https://directory.spineservices.nhs.uk/STU3/metadata']);
    assert.deepEqual(
      { acceptUnknown, kind, status, fhirVersion, format, date },
      {
        acceptUnknown: 'no',
        kind: 'instance',
        status: 'active',
        fhirVersion: '3.0.2',
        format: ['application/fhir+json', 'application/fhir+xml'],
        date: '2026-01-01',
      },
    );
    const [{ resource, documentation }] = rest;
    assert.deepEqual(
      resource.map(({ type, interaction }: { type: string; interaction: { code: string }[] }) => [
        type,
        ...interaction.map(({ code }) => code),
      ]),
      [
        ['Organization', 'read', 'search-type'],
        ['CodeSystem', 'read', 'search-type'],
        ['ValueSet', 'read', 'search-type'],
        ['SearchParameter', 'read'],
      ],
    );
    const [organizations] = resource;
    assert.deepEqual(
      organizations.searchParam.map(({ name, type, definition }: Record<string, string>) =>
        [name, type, definition?.split('/').at(-1)].filter(Boolean).join(' '),
      ),
      [
        '_id token',
        '_lastUpdated date',
        'identifier token',
        'name string',
        'active token',
        'address-postalcode string',
        'address-city string',
        'ods-org-role token ODSAPI-OrganizationRole-Role-1',
        'ods-org-primaryRole token ODSAPI-OrganizationRole-PrimaryRole-1',
        'near string Gazetteer-Organization-Near-1',
        '_count number',
        '_page number',
        '_edition number',
        '_summary token',
      ],
    );
    assert.equal(
      organizations.extension[0].url,
      'http://hl7.org/fhir/StructureDefinition/capabilitystatement-search-parameter-combination',
    );
    assert.match(documentation, /^http:\/\/directory\.test\/fhir\/editions\/current\.ndjson: /);
  });
});
