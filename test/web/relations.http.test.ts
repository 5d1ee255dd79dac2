/** Pages about relationships: what an organisation belongs to, its members, its history. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { openEdition } from '../../src/directory/edition/edition.ts';
import { editionOf } from '../directory/directory-server.ts';
import { editionArrays } from '../directory/edition-arrays.ts';
import { organization } from '../directory/records.ts';
import { HISTORY } from './records.ts';
import {
  PRACTICES,
  RELATED_CODE_SYSTEMS,
  RELATED_RECORDS,
  relationship,
} from './related-records.ts';
import { startWeb, type WebServer } from './web-server.ts';

let server: WebServer;
before(async () => {
  const edition = editionOf(RELATED_RECORDS, 3, RELATED_CODE_SYSTEMS);
  server = await startWeb({
    editions: { current: () => edition, byNumber: () => edition },
    history: HISTORY,
  });
});
after(() => server.close());

/** The text of a page in one line, without the marks of names. */
async function textOf(path: string): Promise<string> {
  const { text } = await server.get(path);
  return text.replaceAll(/<\/?bdi>/g, '').replaceAll(/\s+/g, ' ');
}

describe('the page of an organisation', () => {
  it('shows what it belongs to, current first, with names and links, and folds the past', async () => {
    const page = await textOf('/organizations/A81000');
    const [current = '', past = ''] = page.split('Past relationships (1)');
    assert.match(
      current,
      /Belongs to<\/h2>.*Commissioned by.*href="\/organizations\/15F">NHS WEST YORKSHIRE ICB - 15F<\/a> .*Sub ICB location.*Since 1 April 2020.*Partner to.*LEEDS PCN/,
    );
    assert.ok(!current.includes('NHS LEEDS CCG'));
    assert.match(
      past,
      /NHS LEEDS CCG<\/a> .*OLD1<\/span>, inactive\).*1 April 2013 to 31 March 2020/,
    );
  });

  it('shows an organisation that has only references without a link', async () => {
    const page = await textOf('/organizations/RR8');
    assert.match(page, /<span>ONLY A REFERENCE \(<span class="app-nowrap">REF1<\/span>/);
    assert.ok(!page.includes('/organizations/REF1'));
  });

  it('counts its active members by type, and each link lists as many', async () => {
    const page = await textOf('/organizations/15F');
    const groups = [
      ...page.matchAll(
        /<a href="(\/\?[^"]*of=15F[^"]*)">([^<]*)<\/a>.{0,400}?Relationship <\/span><span>([^<]*)<\/span>.{0,300}?Organisations <\/span>(\d+)</g,
      ),
    ].map(([, href = '', main, words, count]) => ({ href, main, words, count }));
    assert.deepEqual(
      groups.map(({ main, words, count }) => [main, words, count]),
      [['Prescribing cost centre', 'Commissioned by 15F', String(PRACTICES - 1)]],
    );
    for (const { href, count } of groups) {
      const list = await textOf(href.replaceAll('&amp;', '&'));
      assert.ok(list.includes(`${count} active organisations</h2>`), href);
    }
  });

  it('says at the top when it closed and what replaced it', async () => {
    const page = await textOf('/organizations/OLD1');
    assert.match(
      page,
      /Closed on 31 March 2020\. Replaced by <a class="app-long" href="\/organizations\/15F">NHS WEST YORKSHIRE ICB - 15F<\/a> .*<dl/,
    );
    assert.match(
      page,
      /History<\/h2>.*1 April 2013<\/span>.*>Took over from <span class="app-nowrap">OLD0.*31 March 2020<\/span> ?<span class="app-timeline__line">Closed.*1 April 2020<\/span> ?<span class="app-timeline__line">Succeeded by <a/,
    );
    assert.match(await textOf('/organizations/A81029'), /Not active\. <\/p>/);
  });

  it('shows 60 relationships, and none', async () => {
    const many = await textOf('/organizations/MANY1');
    assert.equal([...many.matchAll(/Since 1 April 2020/g)].length, 30);
    assert.match(many, /Past relationships \(30\)/);
    const none = await textOf('/organizations/NONE1');
    for (const title of ['Belongs to</h2>', 'Organisations that belong to it', 'Closed on']) {
      assert.ok(!none.includes(title), title);
    }
  });
});

it('the page of an organisation leaves out relationships after the first 500', async (context) => {
  const relationships = Array.from({ length: 501 }, (_, i) => relationship('4', `T${i}`, '318'));
  const edition = editionOf([{ ...organization('MANY'), relationships }], 3, RELATED_CODE_SYSTEMS);
  const one = await startWeb({ editions: { current: () => edition, byNumber: () => edition } });
  context.after(() => one.close());
  const { text } = await one.get('/organizations/MANY');
  assert.match(text, /<p>This page leaves out 1 more relationship\.<\/p>/);
});

describe('what an organisation belongs to follows the day', () => {
  const from = (code: string, start: string, end?: string) =>
    relationship('4', code, '98', {
      periods: [{ kind: 'Operational', start, ...(end !== undefined && { end }) }],
    });
  const edition = editionOf(
    [
      {
        ...organization('A1'),
        relationships: [from('NEW', '2027-01-01'), from('NOW', '2020-04-01', '2026-12-31')],
      },
      organization('NEW'),
      organization('NOW'),
    ],
    3,
    RELATED_CODE_SYSTEMS,
  );
  let day = '2026-12-31';
  let dated: WebServer;
  before(async () => {
    const editions = { current: () => edition, byNumber: () => edition };
    dated = await startWeb({ editions, now: () => new Date(`${day}T23:59:00Z`) });
  });
  after(() => dated.close());

  it('on its page, without a new edition', async () => {
    const page = async () =>
      (await dated.get('/organizations/A1')).text
        .split(/Announced changes|Past relationships/)
        .map((part) => part.replaceAll(/\s+/g, ' '));
    day = '2026-12-31';
    const [current = '', later = ''] = await page();
    assert.match(current, /Direct relationships now.*NOW.*1 April 2020 to 31 December 2026/);
    assert.ok(!current.includes('NEW'));
    assert.match(later, /NEW.*From 1 January 2027/);
    day = '2027-01-01';
    const [next = '', past = ''] = await page();
    assert.match(next, /Direct relationships now.*NEW.*Since 1 January 2027/);
    assert.match(past, /NOW.*1 April 2020 to 31 December 2026/);
  });

  it('in the number and the list of its members', async () => {
    const count = async (code: string) => {
      const page = (await dated.get(`/organizations/${code}`)).text;
      const list = (await dated.get(`/?of=${code}`)).text;
      return [page.includes('Organisations that belong to it'), list.includes('>A1<')];
    };
    day = '2026-12-31';
    assert.deepEqual(
      [await count('NOW'), await count('NEW')],
      [
        [true, true],
        [false, false],
      ],
    );
    day = '2027-01-01';
    assert.deepEqual(
      [await count('NOW'), await count('NEW')],
      [
        [false, false],
        [true, true],
      ],
    );
  });

  it('in the download, whose validator changes', async () => {
    const get = (init?: RequestInit) => dated.get('/results.csv', init);
    day = '2026-12-31';
    const { headers, text } = await get();
    assert.match(text, /,NOW,/);
    const init = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    assert.equal((await get(init)).status, 304);
    day = '2027-01-01';
    const next = await get(init);
    assert.deepEqual([next.status, next.text.includes(',NEW,')], [200, true]);
  });
});

describe('a code without a page', () => {
  it('has its last name and its successor if it was removed', async () => {
    const { status } = await server.get('/organizations/gone1');
    assert.equal(status, 404);
    assert.match(
      await textOf('/organizations/gone1'),
      /removed from the directory with edition 3\..*Its last name was THE GONE SURGERY\..*Replaced by <a class="app-long" href="\/organizations\/15F">/,
    );
  });

  it('has its name if other organisations refer to it', async () => {
    const { status } = await server.get('/organizations/REF1');
    assert.equal(status, 404);
    assert.match(
      await textOf('/organizations/REF1'),
      /Other organisations refer to it\..*Its name is ONLY A REFERENCE\./,
    );
  });

  it('has nothing else', async () => {
    assert.match(await textOf('/organizations/XYZ'), /Check the code\./);
  });
});

describe('a look-up of what belongs to an organisation', () => {
  const cases: readonly (readonly [query: string, count: string, also?: RegExp])[] = [
    ['of=RR8', '5 active organisations', /belong to <a[^>]*><b>LEEDS TEACHING/],
    [
      'of=rr8&direct=true',
      '5 active organisations',
      /with a relationship to <a[^>]*><b>LEEDS TEACHING/,
    ],
    ['of=leeds+teaching', '5 active organisations', /LEEDS TEACHING/],
    ['of=QWO&role=76', `${PRACTICES - 1} active organisations`],
    ['of=QWO&direct=true', '2 active organisations'],
    ['of=15F&by=4', `${PRACTICES - 1} active organisations`, /: commissioned by\./],
    ['of=15F&by=6', 'No results found'],
    ['of=leeds', '', /one of these.*OLD1|one of these.*RR8/],
    ['of=NONE1', 'No results found', /No organisation with members has the code or the name/],
    ['of=RR8&q=site+3', '1 active organisation'],
    ['of=15F&direct=true&status=all', `${PRACTICES} organisations`],
    // One organisation belongs to practices of 15F.
    ['of=15F', `${PRACTICES} active organisations`],
    ['of=15F&status=inactive', '1 inactive organisation'],
  ];
  for (const [query, count, also] of cases) {
    it(`${query} has ${count}`, async () => {
      const page = await textOf(`/?${query}`);
      assert.ok(page.includes(count), page.slice(page.indexOf('results-heading'), 900));
      if (also !== undefined) assert.match(page, also);
    });
  }

  it('keeps the filter in the form, in links and in the way back', async () => {
    const page = await textOf('/?of=15F');
    assert.ok(page.includes('id="of" name="of" type="text" value="15F"'));
    assert.match(page, /href="\/\?of=15F&amp;page=2"/);
    assert.match(page, /href="\/organizations\/A81000\?of=15F"/);
    assert.match(await textOf('/organizations/A81000?of=15F'), /href="\/\?of=15F">Back to results/);
  });
});

describe('a download of results', () => {
  it('has all rows as CSV, in the order of the pages, with relationships', async () => {
    const { status, headers, text } = await server.get(
      '/results.csv?of=15F&direct=true&status=all',
    );
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(headers.get('content-disposition'), 'attachment; filename="results.csv"');
    const [names = '', ...lines] = text.trimEnd().split('\r\n');
    assert.equal(lines.length, PRACTICES);
    const row = (line = '') =>
      Object.fromEntries(line.split(',').map((cell, i) => [names.split(',')[i], cell]));
    assert.partialDeepStrictEqual(row(lines[0]?.replace(/"[^"]*"/g, 'x')), {
      code: 'A81000',
      nationalGrouping: 'Y63',
      healthGeography: 'QWO',
      commissionedBy: '15F',
      partnerTo: 'U10001',
      operatedBy: '',
    });
    assert.equal(row(lines.at(-1)?.replace(/"[^"]*"/g, 'x')).status, 'Inactive');
  });

  it('has all rows as NDJSON', async () => {
    const { headers, text } = await server.get('/results.ndjson?of=15F&direct=true');
    assert.equal(headers.get('content-type'), 'application/fhir+ndjson');
    const resources = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(resources.length, PRACTICES - 1);
    assert.ok(resources.every(({ resourceType }) => resourceType === 'Organization'));
  });

  it('refuses parameters that would be ignored, and names those that exist', async () => {
    const cases: readonly (readonly [query: string, problem: RegExp])[] = [
      ['of=NOSUCH', /^of must be the code of an organisation, or the name/],
      [
        'rol=182',
        /^Unknown query parameter "rol"\. Did you mean "role"\? The query parameters are q, as, role, /,
      ],
      ['a=1&b=2', /^Unknown query parameter "a"\. .*\nUnknown query parameter "b"\. /s],
      [
        'status=closed',
        /^Unknown value "closed" of status\. The values are active, inactive, all\.\n$/,
      ],
      [
        'as=names',
        /^Unknown value "names" of as\. Did you mean "name"\? The values are code, codes, /,
      ],
      ['role=999&role=nurse', /^Unknown role "999"\. .*\nUnknown role "nurse"\. .*\n$/],
      ['town=leeds&town=york', /^town can be used only once\.\n$/],
      ['by=4', /^by needs the parameter of\.\n$/],
      ['of=15F&by=four', /^by must be a type of relationship, such as 4 or RE4\. Got "four"\.\n$/],
      [`q=${'x'.repeat(201)}`, /^q, town and of can have at most 200 characters\.\n$/],
    ];
    for (const [query, problem] of cases) {
      for (const name of ['csv', 'ndjson']) {
        const { status, headers, text } = await server.get(`/results.${name}?${query}`);
        assert.deepEqual([status, headers.get('etag')], [400, null], query);
        assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
        assert.match(text, problem);
      }
    }
  });

  it('understands roles and relationships as people write them', async () => {
    const lines = async (query: string) =>
      (await server.get(`/results.csv?${query}`)).text.split('\r\n').length - 2;
    for (const role of ['319', 'RO319', 'ro319', 'sub+icb+location', 'Sub%20ICB%20locations']) {
      assert.equal(await lines(`role=${role}`), 1, role);
    }
    assert.equal(await lines('of=15F&by=RE4'), PRACTICES - 1);
    assert.equal(await lines('of=rr801'), 0);
    assert.equal(await lines('q=&role=&page=2&status=active&role=PCN'), 1);
  });

  it('is linked from the results, with their filters', async () => {
    const page = await textOf('/?of=15F&status=all&page=2');
    assert.ok(page.includes('href="/results.csv?status=all&amp;of=15F"'));
    assert.ok(!(await textOf('/?of=NONE1')).includes('/results.csv'));
  });

  it('has a validator, and an answer to HEAD', async () => {
    const path = '/results.csv?q=practice';
    const { headers } = await server.get(path);
    const etag = headers.get('etag') ?? '';
    const again = await server.get(path, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
    const head = await server.get(path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('etag')], [200, etag]);
  });
});

describe('pages of an edition without relationships', () => {
  const start = async (context: TestContext) => {
    const arrays = editionArrays(RELATED_RECORDS, {
      codeSystems: RELATED_CODE_SYSTEMS,
      hasLinks: false,
    });
    const edition = openEdition({ number: 3, publishedAt: '2026-09-01T10:00:00.000Z' }, arrays);
    const other = await startWeb({
      editions: { current: () => edition, byNumber: () => edition },
      history: HISTORY,
    });
    context.after(() => other.close());
    return other;
  };

  it('say that the directory does not know them', async (context) => {
    const other = await start(context);
    for (const path of ['/organizations/RR8', '/?of=RR8']) {
      assert.match((await other.get(path)).text, /The directory does not know/, path);
    }
    assert.equal((await other.get('/results.csv')).status, 200);
    assert.deepEqual(other.faults, []);
  });
});

it('no page has met a fault', () => assert.deepEqual(server.faults, []));
