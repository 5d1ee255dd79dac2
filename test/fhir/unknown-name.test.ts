/** The text about a name that does not exist: what was sent, the nearest name, and the list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName, shownText, unknownName } from '../../src/fhir/request/unknown-name.ts';

const FEW = ['code', 'on'];
const MANY =
  'abandon ability absence academy account acid across action active actor address adult affair'.split(
    ' ',
  );

test('the text says what was sent, the nearest name, and the short list of names', () => {
  const unknown = { kind: 'query parameter', known: FEW, listedAt: '/api' };
  assert.equal(
    unknownName({ ...unknown, sent: 'cod' }),
    'Unknown query parameter "cod". Did you mean "code"? The query parameters are code, on.',
  );
  assert.equal(
    unknownName({ ...unknown, sent: 'colour' }),
    'Unknown query parameter "colour". The query parameters are code, on.',
  );
});

test('the text names the place of a long list, and not its names', () => {
  const unknown = { kind: 'property', known: MANY, listedAt: 'https://ods.example/metadata' };
  assert.equal(
    unknownName({ ...unknown, sent: 'acros' }),
    'Unknown property "acros". Did you mean "across"? ' +
      'See https://ods.example/metadata for the list of properties.',
  );
});

test('the text says that there is one name, or none', () => {
  const unknown = { kind: 'value of kind', sent: 'x', listedAt: '/api' };
  assert.equal(
    unknownName({ ...unknown, known: ['closed'] }),
    'Unknown value "x" of kind. The only value is closed.',
  );
  assert.equal(
    unknownName({ ...unknown, known: [] }),
    'Unknown value "x" of kind. There are no values here.',
  );
});

test('a name is near by its letters, its meaning, its base or one of its words', () => {
  const cases: [sent: string, known: string, meant: string | undefined][] = [
    ['organisation', 'Organization ValueSet', 'Organization'],
    ['last_updated', '_id _lastUpdated', '_lastUpdated'],
    ['post code', 'name postcode', 'postcode'],
    ['Roles', 'name active roleCode activeRoleCode', 'roleCode'],
    ['status', 'name active', 'active'],
    ['name:below', 'name name:contains', 'name'],
    ['country', 'address-city address-country', 'address-country'],
    ['RO1977', 'RO177 RO197 RO190', 'RO197'],
    ['colour', 'code on', undefined],
    ['', 'code on', undefined],
    ['-_ ', 'code on', undefined],
    ['__proto__', 'code on', undefined],
    ['x'.repeat(100_000), 'code on', undefined],
  ];
  for (const [sent, known, meant] of cases) {
    assert.equal(nearestName({ sent, known: known.split(' ') }), meant, sent.slice(0, 20));
  }
});

test('a place can have names of its own for something', () => {
  const meanings = { status: 'code' };
  assert.equal(nearestName({ sent: 'Status', known: ['_id', 'code'], meanings }), 'code');
  assert.equal(nearestName({ sent: 'status', known: ['_id'], meanings }), undefined);
  assert.equal(nearestName({ sent: 'constructor', known: ['_id'], meanings }), undefined);
});

test('a long sent text is shortened, and control characters are escaped', () => {
  assert.equal(shownText('RR8'), 'RR8');
  assert.equal(shownText('a\u001b[31m\nb'), 'a\\u{1b}[31m\\u{a}b');
  assert.equal(shownText('\u{202e}x\ud800'), '\\u{202e}x\\u{d800}');
  assert.equal(shownText('🙂'.repeat(60)), '🙂'.repeat(60));
  assert.equal(shownText('é'.repeat(61)), `${'é'.repeat(60)}…`);
});
