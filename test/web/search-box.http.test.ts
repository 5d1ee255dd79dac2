/** What people type into the search box, and what they find. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { editionOf } from '../directory/directory-server.ts';
import { CODE_SYSTEMS, organization, role } from '../directory/records.ts';
import { startWeb, type WebServer } from './web-server.ts';

const practice = [role('177', { isPrimary: true }), role('76')];
const trust = [role('197', { isPrimary: true })];
const dental = [role('110', { isPrimary: true })];
const inTown = (city: string) => ({ address: { lines: [], city } });

const RECORDS = [
  organization('A1', { name: "ST. PETER'S SURGERY", roles: practice, ...inTown('ST. IVES') }),
  organization('A2', { name: 'ST PETERS MEDICAL CENTRE', roles: practice, ...inTown('YORK') }),
  organization('B1', { name: 'EXAMPLE PARK SURGERY', roles: practice, ...inTown('LEEDS') }),
  organization('C1', { name: 'NHS TORQUAY AND QUARRY ICB', roles: trust, ...inTown('TORQUAY') }),
  organization('D1', {
    name: 'SMILES OF HEADINGLEY',
    roles: dental,
    telecoms: [{ system: 'phone', value: '0113 2433144' }],
    ...inTown('LEEDS'),
  }),
  organization('D2', {
    name: 'MILES',
    roles: dental,
    telecoms: [
      { system: 'fax', value: '0113 2433144' },
      { system: 'phone', value: '(01632) 960-177' },
    ],
    ...inTown('YORK'),
  }),
  ...Array.from({ length: 9 }, (_, i) =>
    organization(`E${i}`, { name: `CHEMIST ${i}`, roles: trust, ...inTown('LEEDS') }),
  ),
  organization('Z1', {
    name: 'LEEDS TEACHING HOSPITALS NHS TRUST',
    roles: trust,
    ...inTown('BRADFORD'),
  }),
];

let server: WebServer;
before(async () => {
  const roles = [...CODE_SYSTEMS.roles, { code: '110', display: 'GENERAL DENTAL PRACTICE' }];
  const edition = editionOf(RECORDS, 1, { ...CODE_SYSTEMS, roles });
  server = await startWeb({ editions: { current: () => edition, byNumber: () => edition } });
});
after(() => server.close());

describe('the search box', () => {
  const cases: readonly (readonly [typed: string, codes: string, says?: string])[] = [
    ["st. peter's", 'A1 A2'],
    ['st peters', 'A1 A2'],
    ['saint peter\u2019s', 'A1 A2'],
    ['st ives', 'A1', 'in towns that begin with <b>st ives</b>'],
    ['park surgery, leeds', 'B1'],
    ['NHS Torquay & quarry', 'C1'],
    ['torquay and quarry', 'C1'],
    ['dentist', 'D1 D2', 'with the role <b>General dental practice</b>'],
    ['dentists in leeds', 'D1'],
    ['leeds dentist', 'D1', 'with the role <b>General dental practice</b>, in towns'],
    ['leeds, park surgery', 'B1', 'whose name contains <b>park surgery</b>, in towns'],
    ['surgery example park', 'B1', 'whose name contains the words <b>surgery example park</b>'],
    ['doctors', 'A1 A2 B1', 'with the role <b>GP practice</b>'],
    ['RO177', 'A1 A2 B1', 'with the role <b>Prescribing cost centre</b>'],
    ['ro 177', ''],
    ['177', 'A1 A2 B1'],
    ['RO9999', ''],
    ['a1 Z1', 'A1 Z1', 'with the codes <b>A1, Z1</b>'],
    ['Z1,\tb1;\n D1', 'B1 D1 Z1'],
    ['A1 NONE', ''],
  ];
  for (const [typed, codes, says = ''] of cases) {
    it(`finds ${codes || 'nothing'} for “${typed}”`, async () => {
      const page = await server.get(`/?q=${encodeURIComponent(typed)}`);
      const text = page.text.replaceAll(/<\/?bdi>/g, '');
      const found = [...text.matchAll(/<span class="app-code">(\w+)</g)].map(([, code]) => code);
      assert.equal(found.toSorted().join(' '), codes);
      assert.ok(text.includes(says), `says ${says}`);
    });
  }

  it('shows the role that was searched for beside the main role', async () => {
    // People know a prescribing cost centre with the role of a GP practice as a GP practice.
    const role = '<span class="app-results__role">GP practice';
    for (const path of ['/?role=177', '/?q=RO177']) {
      const { text } = await server.get(path);
      assert.ok(text.includes(`${role} (also: Prescribing cost centre)<`), path);
    }
    for (const path of ['/?q=surgery', '/?q=doctors', '/?role=76', '/?role=177&role=76']) {
      const { text } = await server.get(path);
      assert.ok(text.includes(`${role}<`) && !text.includes('also: '), path);
    }
  });

  it('gives the organisations of several codes as a download', async () => {
    const { text } = await server.get('/results.csv?q=Z1,A2');
    const codes = text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    // In the order of their names.
    assert.deepEqual(codes, ['Z1', 'A2']);
    assert.match((await server.get('/results.csv?q=z1')).text, /^Z1,.*\r\n$/m);
  });

  const typos: readonly (readonly [typed: string, meant: string])[] = [
    ['ledes', 'leeds'],
    ['leds', 'leeds'],
    ['teching hospitals', 'teaching hospitals'],
    ['headinglye', 'headingley'],
  ];
  for (const [typed, meant] of typos) {
    it(`asks whether “${typed}” means “${meant}”`, async () => {
      const page = await server.get(`/?q=${encodeURIComponent(typed)}`);
      const text = page.text.replaceAll(/<\/?bdi>/g, '');
      const href = `/?q=${meant.replaceAll(' ', '+')}`;
      assert.ok(text.includes(`Did you mean <a href="${href}">${meant}</a>`), text);
    });
  }

  it('asks nothing of words that are like no other', async () => {
    for (const typed of ['xyzzyx', 'lee', 'qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq']) {
      assert.doesNotMatch((await server.get(`/?q=${typed}`)).text, /Did you mean/);
    }
  });

  const suggested: readonly (readonly [typed: string, first: string])[] = [
    ['leed', 'Z1'],
    ['leeds', 'Z1'],
    ['ledes', 'Z1'],
    ["st. peter's", 'A2'],
    ['dentist', 'D2'],
    ['z1 b1', 'Z1'],
  ];
  for (const [typed, first] of suggested) {
    it(`suggests ${first} first for “${typed}”`, async () => {
      const { text } = await server.get(`/suggestions?q=${encodeURIComponent(typed)}`);
      assert.equal(JSON.parse(text)[0]?.code, first);
    });
  }

  it('takes marks without end for little', async () => {
    const marks = `a${'%CC%96%CC%81'.repeat(1000)}`;
    for (const path of [`/?q=${marks}`, `/?town=${marks}`, `/suggestions?q=${marks}`]) {
      assert.equal((await server.get(path)).status, 200);
    }
    assert.deepEqual(server.faults, []);
  });
});
