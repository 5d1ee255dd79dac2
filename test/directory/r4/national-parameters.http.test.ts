/** The search parameters of the national R4 service: each is served, or the documents say that it is not. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ROOT } from '../../tidy/source-files.ts';
import { startDirectory } from '../directory-server.ts';

const DEFINITION = [
  '_id',
  '_lastUpdated',
  '_count',
  '_offset',
  '_total',
  '_summary',
  'url',
  'identifier',
  'name',
  'title',
  'status',
  'version',
  '_security',
  '_tag',
  'context',
  'description',
  'publisher',
];

/** As its statement of requirements and its guide name them. */
const NATIONAL: Readonly<Record<string, readonly string[]>> = {
  Organization: [
    '_id',
    '_lastUpdated',
    '_count',
    '_offset',
    '_total',
    '_summary',
    '_revinclude',
    'identifier',
    'name',
    'active',
    'type',
    'partof',
    'lastChangeDate',
    'address',
    'address-city',
    'address-country',
    'address-postalcode',
    'roleCode',
    'activeRoleCode',
  ],
  OrganizationAffiliation: [
    '_id',
    '_count',
    '_offset',
    '_total',
    '_summary',
    '_include',
    'identifier',
    'active',
    'primary-organization',
    'participating-organization',
  ],
  CodeSystem: [...DEFINITION, 'system', 'content-mode'],
  ValueSet: [...DEFINITION, 'reference'],
  List: ['_id', '_lastUpdated', '_count', '_offset', '_total', '_summary'],
};

interface Declared {
  readonly type: string;
  readonly searchParam: readonly { readonly name: string }[];
  readonly searchInclude?: readonly string[];
  readonly searchRevInclude?: readonly string[];
}

const PAGE = readFileSync(join(ROOT, 'docs/reference/r4-api.md'), 'utf8');
const [, MISSING = ''] =
  /^\| search parameters that are missing here \| ([^|]*) \|/m.exec(PAGE) ?? [];

describe('the search parameters of the national service', async () => {
  const server = await startDirectory();
  after(() => server.close());
  const { rest } = JSON.parse((await server.get('/fhir/R4/metadata')).text);
  const declared: readonly Declared[] = rest[0].resource;

  const servedBy = ({ searchParam, searchInclude, searchRevInclude }: Declared) => [
    ...searchParam.map(({ name }) => name),
    ...(searchInclude === undefined ? [] : ['_include']),
    ...(searchRevInclude === undefined ? [] : ['_revinclude']),
  ];

  it('are in the capability statement, or the differences name them', () => {
    const missing = Object.entries(NATIONAL).flatMap(([type, parameters]) => {
      const served = declared.flatMap((each) => (each.type === type ? servedBy(each) : []));
      const lacking = parameters.filter((name) => !served.includes(name));
      return lacking.map((name) => `\`${name}\` of an ${type}`);
    });
    assert.equal(MISSING, missing.join('; '));
  });

  for (const type of Object.keys(NATIONAL)) {
    it(`of ${type} that are declared are accepted`, async () => {
      const [served] = declared.filter((each) => each.type === type);
      assert.ok(served !== undefined);
      for (const { name } of served.searchParam) {
        const { text } = await server.get(`/fhir/R4/${type}?${name}=0`);
        assert.doesNotMatch(text, /Unknown search parameter/);
      }
    });
  }
});
