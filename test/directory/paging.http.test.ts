/** Pages of a search, and how strictly its parameters are taken, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DirectoryServer, editionOf, startDirectory } from './directory-server.ts';
import { RECORDS } from './records.ts';

/** The id of an outcome is a new one each time. */
/** The id of an outcome is a new one each time. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

describe('paging', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory();
  });
  after(() => server.close());

  it('through next links returns every match once, in the order of codes', async () => {
    const codes: string[] = [];
    let path: string | undefined = 'Organization?_count=2&active=true';
    for (let pages = 0; path !== undefined && pages < 10; pages++) {
      const { entry, link, total } = JSON.parse((await server.get(path)).text);
      assert.equal(total, 5);
      codes.push(...entry.map(({ resource }: { resource: { id: string } }) => resource.id));
      const next = link.find(({ relation }: { relation: string }) => relation === 'next');
      path = next?.url.replace('http://directory.test', '');
    }
    assert.deepEqual(codes, ['A81001', 'RR8', 'RR801', 'RTG', 'X1']);
  });

  it('links keep repeated parameters in their order, percent-encoded', async () => {
    const answer = await server.get(
      'Organization?ods-org-role=197,198&_count=1&ods-org-role=198,157,197&name:contains=%26%20a',
    );
    const query =
      'ods-org-role=197%2C198&_count=1&ods-org-role=198%2C157%2C197&name:contains=%26%20a';
    assert.deepEqual(JSON.parse(answer.text).link, [
      {
        relation: 'self',
        url: `http://directory.test/fhir/STU3/Organization?${query}&_page=1`,
      },
    ]);
  });

  it('a page after the last one has no entry and leads back to the last', async () => {
    const { entry, link, total } = JSON.parse(
      (await server.get('Organization?_count=4&_page=7')).text,
    );
    assert.equal(total, 6);
    assert.equal(entry, undefined);
    assert.deepEqual(
      link.map(({ relation, url }: { relation: string; url: string }) => [
        relation,
        new URL(url).searchParams.get('_page'),
      ]),
      [
        ['self', '7'],
        ['first', '1'],
        ['previous', '2'],
        ['last', '2'],
      ],
    );
  });

  it('the same search gives the same bytes, another one another id and ETag', async () => {
    const [one, again, other] = await Promise.all(
      ['name=leeds', 'name=leeds', 'name=Leeds'].map((query) =>
        server.get(`Organization?${query}`),
      ),
    );
    assert.equal(one?.text, again?.text);
    assert.equal(one?.headers.get('etag'), again?.headers.get('etag'));
    assert.notEqual(JSON.parse(one!.text).id, JSON.parse(other!.text).id);
    assert.notEqual(one?.headers.get('etag'), other?.headers.get('etag'));
    assert.match(
      JSON.parse(one!.text).id,
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    assert.equal(JSON.parse(one!.text).meta.lastUpdated, '2026-09-01T10:00:00.000Z');
    assert.equal(one?.headers.get('last-modified'), 'Tue, 01 Sep 2026 10:00:00 GMT');
  });

  it('an edition that is not kept is 410', async () => {
    const answer = await server.get('Organization?_edition=7&_page=2');
    assert.equal(answer.status, 410);
    const [issue] = JSON.parse(answer.text).issue;
    assert.equal(issue.code, 'processing');
    assert.match(issue.diagnostics, /Repeat the search without _edition/);
  });

  it('an edition that does not exist is 410, without another number than was sent', async () => {
    for (const number of ['0', '2', '99999999999999999999']) {
      const answer = await server.get(`Organization?_edition=${number}`);
      assert.equal(answer.status, 410);
      assert.match(
        JSON.parse(answer.text).issue[0].diagnostics,
        /^The directory has no edition with this number: the newest is 1\. Repeat/,
      );
    }
  });

  it('the links to a replaced edition still work', async (context) => {
    const [older, newer] = [editionOf(RECORDS), editionOf(RECORDS.slice(0, 2), 2)];
    const editions = {
      current: () => newer,
      byNumber: (number: number) => [older, newer].find((edition) => edition.number === number),
    };
    const switched = await startDirectory({ editions });
    context.after(() => switched.close());
    assert.equal(JSON.parse((await switched.get('Organization')).text).total, 2);
    assert.equal(JSON.parse((await switched.get('Organization?_edition=1')).text).total, 6);
  });

  it('a search that is asked again and again follows the editions', async (context) => {
    const numbered = [1, 2].map((number) => editionOf(RECORDS.slice(0, 7 - number), number));
    let [current] = numbered;
    let kept = numbered;
    const switched = await startDirectory({
      editions: {
        current: () => current,
        byNumber: (number) => kept.find((edition) => edition.number === number),
      },
    });
    context.after(() => switched.close());
    const totals = async (query: string) => {
      const answers = [];
      for (let time = 0; time < 4; time++)
        answers.push(await switched.get(`Organization?${query}`));
      assert.equal(new Set(answers.map(({ text }) => text.replace(UUID, ''))).size, 1);
      return answers[0]!.status === 200 ? JSON.parse(answers[0]!.text).total : answers[0]!.status;
    };
    assert.equal(await totals('_count=2'), 6);
    assert.equal(await totals('_count=2&_edition=1'), 6);
    current = numbered[1];
    assert.equal(await totals('_count=2'), 5);
    assert.equal(await totals('_count=2&_edition=1'), 6);
    kept = numbered.slice(1);
    assert.equal(await totals('_count=2&_edition=1'), 410);
    assert.equal(await totals('_count=2&_edition=2'), 5);
  });

  it('a setting limits the size of a page', async (context) => {
    const larger = await startDirectory({ settings: { countMax: 1000 } });
    context.after(() => larger.close());
    assert.equal((await larger.get('Organization?_count=1000')).status, 200);
    assert.match((await larger.get('Organization?_count=1001')).text, /between 0 and 1000/);
    const smaller = await startDirectory({ settings: { countMax: 3 } });
    context.after(() => smaller.close());
    assert.equal(JSON.parse((await smaller.get('Organization')).text).entry.length, 3);
  });
});

describe('a lenient search', () => {
  it('is not what a strict one is answered with, however often it was asked', async (context) => {
    const server = await startDirectory();
    context.after(() => server.close());
    const path = 'Organization?foo=1&name=leeds';
    for (let time = 1; time <= 4; time++) {
      assert.equal((await server.get(path, { prefer: 'handling=lenient' })).status, 200);
    }
    assert.equal((await server.get(path)).status, 400);
  });

  it('ignores unknown parameters, reports this, and still refuses modifiers', async (context) => {
    const server = await startDirectory();
    context.after(() => server.close());
    const prefer = { prefer: 'handling=lenient' };
    const answer = await server.get('Organization?foo=1&name=leeds', prefer);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('preference-applied'), 'handling=lenient');
    assert.ok(!answer.text.includes('foo'));
    assert.equal((await server.get('Organization?name:foo=leeds', prefer)).status, 400);
  });
});

describe('the preference for handling', () => {
  const PREFERENCES: readonly (readonly [prefer: string, status: number])[] = [
    ['handling=lenient', 200],
    ['Handling = "LENIENT"', 200],
    ['return=minimal, handling=lenient', 200],
    ['handling=lenient; x=1', 200],
    ['handling=lenient, handling=strict', 200],
    ['handling=strict', 400],
    ['handling=strict, handling=lenient', 400],
    ['return=minimal; handling=lenient', 400],
    ['handling=lenientish', 400],
    ['handling', 400],
    ['', 400],
  ];
  for (const [prefer, status] of PREFERENCES) {
    it(`Prefer: ${prefer || 'nothing'} makes an unknown parameter ${status}`, async (context) => {
      const server = await startDirectory();
      context.after(() => server.close());
      const answer = await server.get('Organization?foo=1', { prefer });
      assert.equal(answer.status, status);
      const applied = answer.headers.get('preference-applied');
      assert.equal(applied, status === 200 ? 'handling=lenient' : null);
    });
  }
});
