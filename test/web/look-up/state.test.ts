/** The state of the look-up page and its address are the same thing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { READING_KINDS } from '../../../src/web/matches/parameters.ts';
import {
  type LookUpState,
  NO_BELONGING,
  readState,
  writeState,
} from '../../../src/web/matches/state.ts';
import { fc } from '../../property.ts';

const EMPTY: LookUpState = {
  text: '',
  as: undefined,
  roles: [],
  status: undefined,
  town: '',
  of: '',
  direct: false,
  by: undefined,
  near: '',
  within: '',
  page: 1,
  print: false,
};
const read = (query: string) => readState(new URLSearchParams(query));

describe('the state of the look-up page', () => {
  it('is read back from the address that was written of it', () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .map((value) => value.replace(/\s+/g, ' ').trim());
    const belonging = fc.record({
      of: text,
      direct: fc.boolean(),
      by: fc.constantFrom(undefined, '4', '12'),
    });
    const state = fc.record(
      {
        text,
        as: fc.constantFrom(undefined, ...READING_KINDS),
        roles: fc.uniqueArray(fc.stringMatching(/^[1-9][0-9]{0,3}$/), { maxLength: 5 }),
        status: fc.constantFrom(undefined, 'all' as const, 'inactive' as const),
        town: text,
        page: fc.integer({ min: 1, max: 1_000_000 }),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(state, belonging, text, (one, { of, direct, by }, near) => {
        const belongs = of === '' ? NO_BELONGING : { of, direct, by };
        const whole = { ...one, ...belongs, near, within: near === '' ? '' : '5', print: false };
        assert.deepEqual(read(writeState(whole)), whole);
      }),
    );
  });

  const cases: readonly (readonly [query: string, change: Partial<LookUpState>])[] = [
    ['', {}],
    ['q=&status=&town=', {}],
    ['q=%20a%20%09b%20', { text: 'a b' }],
    ['page=0', {}],
    ['page=-3', {}],
    ['page=2.5', {}],
    ['page=2&print=true', { print: true }],
    ['print=yes', {}],
    ['page=1e99', {}],
    ['page=99999999999', { page: 1_000_000 }],
    ['as=everything&status=maybe', {}],
    // The default, as older addresses have it.
    ['status=active', {}],
    [`q=${' '.repeat(2000)}x`, {}],
    ['role=177&role=177&role=<b>&role=', { roles: ['177', '<b>'] }],
    ['within=5', {}],
    ['near=LS1%204AP&within=5', { near: 'LS1 4AP', within: '5' }],
    ['of=RTG&by=RE4', { of: 'RTG', by: '4' }],
    ['q=%FF', { text: '\ufffd' }],
    [
      Array.from({ length: 300 }, (_, i) => `role=${i}`).join('&'),
      { roles: Array.from({ length: 50 }, (_, i) => String(i)) },
    ],
    [`q=${'x'.repeat(1000)}`, { text: 'x'.repeat(200) }],
  ];
  for (const [query, change] of cases) {
    it(`takes ${query.slice(0, 40) || 'nothing'} for what makes sense of it`, () =>
      assert.deepEqual(read(query), { ...EMPTY, ...change }));
  }

  it('has no query where nothing is asked', () => assert.equal(writeState(EMPTY), ''));
});
