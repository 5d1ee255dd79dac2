/** The page of a postcode, and the links to it. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { openPostcodes } from '../../src/directory/places/stored-postcodes.ts';
import { editionOf } from '../directory/directory-server.ts';
import { recordOf } from '../directory/index/record-of.ts';
import { placed, storedPostcodes } from '../directory/places/postcode-rows.ts';
import { startWeb } from './web-server.ts';

const RECORDS = [
  recordOf({ code: '15F', name: 'West Yorkshire', roles: ['319'] }),
  recordOf({ code: 'A1', name: 'Somewhere', postalCode: 'LS1 4AP', roles: ['182'] }),
  recordOf({ code: 'A2', name: 'Elsewhere', postalCode: 'ZZ1 1ZZ', roles: ['182'] }),
];
const POSTCODES = openPostcodes(
  storedPostcodes(
    [
      {
        ...placed('LS1 4AP', 53.7957, -1.5509),
        areas: { subIcb: 'E38000225', lsoa21: 'E01033010' },
      },
      { postcode: 'LS2 7UE', terminated: '201903' },
    ],
    { E38000225: { name: '<NHS> West Yorkshire', odsCode: '15F' } },
  ),
);

async function start(context: TestContext, postcodes?: typeof POSTCODES) {
  const edition = editionOf(RECORDS, 1, undefined, postcodes);
  const server = await startWeb({ editions: { current: () => edition, byNumber: () => edition } });
  context.after(() => server.close());
  return server;
}

it('the page of a postcode shows what the file says, with links to organisations', async (context) => {
  const server = await start(context, POSTCODES);
  const leeds = await server.get('/postcode?postcode=ls14ap');
  assert.equal(leeds.status, 200);
  for (const text of [
    'Postcode LS1 4AP</h1>',
    'Latitude 53.7957, longitude -1.5509',
    'Easting 429',
    '&lt;NHS&gt; West Yorkshire, ',
    '<a href="/organizations/15F">West Yorkshire (15F)</a>',
    'E01033010',
    'href="/postcodes/LS1%204AP"',
    'href="/?near=LS1%204AP">Organisations near this postcode<',
    'Source: postcodes.csv.',
  ]) {
    assert.ok(leeds.text.includes(text), text);
  }
  const ended = await server.get('/postcode?postcode=LS2+7UE');
  assert.match(ended.text, /no longer in use\. It ended in March 2019\./);
  assert.match(ended.text, /Position<\/dt>\s*<dd[^>]*>Not known/);
});

it('the page says why areas have codes without names', async (context) => {
  const areas = { subIcb: 'E38000225' };
  const nameless = openPostcodes(storedPostcodes([{ ...placed('LS1 4AP', 53.8, -1.55), areas }]));
  const why = /names of the areas are missing, because the table of names was not imported/;
  const page = await (await start(context, nameless)).get('/postcode?postcode=LS1+4AP');
  assert.match(page.text, why);
  const named = await (await start(context, POSTCODES)).get('/postcode?postcode=LS1+4AP');
  assert.doesNotMatch(named.text, why);
});

it('the page refuses what it does not find, and shows a form without a postcode', async (context) => {
  const server = await start(context, POSTCODES);
  const cases: readonly (readonly [path: string, status: number, text: string])[] = [
    ['/postcode', 200, 'Look up a postcode</h1>'],
    ['/postcode?postcode=LS1', 400, 'This is not a postcode. Write it as in LS1 4AP.'],
    ['/postcode?postcode=%22%3E%3Cb%3E', 400, 'value="&quot;&gt;&lt;b&gt;"'],
    [
      '/postcode?postcode=ZZ1+1ZZ',
      404,
      'The postcode ZZ1 1ZZ was not found. Check it, or write another one nearby.',
    ],
  ];
  for (const [path, status, text] of cases) {
    const page = await server.get(path);
    assert.equal(page.status, status, path);
    assert.ok(page.text.includes(text), path);
  }
});

it('an organisation links to the page only if the file has its postcode', async (context) => {
  const server = await start(context, POSTCODES);
  const link = 'href="/postcode?postcode=LS1+4AP"';
  assert.ok((await server.get('/organizations/A1')).text.includes(link));
  assert.ok(!(await server.get('/organizations/A2')).text.includes('/postcode?'));
  const bare = await start(context);
  assert.ok(!(await bare.get('/organizations/A1')).text.includes('/postcode?'));
  const page = await bare.get('/postcode?postcode=LS1+4AP');
  assert.equal(page.status, 400);
  assert.match(page.text, /import-postcodes FILE/);
});

it('results are GeoJSON with a point for each known position', async (context) => {
  const server = await start(context, POSTCODES);
  const { status, headers, text } = await server.get('/results.geojson?q=where');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/geo+json');
  const { type, features } = JSON.parse(text);
  assert.equal(type, 'FeatureCollection');
  assert.deepEqual(
    features.map(({ id, geometry }: { id: string; geometry: unknown }) => [id, geometry]),
    [
      ['A2', null],
      ['A1', { type: 'Point', coordinates: [-1.5509, 53.7957] }],
    ],
  );
  assert.equal(features[1].properties.postcode, 'LS1 4AP');
  assert.deepEqual(JSON.parse((await server.get('/results.geojson?q=nowhere')).text).features, []);
  const bare = await start(context);
  const refused = await bare.get('/results.geojson?q=where');
  assert.equal(refused.status, 400);
  assert.match(refused.text, /^GeoJSON needs postcodes\./);
});
