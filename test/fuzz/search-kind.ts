/**
 * Query strings of the directory: answers in JSON and XML, their totals beside those of a search
 * without an index, and the pages that their links lead to.
 */
import assert from 'node:assert/strict';
import type { Edition } from '../../src/directory/edition/edition.ts';
import type { OrganizationRecord } from '../../src/directory/record/record.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import type { FhirResponse } from '../../src/fhir/request/request.ts';
import type { DirectoryFace } from '../../src/interfaces/faces/face.ts';
import { serveFace } from '../../src/interfaces/faces/rendered-edition.ts';
import { offsetOf } from '../../src/interfaces/faces/search.ts';
import { R4_FACE } from '../../src/interfaces/r4/face.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { STU3_FACE } from '../../src/interfaces/stu3/face.ts';
import { BASE, editionOf, SETTINGS, SOFTWARE } from '../directory/directory-server.ts';
import { naiveSearch } from '../directory/index/naive-search.ts';
import { organization, RECORDS, role } from '../directory/records.ts';
import type { FuzzKind } from './fuzz-kind.ts';
import { asOnTheWire, mutate } from './mutate.ts';
import { R4_SEARCH_SEEDS, R4_SEARCH_WORDS, SEARCH_SEEDS, SEARCH_WORDS } from './search-words.ts';

/** The interface that is searched, and its queries. */
export interface SearchedFace {
  readonly face: DirectoryFace;
  readonly seeds: readonly string[];
  readonly words: readonly string[];
  /** The totals and pages beside those of a search without an index. */
  readonly isCompared: boolean;
}

export const STU3_SEARCH: SearchedFace = {
  face: STU3_FACE,
  seeds: SEARCH_SEEDS,
  words: SEARCH_WORDS,
  isCompared: true,
};

/** Its searches have criteria that the search without an index does not know. */
export const R4_SEARCH: SearchedFace = {
  face: R4_FACE,
  seeds: R4_SEARCH_SEEDS,
  words: [...SEARCH_WORDS, ...R4_SEARCH_WORDS],
  isCompared: false,
};

/** Results that are walked page by page. */
const WALKED_MAX = 60;

export function openSearchKind(searched: SearchedFace): FuzzKind {
  const records = manyRecords();
  const material = {
    seeds: searched.seeds.map((text) => Buffer.from(text)),
    dictionary: searched.words.map((text) => Buffer.from(text)),
    boundaries: '&=,|',
  };
  const edition = editionOf(records);
  const { typeUrl, answerTo } = serveSearch(searched, edition);
  const asked = { ...searched, typeUrl, records, answerTo };
  let found = 0;
  let refused = 0;
  return {
    generate: (random) => mutate(random, material),
    attempt: (input) => {
      const query = asOnTheWire(input);
      try {
        const json = answerTo(query, 'application/fhir+json');
        if (json.status === 200) {
          found += 1;
          checkFound(query, json, asked);
        } else {
          refused += 1;
          checkRefused(json);
        }
        if (!query.includes('_format')) {
          const xml = answerTo(query, 'application/fhir+xml');
          assert.equal(xml.status, json.status, 'JSON and XML have the same status');
        }
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.stack : String(error);
      }
    },
    figures: () => ({ found, refused }),
  };
}

type AnswerTo = (query: string, accept: string) => FhirResponse;

function serveSearch({ face }: SearchedFace, edition: Edition) {
  const served = serveFace(face, { settings: SETTINGS, serverUrl: BASE });
  const typeUrl = `${served.baseUrl}/Organization`;
  const { pathname: path } = new URL(typeUrl);
  const handle = createHandle({
    services: [createDirectoryService(served, { current: () => edition, byNumber: () => edition })],
    software: SOFTWARE,
    onFault: (error) => {
      throw error;
    },
  });
  const answerTo: AnswerTo = (query, accept) => {
    const answer = handle({ method: 'GET', path, query, headers: { accept }, id: 'fuzz' });
    assert.ok(!(answer instanceof Promise), 'a search of the directory is answered at once');
    return answer;
  };
  return { typeUrl, answerTo };
}

/** What a search is asked of. */
interface Asked extends SearchedFace {
  readonly typeUrl: string;
  readonly records: readonly OrganizationRecord[];
  readonly answerTo: AnswerTo;
}

function checkRefused(answer: FhirResponse): void {
  assert.ok([400, 406, 410].includes(answer.status), `status ${answer.status}`);
  if (answer.format !== 'json') return;
  const { resourceType, issue } = JSON.parse(textOf(answer));
  assert.equal(resourceType, 'OperationOutcome');
  assert.ok(issue.length > 0);
  for (const { diagnostics } of issue) assert.ok(diagnostics.length > 0, 'diagnostics are there');
}

function checkFound(query: string, answer: FhirResponse, asked: Asked): void {
  if (answer.format !== 'json') return;
  const { face, isCompared, typeUrl, records, answerTo } = asked;
  const form = { format: 'json', contentType: '', isPretty: false } as const;
  const parseSearch = face.createSearchParser(SETTINGS, typeUrl.replace('/Organization', ''));
  const search = parseSearch({ query, isLenient: false, form, formIssue: undefined });
  const bundle = JSON.parse(textOf(answer));
  const offset = offsetOf(search);
  if (isCompared) {
    const wanted = naiveSearch(records, search.query, offset, search.count);
    assert.equal(bundle.total, wanted.total, 'the total');
    assert.deepEqual(
      codesOf(bundle),
      wanted.rows.map((row) => records[row]?.code),
      'the page',
    );
  }
  const self = queryOf(linkOf(bundle, 'self'), typeUrl);
  const again = JSON.parse(textOf(answerTo(self, ANY)));
  assert.deepEqual([again.total, codesOf(again)], [bundle.total, codesOf(bundle)], 'the self link');
  if (offset === 0 && bundle.total <= WALKED_MAX) walk(bundle, asked);
}

const ANY = '*/*';

/** The pages from the first one on have every match once. */
function walk(first: Bundle, { typeUrl, answerTo }: Asked): void {
  const codes = [...codesOf(first)];
  let page = first;
  for (let next = linkOf(page, 'next'); next !== undefined; next = linkOf(page, 'next')) {
    page = JSON.parse(textOf(answerTo(queryOf(next, typeUrl), 'application/fhir+json')));
    codes.push(...codesOf(page));
    assert.ok(codes.length <= first.total, 'the pages end');
  }
  if (codes.length === 0) return;
  assert.equal(new Set(codes).size, first.total, 'the pages have every match once');
}

interface Bundle {
  readonly total: number;
  readonly entry?: readonly { readonly resource: { readonly id: string } }[];
  readonly link: readonly { readonly relation: string; readonly url: string }[];
}

function codesOf({ entry = [] }: Bundle): string[] {
  return entry.map(({ resource }) => resource.id);
}

function linkOf({ link }: Bundle, wanted: string): string | undefined {
  return link.find(({ relation }) => relation === wanted)?.url;
}

function queryOf(url = '', typeUrl: string): string {
  assert.ok(url.startsWith(typeUrl), `the link "${url}"`);
  const question = url.indexOf('?');
  return question < 0 ? '' : url.slice(question + 1);
}

function textOf({ body }: FhirResponse): string {
  assert.ok(body !== undefined, 'there is a body');
  return typeof body === 'string' ? body : Buffer.from(body).toString();
}

/** The records of the tests, and more of the same with other names and roles. */
function manyRecords(): OrganizationRecord[] {
  const names = ['LEEDS ROAD SURGERY', 'St. John\u2019s', '\u00c9COLE', 'ABC & CO (UK)', 'leeds'];
  const more = Array.from({ length: 200 }, (_, i) =>
    organization(`Z${String(i).padStart(4, '0')}`, {
      name: `${names[i % names.length]} ${i % 7}`,
      isActive: i % 3 !== 0,
      roles: [role(String([76, 177, 197, 198][i % 4]), { isPrimary: true }), role('157')],
      address: { lines: [], city: 'St. Ives', postalCode: `LS${i % 20} ${i % 10}JN` },
    }),
  );
  return [...RECORDS, ...more].toSorted((a, b) => (a.code < b.code ? -1 : 1));
}
