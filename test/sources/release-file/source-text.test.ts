/** White space, dates and codes of a source. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanText, isCode, isDate, printable } from '../../../src/sources/text/source-text.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';

describe('cleanText', () => {
  const cases: readonly (readonly [text: string | undefined, clean: string | undefined])[] = [
    [undefined, undefined],
    ['', undefined],
    [' \t\r\n\u00a0\u2003', undefined],
    ['A', 'A'],
    ['A B', 'A B'],
    [' A  B ', 'A B'],
    ['A\tB\nC', 'A B C'],
    ['É\u00a0É', 'É É'],
    ['\ue000', undefined],
    ['A\ue0017\ue001 \ue002 B', 'A7 B'],
    ['\ue003\uf8ff', '\ue003\uf8ff'],
    ['𝄞 '.repeat(3000), `${'𝄞 '.repeat(2999)}𝄞`],
  ];
  for (const [text, clean] of cases) {
    it(`makes ${JSON.stringify(clean)?.slice(0, 20)} of ${JSON.stringify(text)?.slice(0, 20)}`, () => {
      assert.equal(cleanText(text), clean);
    });
  }

  it('changes nothing but white space and markers', () => {
    const text = fc.string({
      unit: fc.constantFrom(' ', '\t', '\n', 'A', 'é', '𝄞', '0', '\ue000', '\ue001'),
      maxLength: 40,
    });
    const property = fc.property(text, (each) => {
      const words = each
        .replaceAll(/[\ue000\ue001]/g, '')
        .split(/\s+/u)
        .filter((word) => word !== '');
      assert.equal(cleanText(each) ?? '', words.join(' '));
    });
    fc.assert(property);
  });
});

describe('isDate', () => {
  it('agrees with the calendar', () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (year, month, day) => {
        const pad = (number: number, length: number) => String(number).padStart(length, '0');
        const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
        const date = new Date(`${text}T00:00:00Z`);
        const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
        assert.equal(isDate(text), exists, text);
      },
    );
    fc.assert(property, { numRuns: repetitions(100, 300) });
  });

  for (const text of [
    '',
    '2020',
    '2020-01',
    '20200101',
    '2020-1-01',
    '2020-01-01T',
    '2020/01/01',
    '0000-01-01',
    '2020-01-0x',
    '２０２０-01-01',
    '1900-02-29',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(isDate(text), false));
  }
  for (const text of ['2000-02-29', '2024-02-29', '1948-07-05', '9999-12-31']) {
    it(`accepts ${text}`, () => assert.equal(isDate(text), true));
  }
});

describe('isCode', () => {
  for (const text of ['A', 'rr8', '5HL18', '0'.repeat(64)]) {
    it(`accepts ${text}`, () => assert.equal(isCode(text), true));
  }
  for (const text of ['', 'A B', 'A-1', 'É', 'A\n', '0'.repeat(65)]) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(isCode(text), false));
  }
});

describe('printable', () => {
  it('keeps text on one line, without control characters, and short', () => {
    assert.equal(printable(' a\u0007\nb\u009b31m\u202Ec '), 'a b 31m c');
    assert.equal(printable('x'.repeat(500)), `${'x'.repeat(80)}…`);
  });
});
