/** Reports over HTTP: parameters, files, validators and errors. */
import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { openEdition } from '../../../src/directory/edition/edition.ts';
import { REPORTS } from '../../../src/interfaces/reports/csv/report-table.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type DirectoryServer, startDirectory } from '../directory-server.ts';
import { editionArrays } from '../edition-arrays.ts';
import { organization } from '../records.ts';
import {
  cellsIn,
  cellsOf,
  fullRecord,
  primary,
  reportEdition,
  SURROUNDINGS,
  since,
} from './report-records.ts';
import { filesInZip } from './zip-files.ts';

const EDITION = reportEdition([
  ...SURROUNDINGS,
  fullRecord('A1', '177'),
  {
    ...organization('A2', {
      name: '=1+1',
      lastUpdated: '2026-11-10',
      roles: primary('177'),
    }),
    relationships: [
      since('4', 'SUB2', '319', '2026-12-01'),
      since('4', 'SUB1', '319', '2020-04-01', '2026-11-30'),
    ],
  },
  organization('T1', { roles: primary('197'), lastUpdated: '2026-10-20' }),
  organization('T2', { roles: primary('197'), lastUpdated: '2026-11-20' }),
  organization('U1', { roles: primary('272'), lastUpdated: '2026-11-20' }),
]);
const EDITIONS = { current: () => EDITION, byNumber: () => EDITION };

const LIST = 'See the page /reports or "gazetteer report --list" for the list of';
const PARAMETERS =
  'The query parameters are report, reportBundle, lastChangeStart, lastChangePeriod, headers, asAt.';

const AT_NOON = Date.parse('2026-11-24T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;

let now = AT_NOON;
let server: DirectoryServer;
before(async () => {
  server = await startDirectory({ editions: EDITIONS, now: () => now });
});
after(() => server.close());

const getReport = (query: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.get(`/fhir/api/getReport${query}`, headers, method);

/** The bytes of an answer as they were sent. */
async function bytesOf(path: string, headers: Record<string, string> = {}, to = server) {
  return new Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>(
    (resolve, reject) =>
      get({ host: '127.0.0.1', port: to.port, path, headers }, async (answer) =>
        resolve({ headers: answer.headers, bytes: await buffer(answer) }),
      ).on('error', reject),
  );
}

async function zipOf(path: string, to = server) {
  const { headers, bytes } = await bytesOf(path, { 'accept-encoding': 'gzip' }, to);
  assert.equal(headers['content-type'], 'application/zip');
  assert.equal(headers['content-encoding'], undefined);
  return { disposition: headers['content-disposition'], files: await filesInZip(bytes) };
}

const attachment = (name: string) => `attachment; filename="${name}"`;

describe('one report', () => {
  it('is CSV without a header line, in quotation marks and with CRLF', async () => {
    const { status, headers, text } = await getReport('?report=epraccur');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(headers.get('content-disposition'), attachment('epraccur.csv'));
    assert.match(headers.get('access-control-expose-headers') ?? '', /Content-Disposition/);
    assert.match(text, /^"A1","THE ""FULL"" ONE","Y61",.*"\r\n"A2","=1\+1",.*"\r\n$/);
    assert.deepEqual(cellsIn(text), cellsOf(EDITION, 'epraccur'));
  });

  it('has headings if the client asks for them', async () => {
    const { text } = await getReport('?report=epraccur&headers=true');
    assert.match(text, /^"Organisation Code","Name",.*\r\n"A1",/);
    const without = await getReport('?report=epraccur&headers=false');
    assert.equal(without.text, (await getReport('?report=epraccur')).text);
  });

  it('shows the day in asAt', async () => {
    const [, cells = []] = cellsIn((await getReport('?report=epraccur&asAt=2026-12-01')).text);
    assert.deepEqual([cells[14], cells[15]], ['SUB2', '20261201']);
  });

  it('has only what changed since lastChangeStart', async () => {
    const { headers, text } = await getReport('?report=etr&lastChangeStart=2026-11-01');
    assert.equal(
      headers.get('content-disposition'),
      attachment('etr_changes_20261101_to_20261124.csv'),
    );
    assert.deepEqual(
      cellsIn(text).map(([code]) => code),
      ['T2'],
    );
    const all = await getReport('?report=etr&lastChangeStart=2026-10-20');
    assert.equal(cellsIn(all.text).length, 2);
    assert.equal((await getReport('?report=etr&lastChangeStart=2026-11-24')).text, '');
    assert.equal(
      cellsIn((await getReport('?report=epcn&lastChangeStart=2026-11-01')).text).length,
      1,
    );
  });

  it('is one report if its name is repeated', async () => {
    const { headers } = await getReport('?report=etr,etr');
    assert.equal(headers.get('content-disposition'), attachment('etr.csv'));
  });

  it('is empty if the edition has no such organisation', async () => {
    const { status, text } = await getReport('?report=ecarehomesite');
    assert.deepEqual([status, text], [200, '']);
  });
});

describe('several reports', () => {
  it('are a zip of CSV files', async () => {
    const { disposition, files } = await zipOf('/fhir/api/getReport?report=etr,epraccur');
    assert.equal(disposition, attachment('24_11_2026_userDefinedPack.zip'));
    assert.deepEqual([...files.keys()], ['etr.csv', 'epraccur.csv']);
    assert.equal(files.get('epraccur.csv'), (await getReport('?report=epraccur')).text);
  });

  it('have only what changed in a period', async () => {
    const path = '/fhir/api/getReport?report=etr,epraccur&lastChangePeriod=30&headers=true';
    const { disposition, files } = await zipOf(path);
    assert.equal(disposition, attachment('userDefinedPack_changes_30_days_to_20261124.zip'));
    const codes = [...files].map(([name, text]) => [name, ...cellsIn(text).map(([code]) => code)]);
    assert.deepEqual(codes, [
      ['etr_changes_20261025_to_20261124.csv', 'Organisation Code', 'T2'],
      ['epraccur_changes_20261025_to_20261124.csv', 'Organisation Code', 'A2'],
    ]);
    const period = async (days: number) =>
      (await zipOf(`/fhir/api/getReport?report=etr,ecsu&lastChangePeriod=${days}`)).files;
    assert.deepEqual(
      [...(await period(7)).values()].map((text) => cellsIn(text).length),
      [1, 0],
    );
    assert.deepEqual(
      [...(await period(90)).values()].map((text) => cellsIn(text).length),
      [2, 0],
    );
  });

  it('can be all reports of the release in 60 names, each once', async () => {
    const names = REPORTS.flatMap(({ name, content }) => (content === undefined ? [] : name));
    const repeated = [...names, ...names.slice(0, 60 - names.length)];
    assert.equal(repeated.length, 60);
    const { files } = await zipOf(`/fhir/api/getReport?report=${repeated.join(',')}`);
    assert.deepEqual(
      [...files.keys()],
      names.map((name) => `${name}.csv`),
    );
  });
});

describe('a zip of the time before 2025', () => {
  it('has one CSV file with the former values', async () => {
    const { disposition, files } = await zipOf('/fhir/assets/ods/current/epraccur.zip');
    assert.equal(disposition, attachment('epraccur.zip'));
    assert.deepEqual([...files.keys()], ['epraccur.csv']);
    const cells = cellsIn(files.get('epraccur.csv') ?? '');
    assert.deepEqual(cells, cellsOf(EDITION, 'epraccur', { dialect: 'former' }));
  });

  for (const [name, hint] of [
    ['EPRACCUR.zip', ' Did you mean "epraccur.zip"?'],
    ['epraccur.csv', ' Did you mean "epraccur.zip"?'],
    ['epraccur', ' Did you mean "epraccur.zip"?'],
    ['none.zip', ''],
  ]) {
    it(`is 404 as ${name}`, async () => {
      const { status, text } = await server.get(`/fhir/assets/ods/current/${name}`);
      assert.equal(status, 404);
      assert.deepEqual(JSON.parse(text), {
        error: `Unknown report file "${name}".${hint} ${LIST} report files.`,
      });
    });
  }
});

describe('HEAD, validators and gzip', () => {
  for (const path of [
    '/fhir/api/getReport?report=epraccur',
    '/fhir/api/getReport?report=epraccur,etr',
    '/fhir/assets/ods/current/epraccur.zip',
  ]) {
    it(`of ${path}`, async () => {
      const got = await server.get(path);
      const etag = got.headers.get('etag') ?? '';
      assert.match(etag, /^W\/"[^"]+"$/);
      const head = await server.get(path, {}, 'HEAD');
      assert.deepEqual([head.status, head.text], [200, '']);
      for (const name of ['etag', 'content-type', 'content-disposition']) {
        assert.equal(head.headers.get(name), got.headers.get(name), name);
      }
      const kept = { 'if-none-match': etag };
      const again = await server.get(path, kept);
      assert.deepEqual([again.status, again.text], [304, '']);
      // The day decides what is in force.
      now = AT_NOON + DAY_MS;
      const nextDay = await server.get(path, kept);
      now = AT_NOON;
      assert.equal(nextDay.status, 200);
      assert.notEqual(nextDay.headers.get('etag'), etag);
    });
  }

  it('tags differ between dialects, days, headings and changes', async () => {
    const paths = [
      'api/getReport?report=etr',
      'api/getReport?report=etr&headers=true',
      'api/getReport?report=etr&asAt=2026-11-24',
      'api/getReport?report=etr&asAt=2026-11-23',
      'api/getReport?report=etr&lastChangeStart=2026-11-01',
      'api/getReport?report=etr,ets',
      'api/getReport?report=ets',
      'assets/ods/current/etr.zip',
    ];
    const tags = await Promise.all(
      paths.map(async (path) => (await server.get(`/fhir/${path}`)).headers.get('etag')),
    );
    assert.equal(new Set(tags).size, paths.length);
  });

  it('CSV is gzip for clients that accept it', async () => {
    const path = '/fhir/api/getReport?report=epraccur';
    const { headers, bytes } = await bytesOf(path, { 'accept-encoding': 'gzip' });
    assert.equal(headers['content-encoding'], 'gzip');
    const plain = await bytesOf(path);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.deepEqual(gunzipSync(bytes), plain.bytes);
  });
});

describe('errors are JSON', () => {
  const without = (names: string) =>
    `${names} cannot be limited to changes. Leave out the parameter of the last change.`;
  const cases: readonly (readonly [query: string, error: string])[] = [
    ['', 'Missing report query parameter'],
    ['?report=', 'Missing report query parameter'],
    ['?headers=true', 'Missing report query parameter'],
    ['?report=Epraccur', `Unknown report "Epraccur". Did you mean "epraccur"? ${LIST} reports.`],
    [
      '?report=etr,EPRACCUR',
      `Unknown report "EPRACCUR". Did you mean "epraccur"? ${LIST} reports.`,
    ],
    ['?report=etr%2C', `Unknown report "". ${LIST} reports.`],
    ['?report=epraccr', `Unknown report "epraccr". Did you mean "epraccur"? ${LIST} reports.`],
    ['?report=nothing', `Unknown report "nothing". ${LIST} reports.`],
    ['?report=etr&reportBundle=prescribingDataPack', 'Use report or reportBundle, not both.'],
    [
      '?reportBundle=PrescribingDataPack',
      'Unknown value "PrescribingDataPack" of reportBundle. Did you mean "prescribingDataPack"? The only value is prescribingDataPack.',
    ],
    [
      '?reportBundle=constructor',
      'Unknown value "constructor" of reportBundle. The only value is prescribingDataPack.',
    ],
    [
      '?report=etr&lastChangeStart=01-11-2026',
      'lastChangeStart must be a date YYYY-MM-DD. Got "01-11-2026".',
    ],
    [
      '?report=etr&lastChangeStart=2026-02-30',
      'lastChangeStart must be a date YYYY-MM-DD. Got "2026-02-30".',
    ],
    ['?report=etr&lastChangeStart=2026-11-25', 'lastChangeStart is in the future: "2026-11-25".'],
    [
      '?report=etr,ets&lastChangeStart=2026-11-01',
      'lastChangeStart is for one report. For several, use lastChangePeriod.',
    ],
    [
      '?reportBundle=prescribingDataPack&lastChangeStart=2026-11-01',
      'lastChangeStart is for one report. For several, use lastChangePeriod.',
    ],
    [
      '?report=etr&lastChangePeriod=7',
      'lastChangePeriod is for several reports. For one, use lastChangeStart.',
    ],
    ...['8', '07', '-7', 'week', ''].map((days): [string, string] => [
      `?report=etr,ets&lastChangePeriod=${days}`,
      `lastChangePeriod must be 7, 30 or 90. Got "${days}".`,
    ]),
    ...['epcmem', 'epcncorepartnerdetails', 'nlhscgpr', 'succ', 'egpcur', 'econcur'].map(
      (name): [string, string] => [`?report=${name}&lastChangeStart=2026-11-01`, without(name)],
    ),
    ['?report=etr&asAt=2026-13-01', 'asAt must be a date YYYY-MM-DD. Got "2026-13-01".'],
    ['?report=etr&asAt=2026-11', 'asAt must be a date YYYY-MM-DD. Got "2026-11".'],
    ['?report=etr&headers=1', 'headers must be true or false. Got "1".'],
    ['?report=etr&report=etr', 'The query parameter report is repeated.'],
    ['?Report=etr', `Unknown query parameter "Report". Did you mean "report"? ${PARAMETERS}`],
    ['?report=etr&format=csv', `Unknown query parameter "format". ${PARAMETERS}`],
    ['?report=%ff', 'report is not percent-encoded UTF-8.'],
  ];
  for (const [query, error] of cases) {
    it(`400 for ${query || 'nothing'}`, async () => {
      const { status, headers, text } = await getReport(query);
      assert.deepEqual([status, JSON.parse(text)], [400, { error }]);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    });
  }

  for (const method of ['POST', 'PUT', 'DELETE']) {
    it(`405 for ${method}`, async () => {
      for (const path of ['api/getReport?report=etr', 'assets/ods/current/etr.zip']) {
        const { status, headers, text } = await server.get(`/fhir/${path}`, {}, method);
        assert.equal(status, 405);
        assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS');
        assert.match(text, /^\{"error":"[^"]*Use GET or HEAD\./);
      }
    });
  }

  it('404 for another path', async () => {
    for (const [path, meant] of [
      ['getReports', 'Did you mean "/fhir/api/getReport"? The paths are /fhir/api/getReport, '],
      ['getReport/etr', 'The paths are /fhir/api/getReport, '],
    ]) {
      const { status, text } = await server.get(`/fhir/api/${path}?report=etr`);
      assert.equal(status, 404);
      const start = `Unknown path "/fhir/api/${path}". ${meant}`;
      assert.ok(JSON.parse(text).error.startsWith(start), text);
    }
  });

  it('404 with the remedy if the edition has no relationships', async (context) => {
    const identity = { number: 1, publishedAt: '2026-09-01T10:00:00.000Z' };
    const arrays = editionArrays([fullRecord('A1', '177')], { hasLinks: false });
    const edition = openEdition(identity, arrays);
    const editions = { current: () => edition, byNumber: () => edition };
    const other = await startDirectory({ editions });
    context.after(() => other.close());
    const { status, text } = await other.get('/fhir/api/getReport?report=epraccur');
    assert.equal(status, 404);
    assert.match(text, /does not know the relationships .* Import a release file\."\}$/);
    assert.equal((await other.get('/fhir/api/getReport?report=ecsu')).status, 200);
  });

  it('503 without an edition', async (context) => {
    const editions = { current: () => undefined, byNumber: () => undefined };
    const empty = await startDirectory({ editions });
    context.after(() => empty.close());
    const { status, headers, text } = await empty.get('/fhir/api/getReport?report=etr');
    assert.equal(status, 503);
    assert.ok(headers.has('retry-after'));
    assert.match(text, /^\{"error":"/);
  });
});

describe('reports that the release does not have', () => {
  const SUPPLIED = REPORTS.flatMap(({ name, content }) => (content === undefined ? name : []));

  const importRemedy = (name: string) =>
    name === 'eabeydispgp'
      ? ''
      : ` Or import the file with "gazetteer import-practitioners ${name}.csv".`;

  it('are 404 with the reason and the remedy', async () => {
    for (const name of SUPPLIED) {
      const error = `The release has no data for the report ${name}. No folder has such files: see the setting directory.reports.${importRemedy(name)}`;
      for (const path of [`api/getReport?report=${name}`, `assets/ods/current/${name}.zip`]) {
        const { status, text } = await server.get(`/fhir/${path}`);
        assert.deepEqual([status, JSON.parse(text)], [404, { error }], path);
      }
    }
    assert.equal((await getReport('?reportBundle=prescribingDataPack')).status, 404);
  });

  it('are the bytes of files in a folder', async (context) => {
    const folder = temporaryFolder(context);
    const file = (name: string) => join(folder, `${name}.csv`);
    for (const name of ['egmcmem', 'egpcur', 'epracmem']) {
      writeFileSync(file(name), `"${name}",é\n`);
    }
    const supplied = await startDirectory({
      editions: EDITIONS,
      settings: { reports: folder },
      now: () => AT_NOON,
    });
    context.after(() => supplied.close());
    const path = '/fhir/api/getReport?report=egpcur';
    const got = await supplied.get(path);
    assert.deepEqual([got.status, got.text], [200, '"egpcur",é\n']);
    assert.equal(got.headers.get('content-type'), 'text/csv; charset=utf-8');
    const former = await zipOf('/fhir/assets/ods/current/egpcur.zip', supplied);
    assert.deepEqual([...former.files], [['egpcur.csv', '"egpcur",é\n']]);
    const pack = await zipOf('/fhir/api/getReport?reportBundle=prescribingDataPack', supplied);
    assert.equal(pack.disposition, attachment('24_11_2026_prescribingDataPack.zip'));
    const names = 'ebranchs edispensary egmcmem egpcur epcmem epharmacyhq epraccur epracmem'.split(
      ' ',
    );
    assert.deepEqual(
      [...pack.files.keys()],
      names.map((name) => `${name}.csv`),
    );
    const kept = { 'if-none-match': got.headers.get('etag') ?? '' };
    assert.equal((await supplied.get(path, kept)).status, 304);
    writeFileSync(file('egpcur'), '"new"\n');
    utimesSync(file('egpcur'), 1, 1);
    assert.equal((await supplied.get(path, kept)).text, '"new"\n');
    const { files } = await zipOf(
      '/fhir/api/getReport?reportBundle=prescribingDataPack&lastChangePeriod=90',
      supplied,
    );
    assert.deepEqual(
      [...files.keys()].map((each) => each.split('_')[0]),
      ['ebranchs', 'edispensary', 'epharmacyhq', 'epraccur'],
    );
    const none = await supplied.get('/fhir/api/getReport?report=enurse');
    assert.deepEqual(
      [none.status, JSON.parse(none.text)],
      [
        404,
        {
          error:
            'The release has no data for the report enurse. The folder of directory.reports has no file enurse.csv that the server can read. Or import the file with "gazetteer import-practitioners enurse.csv".',
        },
      ],
    );
    for (const parameter of ['headers=true', 'asAt=2026-01-01']) {
      const { status, text } = await supplied.get(`${path}&${parameter}`);
      assert.equal(status, 400);
      assert.match(text, /it has neither headers nor asAt/);
    }
  });
});
