/** The reading of queries and bodies by a table of parameters. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  anyCase,
  DAY_KIND,
  FLAG_KIND,
  listKind,
  mappedKind,
  numberKind,
  oneOfKind,
  TEXT_KIND,
} from '../../src/interfaces/json/kinds.ts';
import { tableOf } from '../../src/interfaces/json/parameter-table.ts';
import { QUERY_RULES, readMembers, readQuery } from '../../src/interfaces/json/read-parameters.ts';

const TABLE = tableOf({
  code: { kind: TEXT_KIND, example: 'RR8', isRequired: true },
  hint: { kind: TEXT_KIND, example: 'a', isRepeatable: true },
  on: { kind: DAY_KIND, example: '2026-04-01' },
  kind: { kind: oneOfKind(['joined', 'left']), example: 'left' },
  size: { kind: numberKind({ min: 1, max: 9 }, 'from 1 to 9'), example: '5' },
  all: { kind: FLAG_KIND, example: 'true' },
  numbers: {
    kind: listKind(mappedKind(numberKind({ min: 0 }, '0 or more'), (number) => number * 2)),
    example: '1,2',
  },
  small: {
    kind: TEXT_KIND,
    example: 'ab',
    checks: [{ isMet: (text) => text.length < 3, text: 'small is too long.' }],
    texts: { invalid: 'never' },
  },
});

describe('a query', () => {
  it('becomes values of the types that the table says', () => {
    const { values, pairs } = readQuery(
      'code=A&hint=x&hint=y&on=2026-04-01&kind=left&size=9&all=true&numbers=1,%202,&small=ab',
      TABLE,
    );
    // The annotations fail to compile if the table gives other types.
    const code: string = values.code;
    const hints: readonly string[] = values.hint;
    const kind: 'joined' | 'left' | undefined = values.kind;
    const numbers: readonly number[] | undefined = values.numbers;
    assert.deepEqual([code, hints, kind, numbers], ['A', ['x', 'y'], 'left', [2, 4]]);
    assert.deepEqual([values.on, values.size, values.all], ['2026-04-01', 9, true]);
    assert.equal(pairs.length, 9);
  });

  it('has an empty list for what may be repeated, and nothing for the rest', () => {
    assert.deepEqual(readQuery('code=A', TABLE).values, { code: 'A', hint: [] });
  });

  const refused: readonly (readonly [query: string, text: string])[] = [
    ['', 'code is missing. Give it, as in code=RR8.'],
    ['cod=A', 'Unknown query parameter "cod". Did you mean "code"?'],
    ['code=A&toString=1', 'Unknown query parameter "toString". '],
    ['code=A&code=B', 'The query parameter code is repeated.'],
    ['code=%FF', 'code is not percent-encoded UTF-8.'],
    ['code=A&on=1.4.2026', 'on must be a date YYYY-MM-DD. Got "1.4.2026".'],
    ['code=A&on=', 'on must be a date YYYY-MM-DD. Got "".'],
    ['code=A&kind=lefd', 'Unknown value "lefd" of kind. Did you mean "left"?'],
    ['code=A&size=0', 'size must be a whole number, from 1 to 9. Got "0".'],
    ['code=A&size=1e1', 'size must be a whole number, from 1 to 9. Got "1e1".'],
    ['code=A&all=yes', 'all must be true or false. Got "yes".'],
    ['code=A&numbers=1,x', 'numbers must be a whole number, 0 or more. Got "1,x".'],
    ['code=A&numbers=,', 'numbers must be a whole number, 0 or more. Got ",".'],
    ['code=A&small=abc', 'small is too long.'],
  ];
  for (const [query, text] of refused) {
    it(`?${query} is refused`, () => {
      assert.throws(
        () => readQuery(query, TABLE),
        ({ message }: Error) => {
          assert.equal(message.slice(0, text.length), text);
          return true;
        },
      );
    });
  }

  it('can have empty values in place of none, and names of others', () => {
    const rules = { ...QUERY_RULES, isForm: true, ignoresUnknown: true };
    const { values } = readQuery('code=%20A&on=&hint=+&other=1', TABLE, rules);
    assert.deepEqual(values, { code: 'A', hint: [] });
  });
});

describe('a body', () => {
  it('may have numbers and truths as such or as texts, and nulls, empty texts and other members', () => {
    const sent = { code: 'A', size: 3, all: true, kind: null, on: '', other: [] };
    assert.deepEqual(readMembers(sent, TABLE), { code: 'A', size: 3, all: true, hint: [] });
    const texts = { code: 'A', size: '3', all: 'true' };
    assert.deepEqual(readMembers(texts, TABLE), { code: 'A', size: 3, all: true, hint: [] });
  });

  const refused: readonly (readonly [body: Readonly<Record<string, unknown>>, text: string])[] = [
    [{}, 'The member code is missing.'],
    [{ code: '' }, 'The member code is missing.'],
    [{ code: 5 }, 'code must be a text. Got 5.'],
    [{ code: ['A'] }, 'code must be a text. Got ["A"].'],
    [{ code: 'A', size: [3] }, 'size must be a whole number, from 1 to 9. Got [3].'],
    [{ code: 'A', size: true }, 'size must be a whole number, from 1 to 9. Got true.'],
    [{ code: 'A', size: 1.5 }, 'size must be a whole number, from 1 to 9. Got 1.5.'],
    [{ code: 'A', all: 1 }, 'all must be true or false. Got 1.'],
  ];
  for (const [body, text] of refused) {
    it(`${JSON.stringify(body)} is refused`, () => {
      assert.throws(() => readMembers(body, TABLE), { message: text });
    });
  }
});

it('a kind can be told to ignore case', () => {
  assert.equal(anyCase(FLAG_KIND).parse('TRUE'), true);
  assert.equal(FLAG_KIND.parse('TRUE'), undefined);
});
