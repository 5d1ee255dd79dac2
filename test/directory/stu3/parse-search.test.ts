/** A search as understood from its query, and the links and names that its result has. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { FhirError } from '../../../src/fhir/request/fhir-error.ts';
import { ByteWriter } from '../../../src/interfaces/answer/byte-writer.ts';
import { offsetOf } from '../../../src/interfaces/faces/search.ts';
import { createSearchsets, identityOf } from '../../../src/interfaces/faces/searchset.ts';
import { STU3_FACE } from '../../../src/interfaces/stu3/face.ts';
import {
  createStu3SearchParser,
  STU3_SEARCH_PARAMETERS,
} from '../../../src/interfaces/stu3/parameters.ts';
import { renderedOf, SETTINGS } from '../directory-server.ts';
import { RECORDS } from '../records.ts';

const FORM = { format: 'json', contentType: '', isPretty: false } as const;
const RENDERED = renderedOf(RECORDS);
const SERVED = { face: STU3_FACE, settings: SETTINGS };
const TYPE_URL = 'http://a.test/STU3/Organization';

function understood(query: string, settings = SETTINGS) {
  const request = { query, isLenient: true, form: FORM, formIssue: undefined };
  const parse = createStu3SearchParser({
    settings,
    roleSystems: new Set<string>(),
    isCommaLiteral: false,
    postcodesOf: () => undefined,
    unknownRole: () => undefined,
  });
  return parse(request);
}

const identified = (query: string, form = FORM) => identityOf(understood(query), RENDERED, form);

const SEARCHSETS = createSearchsets(SERVED, TYPE_URL, new ByteWriter());

function linksOf(query: string): string[] {
  const search = understood(query);
  const from = offsetOf(search);
  const page = RENDERED.edition.index.search(search.query, from, search.count);
  const identity = identityOf(search, RENDERED, FORM);
  const result = { identity, search, page, included: [], rendered: RENDERED };
  const { link } = JSON.parse(JSON.stringify(SEARCHSETS.resource(result, 'json')));
  return link.map(({ relation, url }: { relation: string; url: string }) => {
    return `${relation} ${url.replace(TYPE_URL, '')}`;
  });
}

describe('a search', () => {
  it('has pages of 20 matches where it names no size, or as many as allowed', () => {
    assert.equal(understood('', { ...SETTINGS, countMax: 100 }).count, 20);
    assert.equal(understood('', { ...SETTINGS, countMax: 5 }).count, 5);
  });

  it('tells whether it left something out', () => {
    assert.equal(understood('name=leeds').hasIgnored, false);
    assert.equal(understood('name=leeds&foo=1').hasIgnored, true);
  });

  it('has the primary role in its criteria of roles, and in no other', () => {
    const role = { type: 'token', field: 'role', values: [{ code: '76' }] };
    const active = { type: 'token', field: 'active', values: [{ code: 'true' }] };
    const criteria = (query: string) => understood(query).query.criteria;
    assert.deepEqual(criteria('ods-org-role=76&active=true'), [role, active]);
    assert.deepEqual(criteria('ods-org-role=76&active=true&ods-org-primaryRole=false'), [
      { ...role, field: 'otherRole' },
      active,
    ]);
  });

  it('with a primary role alone is refused at the place of the first one', () => {
    const alone = 'ods-org-primaryRole=a';
    assert.throws(
      () => understood(`_count=99&${alone}&_page=0&${alone}`),
      (error) => {
        assert.ok(error instanceof FhirError);
        const [count, mandatory, value, page, repeated] = error.issues.map(
          ({ diagnostics }) => diagnostics,
        );
        assert.match(count ?? '', /^Supplied limit/);
        assert.match(mandatory ?? '', /mandatory argument/);
        assert.match(value ?? '', /ods-org-primaryRole/);
        assert.match(page ?? '', /^page must/);
        assert.match(repeated ?? '', /^Only one/);
        return true;
      },
    );
  });

  it('may have criteria more than once, except for the primary role and near', () => {
    const once = STU3_SEARCH_PARAMETERS.filter((one) => one.isCriterion && !one.isRepeatable);
    assert.deepEqual(
      once.map(({ name }) => name),
      ['ods-org-primaryRole', 'near'],
    );
  });
});

describe('the result of a search', () => {
  it('is named by a hash of edition and query', () => {
    for (let page = 1; page <= 8; page++) {
      const { id, etag, query } = identified(`_page=${page}`);
      assert.equal(query, `_page=${page}&_count=20`);
      const digits = createHash('sha1')
        .update(RENDERED.fingerprint + query)
        .digest('hex');
      const variant = '89ab'[Number.parseInt(digits[16] ?? '', 16) % 4];
      assert.equal(
        id,
        `${digits.slice(0, 8)}-${digits.slice(8, 12)}-5${digits.slice(13, 16)}` +
          `-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`,
      );
      assert.equal(etag, `W/"${digits.slice(0, 20)}-json"`);
    }
  });

  it('has another tag where it is indented', () => {
    const { etag } = identified('');
    const pretty = identityOf(understood(''), RENDERED, { ...FORM, isPretty: true });
    assert.equal(pretty.etag, etag.replace('-json"', '-json-pretty"'));
  });

  it('names the edition in the self link only where the search does', () => {
    assert.equal(identified('_edition=1&_count=2').query, '_edition=1&_count=2&_page=1');
    assert.equal(identified('_count=2').query, '_count=2&_page=1');
  });

  it('has neither size nor page in its link where the total alone is wanted', () => {
    for (const query of ['_count=0&name=leeds', '_page=2&name=leeds&_summary=count']) {
      assert.deepEqual(linksOf(query), ['self ?name=leeds&_summary=count']);
    }
  });

  it('links to the pages before and after, and from behind the last one to the last', () => {
    const to = (page: number) => `?_count=2&_page=${page}&_edition=1`;
    for (const [page, ...links] of [
      [1, `first ${to(1)}`, `next ${to(2)}`, `last ${to(3)}`],
      [2, `first ${to(1)}`, `previous ${to(1)}`, `next ${to(3)}`, `last ${to(3)}`],
      [3, `first ${to(1)}`, `previous ${to(2)}`, `last ${to(3)}`],
      [9, `first ${to(1)}`, `previous ${to(3)}`, `last ${to(3)}`],
    ] as const) {
      const self = `self ?_count=2&_page=${page}`;
      assert.deepEqual(linksOf(`_count=2&_page=${page}`), [self, ...links]);
    }
  });
});
