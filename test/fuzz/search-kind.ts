/**
 * Query strings of the directory: answers in JSON and XML, their totals beside those of a search
 * without an index, and the pages that their links lead to.
 */
import assert from 'node:assert/strict';
import type { Edition } from '../../src/directory/edition.ts';
import type { OrganizationRecord } from '../../src/directory/record.ts';
import { offsetOf } from '../../src/directory/search.ts';
import { createDirectoryService } from '../../src/directory/service.ts';
import { STU3_FACE } from '../../src/directory/stu3/face.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import type { FhirResponse } from '../../src/fhir/request.ts';
import { BASE, editionOf, SETTINGS, SOFTWARE, servedStu3 } from '../directory/directory-server.ts';
import { naiveSearch } from '../directory/index/naive-search.ts';
import { organization, RECORDS, role } from '../directory/records.ts';
import type { FuzzKind } from './fuzz-kind.ts';
import { asOnTheWire, mutate } from './mutate.ts';
import { SEARCH_SEEDS, SEARCH_WORDS } from './search-words.ts';

const PATH = '/fhir/STU3/Organization';
/** Results that are walked page by page. */
const WALKED_MAX = 60;

export function openSearchKind(): FuzzKind {
  const records = manyRecords();
  const material = {
    seeds: SEARCH_SEEDS.map((text) => Buffer.from(text)),
    dictionary: SEARCH_WORDS.map((text) => Buffer.from(text)),
    boundaries: '&=,|',
  };
  const edition = editionOf(records);
  const answerTo = createAnswerTo(edition);
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
          checkFound(query, json, records, answerTo);
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

function createAnswerTo(edition: Edition): AnswerTo {
  const handle = createHandle({
    services: [
      createDirectoryService(servedStu3(SETTINGS, BASE), {
        current: () => edition,
        byNumber: () => edition,
      }),
    ],
    software: SOFTWARE,
    onFault: (error) => {
      throw error;
    },
  });
  return (query, accept) => {
    const answer = handle({ method: 'GET', path: PATH, query, headers: { accept }, id: 'fuzz' });
    assert.ok(!(answer instanceof Promise), 'a search of the directory is answered at once');
    return answer;
  };
}

function checkRefused(answer: FhirResponse): void {
  assert.ok([400, 406, 410].includes(answer.status), `status ${answer.status}`);
  if (answer.format !== 'json') return;
  const { resourceType, issue } = JSON.parse(textOf(answer));
  assert.equal(resourceType, 'OperationOutcome');
  assert.ok(issue.length > 0);
  for (const { diagnostics } of issue) assert.ok(diagnostics.length > 0, 'diagnostics are there');
}

function checkFound(
  query: string,
  answer: FhirResponse,
  records: readonly OrganizationRecord[],
  answerTo: AnswerTo,
): void {
  if (answer.format !== 'json') return;
  const form = { format: 'json', contentType: '', isPretty: false } as const;
  const parseSearch = STU3_FACE.createSearchParser(SETTINGS, `${BASE}/STU3`);
  const search = parseSearch({ query, isLenient: false, form, formIssue: undefined });
  const bundle = JSON.parse(textOf(answer));
  const offset = offsetOf(search);
  const wanted = naiveSearch(records, search.query, offset, search.count);
  assert.equal(bundle.total, wanted.total, 'the total');
  assert.deepEqual(
    codesOf(bundle),
    wanted.rows.map((row) => records[row]?.code),
    'the page',
  );
  const again = JSON.parse(textOf(answerTo(queryOf(linkOf(bundle, 'self')), ANY)));
  assert.deepEqual([again.total, codesOf(again)], [bundle.total, codesOf(bundle)], 'the self link');
  if (offsetOf(search) === 0 && bundle.total <= WALKED_MAX) walk(bundle, answerTo);
}

const ANY = '*/*';

/** The pages from the first one on have every match once. */
function walk(first: Bundle, answerTo: AnswerTo): void {
  const codes = [...codesOf(first)];
  let page = first;
  for (let next = linkOf(page, 'next'); next !== undefined; next = linkOf(page, 'next')) {
    page = JSON.parse(textOf(answerTo(queryOf(next), 'application/fhir+json')));
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

function queryOf(url = ''): string {
  assert.ok(url.startsWith(`${BASE}/STU3/Organization`), `the link "${url}"`);
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
