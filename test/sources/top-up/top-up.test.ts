/** Changes of the current edition: records of ORD, resources of R4, and release files with changes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { organisation, releaseXml } from '../release-file/release-fixture.ts';
import {
  baseRelease,
  createTopUpRun,
  deletionList,
  r4Affiliation,
  r4Bundle,
  r4Organization,
} from './top-up-fixture.ts';

const sample = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const PRACTICE = { changed: '2021-02-03', roles: [{ code: 'RO177', id: 5 }] } as const;

describe('a record of ORD', () => {
  it('is added to the current edition with everything that it has', async (context) => {
    const run = await createTopUpRun(context);
    const { edition, topUp, read, imported } = await run.import(
      sample('fixtures/ord/organisation-RWR.json'),
      'rwr.json',
    );
    assert.deepEqual(
      [edition.number, edition.added, edition.changed, edition.removed],
      [2, 1, 0, 0],
    );
    assert.equal(edition.source, 'changes to edition 1: rwr.json');
    assert.deepEqual([read, imported, topUp?.records, topUp?.edition], [1, 1, 1, 1]);
    const records = await run.whole();
    assert.deepEqual([...records.keys()], ['A81001', 'QWO', 'RR8', 'RWR', 'R1']);
    const trust = records.get('RWR');
    assert.equal(trust?.name, 'HERTFORDSHIRE PARTNERSHIP UNIVERSITY NHS FOUNDATION TRUST');
    assert.deepEqual(trust?.roles[0], {
      code: '197',
      isPrimary: true,
      isActive: true,
      periods: [{ kind: 'Operational', start: '2001-04-01' }],
      uniqueId: 102_782,
    });
    assert.equal(trust?.address?.uprn, '10007553984');
    assert.deepEqual(
      trust?.relationships?.map(({ uniqueId, type, target }) => [uniqueId, type, target.code]),
      [
        [696_688, '5', 'QM7'],
        [568_962, '5', 'Q79'],
        [358_954, '5', 'Q78'],
        [193_512, '5', 'Q58'],
        [76_203, '5', 'Q35'],
        [51_797, '5', 'QEX'],
        [71_564, '5', 'Q02'],
      ],
    );
    assert.deepEqual(
      trust?.successions?.map(({ target }) => target.code),
      ['RQJ', 'RC8'],
    );
    assert.equal(trust?.authority, 'HSCIC');
  });

  it('replaces the record that the directory has, and closes it', async (context) => {
    const run = await createTopUpRun(context);
    const record = {
      Organisation: {
        Name: 'A PRACTICE THAT CLOSED',
        Date: [{ Type: 'Operational', Start: '2001-01-01', End: '2021-01-01' }],
        OrgId: { extension: 'A81001' },
        Status: 'Inactive',
        LastChangeDate: '2021-01-02',
        orgRecordClass: 'RC1',
        Roles: { Role: { id: 'RO177', uniqueRoleId: 5, primaryRole: true, Status: 'Inactive' } },
      },
    };
    // Two in one file, one on each line: the newest counts.
    const older = {
      Organisation: { ...record.Organisation, LastChangeDate: '2020-12-01', Status: 'Active' },
    };
    const { leftOut } = await run.import(`${JSON.stringify(record)}\n${JSON.stringify(older)}\n`);
    assert.deepEqual(leftOut.duplicate?.examples, ['A81001']);
    const practice = (await run.whole()).get('A81001');
    assert.deepEqual([practice?.isActive, practice?.name], [false, 'A PRACTICE THAT CLOSED']);
    assert.deepEqual(practice?.periods, [
      { kind: 'Operational', start: '2001-01-01', end: '2021-01-01' },
    ]);
  });

  for (const [name, text, detail] of [
    ['a control character', 'A\u0000B', 'a text has a character that XML does not allow'],
    ['half of a character', 'A\ud800B', 'a text has a character that XML does not allow'],
    ['a very long text', 'A'.repeat(5000), 'a text of a record is longer than 4096 characters'],
  ] as const) {
    it(`with ${name} is left out, and the others are imported`, async (context) => {
      const run = await createTopUpRun(context);
      const record = (code: string, name: string) =>
        JSON.stringify({
          Organisation: {
            Name: name,
            OrgId: { extension: code },
            Status: 'Active',
            LastChangeDate: '2021-01-02',
            orgRecordClass: 'RC1',
            Roles: { Role: [{ id: 'RO177', primaryRole: true, Status: 'Active' }] },
          },
        });
      const { leftOut } = await run.import(`${record('RR8', text)}\n${record('A81001', 'NEW')}\n`);
      assert.deepEqual(leftOut['invalid-resource']?.examples, [`RR8: ${detail}`]);
      const records = await run.whole();
      assert.equal(records.get('RR8')?.name, 'LEEDS TEACHING HOSPITALS NHS TRUST');
      assert.equal(records.get('A81001')?.name, 'NEW');
    });
  }

  it('that is older than the directory changes nothing', async (context) => {
    const run = await createTopUpRun(context);
    const old = releaseXml(
      [organisation('<LastChangeDate value="2019-01-01"/>', { code: 'A81001' })],
      {
        publicationType: 'Partial',
      },
    );
    const { isPublished, edition, leftOut } = await run.import(old);
    assert.deepEqual([isPublished, edition.number], [false, 1]);
    assert.deepEqual(leftOut.older?.examples, ['A81001']);
  });

  it('is read as XML too', async (context) => {
    const run = await createTopUpRun(context);
    const xml =
      '<?xml version="1.0"?>\n<Organisation orgRecordClass="RC2"><Name>A SITE</Name>' +
      '<OrgId extension="C84714001"/><Status value="Active"/><LastChangeDate value="2021-04-15"/>' +
      '<Roles><Role id="RO96" primaryRole="true" uniqueRoleId="1177"><Status value="Active"/></Role></Roles>' +
      '<Rels><Rel id="RE6" uniqueRelId="18082"><Status value="Active"/>' +
      '<Target><OrgId extension="A81001"/><PrimaryRoleId id="RO177" uniqueRoleId="59739"/></Target></Rel></Rels>' +
      '</Organisation>';
    await run.import(xml, 'c84714001.xml');
    const site = (await run.whole()).get('C84714001');
    assert.deepEqual(
      site?.relationships?.map(({ target }) => target.code),
      ['A81001'],
    );
  });

  it('may have null, numbers in any spelling, and members that XML cannot have', async (context) => {
    const run = await createTopUpRun(context);
    const content = sample('fixtures/ord/organisation-RWR.json');
    const written = content
      .replaceAll(/"uniqueRoleId": *102782\b/g, '"uniqueRoleId":1.02782e5')
      .replace('"Name":', '"Rels2":null,"$x":{"y":1},"Name":');
    assert.notEqual(written, content);
    await run.import(written, 'rwr.json');
    const trust = (await run.whole()).get('RWR');
    assert.deepEqual(trust?.roles.find(({ isPrimary }) => isPrimary)?.uniqueId, 102_782);
  });

  for (const [name, content, message] of [
    [
      'a list',
      sample('fixtures/ord/search-RWR.json'),
      /it is a list of organisations, which has no whole records/,
    ],
    ['an error', '{"Organisation":{"a":1}', /it is not JSON in UTF-8/],
    ['other JSON', '[{"Organisation":null},{"errorCode":404}]', /it has no Organisation/],
  ] as const) {
    it(`is not ${name}`, async (context) => {
      const run = await createTopUpRun(context);
      await assert.rejects(run.import(content), message);
      assert.equal((await run.store.current())?.number, 1);
    });
  }
});

describe('resources of the national R4 service', () => {
  it('are the samples', async (context) => {
    const run = await createTopUpRun(context);
    const organizationOf = JSON.parse(sample('directory/r4/organization-RR8.json'));
    const affiliation = JSON.parse(sample('directory/r4/affiliation-617400.json'));
    const { topUp, warnings } = await run.import(r4Bundle(organizationOf, affiliation));
    assert.deepEqual([topUp?.records, topUp?.relationships], [1, 1]);
    assert.deepEqual(warnings['invalid-relationship']?.examples, [
      'G81086: the directory has no such organisation',
    ]);
    const trust = (await run.whole()).get('RR8');
    assert.equal(trust?.lastUpdated, '2023-11-14');
    assert.deepEqual(trust?.address, {
      lines: ["ST. JAMES'S UNIVERSITY HOSPITAL", 'BECKETT STREET'],
      city: 'LEEDS',
      district: 'WEST YORKSHIRE',
      postalCode: 'LS9 7TF',
      country: 'ENGLAND',
      uprn: '72016246',
    });
  });

  it('are merged over the record: what they do not state stays', async (context) => {
    const run = await createTopUpRun(context);
    const before = (await run.whole()).get('RR8');
    const roles = [
      { code: 'RO57', id: 2 },
      { code: 'RO197', id: 37_525, start: '1998-04-01' },
      { code: 'RO24', id: 99 },
    ];
    const telecom = [{ system: 'phone', value: '0113 2222222' }];
    const { warnings } = await run.import(
      r4Organization('RR8', { changed: '2021-01-01', name: 'LEEDS', roles, more: { telecom } }),
    );
    assert.equal(warnings['not-stated'], undefined);
    const now = (await run.whole()).get('RR8');
    assert.deepEqual(
      now?.roles.map(({ code, isPrimary }) => [code, isPrimary]),
      [
        ['197', true],
        ['57', false],
        ['24', false],
      ],
    );
    assert.deepEqual(now?.telecoms, [
      { system: 'phone', value: '0113 2222222' },
      { system: 'fax', value: '0113 1111111' },
    ]);
    for (const part of ['periods', 'successions', 'recordClass'] as const) {
      assert.deepEqual(now?.[part], before?.[part], part);
    }
    assert.deepEqual(
      now?.relationships?.map(({ uniqueId }) => uniqueId),
      [11],
    );
  });

  it('take the primary role from its code, and say so', async (context) => {
    const run = await createTopUpRun(context);
    const { warnings, leftOut } = await run.import(
      r4Bundle(
        r4Organization('B1', PRACTICE),
        r4Organization('B2', { changed: '2021-02-03', roles: [{ code: 'RO999', id: 6 }] }),
        r4Organization('B3', {
          changed: '2021-02-03',
          roles: [
            { code: 'RO177', id: 7 },
            { code: 'RO197', id: 8 },
          ],
        }),
        r4Organization('B4', {
          changed: '2021-02-03',
          roles: [
            { code: 'RO177', id: 9, active: false },
            { code: 'RO197', id: 10 },
          ],
        }),
      ),
    );
    assert.deepEqual(warnings['not-stated']?.examples, [
      'B1: the primary role, taken from its code RO177',
      'B1: its own periods, taken from its role RO177',
      'B4: the primary role, taken from its code RO197',
      'B4: its own periods, taken from its role RO197',
    ]);
    assert.deepEqual(leftOut['no-primary-role']?.examples, [
      'B2: none of RO999 is a primary role elsewhere',
    ]);
    assert.deepEqual(leftOut['several-primary-roles']?.examples, [
      'B3: more than one of RO177, RO197 can be primary',
    ]);
    const records = await run.whole();
    assert.deepEqual([...records.keys()], ['A81001', 'B1', 'B4', 'QWO', 'RR8', 'R1']);
    assert.deepEqual(records.get('B1')?.periods, [{ kind: 'Operational', start: '2001-01-01' }]);
  });

  it('close an organisation with the end of its primary role', async (context) => {
    const run = await createTopUpRun(context);
    const roles = [{ code: 'RO177', id: 5, active: false, end: '2021-01-31' }];
    await run.import(r4Organization('A81001', { changed: '2021-02-01', active: false, roles }));
    const closed = (await run.whole()).get('A81001');
    assert.equal(closed?.isActive, false);
    assert.deepEqual(closed?.periods, [
      { kind: 'Operational', start: '2001-01-01', end: '2021-01-31' },
    ]);
  });

  it('change relationships by their numbers, and add new ones', async (context) => {
    const run = await createTopUpRun(context);
    await run.import(
      r4Bundle(
        r4Affiliation(11, ['RR8', 'QWO'], { active: false, end: '2021-03-31' }),
        r4Affiliation(12, ['A81001', 'RR8'], { code: 'RE4' }),
      ),
    );
    const records = await run.whole();
    const [changed] = records.get('RR8')?.relationships ?? [];
    assert.deepEqual(
      [changed?.isActive, changed?.periods[0]?.end, changed?.target.primaryRoleId],
      [false, '2021-03-31', 4],
    );
    const [added] = records.get('A81001')?.relationships ?? [];
    assert.deepEqual(
      [added?.type, added?.uniqueId, added?.target.code, added?.target.primaryRole],
      ['4', 12, 'RR8', '197'],
    );
    assert.equal(added?.target.primaryRoleId, 37_525);
  });

  it('remove what the lists of deletions name', async (context) => {
    const run = await createTopUpRun(context);
    const { topUp, edition } = await run.import(
      r4Bundle(
        deletionList('Organization-deletion', 'QWO', '2021-01-01'),
        // Older than its record: it was added again after its removal.
        deletionList('Organization-deletion', 'A81001', '2019-01-01'),
        deletionList('OrganizationAffiliation-deletion', '11', '2021-01-01'),
        deletionList('Organization-role-deletion', '2', '2021-01-01'),
        deletionList('Organization-succession-deletion', '21', '2021-01-01'),
      ),
    );
    assert.deepEqual([topUp?.removals, edition.removed, edition.changed], [5, 1, 1]);
    const records = await run.whole();
    assert.deepEqual([...records.keys()], ['A81001', 'RR8', 'R1']);
    const trust = records.get('RR8');
    assert.deepEqual(
      [trust?.relationships, trust?.successions, trust?.roles.map(({ code }) => code)],
      [[], [], ['197']],
    );
  });

  it('leave out removals after today', async (context) => {
    const run = await createTopUpRun(context);
    const { warnings, topUp, isPublished } = await run.import(
      r4Bundle(
        deletionList('Organization-deletion', 'QWO', '9999-12-31'),
        deletionList('OrganizationAffiliation-deletion', '11', '9999-12-31T00:00:00Z'),
      ),
    );
    assert.deepEqual(warnings['future-removal'], {
      count: 2,
      examples: [
        'QWO: the organization is removed on 9999-12-31',
        '11: the relationship is removed on 9999-12-31T00:00:00Z',
      ],
    });
    assert.deepEqual([topUp?.removals, isPublished], [0, false]);
    assert.ok((await run.whole()).has('QWO'));
  });

  it('replace and remove records whose date of change is after today', async (context) => {
    const run = await createTopUpRun(context);
    const named = (name: string, changed: string) =>
      r4Bundle(r4Organization('A81001', { ...PRACTICE, name, changed }));
    const { edition } = await run.import(named('FROM THE FUTURE', '9999-12-31'));
    assert.equal(edition.publicationDate, '2020-05-01');
    await run.import(named('NOW', '2021-02-04'));
    assert.equal((await run.whole()).get('A81001')?.name, 'NOW');
    await run.import(named('FROM THE FUTURE', '9999-12-31'));
    await run.import(r4Bundle(deletionList('Organization-deletion', 'A81001', '2021-02-05')));
    assert.ok(!(await run.whole()).has('A81001'));
  });

  it('can make a reference-only record a full one, and not the other way round', async (context) => {
    const run = await createTopUpRun(context);
    const { leftOut } = await run.import(
      r4Bundle(
        r4Organization('R1', PRACTICE),
        r4Organization('A81001', { ...PRACTICE, refOnly: true }),
      ),
    );
    assert.deepEqual(leftOut['reference-only']?.examples, ['A81001']);
    const records = await run.whole();
    assert.equal(records.get('R1')?.isReferenceOnly, undefined);
    assert.equal(records.get('A81001')?.name, 'A PRACTICE');
  });

  it('that are not valid are left out and counted', async (context) => {
    const run = await createTopUpRun(context);
    const { leftOut } = await run.import(
      r4Bundle(
        r4Organization('B1', PRACTICE),
        { ...r4Organization('B2', PRACTICE), active: 'yes' },
        { ...r4Organization('B3', PRACTICE), extension: undefined },
        { ...r4Affiliation(12, ['RR8', 'QWO']), id: 'x' },
        { resourceType: 'CodeSystem', status: 'active', content: 'complete' },
      ),
    );
    assert.deepEqual(leftOut['invalid-resource']?.examples, [
      'B2: line 1, entry 2: /f:Organization/f:active: active: "yes" is not a JSON boolean. Expected true or false.',
      'B3: line 1, entry 3: it has no LastChangeDate',
      'x: line 1, entry 4: its id is not the number of a relationship',
      'line 1, entry 5: a resource of type CodeSystem',
    ]);
  });
});

describe('a file of changes', () => {
  for (const publicationType of ['Partial', 'APISync']) {
    it(`of the PublicationType ${publicationType} is applied`, async (context) => {
      const run = await createTopUpRun(context);
      const changes = releaseXml(
        [organisation('<Name>NEW</Name><LastChangeDate value="2021-05-05"/>', { code: 'N1' })],
        { publicationType, publicationDate: '2021-05-06' },
      );
      const { edition } = await run.import(changes, 'changes.xml');
      assert.deepEqual([edition.records, edition.publicationDate], [4, '2021-05-06']);
      assert.equal((await run.whole()).get('RR8')?.relationships?.length, 1);
      assert.match(
        run.lines.join('\n'),
        /^changes\.xml: changes\. All other records of edition 1 stay\.$/m,
      );
    });
  }

  it('needs an edition that it can change', async (context) => {
    const run = await createTopUpRun(context);
    const other = await createTopUpRun(context);
    await assert.rejects(
      run.import(baseRelease().replace('value="4"', 'value="5"')),
      /says it has 5 records/,
    );
    assert.equal((await other.store.current())?.number, 1);
  });
});

it('the next release is compared with what the changes said', async (context) => {
  const run = await createTopUpRun(context);
  await run.import(r4Organization('A81001', { ...PRACTICE, name: 'WRONG', changed: '2020-05-05' }));
  await run.import(r4Organization('B1', PRACTICE));
  await run.import(r4Affiliation(12, ['QWO', 'RR8'], { code: 'RE4' }));
  const trust = baseRelease().replace('LEEDS TEACHING', 'THE LEEDS TEACHING');
  const release = trust
    .replace('<Name>A PRACTICE</Name>', '<Name>RIGHT</Name><LastChangeDate value="2020-05-05"/>')
    .replace(/(A81001.*?)<LastChangeDate value="2020-01-02"\/>/, '$1');
  const { topUps, topUp } = await run.import(release);
  assert.equal(topUp, undefined);
  assert.deepEqual(
    [topUps?.editions, topUps?.records, topUps?.confirmed, topUps?.newer, topUps?.older],
    [3, 3, 0, 0, 0],
  );
  assert.deepEqual(topUps?.different.examples.toSorted(), [
    'A81001: Name, Roles',
    'B1: not in the release',
    'QWO: Rels',
  ]);
  assert.equal((await run.import(baseRelease())).topUps, undefined);
});
