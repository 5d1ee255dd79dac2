/** The page of what changed, the timeline of an organisation, and its JSON. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { editionOf } from '../directory/directory-server.ts';
import { organization } from '../directory/records.ts';
import { HISTORY, HOSTILE, ONE_EDITION } from './records.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS, relationship } from './related-records.ts';
import { startWeb, type WebServer } from './web-server.ts';

const RECORDS = [
  ...RELATED_RECORDS,
  {
    ...organization('Z1', {
      name: `HOSTILE ${HOSTILE}`,
      periods: [{ kind: 'Operational', start: '2026-11-10' }],
      roles: [],
    }),
    relationships: [
      relationship('8', 'U10001', '272', {
        periods: [{ kind: 'Operational', start: '2026-11-10', end: '2026-12-31' }],
      }),
      relationship('8', 'NONE1', '272', {
        periods: [{ kind: 'Operational', start: '2027-01-01' }],
      }),
    ],
  },
] as const;

let server: WebServer;
/** Of a directory that keeps only its current edition. */
let withoutOthers: WebServer;
let withOneEdition: WebServer;
before(async () => {
  const edition = editionOf(RECORDS, 3, RELATED_CODE_SYSTEMS);
  const options = {
    editions: { current: () => edition, byNumber: () => edition },
    now: () => new Date('2026-11-25T12:00:00Z'),
  };
  const list = async () => (await HISTORY.list()).map((info) => ({ ...info, isOnDisk: false }));
  server = await startWeb({ ...options, history: HISTORY });
  withoutOthers = await startWeb({ ...options, history: { ...HISTORY, list } });
  const first = editionOf(RECORDS, 1, RELATED_CODE_SYSTEMS);
  withOneEdition = await startWeb({
    ...options,
    editions: { current: () => first, byNumber: () => first },
    history: ONE_EDITION,
  });
});
after(() => server.close());
after(() => withoutOthers.close());
after(() => withOneEdition.close());

interface Page {
  readonly status: number;
  readonly text: string;
}

function page(path: string): Promise<Page> {
  return pageOf(server, path);
}

function pageOfOne(path: string): Promise<Page> {
  return pageOf(withoutOthers, path);
}

async function pageOf(from: WebServer, path: string): Promise<Page> {
  const { status, text } = await from.get(path);
  return { status, text: text.replaceAll(/<\/?bdi>/g, '').replaceAll(/\s+/g, ' ') };
}

describe('the page of what changed', () => {
  it('begins with what became known with the last publication', async () => {
    const { status, text } = await page('/changes');
    assert.equal(status, 200);
    assert.match(
      text,
      /lists what became known with edition 3 of 28 September 2026: what edition 2 of 28 August 2026 did not say/,
    );
    assert.match(text, /name="knownSince" type="date" value=""/);
    assert.match(text, /THE GONE SURGERY \(<span class="app-nowrap">GONE1<\/span>\)/);
    assert.match(text, /28 September 2026: Gone from the directory/);
    assert.match(text, /28 September 2026: Renamed from LEEDS HOSPITALS to LEEDS TEACHING/);
    assert.ok(!text.includes('HOSTILE'), 'what the edition before knew');
    assert.equal((await page('/changes?knownSince=2026-09-01')).text.includes('GONE1'), true);
    assert.match(
      (await page('/changes?knownSince=2026-11-25')).text,
      /Nothing became known with these filters/,
    );
  });

  it('says from which edition on it can know', async () => {
    const { status, text } = await page('/changes?sinceEdition=1');
    assert.equal(status, 400);
    assert.match(text, /records of edition 1 are no longer kept.*Use sinceEdition=2 or/);
  });

  it('begins 30 days ago if no earlier edition is kept, and marks what is announced', async () => {
    const { status, text } = await pageOfOne('/changes');
    assert.equal(status, 200);
    assert.match(text, /name="since" type="date" value="2026-10-26"/);
    // HTML allows `maxlength` only where people type text.
    assert.doesNotMatch(text, /<input[^>]*type="date"[^>]*maxlength/);
    assert.match(text, /name="of" type="text" value="" maxlength="200"/);
    assert.match(
      text,
      /10 November 2026<\/h2>.*Opened<.*Joined <a [^>]*>LEEDS PCN<\/a>.*Partner to/,
    );
    assert.match(
      text,
      /1 January 2027 <strong class="nhsuk-tag nhsuk-tag--white">Announced<\/strong>.*Left U10001 LEEDS PCN and joined <a [^>]*>ALONE<\/a>/,
    );
    assert.ok(!text.includes('31 December 2026'));
    assert.ok(!text.includes('<script>globalThis'));
  });

  it('says why it does not begin with what became known', async () => {
    const notKept = /records of the edition before are no longer kept, so this page cannot say/;
    assert.match((await pageOfOne('/changes')).text, notKept);
    assert.doesNotMatch((await pageOfOne('/changes?since=2026-10-26')).text, notKept);
    assert.doesNotMatch((await page('/changes')).text, notKept);
    const { text } = await pageOf(withOneEdition, '/changes');
    assert.match(
      text,
      /has not changed since its <a href="\/editions">first edition<\/a>\. After an/,
    );
    assert.match(
      (await pageOf(withOneEdition, '/changes?knownSince=2026-11-25')).text,
      /Edition 1 of 28 July 2026 is the newest edition, so nothing became known after it\./,
    );
  });

  it('has the filters of the interface, and names of roles', async () => {
    const filters = 'since=2020-01-01&until=2020-12-31&of=u10001&role=gp&kind=joined';
    const { status, text } = await page(`/changes?${filters}`);
    assert.equal(status, 200);
    assert.match(text, /type="checkbox" value="joined" checked>/);
    assert.doesNotMatch(text, /value="left" checked/);
    assert.equal([...text.matchAll(/Joined <a [^>]*>LEEDS PCN/g)].length, 30);
    assert.match((await page('/changes?since=2030-01-01')).text, /Nothing happened in this time/);
  });

  it('takes several kinds, from boxes and from an address, and keeps them on the next page', async () => {
    const tables = new Set<string>();
    for (const kinds of [
      'kind=joined&kind=left',
      'kind=joined,left',
      'kind=&kind=joined%2C+left',
    ]) {
      const { status, text } = await page(`/changes?since=2001-01-01&${kinds}`);
      assert.equal(status, 200, kinds);
      for (const kind of ['joined', 'left']) assert.ok(text.includes(`value="${kind}" checked>`));
      assert.equal([...text.matchAll(/checked>/g)].length, 2, kinds);
      tables.add(/<table.*<\/table>/.exec(text)?.[0] ?? '');
    }
    assert.equal(tables.size, 1, 'all have the same events');
    const { text } = await page('/changes?since=2001-01-01&kind=role-gained&kind=opened');
    assert.match(text, /<a href="\/changes\?[^"]*kind=role-gained%2Copened&amp;after=/);
  });

  it('continues on further pages, each event once', async () => {
    let path: string | undefined = '/changes?since=2001-01-01&kind=role-gained';
    const found: string[] = [];
    let pages = 0;
    while (path !== undefined) {
      const { text }: { text: string } = await page(path);
      const events = text.matchAll(
        /\(<span class="app-nowrap">(\w+)<\/span>[^)]*\)|Gained the role ([^<]+)/g,
      );
      let code = '';
      for (const [, named, role] of events) {
        if (role === undefined) code = named ?? '';
        else found.push(`${code} ${role}`);
      }
      path = /<a href="(\/changes\?[^"]*after=[^"]*)">/.exec(text)?.[1]?.replaceAll('&amp;', '&');
      pages++;
    }
    const roles = RECORDS.flatMap((record) =>
      'isReferenceOnly' in record && record.isReferenceOnly ? [] : record.roles,
    );
    assert.equal(found.length, roles.length);
    assert.equal(new Set(found).size, found.length);
    assert.equal(pages, Math.ceil(roles.length / 100));
  });

  it('shows what is wrong with a parameter, and keeps the form', async () => {
    for (const [query, problem] of [
      ['since=yesterday', 'From must be a date YYYY-MM-DD. Got &quot;yesterday&quot;.'],
      ['since=2026-10-02&until=2026-10-01', 'From must not be after until.'],
      ['kind=exploded', 'Unknown value &quot;exploded&quot; of kind'],
      ['kind=joined&kind=exploded', 'Unknown value &quot;exploded&quot; of kind'],
      [
        'of=NEVER',
        'Belongs to must be the code of an organisation. The directory has no &quot;NEVER&quot;.',
      ],
      ['role=wizard', 'Unknown role &quot;wizard&quot;.'],
      ['x=1', 'Unknown query parameter &quot;x&quot;.'],
      ['role=gp&role=gp', 'The query parameter role is repeated.'],
      ['after=1', 'after must be the value of next'],
      [`of=${encodeURIComponent(HOSTILE)}`, 'Belongs to must be the code of an organisation.'],
    ] as const) {
      const { status, text } = await page(`/changes?${query}`);
      assert.equal(status, 400, query);
      assert.ok(text.includes(problem), `${query}: ${problem}`);
      assert.ok(text.includes('<form class="app-events__filters'), query);
      assert.ok(!text.includes('<script>globalThis'), query);
    }
  });
});

describe('an error in the form of what changed', () => {
  it('is at its field, with the label in place of the name, and the field keeps its text', async () => {
    const { text } = await page('/changes?since=yesterday&of=RR8');
    assert.match(text, /<title>Error: What changed/);
    const [, said = ''] = /id="since-error">(.*?)<\/p>/.exec(text) ?? [];
    assert.match(said, /From must be a date YYYY-MM-DD/);
    const [input = ''] = /<input[^>]* id="since"[^>]*>/.exec(text) ?? [];
    assert.match(input, /type="text" value="yesterday".* aria-describedby="since-error"/);
    assert.doesNotMatch(text, /id="of-error"|Nothing happened/);
  });
});

describe('what happened to an organisation', () => {
  it('is a timeline on its page, with links', async () => {
    const { text } = await page('/organizations/A81000');
    assert.match(
      text,
      /History<\/h2>.*1 April 2001<\/span> ?<span class="app-timeline__line">Opened<.*Left OLD1 NHS LEEDS CCG and joined <a [^>]*href="\/organizations\/15F"/,
    );
    const many = (await page('/organizations/MANY1')).text;
    assert.ok(!many.includes('earlier day'));
  });

  it('is JSON too, with what comparing editions shows', async () => {
    const { status, text, headers } = await server.get('/organizations/rr8/events.json');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    const { code, name, events } = JSON.parse(text);
    assert.deepEqual([code, name], ['RR8', 'LEEDS TEACHING HOSPITALS NHS TRUST']);
    assert.deepEqual(
      events.find(({ kind }: { kind: string }) => kind === 'renamed'),
      {
        kind: 'renamed',
        code: 'RR8',
        name: 'LEEDS TEACHING HOSPITALS NHS TRUST',
        day: '2026-09-28',
        knownSince: { edition: 3, date: '2026-09-28' },
        text: 'Renamed from LEEDS HOSPITALS to LEEDS TEACHING HOSPITALS NHS TRUST',
      },
    );
    const missing = await server.get('/organizations/NEVER/events.json');
    assert.equal(missing.status, 404);
    assert.deepEqual(JSON.parse(missing.text), {
      error: 'No organisation has the code NEVER. Check the code.',
    });
  });
});
