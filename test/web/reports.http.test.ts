/** The page of reports: what it says about each report, and where its links lead. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { openEdition } from '../../src/directory/edition/edition.ts';
import type { DirectorySettings } from '../../src/interfaces/answer/settings.ts';
import { REPORTS } from '../../src/interfaces/reports/csv/report-table.ts';
import { editionOf, startDirectory } from '../directory/directory-server.ts';
import { editionArrays } from '../directory/edition-arrays.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS } from './related-records.ts';
import { startWeb } from './web-server.ts';

const EDITION = editionOf(RELATED_RECORDS, 1, RELATED_CODE_SYSTEMS);

async function pageOf(
  context: TestContext,
  directory: Partial<DirectorySettings> = {},
  edition = EDITION,
  query = '',
): Promise<string> {
  const editions = { current: () => edition, byNumber: () => edition };
  const server = await startWeb({ editions, directory });
  context.after(() => server.close());
  return (await server.get(`/reports${query}`)).text;
}

/** The text of the row of a report. */
function rowOf(page: string, name: string): string {
  const rows = page.split('<tr ').filter((row) => row.includes(`app-code">${name}<`));
  const [row = ''] = (rows[0] ?? '').split('</tr>');
  return `<${row}`.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

it('it counts organisations where a line is one', async (context) => {
  const page = await pageOf(context);
  assert.match(
    rowOf(page, 'epraccur'),
    /^ Report GP practices and other prescribing cost centres Code name epraccur Organisations 30 CSV/,
  );
  assert.match(rowOf(page, 'epcn'), /Primary care networks Code name epcn Organisations 1 CSV/);
  assert.match(
    rowOf(page, 'etr'),
    /NHS trusts Code name etr Organisations 1 CSV of NHS trusts , with headings of NHS trusts , zip/,
  );
  assert.match(rowOf(page, 'ect'), /Organisations 0 /);
  for (const name of ['succ', 'epcmem', 'epcncorepartnerdetails']) {
    assert.doesNotMatch(rowOf(page, name), /Organisations/, name);
  }
});

it('all its links to reports and files are answered', async (context) => {
  const editions = { current: () => EDITION, byNumber: () => EDITION };
  const folder = temporaryFolder(context);
  for (const name of ['egmcmem', 'egpcur', 'epracmem']) {
    writeFileSync(join(folder, `${name}.csv`), '"G1"\r\n');
  }
  // A folder is not a file.
  mkdirSync(join(folder, 'enurse.csv'));
  const settings = { reports: folder };
  const page = await pageOf(context, settings);
  const editionFiles = { pathOf: () => 'not read for HEAD', forget: () => {} };
  const directory = await startDirectory({ editions, settings, editionFiles });
  context.after(() => directory.close());
  const links = [...page.matchAll(/href="(\/(?:api|assets\/ods|editions)\/[^"]+)"/g)]
    .map(([, link = '']) => link.replaceAll('&amp;', '&'))
    .filter((link) => link !== '/editions');
  assert.ok(links.includes('/api/getReport?reportBundle=prescribingDataPack'));
  assert.ok(links.includes('/assets/ods/current/egpcur.zip'));
  assert.ok(links.includes('/editions/current.parquet.zip'));
  assert.ok(!links.some((link) => link.includes('enurse')));
  assert.ok(links.length > 130);
  for (const link of links) {
    assert.equal((await directory.get(`/fhir${link}`, {}, 'HEAD')).status, 200, link);
  }
});

it('it names the reports without data and the remedy', async (context) => {
  const page = await pageOf(context);
  assert.match(page, /directory\.reports/);
  assert.match(page, /no data for egmcmem, egpcur, epracmem\./);
  assert.doesNotMatch(page, /reportBundle=|report=egpcur/);
});

it('without relationships, it links to no report that needs them', async (context) => {
  const identity = { number: 1, publishedAt: '2026-09-01T10:00:00.000Z' };
  const options = { codeSystems: RELATED_CODE_SYSTEMS, hasLinks: false };
  const edition = openEdition(identity, editionArrays(RELATED_RECORDS, options));
  const page = await pageOf(context, {}, edition);
  assert.match(page, /does not know the relationships .* Import a release file\./);
  assert.match(rowOf(page, 'epraccur'), /Needs relationships/);
  assert.match(rowOf(page, 'epharmacyhq'), /CSV of Headquarters of pharmacies/);
  assert.doesNotMatch(page, /report=epraccur&amp;headers=true">/);
});

it('it lists the best known first, and then all others by what they list', async (context) => {
  const names = namesOf(await pageOf(context));
  assert.deepEqual(names.slice(0, 3), ['epraccur', 'etr', 'ets']);
  const titles = new Map(REPORTS.map(({ name, title }) => [name, title]));
  const rest = names.slice(names.indexOf('succ') + 1).map((name) => titles.get(name));
  assert.deepEqual(rest, rest.toSorted());
  assert.equal(new Set(names).size, REPORTS.filter(({ content }) => content).length);
});

it('it finds reports by their names, their titles and the roles that they list', async (context) => {
  for (const [asked, found] of [
    ['EPRACCUR', ['epraccur']],
    ['trusts+sites', ['ets', 'etrust', 'ectsite']],
    ['welsh', ['eauth', 'wlhbsite', 'wlhb']],
    ['primary care network', ['epcn']],
  ] as const) {
    assert.deepEqual(namesOf(await pageOf(context, {}, EDITION, `?q=${asked}`)), found, asked);
  }
  const supplied = await pageOf(context, {}, EDITION, '?q=nurse');
  assert.match(
    supplied,
    /No report of the release has “<bdi>nurse<\/bdi>”.*href="#missing".*enurse</s,
  );
  const nothing = await pageOf(context, {}, EDITION, `?q=${encodeURIComponent('<b>qqqq')}`);
  assert.match(nothing, /“<bdi>&lt;b&gt;qqqq<\/bdi>”. Try other words\./);
  assert.match(nothing, /value="&lt;b&gt;qqqq"/);
  assert.doesNotMatch(nothing, /id="missing"/);
});

/** The reports of the table, in its order. */
function namesOf(page: string): readonly string[] {
  const [, table = ''] = /<tbody(.*?)<\/tbody>/s.exec(page) ?? [];
  return [...table.matchAll(/app-code">(\w+)</g)].map(([, name = '']) => name);
}
