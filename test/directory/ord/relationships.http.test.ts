/** Relationships and successions in the ORD interface: in records, and as parameters of searches. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RelationshipRecord, SourceRecord } from '../../../src/directory/record/record.ts';
import { type DirectoryServer, editionOf } from '../directory-server.ts';
import { organization } from '../records.ts';
import { startOrd } from './ord-server.ts';

const COMMISSIONER = '03Q';

function related(type: string, code: string, isActive = true): RelationshipRecord {
  const periods = isActive
    ? [{ kind: 'Operational', start: '2013-04-01' } as const]
    : [{ kind: 'Operational', start: '2013-04-01', end: '2019-03-31' } as const];
  return { type, isActive, periods, target: { code } };
}

function practice(code: string, more: Partial<SourceRecord>): SourceRecord {
  return { ...organization(code), ...more };
}

/** Three practices, a site, a closed commissioner and a reference. Another code has no record. */
const RECORDS: readonly SourceRecord[] = [
  practice('B81001', {
    name: 'PRACTICE WITH THE COMMISSIONER',
    relationships: [{ ...related('4', COMMISSIONER), uniqueId: 7001 }, related('8', 'U00001')],
  }),
  practice('B81002', {
    name: 'PRACTICE THAT LEFT',
    relationships: [related('4', COMMISSIONER, false), related('4', 'NOBODY')],
  }),
  practice('B81003', {
    name: 'ANOTHER PRACTICE',
    relationships: [related('5', COMMISSIONER), related('6', COMMISSIONER, false)],
  }),
  practice('B81004', {
    name: 'PRACTICE ALONE',
    successions: [
      {
        kind: 'Predecessor',
        uniqueId: 36589,
        isForward: true,
        periods: [{ kind: 'Legal', start: '2013-04-01' }],
        target: { code: 'OLD', primaryRole: '76', primaryRoleId: 12 },
      },
    ],
  }),
  practice('REF1', {
    name: 'REFERENCE ONLY PRACTICE',
    isReferenceOnly: true,
    relationships: [related('4', COMMISSIONER)],
  }),
];

/** Each search, and the codes that it finds, in the order of the codes. */
const SEARCHES: readonly (readonly [query: string, codes: readonly string[]])[] = [
  ['RelTypeId=RE4', ['B81001', 'B81002']],
  ['RelTypeId=re4', ['B81001', 'B81002']],
  ['RelTypeId=RE99', []],
  ['RelTypeId=RE5,RE8', ['B81001', 'B81003']],
  ['TargetOrgId=03Q', ['B81001', 'B81002', 'B81003']],
  ['TargetOrgId=03q', ['B81001', 'B81002', 'B81003']],
  ['TargetOrgId=NOBODY', ['B81002']],
  ['TargetOrgId=NONE', []],
  ['RelStatus=inactive', ['B81002', 'B81003']],
  ['RelStatus=Active&TargetOrgId=03Q', ['B81001', 'B81003']],
  ['RelTypeId=RE4&TargetOrgId=03Q&RelStatus=active', ['B81001']],
  ['RelTypeId=RE4&TargetOrgId=03Q&RelStatus=inactive', ['B81002']],
  ['RelTypeId=RE3,RE4,RE5&TargetOrgId=03Q&RelStatus=active&Limit=1000', ['B81001', 'B81003']],
  // Another relationship of the organisation has this type.
  ['RelTypeId=RE8&TargetOrgId=03Q', []],
  ['TargetOrgId=03Q&Name=another', ['B81003']],
];

describe('relationships in ORD', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startOrd(editionOf(RECORDS));
  });
  after(() => server.close());

  for (const [query, codes] of SEARCHES) {
    it(`${query} finds ${codes.join(', ') || 'nothing'}`, async () => {
      for (const format of ['json', 'xml']) {
        const { status, headers, text } = await server.get(
          `organisations?${query}&_format=${format}`,
        );
        assert.equal(status, 200, text);
        assert.equal(headers.get('x-total-count'), String(codes.length));
        const found = text.matchAll(/OrgId(?:":"|>)(\w+)/g);
        assert.deepEqual(Array.from(found, ([, code]) => code).toSorted(), codes);
      }
    });
  }

  it('are in the record of their source, in the order of the source', async () => {
    const { text } = await server.get('organisations/B81001');
    const target = (extension: string) => ({
      OrgId: {
        root: '2.16.840.1.113883.2.1.3.2.4.18.48',
        assigningAuthorityName: 'HSCIC',
        extension,
      },
    });
    const rel = (id: string, code: string) => ({
      Date: [{ Type: 'Operational', Start: '2013-04-01' }],
      Status: 'Active',
      Target: target(code),
      id,
    });
    assert.deepEqual(JSON.parse(text).Organisation.Rels, {
      Rel: [{ ...rel('RE4', COMMISSIONER), uniqueRelId: 7001 }, rel('RE8', 'U00001')],
    });
  });

  it('stand beside successions, and both are absent if there are none', async () => {
    const { Organisation } = JSON.parse((await server.get('organisations/B81004')).text);
    assert.equal(Organisation.Rels, undefined);
    assert.equal(Organisation.Succs.Succ[0].forwardSuccession, true);
    assert.equal(Organisation.Succs.Succ[0].Target.PrimaryRoleId.uniqueRoleId, 12);
    const xml = await server.get('organisations/B81004?_format=xml');
    assert.ok(
      xml.text.includes(
        '<Succs><Succ uniqueSuccId="36589" forwardSuccession="true">' +
          '<Date><Type value="Legal"/><Start value="2013-04-01"/></Date><Type>Predecessor</Type>',
      ),
      xml.text,
    );
    const practice = JSON.parse((await server.get('organisations/B81003')).text);
    assert.equal(practice.Organisation.Succs, undefined);
  });

  it('of a record that is only a reference are not served', async () => {
    assert.equal((await server.get('organisations/REF1')).status, 404);
    const { headers } = await server.get('organisations?Name=practice');
    assert.equal(headers.get('x-total-count'), '4');
    const sync = await server.get('sync?LastChangeDate=1900-01-01');
    assert.ok(!sync.text.includes('REF1'));
  });

  it('of an edition that does not know them are 503, and other searches work', async (context) => {
    const unknown = await startOrd({ ...editionOf(RECORDS), hasLinks: false });
    context.after(() => unknown.close());
    for (const query of ['RelTypeId=RE4', 'TargetOrgId=03Q', 'RelStatus=active&Name=practice']) {
      const { status, text } = await unknown.get(`organisations?${query}`);
      assert.equal(status, 503, query);
      assert.match(JSON.parse(text).errorText, /does not know the relationships/);
    }
    for (const path of ['rels', 'rels/RE4']) assert.equal((await unknown.get(path)).status, 503);
    for (const path of ['organisations?Name=practice', 'roles', 'recordclasses']) {
      assert.equal((await unknown.get(path)).status, 200, path);
    }
  });
});
