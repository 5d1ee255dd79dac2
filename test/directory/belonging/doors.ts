/** The doors that say what organisations belong to, each asked as its users ask it. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Edition, openEdition } from '../../../src/directory/edition/edition.ts';
import type { PostcodeFile } from '../../../src/directory/places/postcodes.ts';
import { writeTables } from '../../../src/interfaces/files/tables/write-tables.ts';
import { openDirectory } from '../../../src/library/open-directory.ts';
import { LEVEL_WORDS } from '../../../src/web/parts/level-words.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { startWeb } from '../../web/web-server.ts';
import { SETTINGS, startDirectory } from '../directory-server.ts';
import { editionArrays } from '../edition-arrays.ts';
import { readParquetZip, readSqlite } from '../export/read-tables.ts';
import { cellsIn } from '../reports/report-records.ts';
import { NATION_CODE_SYSTEMS, type Nation } from './nation.ts';

/** What a door says of an organisation: the columns that it has, empty if there is no level. */
export type Columns = Readonly<Record<string, string>>;

/** The answers of a door by code. It may leave out organisations that it does not list. */
export type Answers = ReadonlyMap<string, Columns>;

export interface Doors {
  /** Opens another nation. Answers are then about it and its day. */
  open(nation: Nation, postcodes?: PostcodeFile): void;
  /** What each door says of each of the codes that it lists. */
  readonly levels: Readonly<Record<string, (codes: readonly string[]) => Promise<Answers>>>;
  /** The codes of the organisations that belong to this one, as each door lists them. */
  readonly members: Readonly<Record<string, (code: string) => Promise<readonly string[]>>>;
  get(path: string): Promise<string>;
}

/** The reports of the kinds of organisations in a nation, which have columns of region and board. */
const REPORTS = ['epraccur', 'ebranchs', 'eccg', 'edispensary', 'enonnhs', 'eother', 'etr'];

const LEVELS = ['operator', 'network', 'subIcb', 'icb', 'region'] as const;

/** A nation behind its doors: requests to them must succeed. */
interface Opened {
  edition(): Edition;
  readonly folder: string;
  get(path: string): Promise<string>;
  post(path: string, body: object | string): Promise<string>;
  page(path: string): Promise<string>;
  /** The answer of a tool of assistants. */
  tool(name: string, values: object): Promise<ReturnType<typeof JSON.parse>>;
}

/** The clock of the test shows the day of the nation while its doors are asked. */
export async function openDoors(context: TestContext): Promise<Doors> {
  let edition: Edition | undefined;
  const editions = { current: () => edition, byNumber: () => edition };
  context.mock.timers.enable({ apis: ['Date'] });
  const server = await startDirectory({ editions });
  const web = await startWeb({ editions });
  context.after(() => Promise.all([server.close(), web.close()]));
  const textOf = async (path: string, answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer;
    assert.equal(status, 200, `${path}: ${text}`);
    return text;
  };
  const post: Opened['post'] = (path, body) => {
    const isTable = typeof body === 'string';
    const type = { 'content-type': isTable ? 'text/csv' : 'application/json' };
    return textOf(path, server.post(path, isTable ? body : JSON.stringify(body), type));
  };
  const opened: Opened = {
    edition: () => edition!,
    folder: temporaryFolder(context),
    get: (path) => textOf(path, server.get(path)),
    page: (path) => textOf(path, web.get(path)),
    post,
    tool: async (name, values) => {
      const params = { name, arguments: values };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const { result } = JSON.parse(await post('/fhir/mcp', message));
      assert.equal(result.isError, false, result.content[0].text);
      return result.structuredContent;
    },
  };
  return {
    open: ({ records, day }, postcodes) => {
      const publishedAt = `${day}T10:00:00.000Z`;
      context.mock.timers.setTime(Date.parse(publishedAt));
      const arrays = editionArrays(records, { codeSystems: NATION_CODE_SYSTEMS });
      edition = openEdition({ number: 1, publishedAt }, arrays, postcodes);
    },
    get: opened.get,
    levels: { ...questionDoors(opened), ...fileDoors(opened), ...nationalDoors(opened) },
    members: memberDoors(opened),
  };
}

function questionDoors({ edition, post, tool }: Opened): Doors['levels'] {
  const library = () => {
    const form = { settings: SETTINGS, fhirVersion: 'STU3', serverUrl: 'http://a.test' } as const;
    return openDirectory<'STU3'>(edition(), form);
  };
  return {
    '/hierarchy': async (codes) => {
      const { results } = JSON.parse(await post('/fhir/hierarchy', { codes }));
      return new Map(results.map(columnsOfLevels));
    },
    '/hierarchy on a day': async (codes) => {
      const on = edition().publishedAt.slice(0, 10);
      const { results } = JSON.parse(await post('/fhir/hierarchy', { codes, on }));
      return new Map(results.map(columnsOfLevels));
    },
    '/hierarchy as CSV': async (codes) =>
      answersOf(rowsOf(await post('/fhir/hierarchy', `code\n${codes.join('\n')}\n`)), (row) => [
        row.code ?? '',
        row,
      ]),
    'the library': async (codes) => {
      const answers = await Promise.all(codes.map((code) => library().hierarchy(code)));
      return new Map(answers.map(columnsOfLevels));
    },
    'the tool of assistants': async (codes) => {
      const on = edition().publishedAt.slice(0, 10);
      const { results } = await tool('hierarchy', { codes, on });
      return new Map(results.map(columnsOfLevels));
    },
  };
}

function fileDoors({ edition, folder, page }: Opened): Doors['levels'] {
  const ofTables = async (form: 'sqlite' | 'parquet') => {
    const path = join(folder, form);
    const rows = Uint32Array.from(Array(edition().links.rowCount).keys());
    const source = { edition: edition(), rows, isComplete: true, programVersion: '0.0.0' };
    await writeTables(form, path, source);
    const { tables } = await (form === 'sqlite' ? readSqlite(path) : readParquetZip(path));
    rmSync(path);
    return answersOf(tables.organisation ?? [], ({ code, sub_icb: subIcb, ...others }) => [
      String(code),
      { ...others, subIcb },
    ]);
  };
  return {
    SQLite: () => ofTables('sqlite'),
    Parquet: () => ofTables('parquet'),
    'the page of an organisation': async (codes) => {
      const listed = codes.filter((code) => edition().index.rowOf(code) !== undefined);
      const pages = listed.map(
        async (code) => [code, levelsOn(await page(`/organizations/${code}`))] as const,
      );
      return new Map(await Promise.all(pages));
    },
    'results.csv': async () =>
      answersOf(rowsOf(await page('/results.csv?status=all')), (row) => [
        row.code ?? '',
        { region: row.nationalGrouping, icb: row.healthGeography },
      ]),
  };
}

/** The levels in a page, by the words for them. */
function levelsOn(html: string): Columns {
  const [, found = ''] =
    /id="belongs-to">[\s\S]*?<dl[^>]*>([\s\S]*?)<\/dl>/.exec(html.split('<table', 1)[0]!) ?? [];
  const rows = found.matchAll(/<dt[^>]*>([^<]*)<\/dt>[\s\S]*?<span class="app-nowrap">([^<]*)</g);
  const codes = new Map(Array.from(rows, ([, words = '', code = '']) => [words, code]));
  return Object.fromEntries(LEVELS.map((level) => [level, codes.get(LEVEL_WORDS[level]) ?? '']));
}

function nationalDoors({ get, post }: Opened): Doors['levels'] {
  const reports = REPORTS.map((report) => {
    const ask = async () =>
      answersOf(cellsIn(await get(`/fhir/api/getReport?report=${report}`)), (cells) => [
        cells[0] ?? '',
        { region: cells[2], icb: cells[3] },
      ]);
    return [report, ask] as const;
  });
  return {
    ...Object.fromEntries(reports),
    'the report search': async () => {
      const path = '/fhir/api/search/organisationReportSearch';
      const { orgArray } = JSON.parse(await post(path, { searchQueryIsActive: 'All (Status)' }));
      return answersOf(
        orgArray as readonly FoundOrganisation[],
        ({ id, ICB: icb, NHSER: region }) => [id, { icb, region }],
      );
    },
    $lookup: async (codes) => {
      const found = codes.map(async (code) => [code, await lookUp(get, code)] as const);
      return answersOf(await Promise.all(found), (each) => each);
    },
  };
}

function memberDoors({ page, tool }: Opened): Doors['members'] {
  return {
    'the tool of assistants': async (code) => {
      const found: string[] = [];
      let after: string | undefined;
      do {
        const answer: ToolPage = await tool('members', { of: code, limit: 100, after });
        found.push(...answer.organisations.map((each) => each.code));
        after = answer.next;
      } while (after !== undefined);
      return found;
    },
    'results.csv': async (code) =>
      rowsOf(await page(`/results.csv?status=all&of=${code}`)).map((row) => row.code ?? ''),
    'results.ndjson': async (code) => {
      const lines = (await page(`/results.ndjson?status=all&of=${code}`)).split('\n');
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line).id);
    },
    'the look-up page': async (code) => {
      const text = await page(`/?print=true&status=all&of=${code}`);
      return [...text.matchAll(/<span class="app-code">([^<]*)</g)].map(([, each = '']) => each);
    },
  };
}

async function lookUp(get: Doors['get'], code: string): Promise<Columns> {
  const system = 'https://fhir.nhs.uk/Id/ods-organization-code';
  const query = `system=${system}&code=${code}&property=ICB&property=NHSER`;
  const { parameter } = JSON.parse(await get(`/fhir/R4/CodeSystem/$lookup?${query}`));
  const found = new Map<string, string>();
  for (const { name, part = [] } of parameter) {
    if (name === 'property') found.set(part[0].valueCode, part[1].valueCoding.code);
  }
  return { icb: found.get('ICB') ?? '', region: found.get('NHSER') ?? '' };
}

interface ToolPage {
  readonly organisations: readonly { readonly code: string }[];
  readonly next?: string;
}

/** An organisation as the report search gives it. */
interface FoundOrganisation {
  readonly id: string;
  readonly ICB?: string;
  readonly NHSER?: string;
}

interface JsonLevels {
  readonly code: string;
  readonly levels: readonly {
    readonly code: string;
    readonly by: string;
    readonly role?: string;
  }[];
}

const ROLES: Readonly<Record<string, string>> = {
  RO272: 'network',
  RO98: 'subIcb',
  RO319: 'subIcb',
  RO261: 'icb',
  RO318: 'icb',
  RO209: 'region',
};

/** With all levels in their order, for an exact comparison. */
function columnsOfLevels({ code, levels }: JsonLevels): readonly [string, Columns] {
  const columns: Record<string, string> = Object.fromEntries(LEVELS.map((name) => [name, '']));
  for (const { code: above, by, role = '' } of levels) {
    const name = ROLES[role];
    if (name !== undefined && columns[name] === '') columns[name] = above;
    if (by === 'RE6' && columns.operator === '') columns.operator = above;
  }
  columns.levels = levels.map((level) => `${level.by} ${level.code}`).join(', ');
  return [code, columns];
}

/** Only the columns of levels that the door has. */
function answersOf<Row>(
  rows: readonly Row[],
  read: (row: Row) => readonly [code: string, cells: Readonly<Record<string, unknown>>],
): Answers {
  return new Map(
    rows.map((row) => {
      const [code, cells] = read(row);
      const known = LEVELS.filter((name) => Object.hasOwn(cells, name));
      return [code, Object.fromEntries(known.map((name) => [name, String(cells[name] ?? '')]))];
    }),
  );
}

/** No cell that tests read has a comma. */
function rowsOf(csv: string): readonly Readonly<Record<string, string>>[] {
  const [head = '', ...lines] = csv.trimEnd().split('\r\n');
  const names = head.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])),
  );
}
