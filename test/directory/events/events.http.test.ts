/** What happened between two days, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrganizationEvent } from '../../../src/directory/ask/answers.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS } from '../../web/related-records.ts';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { organization } from '../records.ts';
import { kept } from './kept.ts';

const EDITION = editionOf(RELATED_RECORDS, 7, RELATED_CODE_SYSTEMS);
/** More than a page of events on one day. */
const LARGE = editionOf(
  Array.from({ length: 1234 }, (_, at) =>
    organization(`L${String(at).padStart(4, '0')}`, { roles: [] }),
  ),
  8,
);

let server: DirectoryServer;
let current = EDITION;
before(async () => {
  const editions = {
    current: () => current,
    byNumber: (number: number) => [EDITION, LARGE].find((each) => each.number === number),
  };
  server = await startDirectory({ editions });
});
after(() => server.close());

async function get(query: string) {
  const { status, text, headers } = await server.get(`/fhir/events?${query}`);
  return { status, body: JSON.parse(text), headers };
}

const textsOf = (events: readonly OrganizationEvent[]) =>
  events.map(({ code, text }) => `${code}: ${text}`);

const NONE_GIVEN =
  'since is missing. Give the first day, such as 2026-10-01. Or give knownSince or sinceEdition.';

describe('GET /events', () => {
  it('lists the events from a day on, with the days that were asked', async () => {
    const { status, body, headers } = await get('since=2020-03-31&until=2020-04-01&kind=succeeded');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    const other = { code: '15F', name: 'NHS WEST YORKSHIRE ICB - 15F' };
    assert.deepEqual(body, {
      since: '2020-03-31',
      until: '2020-04-01',
      edition: { number: 7 },
      events: [
        {
          kind: 'succeeded',
          code: 'OLD1',
          name: 'NHS LEEDS CCG',
          day: '2020-04-01',
          other,
          text: 'Succeeded by 15F NHS WEST YORKSHIRE ICB - 15F',
        },
      ],
    });
  });

  it('of an organisation: its own events, and those of what belongs to it on the day', async () => {
    const { body } = await get('since=2020-01-01&of=rr8');
    assert.deepEqual(textsOf(body.events), [
      'RR8: Joined QWO NHS WEST YORKSHIRE, LEEDS INTEGRATED CARE BOARD',
      'RR8: Joined REF1 ONLY A REFERENCE',
      ...['RR801', 'RR802', 'RR803', 'RR804', 'RR805'].map(
        (code) => `${code}: Joined RR8 LEEDS TEACHING HOSPITALS NHS TRUST`,
      ),
    ]);
    const moved = await get('since=2020-01-01&of=OLD1&kind=left&role=RO177');
    assert.equal(moved.body.events.length, 30);
    assert.equal(
      moved.body.events[0].text,
      'Left OLD1 NHS LEEDS CCG and joined 15F NHS WEST YORKSHIRE ICB - 15F',
    );
  });

  it('continues by position within an edition, with no event twice', async () => {
    current = LARGE;
    const first = await get('since=2001-04-01');
    assert.equal(first.body.events.length, 1000);
    current = EDITION;
    const second = await get(`since=2001-04-01&after=${first.body.next}`);
    assert.equal(second.body.events.length, 234);
    assert.equal(second.body.next, undefined);
    const codes = [...first.body.events, ...second.body.events].map(({ code }) => code);
    assert.equal(new Set(codes).size, 1234);
    const gone = await get('since=2001-04-01&after=3-0-0');
    assert.equal(gone.status, 410);
    assert.match(
      gone.body.error,
      /Edition 3 of the directory is no longer kept\. Repeat the search without after\./,
    );
  });

  it('lists what became known since an edition, page by page, with the edition to ask from next', async (context) => {
    const codes = Array.from({ length: 1100 }, (_, at) => `N${String(at).padStart(4, '0')}`);
    const old = organization('A1', { roles: [] });
    const known = kept([[old], [old, ...codes.map((code) => organization(code, { roles: [] }))]]);
    const { edition, history } = known;
    const editions = { current: () => edition, byNumber: () => edition };
    const other = await startDirectory({ editions, history });
    context.after(other.close);
    const read = async (query: string) =>
      JSON.parse((await other.get(`/fhir/events?${query}`)).text);
    for (const asked of ['sinceEdition=1', 'knownSince=2026-01-02']) {
      const first = await read(`${asked}&kind=added,removed`);
      assert.deepEqual(first.edition, { number: 2, date: '2026-02-01' });
      const second = await read(`${asked}&kind=added,removed&after=${first.next}`);
      const all: readonly OrganizationEvent[] = [...first.events, ...second.events];
      assert.deepEqual([first.events.length, second.next], [1000, undefined]);
      assert.deepEqual(
        all.map(({ code }) => code),
        codes,
      );
    }
    assert.deepEqual((await read('sinceEdition=2')).events, []);
  });

  it('refuses what is not valid, and names the remedy', async () => {
    const refused: readonly (readonly [query: string, error: string])[] = [
      ['', NONE_GIVEN],
      ['since=', NONE_GIVEN],
      ['until=2026-10-01&kind=added', NONE_GIVEN],
      ['knownSince=may', 'knownSince must be a date YYYY-MM-DD. Got "may".'],
      ['sinceEdition=0', 'sinceEdition must be the number of an edition, such as 7. Got "0".'],
      ['knownSince=2026-10-01&sinceEdition=3', 'Give knownSince or sinceEdition, not both.'],
      [
        'sinceEdition=3',
        'This directory has no list of editions, so it cannot say what became known when.',
      ],
      [
        'since=2026-10-01&kind=opened,changed',
        'kind=changed needs knownSince or sinceEdition: it compares two editions.',
      ],
      ['since=1.10.2026', 'since must be a date YYYY-MM-DD. Got "1.10.2026".'],
      ['since=2026-02-30', 'since must be a date YYYY-MM-DD. Got "2026-02-30".'],
      ['since=2026-10-01&until=2026', 'until must be a date YYYY-MM-DD. Got "2026".'],
      [
        'since=2026-10-02&until=2026-10-01',
        'since must not be after until. Got since 2026-10-02 and until 2026-10-01.',
      ],
      [
        'since=2026-10-01&kind=exploded',
        'Unknown value "exploded" of kind. See /openapi.json or "gazetteer events --help" for the list of values.',
      ],
      [
        'since=2026-10-01&role=RO9999',
        'Unknown role "RO9999". The roles are RO29, RO57, RO76, RO157, RO177, RO197, RO198, RO98, RO209, RO272, RO318, RO319.',
      ],
      [
        'since=2026-10-01&of=NEVER',
        'of must be the code of an organisation. The directory has no "NEVER".',
      ],
      [
        'since=2026-10-01&after=12',
        'after must be the value of next in an earlier answer. Got "12". Leave it out to begin.',
      ],
      [
        'since=2026-10-01&on=2026-10-01',
        'Unknown query parameter "on". The query parameters are since, until, knownSince, sinceEdition, of, role, kind, after.',
      ],
      ['since=2026-10-01&since=2026-10-01', 'The query parameter since is repeated.'],
      ['since=%FF', 'since is not percent-encoded UTF-8.'],
    ];
    for (const [query, error] of refused) {
      const { status, body } = await get(query);
      assert.deepEqual([status, body], [400, { error }], query);
    }
    const long = await get(`since=2026-10-01&of=${'A'.repeat(5000)}`);
    assert.ok(long.body.error.length < 200);
  });

  it('answers HEAD, and no other method', async () => {
    const head = await server.get('/fhir/events?since=2020-01-01', {}, 'HEAD');
    assert.deepEqual([head.status, head.text], [200, '']);
    const post = await server.post('/fhir/events', '{}');
    assert.equal(post.status, 405);
  });
});
