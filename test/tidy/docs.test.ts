/** The documentation says what the code does: lists, tables, examples and links. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { COMMANDS } from '../../src/cli/program.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Setting } from '../../src/config/setting.ts';
import { flagOf, SETTINGS, sectionOf, variableOf } from '../../src/config/settings.ts';
import { buildEdition, openEdition } from '../../src/directory/edition.ts';
import { createCollector } from '../../src/directory/import/collector.ts';
import { openRows } from '../../src/directory/rows.ts';
import { RowsBuilder } from '../../src/directory/rows-builder.ts';
import { serveFace } from '../../src/directory/served-face.ts';
import { createDirectoryService } from '../../src/directory/service.ts';
import { STU3_FACE } from '../../src/directory/stu3/face.ts';
import { SEARCH_PARAMETERS } from '../../src/directory/stu3/parameters.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import { ERROR_ROWS } from '../../src/fhir/outcome.ts';
import { PAIRS_MAX } from '../../src/fhir/query-string.ts';
import { ALTERNATIVES_MAX } from '../../src/fhir/search/parse-search-query.ts';
import { SPINE_ERRORS } from '../../src/nhs/spine-errors.ts';
import { METRICS } from '../../src/server/metrics.ts';
import { readReleaseFile } from '../../src/sources/release-file/read-release-file.ts';
import { openDataFolder } from '../../src/storage/data-folder.ts';
import { openEditionStore } from '../../src/storage/sqlite/edition-store.ts';
import { openRepositoryDatabase } from '../../src/storage/sqlite/repository-database.ts';
import { SOFTWARE } from '../../src/version.ts';
import { CODE_SYSTEMS, RECORDS } from '../directory/records.ts';
import { gazetteer, SAMPLE } from '../journeys/program.ts';
import { anchorsOf, codesIn, linksOf, type Page, plain, readPage, rowsUnder } from './markdown.ts';
import { projectFiles, ROOT } from './source-files.ts';

const directoryPage = readPage('docs/directory.md');
const importingPage = readPage('docs/importing.md');
const operatingPage = readPage('docs/operating.md');
const storagePage = readPage('docs/storage.md');

describe('the page about the directory', () => {
  it('lists exactly the declared search parameters, with their types and modifiers', () => {
    const documented = rowsUnder(directoryPage, 'parameter', 'type', 'modifiers', 'rule');
    assert.deepEqual(
      documented
        .map(([name, type, modifiers = '']) => [plain(name), type, codesIn(modifiers)])
        .sort(),
      SEARCH_PARAMETERS.map(({ name, type, modifiers }) => [name, type, modifiers]).sort(),
    );
  });

  it('has an example of every parameter, and a refusal', () => {
    const named = (cells: readonly (string | undefined)[]) =>
      new Set(
        cells.flatMap((cell) =>
          plain(cell)
            .split('&')
            .map((pair) => /^\w[\w-]*/.exec(pair)?.[0]),
        ),
      );
    const examples = named(rowsUnder(directoryPage, 'example', 'matches').map(([cell]) => cell));
    const refusals = named(
      rowsUnder(directoryPage, 'example', 'code', 'diagnostics').map(([cell]) => cell),
    );
    const names = SEARCH_PARAMETERS.map(({ name }) => name);
    // The number of an edition differs from one run of the demo to the next.
    assert.deepEqual(
      names.filter((name) => !examples.has(name)),
      ['_edition'],
    );
    assert.deepEqual(
      names.filter((name) => !refusals.has(name)),
      [],
    );
  });

  it('lists exactly the errors that can be answered', () => {
    const errorsOn = (page: Page) =>
      rowsUnder(page, 'status', 'issue.code', 'code', 'display', 'when').map((cells) =>
        cells.slice(0, 4).map(plain).join(' '),
      );
    const answered = Object.entries(ERROR_ROWS).map(([kind, { status, code }]) => {
      const coding = new Map(Object.entries(SPINE_ERRORS)).get(kind);
      return [status, code, coding?.code, coding?.display].join(' ');
    });
    const documented = [
      ...errorsOn(directoryPage),
      ...errorsOn(readPage('docs/order-response.md')),
    ];
    assert.deepEqual([...new Set(documented)].sort(), [...new Set(answered)].sort());
  });

  it('names the limits of a search', () => {
    assert.ok(
      directoryPage.text.includes(
        `At most ${PAIRS_MAX} parameters and ${ALTERNATIVES_MAX} values between commas`,
      ),
    );
  });

  it('names every setting of the directory', () => {
    const unnamed = Object.keys(SETTINGS).filter(
      (path) => path.startsWith('directory.') && !directoryPage.text.includes(`\`${path}`),
    );
    assert.deepEqual(unnamed, []);
  });

  it('lists names of formats that are understood', async (context) => {
    const get = await sampleDirectory(context);
    const names = rowsUnder(directoryPage, 'question', 'answer').flatMap(([question, answer]) =>
      question === 'names of JSON' ? codesIn(answer ?? '') : [],
    );
    assert.equal(names.length, 5);
    for (const name of names) {
      assert.equal(get(`/STU3/Organization?_format=${name}`).resourceType, 'Bundle', name);
    }
  });

  it('has examples that are answered as it says', async (context) => {
    const get = await sampleDirectory(context);
    const wrong = rowsUnder(directoryPage, 'example', 'matches').flatMap(([example, matches]) => {
      const { total } = get(`/STU3/Organization?${plain(example)}`);
      return total === Number(matches) ? [] : [`${example}: ${total}, not ${matches}`];
    });
    assert.deepEqual(wrong, []);
    for (const [example, code, diagnostics] of rowsUnder(
      directoryPage,
      'example',
      'code',
      'diagnostics',
    )) {
      const { issue } = get(`/STU3/Organization?${plain(example)}`);
      assert.deepEqual(
        issue?.map(({ details, ...one }) => [details.coding[0]?.code, one.diagnostics]),
        [[plain(code), diagnostics]],
        `the refusal of ${example}`,
      );
    }
  });

  it('shows answers that its requests get', async (context) => {
    const get = await sampleDirectory(context);
    const { codeBlocks } = directoryPage;
    const shown = codeBlocks.flatMap(({ language, text }, i) => {
      const url = /curl -s '(http[^']+)'/.exec(codeBlocks[i - 1]?.text ?? '')?.[1];
      return language === 'json' && url !== undefined ? [{ url, text }] : [];
    });
    assert.equal(shown.length, codeBlocks.filter(({ text }) => text.includes("curl -s '")).length);
    for (const { url, text } of shown) {
      const { pathname, search } = new URL(url);
      const answer = get(pathname + search);
      assert.partialDeepStrictEqual(answer, withoutChanging(JSON.parse(text)), url);
    }
  });
});

describe('the page about importing', () => {
  for (const [name, head] of [
    ['LeftOutReason', ['reason', 'meaning']],
    ['WarningKind', ['kind', 'meaning']],
  ] as const) {
    it(`lists every ${name}`, () => {
      const source = readFileSync(join(ROOT, 'src/directory/import/source.ts'), 'utf8');
      const union = new RegExp(`export type ${name} =([^;]+);`).exec(source)?.[1] ?? '';
      const declared = [...union.matchAll(/'([^']+)'/g)].map(([, kind]) => kind);
      assert.ok(declared.length > 1);
      assert.deepEqual(
        rowsUnder(importingPage, ...head)
          .map(([kind]) => plain(kind))
          .sort(),
        declared.sort(),
      );
    });
  }

  it('lists the options of the command', () => {
    assert.deepEqual(
      rowsUnder(importingPage, 'option', 'meaning').map(([syntax]) => plain(syntax)),
      COMMANDS.find(({ name }) => name === 'import')?.options?.map(({ syntax }) => syntax),
    );
  });

  it('describes the report that the sample gets', async (context) => {
    const folder = temporaryFolder(context);
    const reportPath = join(folder, 'report.json');
    const words = ['--data', join(folder, 'data'), '--report', reportPath];
    const { stdout } = await gazetteer(['import', SAMPLE, ...words]);
    const report = JSON.parse(readFileSync(reportPath, 'utf8'));
    const documented = rowsUnder(importingPage, 'property', 'meaning');
    assert.deepEqual(
      documented.map(([property]) => plain(property)),
      Object.keys(report),
    );
    assert.deepEqual(codesIn(documented[0]?.[1] ?? ''), Object.keys(report.edition));
    const shown = importingPage.codeBlocks.find(({ language }) => language === 'text')?.text ?? '';
    const withoutTime = (text: string) => text.replace(/ in [\d.]+ s /, ' ');
    const written = withoutTime(stdout).split('\n');
    const missing = withoutTime(shown)
      .split('\n')
      .filter((line) => line.trim() !== '…' && !written.includes(line));
    assert.deepEqual(missing, []);
  });
});

describe('the page about syncing', () => {
  const page = readPage('docs/sync.md');
  const sync = COMMANDS.find(({ name }) => name === 'sync');

  it('lists the options of the command, and its settings', () => {
    assert.deepEqual(
      rowsUnder(page, 'option', 'meaning').map(([syntax]) => plain(syntax)),
      sync?.options?.map(({ syntax }) => syntax),
    );
    const named = rowsUnder(page, 'setting', 'meaning').map(([path]) => plain(path));
    const ofSync = sync?.settings.filter((path) => path.startsWith('sync.')) ?? [];
    assert.deepEqual(
      ofSync.filter((path) => !named.includes(path)),
      [],
    );
  });
});

describe('the page about operating', () => {
  it('lists exactly the settings, with flag, variable and default', () => {
    const documented = rowsUnder(
      operatingPage,
      'setting',
      'flag',
      'variable',
      'default',
      'meaning',
    );
    assert.deepEqual(
      documented.map((cells) => cells.slice(0, 3).map(plain)),
      Object.keys(SETTINGS).map((path) => [path, flagOf(path), variableOf(path)]),
    );
    for (const [path, , , shown] of documented) {
      const setting: Setting | undefined = Object.entries(SETTINGS).find(
        ([name]) => name === plain(path),
      )?.[1];
      if (setting?.defaultValue === undefined) assert.doesNotMatch(shown ?? '', /^$|`/);
      else assert.equal(shown, `\`${setting.defaultValue}\``, `the default of ${path}`);
    }
  });

  it('has a chapter on each command, with its settings and options', () => {
    const chapters = operatingPage.text.split(/^(?=#{2,3} )/m);
    const documented = chapters.flatMap((chapter) => {
      const syntax = /^### `gazetteer ([^`]+)`/.exec(chapter)?.[1];
      if (syntax === undefined) return [];
      const line = /^Settings: (.*)$/m.exec(chapter)?.[1] ?? '';
      const options = operatingPage.tables.find(
        ({ heading, head }) => heading === `\`gazetteer ${syntax}\`` && head[0] === 'option',
      );
      const named = codesIn(line);
      const settings = line.startsWith('all but')
        ? Object.keys(SETTINGS).filter((path) => !named.includes(path))
        : named;
      return [{ syntax, settings, options: options?.rows.map(([option]) => plain(option)) ?? [] }];
    });
    assert.deepEqual(
      documented,
      COMMANDS.map(({ name, argument, settings, options = [] }) => ({
        syntax: argument === undefined ? name : `${name} ${argument.syntax}`,
        settings,
        options: options.map(({ syntax }) => syntax),
      })),
    );
  });

  it('lists exactly the metrics, with type and labels', () => {
    assert.deepEqual(
      rowsUnder(operatingPage, 'metric', 'type', 'labels', 'meaning').map(
        ([name, type, labels = '']) => [plain(name), type, codesIn(labels)],
      ),
      METRICS.map(({ name, type, labels }) => [name, type, [...labels]]),
    );
  });

  it('lists exactly the signals that are heard', () => {
    const documented = rowsUnder(operatingPage, 'signal', 'what happens').flatMap(
      ([signals = '']) => codesIn(signals),
    );
    const main = readFileSync(join(ROOT, 'src/main.ts'), 'utf8');
    const heard = [...main.matchAll(/'(SIG[A-Z]+)'/g)].map(([, signal]) => signal);
    assert.deepEqual(documented.sort(), [...new Set(heard)].sort());
  });

  it('lists exactly the exit codes', () => {
    const documented = rowsUnder(operatingPage, 'exit code', 'meaning').flatMap(([codes = '']) =>
      codes.split(', '),
    );
    const program = readFileSync(join(ROOT, 'src/cli/program.ts'), 'utf8');
    const ended = [...program.matchAll(/^const [A-Z]+ = (\d);$/gm)].map(([, code]) => code);
    assert.equal(ended.length, 3);
    const { SIGINT, SIGTERM } = constants.signals;
    assert.deepEqual(documented, [...ended, String(128 + SIGINT), String(128 + SIGTERM)]);
  });

  it('names every limit, and the paths of health and metrics', () => {
    const named = rowsUnder(operatingPage, 'what', 'limit', 'beyond it').flatMap(([, limit = '']) =>
      codesIn(limit),
    );
    const limits = Object.keys(SETTINGS).filter((path) => path.startsWith('limits.'));
    assert.deepEqual(
      limits.filter((path) => !named.includes(path)),
      [],
    );
    const paths = rowsUnder(operatingPage, 'path', 'answer').map(([path]) => plain(path));
    const source = readFileSync(join(ROOT, 'src/server/operation-server.ts'), 'utf8');
    const served = [...source.matchAll(/\['(\/[\w/]+)', \(\)/g)].map(([, path]) => path);
    assert.deepEqual(paths, served);
  });

  it('has a unit and an image that use what the program has', () => {
    const flags = COMMANDS.flatMap(({ settings }) => settings.map(flagOf));
    const unit = readFileSync(join(ROOT, 'deploy/gazetteer.service'), 'utf8');
    const [, words = ''] = /^ExecStart=\S+\/bin\/gazetteer serve (.*)$/m.exec(unit) ?? [];
    for (const [flag] of words.matchAll(/--\S+/g)) {
      assert.ok(flag === '--config' || flags.includes(flag), flag);
    }
    assert.match(words, /--data/);
    const image = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
    const variables = Object.keys(SETTINGS).map(variableOf);
    for (const [variable] of image.matchAll(/GAZETTEER_\w+/g)) {
      assert.ok(variables.includes(variable), variable);
    }
    assert.ok(
      image.includes(
        `EXPOSE ${SETTINGS.port.defaultValue} ${SETTINGS['metrics.port'].defaultValue}\n`,
      ),
    );
    for (const [, path = ''] of image.matchAll(/^COPY (?!--)(\S+) /gm)) {
      assert.ok(existsSync(join(ROOT, path)), path);
    }
  });

  it('shows a configuration file that can be used', () => {
    const text = operatingPage.codeBlocks.find(({ language }) => language === 'json')?.text ?? '';
    const config = loadConfig({ flags: {}, environment: {}, file: { name: 'example', text } });
    assert.equal(config['directory.countMax'], 100);
  });
});

describe('the page about storage', () => {
  it('lists exactly the tables and columns of the databases', (context) => {
    const folder = openDataFolder(temporaryFolder(context));
    openEditionStore(folder).close();
    openRepositoryDatabase(folder).database.close();
    const columns = [folder.directoryDatabase, folder.ordersDatabase].flatMap((path) => {
      const database = new DatabaseSync(path, { readOnly: true });
      const rows = database
        .prepare(
          `SELECT t.name AS "table", c.name AS "column", c.type AS type
           FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
           WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
        )
        .all();
      database.close();
      return rows.map((row) => `${row.table}.${row.column} ${row.type}`);
    });
    const documented = storagePage.tables
      .filter(({ head }) => head[0] === 'column')
      .flatMap(({ heading, rows }) =>
        rows.map(([column, type]) => `${plain(heading)}.${plain(column)} ${type}`),
      );
    assert.deepEqual(documented.sort(), columns.sort());
  });

  it('lists exactly the arrays of an edition, with their types', () => {
    const builder = new RowsBuilder();
    const ordinals = Uint32Array.from(RECORDS, (record) => builder.add(record));
    const arrays = buildEdition(builder, ordinals, CODE_SYSTEMS);
    const documented = new Map(
      storagePage.tables
        .filter(({ head }) => head[0] === 'array')
        .flatMap(({ heading, rows }) =>
          rows.flatMap(([name, type = '']) => {
            const types = type.split(/, | or /);
            const suffix = plain(name);
            const prefixes = suffix.startsWith('.') ? codesIn(heading) : [''];
            return prefixes.map((prefix): [string, string[]] => [prefix + suffix, types]);
          }),
        ),
    );
    assert.deepEqual([...documented.keys()].sort(), Object.keys(arrays).sort());
    for (const [name, array] of Object.entries(arrays)) {
      assert.ok(documented.get(name)?.includes(elementTypeOf(array)), `${name} is ${array}`);
    }
  });

  it('splits its record into the shape and the values that it shows', () => {
    const block = (name: string) => {
      const found = storagePage.codeBlocks.find(({ language }) => language === `json ${name}`);
      return JSON.parse(found?.text ?? '');
    };
    const builder = new RowsBuilder();
    builder.add(block('record'));
    const arrays = builder.finish(Uint32Array.of(0));
    const rows = openRows(arrays);
    const shape = JSON.stringify(rows.shapeAt(0)).replace(/\uE000(\d+)\uE001/g, '⟨$1⟩');
    assert.deepEqual(JSON.parse(shape), block('shape'));
    const values: readonly string[] = block('values');
    const bytes = Buffer.concat(
      values.map((value) => Buffer.from([Buffer.byteLength(value), ...Buffer.from(value)])),
    );
    assert.deepEqual(Buffer.from(rows.values), bytes);
    assert.ok(storagePage.text.includes(`That is ${bytes.length} bytes`));
  });
});

describe('every page', () => {
  it('links to pages and chapters that are there', () => {
    const files = projectFiles();
    const pages = files.filter((path) => path.endsWith('.md'));
    const broken = pages.flatMap((page) => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      return linksOf(text).flatMap((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : normalize(join(dirname(page), path));
        if (!existsSync(join(ROOT, target))) return [`${page} → ${link}`];
        if (anchor === undefined || !target.endsWith('.md')) return [];
        const anchors = anchorsOf(readFileSync(join(ROOT, target), 'utf8'));
        return anchors.includes(anchor) ? [] : [`${page} → ${link}`];
      });
    });
    assert.deepEqual(broken, []);
  });
});

interface Answer {
  readonly resourceType: string;
  readonly total?: number;
  readonly issue?: readonly {
    readonly diagnostics: string;
    readonly details: { readonly coding: readonly { readonly code: string }[] };
  }[];
}

/** What the demo serves, without its socket: a function from a path to the JSON of the answer. */
async function sampleDirectory(context: TestContext): Promise<(target: string) => Answer> {
  const collector = createCollector(() => {});
  await readReleaseFile({
    file: SAMPLE,
    includeArchive: false,
    temporaryFolder: temporaryFolder(context),
    receiver: collector,
  });
  const { builder, ordinals, codeSystems } = collector.finish();
  const settings = sectionOf(loadConfig({ flags: {}, environment: {} }), 'directory');
  const identity = { number: 1, publishedAt: '2026-09-01T10:00:00.000Z' };
  const arrays = buildEdition(builder, ordinals, codeSystems);
  const edition = openEdition(identity, arrays);
  const service = createDirectoryService(
    serveFace(STU3_FACE, { settings, serverUrl: 'http://localhost:8080' }),
    {
      current: () => edition,
      byNumber: (number) => (number === edition.number ? edition : undefined),
    },
  );
  const handle = createHandle({
    services: [service],
    software: SOFTWARE,
    onFault: (error) => {
      throw error;
    },
  });
  return (target) => {
    const [path = '', query = ''] = target.split('?');
    const answer = handle({ method: 'GET', path, query, headers: {}, id: 'docs' });
    assert.ok(!(answer instanceof Promise), 'the directory answers at once');
    const { body } = answer;
    return JSON.parse(Buffer.from(body ?? '').toString());
  };
}

/** An answer without what differs from one edition or request to the next. */
function withoutChanging(answer: Record<string, unknown>): object {
  if (answer.resourceType === 'Organization') return answer;
  const { id: _, meta, ...rest } = answer;
  return answer.resourceType === 'Bundle' ? rest : { ...rest, meta };
}

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-docs-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function elementTypeOf(array: ArrayBufferView): string {
  if (array instanceof Uint8Array) return 'uint8';
  if (array instanceof Uint16Array) return 'uint16';
  return array instanceof Uint32Array ? 'uint32' : 'float64';
}
