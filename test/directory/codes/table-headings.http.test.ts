/** Tables with the headings that people have, and the tables that the directory gives. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RenderedEdition } from '../../../src/interfaces/faces/rendered-edition.ts';
import { csvWithRelationships } from '../../../src/interfaces/files/csv.ts';
import { MATCH } from '../../../src/interfaces/questions/match-question.ts';
import { POSTCODES } from '../../../src/interfaces/questions/postcode-question.ts';
import type { Question } from '../../../src/interfaces/questions/question.ts';
import { RESOLVE } from '../../../src/interfaces/questions/questions.ts';
import { placesOf } from '../../../src/interfaces/questions/table-headings.ts';
import { REPORTS } from '../../../src/interfaces/reports/csv/report-table.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS } from '../../web/related-records.ts';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { organization } from '../records.ts';

const CSV = { 'content-type': 'text/csv' };
const NAMELESS = { column: undefined, remedy: '?column=HEADING' };
/** Its name is the code of another organisation. */
const NAMED_AS_CODE = organization('Z9', { name: 'OLD1' });
const EDITION = editionOf([...RELATED_RECORDS, NAMED_AS_CODE], 1, RELATED_CODE_SYSTEMS);

let server: DirectoryServer;
before(async () => {
  server = await startDirectory({ editions: { current: () => EDITION, byNumber: () => EDITION } });
});
after(() => server.close());

async function post(path: string, table: string): Promise<{ status: number; lines: string[] }> {
  const { status, text } = await server.post(`/fhir/${path}`, table, CSV);
  return { status, lines: status === 200 ? text.trim().split('\r\n') : [JSON.parse(text).error] };
}

function headOfResults(): string {
  const rendered = { edition: EDITION } as RenderedEdition;
  const rows = { count: 0, isComplete: true };
  return (csvWithRelationships(rendered, '', '2026-11-25', rows).head ?? '').trim();
}

function placeIn(head: readonly string[], { inputs }: Question): number | undefined {
  return placesOf(head, inputs, NAMELESS)[0];
}

describe('a table with the headings that people have', () => {
  const SPELLINGS: readonly (readonly [Question, readonly string[]])[] = [
    [
      RESOLVE,
      [
        'Organisation Code',
        'ODS Code',
        'org_code',
        'OrgCode',
        'ODS-code',
        ' CODE ',
        'Org ID',
        'ods',
      ],
    ],
    [POSTCODES, ['Postcode', 'Post Code', 'POST_CODE', 'postal code', 'PostalCode']],
    [MATCH, ['Name', 'Organisation Name', 'organization_name', 'OrgName', 'Practice-Name']],
  ];
  for (const [question, headings] of SPELLINGS) {
    it(`is understood by /${question.name}`, () => {
      for (const heading of headings) assert.equal(placeIn(['id', heading], question), 1, heading);
    });
  }

  it('may say which column it means', async () => {
    const { lines } = await post('resolve?column=was', 'id,Code,Was\n1,15F,OLD1\n');
    assert.deepEqual(lines, [
      'id,Code,Was,outcome,now,nowName,replacedOn',
      '1,15F,OLD1,replaced,15F,NHS WEST YORKSHIRE ICB - 15F,2020-04-01',
    ]);
    const named = await post('match?column=the+body', 'code,The Body\n1,leeds pcn\n');
    assert.equal(
      named.lines[0],
      'code,The Body,outcome,matchCode,matchedName,score,why,unknown,differs',
    );
  });

  it('is refused with the candidates, the nearest heading and the remedy', async () => {
    const refused: readonly (readonly [path: string, table: string, error: string])[] = [
      [
        'resolve',
        'ODS Code,Org Code\nA,B\n',
        'The columns "ODS Code", "Org Code" can all be the code. Say which one with ?column=HEADING.',
      ],
      [
        'resolve',
        'cdoe,b\nA,B\n',
        'The table has no column code. Did you mean "cdoe"? Its columns are "cdoe", "b". Say which one has the code with ?column=HEADING.',
      ],
      [
        'resolve?column=Old+cod',
        'Old code,b\nA,B\n',
        'The table has no column "Old cod". Did you mean "Old code"? Its columns are "Old code", "b".',
      ],
      [
        'resolve',
        `a\u001b[2J,${'x'.repeat(70)}\nA,B\n`,
        `The table has no column code. Its columns are "a\\u{1b}[2J", "${'x'.repeat(60)}…". Say which one has the code with ?column=HEADING.`,
      ],
      [
        'resolve',
        'code,Code,b\nA,B,C\n',
        'The columns "code", "Code" can all be the code. Rename all but one.',
      ],
      ['resolve?column=x', 'x,X\nA,B\n', 'The table has several columns "x". Rename all but one.'],
      [
        'match',
        'name,city,post town\nA,B,C\n',
        'The columns "city", "post town" can all be the town. Rename all but one.',
      ],
    ];
    for (const [path, table, error] of refused) {
      assert.deepEqual(await post(path, table), { status: 400, lines: [error] });
    }
    const wide = await post('resolve', `${Array.from({ length: 100 }, (_, at) => `h${at}`)}\n`);
    assert.match(wide.lines[0] ?? '', /"h11" and 88 more\. Say which one/);
  });
});

describe('a table of the directory', () => {
  it('goes in as it is: every report with headings', () => {
    let checked = 0;
    for (const { name, content } of REPORTS) {
      if (content === undefined) continue;
      const { headings } = content.layout;
      assert.equal(placeIn(headings, RESOLVE), 0, name);
      const named = headings.findIndex((heading) => /^(PCN |Partner )?Name$/.test(heading));
      if (named >= 0) assert.equal(placeIn(headings, MATCH), named, name);
      const postcode = headings.indexOf('Postcode');
      if (postcode >= 0) assert.equal(placeIn(headings, POSTCODES), postcode, name);
      checked += 1;
    }
    assert.ok(checked > 30);
  });

  it('goes in as it is: a report and results.csv', async () => {
    const report = await server.get('/fhir/api/getReport?report=epraccur&headers=true');
    const practices = report.text.split('\r\n').slice(0, 3);
    const results = headOfResults();
    const row = [
      'OLD1',
      'leeds pcn',
      ...results
        .split(',')
        .slice(2)
        .map(() => ''),
    ].join(',');
    for (const name of ['resolve', 'hierarchy', 'match']) {
      const { status, lines } = await post(name, practices.join('\n'));
      assert.deepEqual([status, lines.length], [200, 3], String(lines[0]));
      const found = await post(name, `${results}\n${row}\n`);
      assert.deepEqual([found.status, found.lines.length], [200, 2], String(found.lines[0]));
      assert.equal(
        placeIn(results.split(','), POSTCODES),
        results.split(',').indexOf('postalCode'),
      );
    }
  });
});

describe('what is asked in a URL', () => {
  it('may have commas between codes and postcodes, but not between names', async () => {
    const codes = JSON.parse((await server.get('/fhir/resolve?code=OLD1,%2015F&code=RR8')).text);
    assert.deepEqual(
      codes.results.map(({ code }: { code: string }) => code),
      ['OLD1', '15F', 'RR8'],
    );
    const levels = JSON.parse((await server.get('/fhir/hierarchy?code=A81000,RR8')).text);
    assert.equal(levels.results.length, 2);
    const names = JSON.parse((await server.get('/fhir/match?name=park,+leeds')).text);
    assert.equal(names.results.length, 1);
    const { results } = JSON.parse((await server.get('/fhir/resolve?code=OLD1,')).text);
    assert.equal(results.length, 1, 'a comma too many does not matter');
    const { status, text } = await server.get('/fhir/resolve?code=,');
    assert.equal(status, 400);
    assert.match(JSON.parse(text).error, /^code is empty\. /);
  });
});

describe('a code in the column of names', () => {
  it('is found by the code, and the answer says so', async () => {
    const { lines } = await post('match', 'name\nrr8\n');
    assert.equal(lines[1], 'rr8,certain,RR8,LEEDS TEACHING HOSPITALS NHS TRUST,1,code,,');
  });

  it('does not hide an organisation whose name looks like the code', async () => {
    const { lines } = await post('match', 'name\nOLD1\n');
    assert.match(lines[1] ?? '', /^OLD1,\w+,.*Z9/);
  });
});
