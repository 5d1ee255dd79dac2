/** The legacy form beside the FHIR form of the same data: what differs, exactly, and what not. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { importedSample } from '../imported-sample.ts';
import { type Owner, ownerOfSuite } from '../owner.ts';
import {
  legacyBundle,
  legacyCount,
  legacyOrganization,
  legacyOutcome,
} from './clients/legacy-payloads.ts';
import { serve } from './program.ts';

describe('the legacy form has the payloads of the retired service exactly', () => {
  const owner = ownerOfSuite();
  let legacy: string;
  let fhir: string;
  before(async () => {
    ({ legacy, fhir } = await startBoth(owner));
  });
  const likeLegacy = (text: string) => text.replaceAll(new URL(fhir).host, new URL(legacy).host);

  it('every organisation, in a search and in a read', async () => {
    let page = `${legacy}/Organization?_count=20`;
    let seen = 0;
    for (;;) {
      const bundle = legacyBundle.parse(JSON.parse((await get(page)).text));
      const checks = bundle.entry.map(async ({ resource }) => {
        const path = `Organization/${resource.id}`;
        const { text } = await get(`${legacy}/${path}`);
        legacyOrganization.parse(JSON.parse(text));
        assert.equal(text, JSON.stringify(resource), 'a search has it as a read has');
        assert.equal(text, JSON.stringify(asLegacy((await get(`${fhir}/${path}`)).text)));
      });
      await Promise.all(checks);
      seen += checks.length;
      const next = bundle.link.find(({ relation }) => relation === 'next')?.url;
      if (next === undefined) {
        assert.equal(seen, Number(bundle.total));
        break;
      }
      page = next;
    }
  });

  for (const query of ['name=Leeds', 'name=nowhere', '_count=3&_page=2', '_page=999', '_id=RTG']) {
    it(`a search with ${query} differs in its shapes only`, async () => {
      const found = await get(`${legacy}/Organization?${query}`);
      assert.equal(found.status, 200);
      const bundle = legacyBundle.parse(JSON.parse(found.text));
      assert.match(found.type, /^application\/fhir\+json/);
      const other = await get(`${fhir}/Organization?${query}`);
      const expected = asLegacy(likeLegacy(other.text));
      assert.deepEqual(bundle, { ...expected, id: bundle.id });
      const indented = await get(`${legacy}/Organization?${query}&_pretty=true`);
      const { entry } = legacyBundle.parse(JSON.parse(indented.text));
      assert.deepEqual(entry, bundle.entry);
    });
  }

  it('a search without a match has total "0" and an empty entry', async () => {
    const { text } = await get(`${legacy}/Organization?name=nowhere`);
    assert.match(text, /"total":"0"/);
    assert.match(text, /"entry":\[\]/);
  });

  for (const query of ['_summary=count', '_count=0', 'name=nowhere&_count=0']) {
    it(`a count by ${query} has neither link nor entry`, async () => {
      const { text } = await get(`${legacy}/Organization?${query}`);
      const { total } = legacyCount.parse(JSON.parse(text));
      const other = JSON.parse((await get(`${fhir}/Organization?${query}`)).text);
      assert.equal(total, String(other.total));
    });
  }

  const body = 'name=Leeds&_count=5';
  it(`a search by form of ${body} is as by GET`, async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const posted = await get(`${legacy}/Organization/_search`, { method: 'POST', headers, body });
    legacyBundle.parse(JSON.parse(posted.text));
    assert.equal(posted.text, (await get(`${legacy}/Organization?${body}`)).text);
  });

  const refused: readonly (readonly [path: string, status: number, init?: RequestInit])[] = [
    ['Organization/NOPE', 404],
    ['Organization?name=ab&foo=1&ods-org-role=x', 400],
    ['Organization?_edition=99', 410],
    ['Organization/RTG', 405, { method: 'DELETE' }],
    ['Organization/RTG', 406, { headers: { Accept: 'image/png' } }],
    ['Organization/_search', 415, { method: 'POST', body: '{}' }],
    ['Nothing/here', 404],
    ['CodeSystem/NOPE', 404],
  ];
  for (const [path, status, init] of refused) {
    it(`an outcome of ${status} for ${path} has a single coding`, async () => {
      const outcome = await get(`${legacy}/${path}`, init);
      assert.equal(outcome.status, status);
      const parsed = legacyOutcome.parse(JSON.parse(outcome.text));
      const other = JSON.parse(likeLegacy((await get(`${fhir}/${path}`, init)).text));
      assert.equal(parsed.issue.length, other.issue.length);
      for (const [i, { location: _, ...issue }] of other.issue.entries()) {
        const [coding] = issue.details.coding;
        assert.deepEqual(parsed.issue[i], { ...issue, details: { ...issue.details, coding } });
      }
    });
  }

  const same = [
    'metadata?_format=json',
    'metadata?_format=xml',
    'CodeSystem/ODSAPI-OrganizationRole-1',
    'CodeSystem/ODSAPI-OrganizationRecordClass-1',
    'ValueSet/ODSAPI-OrganizationRole-1',
    'SearchParameter/ODSAPI-OrganizationRole-Role-1',
    'Organization/RTG?_format=xml',
    'Organization/FA00B?_format=xml',
    'Organization/NOPE?_format=xml',
    'Organization?_format=xml',
    'Organization?name=Leeds&_format=xml&_pretty=true',
    'Organization?name=nowhere&_format=xml',
    'Organization?_summary=count&_format=xml',
    'Organization?name=ab&foo=1&_format=xml',
    '../editions/current.ndjson',
  ];
  for (const path of same) {
    it(`${path} is the same in both forms`, async () => {
      const [one, other] = await Promise.all([get(`${legacy}/${path}`), get(`${fhir}/${path}`)]);
      assert.equal(one.status, other.status);
      assert.equal(one.type, other.type);
      assert.ok(one.text.length > 100);
      assert.equal(one.text.replace(ID, ''), likeLegacy(other.text).replace(ID, ''));
    });
  }
});

/** An outcome has a new id each time, and a Bundle one of the settings that it was made with. */
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

async function get(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  const type = response.headers.get('Content-Type') ?? '';
  return { status: response.status, type, text: await response.text() };
}

/** The FHIR form as the retired service would have sent it, said without the program's code. */
function asLegacy(text: string): Record<string, unknown> {
  const resource = JSON.parse(text);
  if (resource.resourceType === 'Organization') return single(resource);
  const { total, entry = [], ...head } = resource;
  return {
    ...head,
    total: `${total}`,
    entry: entry.map(({ fullUrl, resource: organization }: Record<string, object>) => ({
      fullUrl,
      resource: single(organization),
    })),
  };
}

function single(organization: object = {}): Record<string, unknown> {
  return JSON.parse(JSON.stringify(organization), (key, value) =>
    SINGLE.includes(key) && Array.isArray(value) ? value[0] : value,
  );
}

const SINGLE: readonly string[] = ['identifier', 'type', 'coding', 'address', 'profile'];

/** The same edition in both forms, each at the address that its links have. */
async function startBoth(owner: Owner) {
  const data = await importedSample(owner);
  const copy = await importedSample(owner);
  const [legacy, fhir] = await Promise.all(
    [
      ['--data', data, '--directory-json', 'legacy'],
      ['--data', copy, '--directory-json', 'fhir'],
    ].map(async (words) => {
      const { port } = await serve(owner, ['--threads', '1', ...words]);
      return `http://localhost:${port}/STU3`;
    }),
  );
  return { legacy: legacy!, fhir: fhir! };
}
