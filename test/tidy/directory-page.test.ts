/** The pages about the directory API: their examples get the answers that they show. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { loadConfig } from '../../src/config/load-config.ts';
import { sectionOf } from '../../src/config/section.ts';
import { SOFTWARE } from '../../src/config/version.ts';
import { buildEdition } from '../../src/directory/edition/build-edition.ts';
import { openEdition } from '../../src/directory/edition/edition.ts';
import { createCollector } from '../../src/directory/import/collector.ts';
import { openPostcodes } from '../../src/directory/places/stored-postcodes.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import { PAIRS_MAX } from '../../src/fhir/http/query-string.ts';
import { ALTERNATIVES_MAX } from '../../src/fhir/search/parse-search-query.ts';
import { serveFace } from '../../src/interfaces/faces/rendered-edition.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { STU3_FACE } from '../../src/interfaces/stu3/face.ts';
import { STU3_SEARCH_PARAMETERS } from '../../src/interfaces/stu3/parameters.ts';
import { readPostcodeFile } from '../../src/sources/postcodes/read-postcode-file.ts';
import { readReleaseFile } from '../../src/sources/release-file/read-release-file.ts';
import { SAMPLE } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { codesIn, itemsUnder, plain, readPage } from './markdown.ts';
import { ROOT } from './source-files.ts';

const POSTCODES = join(ROOT, 'sample', 'postcodes.zip');

const directoryPage = readPage('docs/reference/directory-api.md');
const searchPage = readPage('docs/reference/search-parameters.md');

describe('the pages about the directory API', () => {
  it('has an example of every parameter, and a refusal', () => {
    const named = (cells: readonly (string | undefined)[]) =>
      new Set(
        cells.flatMap((cell) =>
          plain(cell)
            .split('&')
            .map((pair) => /^\w[\w-]*/.exec(pair)?.[0]),
        ),
      );
    const examples = named(itemsUnder(searchPage, 'Examples').map(({ name }) => name));
    const refusals = named(itemsUnder(searchPage, 'Refusals').map(({ name }) => name));
    const names = STU3_SEARCH_PARAMETERS.map(({ name }) => name);
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

  it('names the limits of a search', () => {
    assert.ok(
      searchPage.text.includes(
        `at most ${PAIRS_MAX} parameters, and ${ALTERNATIVES_MAX} values between commas`,
      ),
    );
  });

  it('lists names of formats that are understood', async (context) => {
    const get = await sampleDirectory(context);
    const names = itemsUnder(directoryPage, 'Formats').flatMap(({ name, text }) =>
      name === 'names of JSON' ? codesIn(text) : [],
    );
    assert.equal(names.length, 5);
    for (const name of names) {
      assert.equal(get(`/STU3/Organization?_format=${name}`).resourceType, 'Bundle', name);
    }
  });

  it('has examples that are answered as it says', async (context) => {
    const get = await sampleDirectory(context);
    const wrong = itemsUnder(searchPage, 'Examples').flatMap(({ name, text }) => {
      const { total } = get(`/STU3/Organization?${plain(name)}`);
      return total === Number(text) ? [] : [`${name}: ${total}, not ${text}`];
    });
    assert.deepEqual(wrong, []);
    for (const { name, facts, text } of itemsUnder(searchPage, 'Refusals')) {
      const { issue } = get(`/STU3/Organization?${plain(name)}`);
      assert.deepEqual(
        issue?.map(({ details, ...one }) => [details.coding[0]?.code, one.diagnostics]),
        [[plain(facts), text]],
        `the refusal of ${name}`,
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
  const settings = sectionOf(loadConfig({ flags: {}, environment: {} }), 'directory');
  const identity = { number: 1, publishedAt: '2026-09-01T10:00:00.000Z' };
  const arrays = buildEdition({ ...collector.finish(), hasLinks: true });
  const { arrays: postcodeArrays, ...read } = await readPostcodeFile(POSTCODES);
  const about = { ...read, version: '1', source: 'postcodes.zip', importedAt: '' };
  const edition = openEdition(identity, arrays, openPostcodes({ about, arrays: postcodeArrays }));
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
