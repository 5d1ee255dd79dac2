/** Searches of Organizations in the R4 interface over HTTP: parameters, errors, pages and links. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { organization, RECORDS, role } from '../records.ts';
import { validResource } from './formats.ts';

const ROLE_SYSTEM =
  'https://digital.nhs.uk/services/organisation-data-service/CodeSystem/ODSOrganisationRole';
const CLASS_SYSTEM =
  'https://digital.nhs.uk/services/organisation-data-service/CodeSystem/ODSRecordClass';
const USE_SYSTEM = 'https://fhir.nhs.uk/England/CodeSystem/England-ODSRecordUseType';
const CODE_SYSTEM = 'https://fhir.nhs.uk/Id/ods-organization-code';

const ALL = RECORDS.map(({ code }) => code);

interface Bundle {
  readonly resourceType: string;
  readonly id: string;
  readonly total: number;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly {
    readonly fullUrl: string;
    readonly resource: Readonly<Record<string, unknown>>;
    readonly search: { readonly mode: string };
  }[];
}

function without(...codes: string[]): string[] {
  return ALL.filter((code) => !codes.includes(code));
}

const FOUND: readonly [query: string, codes: readonly string[]][] = [
  ['', ALL],
  ['_id=RR8', ['RR8']],
  ['_id=RR8,RTG', ['RR8', 'RTG']],
  ['_id=rr8', []],
  ['identifier=rr8', ['RR8']],
  [`identifier=${CODE_SYSTEM}|RTG`, ['RTG']],
  ['name=leeds', ['RR8', 'RR801']],
  ['name=l', ['RR8', 'RR801']],
  ['name:contains=Hospitals', ['RR8', 'RTG']],
  ['name:exact=LEEDS DENTAL INSTITUTE', ['RR801']],
  ['name:exact=Leeds dental institute', []],
  ['address=LS97TF', ['RR8']],
  ['address=lee', ['RR8', 'RR801']],
  ['address=eng', ['A81001', 'RR8', 'RTG']],
  ['address=L', ['A81002', 'RR8', 'RR801']],
  ['address:contains=land&address=lee', ['RR8']],
  ['address:exact=LEEDS', ['RR8', 'RR801']],
  ['address=Clarendon', []],
  ['address-postalcode=LS9', ['RR8']],
  ['address-postalcode=LS97TF', ['RR8']],
  ['address-postalcode=LS97T', ['RR8']],
  ['address=LS97', []],
  ['address-postalcode:contains=7TF', ['RR8']],
  ['address-postalcode:exact=LS9 7TF', ['RR8']],
  ['address-city=lee', ['RR8', 'RR801']],
  ['address-city:contains=ee', ['RR8', 'RR801']],
  ['address-city:exact=LEEDS', ['RR8', 'RR801']],
  ['address-country=eng', ['A81001', 'RR8', 'RTG']],
  ['address-country:contains=LAND', ['A81001', 'RR8', 'RTG']],
  ['address-country:exact=ENGLAND', ['A81001', 'RR8', 'RTG']],
  ['active=false', ['A81002']],
  ['active=true', without('A81002')],
  ['active=True', without('A81002')],
  ['_total=accurate&name=leeds', ['RR8', 'RR801']],
  ['type=Full', ALL],
  ['type=RefOnly', []],
  ['type=RC2', ['RR801']],
  [`type=${CLASS_SYSTEM}|RC2`, ['RR801']],
  ['type=RC2,Full', ALL],
  ['type=RC2&type=Full', ['RR801']],
  ['roleCode=RO197', ['RR8', 'RTG']],
  ['roleCode=197', ['RR8', 'RTG']],
  [`roleCode=${ROLE_SYSTEM}|RO197`, ['RR8', 'RTG']],
  ['roleCode=RO197,RO198', ['RR8', 'RR801', 'RTG']],
  ['roleCode=RO197&roleCode=RO57', ['RTG']],
  ['roleCode:not=RO197', without('RR8', 'RTG')],
  ['roleCode:not=RO197,RO157', without('RR8', 'RTG', 'A81002', 'RR801')],
  ['roleCode=RO197&roleCode:not=RO57', ['RR8']],
  ['roleCode=RO157', ['A81002', 'RR801']],
  ['activeRoleCode=RO157', ['RR801']],
  ['activeRoleCode:not=RO157', without('RR801')],
  ['_id=A-1', []],
  ['identifier=urn:x|RTG', []],
  ['identifier=|RTG', []],
  ['identifier=R%20TG', []],
  ['identifier=urn:x|RTG,RR8', ['RR8']],
  [`identifier=${CODE_SYSTEM}|`, ALL],
  [`identifier=${CODE_SYSTEM}|&name=leeds`, ['RR8', 'RR801']],
  ['type=zz', []],
  ['type=http://x.test|Full', []],
  [`type=${CLASS_SYSTEM}|Full`, []],
  [`type=${CLASS_SYSTEM}|`, ALL],
  [`type=${USE_SYSTEM}|`, ALL],
  ['roleCode=GP', []],
  ['roleCode=http://x.test|RO197', []],
  ['roleCode:not=http://x.test|RO197', ALL],
  [`roleCode=${ROLE_SYSTEM}|`, ALL],
  [`roleCode:not=${ROLE_SYSTEM}|`, []],
  [`activeRoleCode=${ROLE_SYSTEM}|`, without('A81002')],
  ['lastChangeDate=2020-01-15', ['A81001', 'X1']],
  ['lastChangeDate=eq2017-04-02', ['RR8']],
  ['lastChangeDate=gt2019-12-31', ['A81001', 'RTG', 'X1']],
  ['lastChangeDate=ge2020-01-15&lastChangeDate=lt2021', ['A81001', 'X1']],
  ['lastChangeDate=le2017-04-01', ['A81002']],
  ['lastChangeDate=2017', ['A81002', 'RR8']],
  ['_lastUpdated=gt2026-08-31', ALL],
  ['_lastUpdated=gt2026-09-01', []],
  ['_lastUpdated=ge2026-09-01T10:00:00Z&name=leeds', ['RR8', 'RR801']],
  ['_sort=name', ['A81002', 'RR801', 'RR8', 'X1', 'A81001', 'RTG']],
  ['_sort=-name', ['RTG', 'A81001', 'X1', 'RR8', 'RR801', 'A81002']],
  ['_sort=_id', ALL],
  ['_sort=-_id', ALL.toReversed()],
  ['_sort=lastChangeDate', ['A81002', 'RR8', 'RR801', 'A81001', 'X1', 'RTG']],
  ['_sort=-lastChangeDate', ['RTG', 'A81001', 'X1', 'RR801', 'RR8', 'A81002']],
  ['_sort=lastChangeDate,-_id', ['A81002', 'RR8', 'RR801', 'X1', 'A81001', 'RTG']],
  ['_sort=-name&name=leeds&_lastUpdated=gt2020', ['RR8', 'RR801']],
  ['name=leeds&active=true&roleCode=RO197', ['RR8']],
];

const REFUSED: readonly [query: string, diagnostics: RegExp][] = [
  [
    'count=1',
    /^Unknown search parameter "count"\. Did you mean "_count"\? See http:\/\/directory\.test\/fhir\/R4\/metadata/,
  ],
  [
    'name:below=x',
    /^Unknown search parameter "name:below"\. Did you mean "name"\? The search parameters are name, name:contains, /,
  ],
  [`name=${'x'.repeat(201)}`, /^name must have at most 200 characters\.$/],
  ['address-city=%20', /^address-city is empty\. Send at least one character\.$/],
  ['active=yes', /^active must be true or false\.$/],
  ['activeRoleCode=,', /^activeRoleCode is empty\. Send a code\. A comma separates/],
  [
    'name=leeds,',
    /^name is empty\. Send at least one character\. A comma separates alternatives, /,
  ],
  [
    '_format=application/fhir%2Bjson;fhirVersion=3.0',
    /^Unknown content type specified "application\/fhir\+json;fhirVersion=3\.0"\. Send it without fhirVersion or with fhirVersion=4\.0\.$/,
  ],
  ['identifier=|', /^identifier is empty\. Send a code\.$/],
  ['lastChangeDate=ne2020', /^lastChangeDate must be a date, .* prefixes eq, gt, ge, lt, le\.$/],
  ['lastChangeDate=2020-13-01', /^lastChangeDate must be a date, such as /],
  ['_lastUpdated=x', /^_lastUpdated must be a date, such as /],
  ['_count=-1', /^_count must be a whole number, 0 or more\. Got "-1"\.$/],
  ['_offset=x', /^_offset must be a whole number, 0 or more\. Got "x"\.$/],
  ['_count=1&_count=2', /^The parameter _count can be given only once\.$/],
  [
    '_sort=city',
    /^Unknown value "city" of _sort\. The values are name, _id, lastChangeDate\. Put a/,
  ],
  ['_sort=name,', /^Unknown value "" of _sort\./],
  ['_sort=constructor', /^Unknown value "constructor" of _sort\./],
  [
    '_summary=all',
    /^Unknown value "all" of _summary\. The values are true, text, data, count, false\.$/,
  ],
  [
    '_elements=name,nme',
    /^Unknown element "nme" of Organization\. Did you mean "name"\? See https:\/\/hl7\.org\/fhir\/R4\/o/,
  ],
  ['_elements=,', /^_elements cannot be ","\. Send names of elements, separated by commas\.$/],
  ['_total=all', /^Unknown value "all" of _total\. The values are none, estimate, accurate\.$/],
  ['_format=turtle', /^Unknown content type specified "turtle"$/],
];

describe('a search of Organizations in R4', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory();
  });
  after(() => server.close());
  const get = (query: string) => server.get(`/fhir/R4/Organization?${query}`);
  const bundle = async (query: string): Promise<Bundle> => {
    const { status, text } = await get(query);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  const codesOf = ({ entry = [] }: Bundle) =>
    entry.filter(({ search }) => search?.mode !== 'outcome').map(({ resource }) => resource.id);

  for (const [query, codes] of FOUND) {
    it(`${query || 'without parameters'} finds ${codes.join(', ') || 'nothing'}`, async () => {
      const found = await bundle(query);
      assert.deepEqual([codesOf(found), found.total], [codes, codes.length]);
    });
  }

  for (const [query, diagnostics] of REFUSED) {
    it(`${query.slice(0, 40)} is refused with a clear text`, async () => {
      const { status, text } = await get(query);
      assert.equal(status, 400, text);
      const { resourceType, issue } = JSON.parse(text);
      assert.equal(resourceType, 'OperationOutcome');
      assert.match(issue[0].diagnostics, diagnostics);
      assert.equal(issue[0].details, undefined);
    });
  }

  it('names every problem in one valid outcome', async () => {
    const outcome = await validResource(server, 'Organization?count=1&active=x&_offset=-', 400);
    const { issue } = JSON.parse(JSON.stringify(outcome));
    assert.deepEqual(
      issue.map(({ location }: { location: string[] }) => location[0]),
      ['http.count', 'http.active', 'http._offset'],
    );
  });

  for (const query of [
    '',
    '_count=2&_offset=1',
    'name=none',
    '_summary=count',
    '_elements=name',
    '_summary=true',
  ]) {
    it(`${query || 'without parameters'} is a valid Bundle in both formats`, async () => {
      await validResource(server, `Organization?${query}`);
    });
  }

  it('answers a form as it answers a query', async () => {
    const answer = await server.post('/fhir/R4/Organization/_search?active=true', 'roleCode=RO57');
    assert.deepEqual(codesOf(JSON.parse(answer.text)), ['RTG']);
  });

  it('ignores unknown parameters if the client is lenient', async () => {
    const { status, text } = await server.get('/fhir/R4/Organization?count=1&name=leeds', {
      prefer: 'handling=lenient',
    });
    assert.equal(status, 200);
    assert.equal(JSON.parse(text).link[0].url.includes('count=1'), false);
  });

  it('with _elements has these elements, the id and a tag', async () => {
    const { entry = [] } = await bundle('_id=RTG&_elements=name');
    const { meta, ...resource } = entry[0]?.resource ?? {};
    assert.deepEqual(resource, {
      resourceType: 'Organization',
      id: 'RTG',
      active: true,
      name: 'UNIVERSITY HOSPITALS OF DERBY AND BURTON NHS FOUNDATION TRUST',
    });
    assert.match(JSON.stringify(meta), /"code":"SUBSETTED"/);
  });

  it('with _summary=true has the elements of the summary', async () => {
    const { entry = [] } = await bundle('_id=RTG&_summary=true');
    assert.deepEqual(Object.keys(entry[0]?.resource ?? {}), [
      'resourceType',
      'id',
      'meta',
      'identifier',
      'active',
      'type',
      'name',
    ]);
  });

  for (const part of ['_summary=true', '_summary=text', '_summary=data', '_elements=name']) {
    it(`with ${part} has links to pages of the same form, and its own entity tag`, async () => {
      const { link, id } = await bundle(`active=true&_count=2&${part}`);
      assert.ok(link.length > 2);
      for (const { url } of link) assert.ok(url.includes(`&${part}`), url);
      const whole = await get('active=true&_count=2');
      assert.notEqual(JSON.parse(whole.text).id, id);
      const tag = (await get(`active=true&_count=2&${part}`)).headers.get('etag');
      assert.notEqual(whole.headers.get('etag'), tag);
    });
  }

  it('with _summary=count or _count=0 has only the total', async () => {
    for (const query of ['_summary=count', '_count=0']) {
      const { total, entry } = await bundle(`name=leeds&${query}`);
      assert.deepEqual([total, entry], [2, undefined]);
    }
  });

  it('has pages by offset, and links to them that name the edition', async () => {
    const { link, entry } = await bundle('_count=2&_offset=3&active=true');
    const url = (query: string) => `http://directory.test/fhir/R4/Organization?${query}`;
    assert.deepEqual(link, [
      { relation: 'self', url: url('_count=2&_offset=3&active=true') },
      { relation: 'first', url: url('_count=2&_offset=0&active=true&_edition=1') },
      { relation: 'previous', url: url('_count=2&_offset=1&active=true&_edition=1') },
      { relation: 'last', url: url('_count=2&_offset=3&active=true&_edition=1') },
    ]);
    assert.equal(entry?.[0]?.fullUrl, 'http://directory.test/fhir/R4/Organization/RTG');
    assert.equal(entry?.[0]?.search.mode, 'match');
  });

  it('with a _count above the limit has the largest page that the server allows', async () => {
    const small = await startDirectory({ settings: { 'r4.countMax': 2 } });
    try {
      const { text } = await small.get('/fhir/R4/Organization?_count=500');
      const { entry, link }: Bundle = JSON.parse(text);
      assert.equal(entry?.length, 2);
      assert.match(link[0]?.url ?? '', /_count=2&/);
    } finally {
      await small.close();
    }
  });

  it('visits every match once, also while the edition changes', async () => {
    const first = editionOf(RECORDS, 1);
    const second = editionOf([organization('A0'), ...RECORDS.slice(2)], 2);
    let current = first;
    const changing = await startDirectory({
      editions: {
        current: () => current,
        byNumber: (number) => [first, second].find((edition) => edition.number === number),
      },
    });
    try {
      const codes: unknown[] = [];
      let next: string | undefined = '/fhir/R4/Organization?_count=2';
      while (next !== undefined) {
        const page: Bundle = JSON.parse((await changing.get(next)).text);
        codes.push(...codesOf(page));
        const url = page.link.find(({ relation }) => relation === 'next')?.url;
        next = url?.slice('http://directory.test'.length);
        current = second;
      }
      assert.deepEqual(codes, ALL);
    } finally {
      await changing.close();
    }
  });

  it('of an edition that is not kept is gone', async () => {
    const { status, text } = await get('_edition=7');
    assert.equal(status, 410);
    assert.match(
      text,
      /The directory has no edition with this number.* without _edition and _offset\./,
    );
  });

  it('without an edition has to wait', async () => {
    const empty = await startDirectory({
      editions: { current: () => undefined, byNumber: () => undefined },
    });
    try {
      for (const path of ['Organization', 'Organization/RTG']) {
        const { status, headers, text } = await empty.get(`/fhir/R4/${path}`);
        assert.equal(status, 503);
        assert.equal(headers.get('retry-after'), '5');
        assert.match(text, /"code":"transient"/);
      }
    } finally {
      await empty.close();
    }
  });
});

describe('a search for short texts', () => {
  const contains = (count: number) =>
    Array.from({ length: count }, (_, i) => `name:contains=${'abcdefghijk'[i]}`).join('&');

  it('has at most ten, because nearly every name contains them', async () => {
    const server = await startDirectory();
    try {
      const get = (query: string) => server.get(`/fhir/R4/Organization?${query}`);
      assert.equal((await get(contains(10))).status, 200);
      assert.equal((await get(`${contains(10)}&name=a&name:contains=hosp`)).status, 200);
      const { status, text } = await get(contains(11));
      assert.equal(status, 400);
      const [issue] = JSON.parse(text).issue;
      assert.equal(issue.code, 'too-costly');
      assert.match(
        issue.diagnostics,
        /at most 10 texts of fewer than 3 characters .* longer texts\.$/,
      );
      assert.equal((await get(`name:contains=${'a,'.repeat(10)}b`)).status, 400);
    } finally {
      await server.close();
    }
  });
});

describe('an active role', () => {
  it('counts even if the organisation is inactive', async () => {
    const records = [
      organization('A1', {
        isActive: false,
        roles: [role('76', { isPrimary: true }), role('177', { isActive: false })],
      }),
    ];
    const server = await startDirectory({ records });
    try {
      const total = async (query: string) =>
        JSON.parse((await server.get(`/fhir/R4/Organization?${query}`)).text).total;
      assert.equal(await total('activeRoleCode=RO76'), 1);
      assert.equal(await total('activeRoleCode=RO177'), 0);
      assert.equal(await total('roleCode=RO177'), 1);
    } finally {
      await server.close();
    }
  });
});
