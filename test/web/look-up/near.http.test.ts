/** The look-up page near a place: filters, order, distances, downloads, and what it says of bad values. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { editionOf } from '../../directory/directory-server.ts';
import { recordOf } from '../../directory/index/record-of.ts';
import { placed, postcodeFile } from '../../directory/places/postcode-rows.ts';
import { startWeb, type WebServer } from '../web-server.ts';

const RECORDS = [
  recordOf({ code: 'A1', name: 'Near park', postalCode: 'LS2 7UE', roles: ['182'] }),
  recordOf({ code: 'A2', name: 'Park at the station', postalCode: 'LS1 4DY', roles: ['197'] }),
  recordOf({ code: 'B1', name: 'Park in Bradford', postalCode: 'BD1 1AA', roles: ['182'] }),
  recordOf({ code: 'D1', name: 'Closed park', postalCode: 'LS1 4AP', isActive: false }),
];
const POSTCODES = [
  placed('LS1 4AP', 53.7957, -1.5509),
  placed('LS1 4DY', 53.7949, -1.5475),
  placed('LS2 7UE', 53.7965, -1.5316),
  placed('BD1 1AA', 53.7938, -1.7522),
  { postcode: 'YO1 1AA' },
];

let web: WebServer;
let bare: WebServer;

const start = (hasPostcodes: boolean) => {
  const postcodes = hasPostcodes ? postcodeFile(POSTCODES) : undefined;
  const edition = editionOf(RECORDS, 1, undefined, postcodes);
  return startWeb({ editions: { current: () => edition, byNumber: () => undefined } });
};

before(async () => {
  web = await start(true);
  bare = await start(false);
});
after(async () => {
  await web.close();
  await bare.close();
});

const codesOf = (html: string) => [...html.matchAll(/app-code">(\w+)</g)].map(([, code]) => code);

describe('the look-up page near a place', () => {
  it('shows the nearest first, with their distances', async () => {
    const { text } = await web.get('/?q=park&near=LS1+4AP&within=20');
    assert.deepEqual(codesOf(text), ['A2', 'A1', 'B1']);
    assert.match(text, /columnheader"[^>]*>Distance<.*>LS1 4DY<.*?>0\.24 km</s);
    assert.match(text, /Within 20 km of LS1 4AP/);
    assert.match(text, /<option value="20" selected>/);
  });

  it('orders active and inactive organisations together', async () => {
    const { text } = await web.get('/?near=53.7957,-1.5509&status=all&within=2');
    assert.deepEqual(codesOf(text), ['D1', 'A2', 'A1']);
  });

  it('counts roles and statuses of what is near', async () => {
    const { text } = await web.get('/?near=LS1+4AP%7C1%7Cmi');
    assert.deepEqual(codesOf(text), ['A2', 'A1']);
    assert.match(text, /Inactive <span class="app-filters__count">\(1\)/);
  });

  it('says what is wrong with a value', async () => {
    const { status, text } = await web.get('/?q=park&near=LS9+9ZZ');
    assert.equal(status, 400);
    assert.match(
      text,
      /The postcode LS9 9ZZ was not found\. Check it, or write another one nearby\./,
    );
    assert.doesNotMatch(text, /Within 10 km|results\.csv/);
    assert.match(text, /<title>Error: /);
    assert.match(text, /id="near-error">.*?not found.*?id="near".*? near-error"/s);
    assert.deepEqual(codesOf(text), []);
  });

  it('has no list without a place that it understands', async () => {
    for (const server of [web, bare]) {
      const { status, text } = await server.get('/?near=nonsense');
      assert.equal(status, 400);
      assert.match(text, /<a href="#near">.*id="near-error"/s);
      assert.deepEqual(codesOf(text), []);
      assert.equal(text.match(/role="alert"/g)?.length, 1);
    }
  });

  it('says in the words of people why there is no list', async () => {
    for (const [near, words] of [
      ['ls99zz', 'The postcode LS9 9ZZ was not found.'],
      ['YO1 1AA', 'The position of the postcode YO1 1AA is not known.'],
      ['Leeds <b>', '“Leeds &lt;b&gt;” is not a whole postcode. Write a postcode such as LS1 4AP'],
      ['953.7,-1.5', '“953.7,-1.5” is not a position. Write a postcode such as LS1 4AP, or a'],
      ['LS1 4AP|5|yards', 'The unit of near must be km or mi.'],
      ['|5', 'near has no postcode and no position.'],
    ] as const) {
      const { status, text } = await web.get(`/?near=${encodeURIComponent(near)}`);
      assert.equal(status, 400, near);
      assert.ok(text.includes(words), near);
      assert.doesNotMatch(text, />near: |file of postcodes has no position/);
    }
  });

  it('has no distances without a place', async () => {
    assert.doesNotMatch((await web.get('/?q=park')).text, /Distance/);
  });

  it('drops the distance that the form sends without a place', async () => {
    const { status, headers } = await web.get('/?q=park&near=&within=10', { redirect: 'manual' });
    assert.deepEqual([status, headers.get('location')], [303, '/?q=park']);
  });

  it('hides the filter if there are no postcodes', async () => {
    assert.match((await web.get('/')).text, /id="near"/);
    assert.doesNotMatch((await bare.get('/')).text, /id="near"|id="within"/);
    assert.match(
      (await bare.get('/?near=LS1+4AP')).text,
      /no postcodes.*import-postcodes FILE.*Search for a town/,
    );
  });

  it('downloads the results in the same order, with the distances', async () => {
    const { text } = await web.get('/results.csv?near=LS1+4AP%7C20%7Ckm&status=all');
    const [head, ...lines] = text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    assert.equal(head?.at(-1), 'kilometres');
    assert.deepEqual(
      lines.map((cells) => [cells[0], cells.at(-1)]),
      [
        ['D1', '0'],
        ['A2', '0.24'],
        ['A1', '1.27'],
        ['B1', '13.27'],
      ],
    );
  });

  it('has the distances in GeoJSON too', async () => {
    const { text } = await web.get('/results.geojson?near=LS1+4AP%7C20%7Ckm&status=all');
    assert.deepEqual(
      JSON.parse(text).features.map(
        ({ properties }: { properties: { kilometres: number } }) => properties.kilometres,
      ),
      [0, 0.24, 1.27, 13.27],
    );
  });

  it('refuses a download with a bad value', async () => {
    for (const query of [
      'near=LS1+4AP%7C0',
      'near=nowhere',
      'within=5',
      'near=LS1+4AP%7C5&within=3',
    ]) {
      const { status, text } = await web.get(`/results.csv?${query}`);
      assert.equal(status, 400);
      assert.match(text, /near/);
    }
    assert.equal((await bare.get('/results.csv?near=LS1+4AP%7C5')).status, 400);
  });
});

describe('a whole postcode in the box', () => {
  it('offers what is nearest, and what it belongs to', async () => {
    for (const typed of ['LS1+4AP', 'ls14ap']) {
      const { text } = await web.get(`/?q=${typed}`);
      assert.match(text, /<a href="\/\?near=LS1\+4AP">Nearest to LS1 4AP</);
      assert.match(text, /<a href="\/postcode\?postcode=LS1\+4AP">What LS1 4AP belongs to</);
    }
  });

  it('offers nothing of a part of a postcode, or without postcodes', async () => {
    for (const [server, path] of [
      [web, '/?q=LS1'],
      [web, '/?q=LS9+9ZZ'],
      [bare, '/?q=LS1+4AP'],
    ] as const) {
      assert.doesNotMatch((await server.get(path)).text, /Nearest to|belongs to</);
    }
  });
});
