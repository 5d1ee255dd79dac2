/** Searches near a place over HTTP: what they find, in which order, and how they refuse bad values. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Edition } from '../../../src/directory/edition/edition.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { BASE, type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { recordOf } from '../index/record-of.ts';
import { placed, postcodeFile } from './postcode-rows.ts';

const RECORDS: readonly SourceRecord[] = [
  recordOf({ code: 'A1', name: 'Quarry House', postalCode: 'LS2 7UE', roles: ['182'] }),
  recordOf({ code: 'A2', name: 'At the station', postalCode: 'LS1 4DY', roles: ['197'] }),
  recordOf({ code: 'A3', name: 'Also at the station', postalCode: 'LS1 4DY', roles: ['182'] }),
  recordOf({ code: 'B1', name: 'Bradford', postalCode: 'BD1 1AA', roles: ['182'] }),
  recordOf({ code: 'C1', name: 'Jersey', postalCode: 'JE2 3QG', roles: ['182'] }),
  recordOf({ code: 'D1', name: 'Closed', postalCode: 'LS1 4AP', roles: ['182'], isActive: false }),
  recordOf({ code: 'E1', name: 'Without a postcode', roles: ['182'] }),
  recordOf({ code: 'E2', name: 'Without a position', postalCode: 'LS98 1ZZ', roles: ['182'] }),
  { ...recordOf({ code: 'Z1', name: 'Near', postalCode: 'LS2 7UE' }), isReferenceOnly: true },
];

const POSTCODES = [
  placed('LS1 4AP', 53.7957, -1.5509),
  placed('LS1 4DY', 53.7949, -1.5475),
  placed('LS2 7UE', 53.7965, -1.5316),
  placed('BD1 1AA', 53.7938, -1.7522),
  placed('JE2 3QG', 49.1858, -2.1063),
  { postcode: 'LS98 1ZZ' },
];

const DISTANCE = 'http://hl7.org/fhir/StructureDefinition/location-distance';

interface Bundle {
  readonly total: number;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly Entry[];
}

interface Entry {
  readonly resource: Organization;
  readonly search?: {
    readonly mode?: string;
    readonly extension?: readonly {
      readonly url: string;
      readonly valueDistance: { readonly value: number; readonly code: string };
    }[];
  };
}

interface Organization {
  readonly id: string;
  readonly extension?: readonly { readonly url: string }[];
}

let server: DirectoryServer;
let bare: DirectoryServer;

before(async () => {
  const edition = editionOf(RECORDS, 1, undefined, postcodeFile(POSTCODES));
  server = await startDirectory({ editions: only(edition) });
  bare = await startDirectory({ editions: only(editionOf(RECORDS)) });
});
after(async () => {
  await server.close();
  await bare.close();
});

function only(edition: Edition) {
  return {
    current: () => edition,
    byNumber: (number: number) => (number === edition.number ? edition : undefined),
  };
}

async function search(target: string): Promise<Bundle> {
  const { status, text } = await server.get(target);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

const idsOf = ({ entry = [] }: Bundle) => entry.map(({ resource }) => resource.id);

/** From the only place where the definition of the extension allows it. */
function distanceOf({ search, resource }: Entry) {
  assert.ok(!JSON.stringify(resource).includes(DISTANCE), 'a match must be as a read gives it');
  return search?.extension?.find(({ url }) => url === DISTANCE)?.valueDistance;
}

const FOUND: readonly (readonly [query: string, ids: readonly string[]])[] = [
  ['near=LS1 4AP|5|km', ['D1', 'A2', 'A3', 'A1']],
  ['near=ls14ap|5', ['D1', 'A2', 'A3', 'A1']],
  ['near=LS1\u00a04AP\u200b|5', ['D1', 'A2', 'A3', 'A1']],
  ['near=LS1 4AP|0.5|km', ['D1', 'A2', 'A3']],
  ['near=53.7957,-1.5509|0.5', ['D1', 'A2', 'A3']],
  ['near=LS1 4AP|10|mi', ['D1', 'A2', 'A3', 'A1', 'B1']],
  ['near=LS1 4AP|10|mi&active=true', ['A2', 'A3', 'A1', 'B1']],
  ['near=LS1 4AP|1000|km&active=true&_count=20', ['A2', 'A3', 'A1', 'B1', 'C1']],
  ['near=60.1545,-1.1494|10', []],
];

describe('near, in STU3', () => {
  for (const [query, ids] of FOUND) {
    it(`finds the nearest first with ${query}`, async () => {
      const found = await search(`Organization?${query}`);
      assert.deepEqual(idsOf(found), ids);
      assert.equal(found.total, ids.length);
    });
  }

  it('agrees with other criteria', async () => {
    const found = await search('Organization?near=LS1 4AP|20&ods-org-role=182&name=also');
    assert.deepEqual(idsOf(found), ['A3']);
  });

  it('has the distance in the entry of each match, and the match is that of a read', async () => {
    const { entry = [] } = await search('Organization?near=LS1 4AP|20');
    const distances = entry.map(distanceOf);
    assert.deepEqual(
      distances.map((distance) => distance?.value),
      [0, 0.24, 0.24, 1.27, 13.27],
    );
    assert.ok(distances.every((distance) => distance?.code === 'km'));
    assert.ok(entry.every(({ search: match }) => match?.mode === 'match'));
    const alone: Organization = JSON.parse((await server.get('Organization/A1')).text);
    assert.deepEqual(entry[3]!.resource, alone);
    const tag = (await server.get('Organization/A1')).headers.get('etag');
    assert.equal(tag, (await bare.get('Organization/A1')).headers.get('etag'));
  });

  it('has the same distance in XML and in legacy JSON', async () => {
    const xml = await server.get('Organization?near=LS1 4AP|0.5&_format=xml');
    assert.match(
      xml.text,
      /<\/resource><search><extension url="[^"]*location-distance"><valueDistance><value value="0.24"\/>/,
    );
    const legacy = await search('/fhir/legacy/STU3/Organization?near=LS1 4AP|0.5');
    assert.equal(distanceOf(legacy.entry![1]!)?.value, 0.24);
    assert.equal(legacy.entry![1]!.search?.mode, undefined);
  });

  it('has pages with links that repeat it', async () => {
    const ids: string[] = [];
    let target: string | undefined = 'Organization?near=LS1 4AP|20&_count=2';
    for (let page = 0; target !== undefined && page < 9; page++) {
      const found: Bundle = await search(target);
      assert.equal(found.total, 5);
      ids.push(...idsOf(found));
      const next = found.link.find(({ relation }) => relation === 'next')?.url;
      target = next?.slice(BASE.replace('/fhir', '').length);
    }
    assert.deepEqual(ids, ['D1', 'A2', 'A3', 'A1', 'B1']);
  });

  it('answers the total alone', async () => {
    const found = await search('Organization?near=LS1 4AP|20&_summary=count');
    assert.deepEqual([found.total, found.entry], [5, undefined]);
  });

  it('has an entity tag that changes with the postcodes', async () => {
    const target = 'Organization?near=LS1 4DY|5';
    const tag = (await server.get(target)).headers.get('etag') ?? '';
    assert.equal((await server.get(target, { 'if-none-match': tag })).status, 304);
    const edition = editionOf(RECORDS, 1, undefined, postcodeFile(POSTCODES.slice(1)));
    const later = await startDirectory({ editions: only(edition) });
    assert.notEqual((await later.get(target)).headers.get('etag'), tag);
    await later.close();
  });
});

describe('near, in R4', () => {
  const ORGANIZATION = '/fhir/R4/Organization';

  it('also finds reference-only records, in the order of the distance', async () => {
    const found = await search(`${ORGANIZATION}?near=LS1 4AP|5`);
    assert.deepEqual(idsOf(found), ['D1', 'A2', 'A3', 'A1', 'Z1']);
    assert.equal(distanceOf(found.entry![4]!)?.value, 1.27);
  });

  it('reads pages over both kinds of records', async () => {
    const found = await search(`${ORGANIZATION}?near=LS1 4AP|20&_offset=3&_count=2`);
    assert.deepEqual(idsOf(found), ['A1', 'Z1']);
    assert.equal(found.total, 6);
  });

  it('has the order of _sort if the search has one', async () => {
    const found = await search(`${ORGANIZATION}?near=LS1 4AP|5&_sort=-name`);
    assert.deepEqual(idsOf(found), ['A1', 'Z1', 'D1', 'A2', 'A3']);
    assert.equal(distanceOf(found.entry![0]!)?.value, 1.27);
  });

  for (const subset of ['_elements=name', '_summary=true', '_summary=text', '_count=1000']) {
    it(`has the distance with ${subset}`, async () => {
      const found = await search(`${ORGANIZATION}?near=LS1 4AP|5&${subset}`);
      assert.equal(distanceOf(found.entry![1]!)?.value, 0.24);
      const xml = await server.get(`${ORGANIZATION}?near=LS1 4AP|5&${subset}&_format=xml`);
      assert.match(xml.text, /<search><extension url="[^"]*location-distance">/);
    });
  }
});

describe('Near, in ORD', () => {
  const ORGANISATIONS = '/fhir/ORD/2-0-0/organisations';

  it('finds the nearest first, and links to the next page', async () => {
    const { status, text, headers } = await server.get(
      `${ORGANISATIONS}?Near=LS1 4AP|10|mi&Status=Active&Limit=3`,
    );
    assert.equal(status, 200, text);
    const codes = JSON.parse(text).Organisations.map(({ OrgId }: { OrgId: string }) => OrgId);
    assert.deepEqual(codes, ['A2', 'A3', 'A1']);
    assert.equal(headers.get('x-total-count'), '4');
    assert.match(headers.get('next-page') ?? '', /Near=LS1/);
  });
});

const REFUSED: readonly (readonly [value: string, problem: RegExp])[] = [
  ['', /no postcode and no position/],
  ['|5', /no postcode and no position/],
  ['LS1 4AP', /no distance/],
  ['LS1 4AP|', /no distance/],
  ['LS1 4AP|5|m', /unit of near must be km or mi/],
  ['LS1 4AP|5|', /unit of near must be km or mi/],
  ['LS1 4AP|5|km|x', /more than three parts/],
  ['LS1|5', /not a whole one/],
  ['LS1 4A|5', /not a whole one/],
  [`${'9'.repeat(5000)}|5`, /not a whole one/],
  ['LS9 9ZZ|5', /no position for LS99ZZ/],
  ['LS98 1ZZ|5', /no position for LS981ZZ/],
  ...['0', '-1', '1e9', '1000000000', '1000.01', 'NaN', 'Infinity', '0x10', '5km', '1/2'].map(
    (distance) => [`LS1 4AP|${distance}`, /number above 0, and at most 1000 km/] as const,
  ),
  ['LS1 4AP|622|mi', /number above 0, and at most 1000 km/],
  ...['91,0', '-1.55,181', '53,NaN', '53,', ',', '1,2,3', '53.79;-1.55,1'].map(
    (place) => [`${place}|5`, /latitude from -90 to 90, a comma/] as const,
  ),
];

describe('near, if it is not valid', () => {
  for (const [value, problem] of REFUSED) {
    it(`is refused at once: ${value.slice(0, 30)}`, async () => {
      for (const path of ['STU3/Organization', 'R4/Organization', 'ORD/2-0-0/organisations']) {
        // R4 ignores a parameter without a value.
        if (value === '' && path.startsWith('R4')) continue;
        const isOrd = path.startsWith('ORD');
        const name = isOrd ? 'Near' : 'near';
        const target = `/fhir/${path}?${name}=${encodeURIComponent(value)}`;
        const { status, text } = await server.get(target);
        assert.equal(status, isOrd ? 406 : 400, text);
        const expected = new RegExp(problem.source.replace('near', name));
        assert.match(text, expected);
        assert.match(text, new RegExp(`Write ${name}=LS1 4AP\\|5\\|km or`));
        if (!isOrd) assert.deepEqual(JSON.parse(text).issue[0].location, ['http.near']);
      }
    });
  }

  it('is refused if it is repeated', async () => {
    for (const path of ['STU3/Organization', 'R4/Organization']) {
      const { status, text } = await server.get(`/fhir/${path}?near=LS1 4AP|5&near=LS1 4AP|6`);
      assert.equal(status, 400);
      assert.match(text, /Repeated near argument|near can be given only once/);
    }
  });

  it('is refused without imported postcodes, also for a position', async () => {
    for (const value of ['LS1 4AP|5', '53.79,-1.55|5']) {
      const { status, text } = await bare.get(`Organization?near=${value}`);
      assert.equal(status, 400);
      assert.match(text, /near needs postcodes.*gazetteer import-postcodes FILE/);
    }
  });
});
