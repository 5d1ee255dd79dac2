/** Which texts are valid values of the primitive types. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRIMITIVES } from '../../../src/fhir/definitions/primitives.ts';

const cases: Record<string, { valid: string[]; refused: string[] }> = {
  base64Binary: {
    valid: ['AA==', 'AAA=', 'AAAA', 'TWFu+/09'],
    refused: ['', 'A', 'AB==', 'AAAA=', 'A===', '====', 'AA-_', 'AAA'],
  },
  boolean: { valid: ['true', 'false'], refused: ['', 'True', '1', '0', 'yes'] },
  code: {
    valid: ['a', 'a b', '>=', 'x'.repeat(300), 'CHEST\u00a0'],
    refused: ['', ' a', 'a ', 'a  b', 'a\tb', 'a\u0001'],
  },
  date: {
    valid: ['2017', '2017-06', '2017-06-30', '2016-02-29', '2000-02-29', '0001-01-01'],
    refused: [
      '',
      '17',
      '2017-6',
      '2017-13',
      '2017-00',
      '2017-06-00',
      '2017-06-31',
      '2017-02-29',
      '1900-02-29',
      '0000',
      '2017-06-30Z',
      '2017-06-30T10:00:00Z',
      ' 2017',
      '20170630',
    ],
  },
  dateTime: {
    valid: [
      '2017',
      '2017-06',
      '2017-06-15',
      '2017-06-15T14:57:54Z',
      '2017-06-15T14:57:54+01:00',
      '2017-06-15T14:57:54.123456789-14:00',
      '2016-02-29T00:00:00Z',
    ],
    refused: [
      '2017-06-15T14:57:54',
      '2017-06-15T14:57Z',
      '2017-06-15T24:00:00Z',
      '2017-02-29T00:00:00Z',
      '2017-06-15T14:57:60Z',
      '2017-06-15T14:57:54+14:01',
      '2017-06-15T14:57:54+0100',
      '2017-06T14:57:54Z',
      '2017-06-15 14:57:54Z',
      '2017-06-15t14:57:54z',
      '2017-06-15T14:57:54.Z',
    ],
  },
  decimal: {
    valid: [
      '0',
      '-0',
      '1',
      '2.00',
      '-3.14',
      '0.001',
      `0.${'1'.repeat(40)}`,
      '123456789012345678901234',
    ],
    refused: ['', '+1', '.5', '5.', '01', '1e3', '1E-2', 'NaN', '1,5', '--1'],
  },
  id: {
    valid: ['a', 'A-1.b', 'x'.repeat(64)],
    refused: ['', 'x'.repeat(65), 'a_b', 'a b', 'é', '#a', 'a/b'],
  },
  instant: {
    valid: ['2017-06-15T14:57:54Z', '2017-06-15T14:57:54.1+01:00'],
    refused: ['2017-06-15', '2017-06-15T14:57:54', '2017-06-15T14:57Z', '2017-02-30T00:00:00Z'],
  },
  integer: {
    valid: ['0', '-1', '2147483647', '-2147483648'],
    refused: ['', '2147483648', '-2147483649', '1.0', '01', '+1', '1e2'],
  },
  markdown: { valid: ['*a*\n'], refused: ['', '\u0000'] },
  oid: {
    valid: ['urn:oid:1.2.3', 'urn:oid:2.16.840.1'],
    refused: ['', '1.2.3', 'urn:oid:', 'urn:oid:1..2', 'urn:oid:01.2', 'URN:OID:1.2'],
  },
  positiveInt: { valid: ['1', '2147483647'], refused: ['0', '-1', '2147483648', '1.5'] },
  string: {
    valid: [' ', 'a\tb\r\nc', '\u00e9\u{1f600}', 'x'.repeat(1024 * 1024)],
    refused: [
      '',
      'a\u0000',
      '\u0008',
      '\u000b',
      '\ufffe',
      '\ud800',
      '\udc00x',
      'x'.repeat(1024 * 1024 + 1),
    ],
  },
  time: {
    valid: ['00:00:00', '23:59:59.999'],
    refused: ['', '24:00:00', '12:00', '12:00:00Z', '12:60:00', '12:00:60'],
  },
  unsignedInt: { valid: ['0', '7'], refused: ['-1', '07', '', '2147483648'] },
  uri: {
    valid: [
      'http://example.org/a?b=c#d',
      'urn:uuid:53fefa32-fcbb-4ff8-8a92-55ee120877b7',
      '#a',
      'é',
    ],
    refused: ['', 'a b', ' a', 'a\n', '\u0000'],
  },
  uuid: {
    valid: ['urn:uuid:53fefa32-fcbb-4ff8-8a92-55ee120877b7'],
    refused: [
      '53fefa32-fcbb-4ff8-8a92-55ee120877b7',
      'urn:uuid:53FEFA32-FCBB-4FF8-8A92-55EE120877B7',
    ],
  },
  canonical: { valid: ['http://a.example/b|1.0'], refused: ['', 'a b'] },
  url: { valid: ['http://a.example/b'], refused: ['', 'a b'] },
};

test('every primitive type has its cases here', () => {
  assert.deepEqual([...PRIMITIVES.keys()], Object.keys(cases));
});

for (const [name, { valid, refused }] of Object.entries(cases)) {
  test(`${name} takes valid values and refuses others`, () => {
    const isValid = PRIMITIVES.get(name)?.isValid;
    assert.ok(isValid);
    for (const text of valid) assert.equal(isValid(text), true, JSON.stringify(text.slice(0, 80)));
    for (const text of refused)
      assert.equal(isValid(text), false, JSON.stringify(text.slice(0, 80)));
  });
}

test('no format takes long on a text made to make it slow', () => {
  // A quadratic expression would need hours for these, not milliseconds.
  const length = 1024 * 1024;
  for (const { isValid } of PRIMITIVES.values()) {
    for (const part of ['a', ' ', '1', 'a ', '1.', '\t', 'A=']) {
      assert.equal(typeof isValid(`${part.repeat(length / part.length)}!`), 'boolean');
    }
  }
});
