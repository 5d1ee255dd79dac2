/** OrganizationAffiliations of the R4 interface over HTTP, and organisations that include them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createOffsets, jsonBytes } from '../../../src/directory/arrays/array-named.ts';
import { type Edition, openEdition } from '../../../src/directory/edition/edition.ts';
import type { RelationshipRecord, SourceRecord } from '../../../src/directory/record/record.ts';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { editionArrays } from '../edition-arrays.ts';
import { organization } from '../records.ts';
import { validResource } from './formats.ts';

/** All find an organisation by its code. */
const IDENTIFIER_FORMS = [
  'primary-organization',
  'primary-organization:identifier',
  'primary-organization.identifier',
  'primary-organization:Organization.identifier',
] as const;

const CODES = 'https://fhir.nhs.uk/Id/ods-organization-code';
const BASE = 'http://directory.test/fhir/R4';
const INSTANCES =
  'https://digital.nhs.uk/services/organisation-data-service/CodeSystem/organization-relationship-instance';
const RELATIONSHIPS =
  'https://digital.nhs.uk/services/organisation-data-service/CodeSystem/ODSRelationship';

function related(
  uniqueId: number | undefined,
  type: string,
  target: string,
  more: Partial<RelationshipRecord> = {},
): RelationshipRecord {
  return {
    type,
    ...(uniqueId !== undefined && { uniqueId }),
    isActive: true,
    periods: [{ kind: 'Operational', start: '2013-04-01' }],
    target: { code: target },
    ...more,
  };
}

const closed = {
  isActive: false,
  periods: [{ kind: 'Operational', start: '2001-04-01', end: '2010-03-31' }],
} as const;

const source = (code: string, ...relationships: RelationshipRecord[]): SourceRecord => ({
  ...organization(code),
  relationships,
});

/** Two practices of an ICB; one was part of a trust; the ICB belongs to a region without a record. */
const RECORDS: readonly SourceRecord[] = [
  source('A1', related(11, '4', 'ICB'), related(12, '6', 'TRUST', closed)),
  source('A2', related(13, '4', 'ICB', { periods: [] })),
  source('ICB', related(14, '5', 'Y99'), related(undefined, '5', 'REF')),
  source('TRUST'),
  { ...source('REF', related(15, '5', 'A1')), isReferenceOnly: true },
];

interface Entry {
  readonly fullUrl: string;
  readonly resource: { readonly resourceType: string; readonly id: string };
  readonly search: { readonly mode: string };
}

interface ChangedEntry {
  readonly resource: { readonly id: string; readonly meta: { readonly lastUpdated: string } };
}

const EARLIER = '2026-08-01T10:00:00.000Z';
const NOW = '2026-09-01T10:00:00.000Z';

/** The second edition: it changed A2 and REF, and has the other organisations since the first one. */
function changedEdition(): Edition {
  const arrays = editionArrays(RECORDS);
  const rows = createOffsets(RECORDS.length, 1);
  for (const [row, { code }] of RECORDS.entries()) {
    rows[row] = code === 'A2' || code === 'REF' ? 0 : 1;
  }
  return openEdition(
    { number: 2, publishedAt: NOW },
    {
      ...arrays,
      'changes.rows': rows,
      'changes.editions': jsonBytes([{ number: 1, publishedAt: EARLIER }]),
    },
  );
}

describe('an OrganizationAffiliation', () => {
  let server: DirectoryServer;
  before(async () => {
    const edition = editionOf(RECORDS);
    server = await startDirectory({
      editions: { current: () => edition, byNumber: (n) => (n === 1 ? edition : undefined) },
    });
  });
  after(() => server.close());
  const get = (path: string) => server.get(`/fhir/R4/${path}`);
  const json = async (path: string) => {
    const { status, text } = await get(path);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  const found = async (query: string) => {
    const { entry = [], total }: { entry?: Entry[]; total: number } = await json(
      `OrganizationAffiliation?${query}`,
    );
    const matches = entry.filter(({ search }) => search.mode === 'match');
    assert.equal(matches.length, total);
    return matches.map(({ resource }) => resource.id);
  };

  const ALL = ['11', '12', '13', '14', 'ordinal-4', '15'];
  const FOUND: readonly [query: string, ids: readonly string[]][] = [
    ['', ALL],
    ['_id=13', ['13']],
    ['_id=13,15,99', ['13', '15']],
    ['primary-organization=A1', ['11', '12']],
    ['primary-organization=Organization/A1', ['11', '12']],
    ['primary-organization=Organization/a1', ['11', '12']],
    [`primary-organization=${BASE}/Organization/A1`, ['11', '12']],
    ['primary-organization:Organization=A1', ['11', '12']],
    ['primary-organization=A1,A2', ['11', '12', '13']],
    ...IDENTIFIER_FORMS.flatMap((name): [string, string[]][] => [
      [`${name}=A1`, ['11', '12']],
      [`${name}=a1`, ['11', '12']],
      [`${name}=${CODES}|a1,%20a2`, ['11', '12', '13']],
      [`${name}=${CODES}|A1`, ['11', '12']],
      [`${name}=${CODES}|A1,A2`, ['11', '12', '13']],
      [`${name}=urn:x|A1`, []],
      [`${name}=${CODES}|`, []],
    ]),
    [`participating-organization=${CODES}|ICB`, ['11', '13']],
    ['participating-organization.identifier=ICB', ['11', '13']],
    [`participating-organization:identifier=${CODES}|Y99`, ['14']],
    ['primary-organization=REF', ['15']],
    ['primary-organization=NONE', []],
    ['participating-organization=ICB', ['11', '13']],
    ['participating-organization=Y99', ['14']],
    ['participating-organization=ICB&primary-organization=A2', ['13']],
    ['active=false', ['12']],
    ['active=true&primary-organization=A1', ['11']],
    ['role=RE4', ['11', '13']],
    ['role=4', ['11', '13']],
    [`role=${RELATIONSHIPS}|RE5`, ['14', 'ordinal-4', '15']],
    ['role=RE4,RE6', ['11', '12', '13']],
    ['role:not=RE5', ['11', '12', '13']],
    ['_id=a/b', []],
    ['identifier=13', ['13']],
    [`identifier=${INSTANCES}|13`, ['13']],
    [`identifier=${INSTANCES}|`, ALL],
    ['identifier=urn:x|13', []],
    ['active=False&_total=none', ['12']],
    ['role=GP', []],
    ['role=http://x.test|RE4', []],
    [`role=${RELATIONSHIPS}|`, ALL],
    [`role=${RELATIONSHIPS}|&active=false`, ['12']],
    ['date=lt2005&role=RE6', ['12']],
    ['date=ge2011&primary-organization=A1', ['11']],
  ];
  for (const [query, ids] of FOUND) {
    it(`is found by ${query || 'no parameter'}: ${ids.join(', ') || 'none'}`, async () => {
      assert.deepEqual(await found(query), ids);
    });
  }

  const REFUSED: readonly [query: string, diagnostics: RegExp][] = [
    [
      'name=x',
      /^Unknown search parameter "name"\. See http:\/\/\S+\/metadata for the list of search parameters\.$/,
    ],
    [
      'primary-organization=,',
      /^primary-organization is empty\. Send the code of an organisation, or its address\. A comma separates /,
    ],
    ['active=1', /^active must be true or false\.$/],
    [
      'date=soon',
      /^date must be a date, such as 2026-03-31, alone or after one of the prefixes eq, /,
    ],
    ['date=ap2010', /^date must be a date, .* prefixes eq, gt, ge, lt, le, sa, eb, ne\.$/],
    [
      '_include=Organization:partof',
      /^Unknown value "Organization:partof" of _include\. The values are Org/,
    ],
    ['_count=x', /^_count must be a whole number, 0 or more\. Got "x"\.$/],
  ];
  for (const [query, diagnostics] of REFUSED) {
    it(`${query} is refused with a clear text`, async () => {
      const { status, text } = await get(`OrganizationAffiliation?${query}`);
      assert.equal(status, 400, text);
      assert.match(JSON.parse(text).issue[0].diagnostics, diagnostics);
    });
  }

  for (const id of ALL) {
    it(`${id} is read, and valid in both formats`, async () => {
      const resource = await validResource(server, `OrganizationAffiliation/${id}`);
      assert.equal(resource.id, id);
    });
  }

  it('has the address of its version, which reads the same', async () => {
    const current = await get('OrganizationAffiliation/14');
    const path = 'OrganizationAffiliation/14/_history/1788256800000';
    assert.match(current.headers.get('content-location') ?? '', new RegExp(`/R4/${path}$`));
    assert.equal((await get(path)).text, current.text);
    assert.equal((await get('OrganizationAffiliation/14/_history/1')).status, 404);
  });

  it('has its version as entity tag; an ordinal is another version in each edition', async (context) => {
    const opened = editionOf(RECORDS, 2);
    const earlier = { number: 1, publishedAt: '2026-08-01T10:00:00.000Z' };
    const edition = { ...opened, changedIn: () => earlier };
    const next = await startDirectory({
      editions: { current: () => edition, byNumber: () => edition },
    });
    context.after(() => next.close());
    const CHANGED = [
      ['14', earlier, 'Sat, 01 Aug 2026 10:00:00 GMT'],
      ['ordinal-4', opened, 'Tue, 01 Sep 2026 10:00:00 GMT'],
    ] as const;
    for (const [id, { publishedAt }, date] of CHANGED) {
      const { headers, text } = await next.get(`/fhir/R4/OrganizationAffiliation/${id}`);
      const { versionId, lastUpdated } = JSON.parse(text).meta;
      assert.deepEqual([versionId, lastUpdated], [String(Date.parse(publishedAt)), publishedAt]);
      assert.equal(headers.get('etag'), `W/"${versionId}"`);
      assert.equal(headers.get('last-modified'), date);
    }
  });

  it('is found by the time of its last change, as its meta.lastUpdated says', async (context) => {
    const edition = changedEdition();
    const next = await startDirectory({
      editions: { current: () => edition, byNumber: () => edition },
    });
    context.after(() => next.close());
    const entriesOf = async (query: string): Promise<readonly ChangedEntry[]> => {
      const { status, text } = await next.get(`/fhir/R4/OrganizationAffiliation?${query}`);
      assert.equal(status, 200, text);
      const { entry = [], total } = JSON.parse(text);
      assert.equal(total, entry.length);
      return entry;
    };
    const all = (await entriesOf('')).map(({ resource: { id, meta } }) => [id, meta.lastUpdated]);
    assert.deepEqual(all, [
      ['11', EARLIER],
      ['12', EARLIER],
      ['13', NOW],
      ['14', EARLIER],
      ['ordinal-4', NOW],
      ['15', NOW],
    ]);
    const [old, changed] = [
      ['11', '12', '14'],
      ['13', 'ordinal-4', '15'],
    ];
    for (const [query, ids] of [
      ['_lastUpdated=gt2020-01-01', ALL],
      ['_lastUpdated=gt2026-08-01', changed],
      [`_lastUpdated=gt${EARLIER}`, changed],
      [`_lastUpdated=ge${EARLIER}`, ALL],
      [`_lastUpdated=ge${NOW}`, changed],
      [`_lastUpdated=gt${NOW}`, []],
      ['_lastUpdated=lt2026-09', old],
      [`_lastUpdated=le${EARLIER}`, old],
      [`_lastUpdated=lt${EARLIER}`, []],
      ['_lastUpdated=2026-08-01', old],
      ['_lastUpdated=eq2026-09', changed],
      ['_lastUpdated=2026-08,2026-09-01', ALL],
      ['_lastUpdated=ne2026-08', changed],
      ['_lastUpdated=ge2026-08-01&_lastUpdated=lt2026-08-02', old],
      ['_lastUpdated=ge2026-08-02&_lastUpdated=lt2026-08-31', []],
      ['_lastUpdated=gt2026-08-15&role=RE5', ['ordinal-4', '15']],
      ['_lastUpdated=lt2026-08-15&role:not=RE4&primary-organization=A1', ['12']],
    ] as const) {
      const found = (await entriesOf(query)).map(({ resource: { id } }) => id);
      assert.deepEqual(found, ids, query);
    }
    const page = await next.get(
      '/fhir/R4/OrganizationAffiliation?_lastUpdated=gt2026-08-15&_count=1&_offset=1',
    );
    const { entry, total, link } = JSON.parse(page.text);
    assert.deepEqual([total, entry[0].resource.id], [3, 'ordinal-4']);
    assert.match(link[0].url, /_lastUpdated=gt2026-08-15/);
  });

  for (const id of ['99', '011', '-1', '1e1', 'ordinal-0', 'ordinal-9', 'x']) {
    it(`${id} does not exist`, async () => {
      const { status, text } = await get(`OrganizationAffiliation/${id}`);
      assert.equal(status, 404);
      const [issue] = JSON.parse(text).issue;
      assert.equal(issue.diagnostics, 'There is no relationship with this number.');
    });
  }

  it('has references to organisations with a record, and identifiers of others', async () => {
    const {
      organization: primary,
      participatingOrganization,
      period,
    } = await json('OrganizationAffiliation/14');
    assert.equal(primary.reference, 'Organization/ICB');
    assert.deepEqual(Object.keys(participatingOrganization), ['identifier']);
    assert.equal(participatingOrganization.identifier.value, 'Y99');
    assert.deepEqual(period, { start: '2013-04-01' });
  });

  it('has a validator that makes another answer unnecessary', async () => {
    for (const path of ['OrganizationAffiliation/11', 'OrganizationAffiliation?role=RE4']) {
      const { headers } = await get(path);
      const etag = headers.get('etag') ?? '';
      assert.ok(headers.get('last-modified'));
      const again = await server.get(`/fhir/R4/${path}`, { 'if-none-match': etag });
      assert.equal(again.status, 304);
    }
  });

  it('is found with the organisations that it leads to, each once', async () => {
    const query = '_include=OrganizationAffiliation:participating-organization&role=RE4';
    const { entry, total }: { entry: Entry[]; total: number } = await json(
      `OrganizationAffiliation?${query}&_include=OrganizationAffiliation:primary-organization:Organization`,
    );
    assert.equal(total, 2);
    assert.deepEqual(
      entry.map(({ resource, search }) => `${search.mode} ${resource.resourceType}/${resource.id}`),
      [
        'match OrganizationAffiliation/11',
        'match OrganizationAffiliation/13',
        'include Organization/A1',
        'include Organization/ICB',
        'include Organization/A2',
      ],
    );
    assert.equal(entry[2]?.fullUrl, `${BASE}/Organization/A1`);
    await validResource(server, `OrganizationAffiliation?${query}`);
  });

  it('has pages by offset, and links that name the edition', async () => {
    const { link, total, entry } = await json('OrganizationAffiliation?_count=4&_offset=4');
    assert.equal(total, 6);
    assert.deepEqual(
      entry.map(({ resource }: Entry) => resource.id),
      ['ordinal-4', '15'],
    );
    assert.deepEqual(link.slice(1, 3), [
      {
        relation: 'first',
        url: `${BASE}/OrganizationAffiliation?_count=4&_offset=0&_edition=1`,
      },
      {
        relation: 'previous',
        url: `${BASE}/OrganizationAffiliation?_count=4&_offset=0&_edition=1`,
      },
    ]);
    const count = await json('OrganizationAffiliation?_summary=count');
    assert.deepEqual([count.total, count.entry], [6, undefined]);
  });

  it('is included with organisations by _revinclude, in both formats', async () => {
    const included = async (references: string[], query: string) => {
      const values = references.map((name) => `_revinclude=OrganizationAffiliation:${name}`);
      const path = `Organization?${query}&${values.join('&')}`;
      await validResource(server, path);
      const { entry, total }: { entry: Entry[]; total: number } = await json(path);
      const matches = entry.filter(({ search }) => search.mode === 'match');
      assert.equal(matches.length, total);
      return entry
        .filter(({ search }) => search.mode === 'include')
        .map(({ resource }) => resource.id);
    };
    assert.deepEqual(await included(['primary-organization'], '_id=A1'), ['11', '12']);
    assert.deepEqual(await included(['participating-organization'], '_id=ICB'), ['11', '13']);
    assert.deepEqual(
      await included(['primary-organization', 'participating-organization'], '_id=A1,ICB'),
      ['11', '12', '15', '14', 'ordinal-4', '13'],
    );
    assert.deepEqual(await included(['primary-organization'], '_id=TRUST'), []);
    const { status, text } = await get('Organization?_revinclude=Location:organization');
    assert.equal(status, 400);
    assert.match(text, /Unknown value \\"Location:organization\\" of _revinclude/);
  });

  it('is in the capability statement with its parameters and includes', async () => {
    const { rest } = await json('metadata');
    const [organizations, affiliations] = rest[0].resource;
    const includes = [
      'OrganizationAffiliation:primary-organization',
      'OrganizationAffiliation:participating-organization',
    ];
    assert.deepEqual(organizations.searchRevInclude, includes);
    assert.equal(affiliations.type, 'OrganizationAffiliation');
    const dates = affiliations.searchParam.filter(({ type }: { type: string }) => type === 'date');
    assert.deepEqual(
      dates.map(({ name }: { name: string }) => name),
      ['date', '_lastUpdated'],
    );
    assert.deepEqual(affiliations.searchInclude, includes);
    await validResource(server, 'metadata');
  });
});

describe('reference-only organisations', () => {
  it('come after the full ones, on pages and in totals', async (context) => {
    const edition = editionOf(RECORDS);
    const server = await startDirectory({
      editions: { current: () => edition, byNumber: () => edition },
    });
    context.after(() => server.close());
    const codes = async (query: string) => {
      const { text } = await server.get(`/fhir/R4/Organization?${query}`);
      const { entry = [], total }: { entry?: Entry[]; total: number } = JSON.parse(text);
      return [total, ...entry.map(({ resource }) => resource.id)];
    };
    assert.deepEqual(await codes(''), [5, 'A1', 'A2', 'ICB', 'TRUST', 'REF']);
    assert.deepEqual(await codes('_count=2&_offset=3'), [5, 'TRUST', 'REF']);
    assert.deepEqual(await codes('_count=2&_offset=4'), [5, 'REF']);
    assert.deepEqual(await codes('_count=2&_offset=9'), [5]);
    assert.deepEqual(await codes('type=RefOnly'), [1, 'REF']);
    assert.deepEqual(await codes('type=Full&_count=1&_offset=3'), [4, 'TRUST']);
    assert.deepEqual(await codes('type=RefOnly,RC1&_count=2&_offset=3'), [5, 'TRUST', 'REF']);
    assert.deepEqual(await codes('type=RC2'), [0]);
    assert.deepEqual(await codes('_id=REF'), [1, 'REF']);
    assert.deepEqual(await codes('_sort=name'), [5, 'A1', 'A2', 'ICB', 'REF', 'TRUST']);
    assert.deepEqual(await codes('_sort=-_id'), [5, 'TRUST', 'REF', 'ICB', 'A2', 'A1']);
    assert.deepEqual(await codes('_sort=name&_count=2&_offset=2'), [5, 'ICB', 'REF']);
    assert.deepEqual(await codes('_sort=-lastChangeDate&_count=2&_offset=3'), [5, 'REF', 'TRUST']);
    assert.deepEqual(await codes('_sort=name&_offset=9'), [5]);
    assert.deepEqual(await codes('_sort=name&_summary=count'), [5]);
    await validResource(server, 'Organization?');
    await validResource(server, 'Organization/REF');
  });
});

it('a page that would include too many affiliations is refused', async (context) => {
  const many = Array.from({ length: 5001 }, (_, i) => related(i + 1, '5', 'Y1'));
  const edition = editionOf([source('A1', ...many.slice(1)), source('A2', ...many.slice(0, 1))]);
  const server = await startDirectory({
    editions: { current: () => edition, byNumber: () => edition },
  });
  context.after(() => server.close());
  const revinclude = '_revinclude=OrganizationAffiliation:primary-organization';
  const { status, text } = await server.get(`/fhir/R4/Organization?${revinclude}`);
  assert.equal(status, 400);
  const [issue] = JSON.parse(text).issue;
  assert.equal(issue.code, 'too-costly');
  assert.match(issue.diagnostics, /more than 5000 affiliations to the page\. Use a smaller _count/);
  assert.equal((await server.get(`/fhir/R4/Organization?${revinclude}&_count=1`)).status, 200);
});

it('an edition without relationships says so, and never answers as if there were none', async (context) => {
  const identity = { number: 1, publishedAt: '2026-09-01T10:00:00.000Z' };
  const edition = openEdition(identity, editionArrays(RECORDS, { hasLinks: false }));
  const server = await startDirectory({
    editions: { current: () => edition, byNumber: () => edition },
  });
  context.after(() => server.close());
  for (const path of [
    'OrganizationAffiliation/11',
    'OrganizationAffiliation?role=RE4',
    'Organization?_revinclude=OrganizationAffiliation:primary-organization',
  ]) {
    for (let time = 0; time < 3; time++) {
      const { status, text } = await server.get(`/fhir/R4/${path}`);
      assert.equal(status, 503, path);
      assert.match(text, /does not know the relationships of organisations/);
    }
  }
  assert.equal((await server.get('/fhir/R4/Organization/A1')).status, 200);
});
