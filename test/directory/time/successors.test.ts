/** The code that an organisation has now, over chains, splits, mergers and circles of successions. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resolveCode } from '../../../src/directory/ask/successors.ts';
import type { SourceRecord, SuccessionRecord } from '../../../src/directory/record/record.ts';
import { withoutAbsent } from '../../without-absent.ts';
import { editionOf } from '../directory-server.ts';
import { organization } from '../records.ts';

const TODAY = '2026-11-25';

function body(
  code: string,
  [start, end]: readonly [start: string | undefined, end?: string],
  successions: readonly SuccessionRecord[] = [],
): SourceRecord {
  const period = withoutAbsent({ kind: 'Operational' as const, start, end });
  // Changes are announced with the status Active, so the dates decide.
  return { ...organization(code, { periods: [period] }), successions };
}

function succession(
  kind: SuccessionRecord['kind'],
  code: string,
  start?: string,
): SuccessionRecord {
  const periods = start === undefined ? [] : [{ kind: 'Legal', start } as const];
  return { kind, periods, target: { code } };
}

const successor = (code: string, start?: string) => succession('Successor', code, start);
const predecessor = (code: string, start?: string) => succession('Predecessor', code, start);

/** In the order of their codes. */
const EDITION = editionOf([
  body('A1', ['2001-04-01', '2010-03-31'], [successor('A2', '2010-04-01')]),
  body('A2', ['2010-04-01', '2020-03-31']),
  body('A3', ['2020-04-01'], [predecessor('A2', '2020-04-01')]),
  body('C1', ['2001-04-01', '2010-03-31'], [successor('C2', '2010-04-01')]),
  body('C2', ['2001-04-01', '2010-03-31'], [successor('C1', '2010-04-01')]),
  body('E1', [undefined, '2019-03-31']),
  body('G1', ['2001-04-01', '2026-12-31'], [successor('G2', '2027-01-01')]),
  body('G2', ['2027-01-01']),
  {
    ...body('I1', ['1998-04-01'], [successor('A3', '2020-04-01')]),
    isActive: false,
  },
  { ...body('I2', ['1998-04-01']), isActive: false },
  body('M1', ['2001-04-01', '2020-03-31'], [successor('A3', '2020-04-01')]),
  body('R0A', ['2017-10-01'], [predecessor('RW6', '2021-10-01')]),
  body('RM3', ['1994-04-01'], [predecessor('RW6', '2021-10-01')]),
  body(
    'RW6',
    ['2002-04-01', '2021-09-30'],
    [predecessor('RMK', '2002-04-01'), successor('RM3', '2021-10-01')],
  ),
  body('U1', ['2001-04-01', '2010-03-31'], [successor('NEVER')]),
  body('X1', ['2001-04-01', '2010-03-31']),
]);

function resolve(code: string, day = TODAY) {
  const { outcome, now } = resolveCode(EDITION, code, day);
  const paths = now.map(({ code: last, via }) => [...via.map(({ from }) => from), last].join('>'));
  return [outcome, ...paths];
}

it('an inactive organisation without an end is open until another one replaces it', () => {
  assert.deepEqual(resolve('I1', '1998-03-31'), ['unknown']);
  assert.deepEqual(resolve('I1', '2005-01-01'), ['current', 'I1']);
  assert.deepEqual(resolve('I1', '2020-03-31'), ['current', 'I1']);
  assert.deepEqual(resolve('I1', '2020-04-01'), ['replaced', 'I1>A3']);
  // Nothing says when it closed.
  assert.deepEqual(resolve('I2', '2005-01-01'), ['closed']);
});

it('an open organisation has its own code', () => {
  assert.deepEqual(resolve('A3'), ['current', 'A3']);
  assert.deepEqual(resolveCode(EDITION, 'A3', TODAY).now, [
    { code: 'A3', name: 'ORGANISATION A3', via: [] },
  ]);
});

it('a chain leads to its last code, whichever record states a step', () => {
  assert.deepEqual(resolve('A1'), ['replaced', 'A1>A2>A3']);
  assert.deepEqual(resolveCode(EDITION, 'A1', TODAY).now[0]?.via, [
    { from: 'A1', to: 'A2', day: '2010-04-01' },
    { from: 'A2', to: 'A3', day: '2020-04-01' },
  ]);
});

it('a merger leads from each of its codes to the same one', () => {
  assert.deepEqual(resolve('M1'), ['replaced', 'M1>A3']);
});

it('a trust that was split has several, and its own predecessor without a record leads on', () => {
  assert.deepEqual(resolve('RW6'), ['split', 'RW6>RM3', 'RW6>R0A']);
  assert.deepEqual(resolve('RMK'), ['split', 'RMK>RW6>RM3', 'RMK>RW6>R0A']);
});

it('an organisation with an end and no start is open until that day', () => {
  assert.deepEqual(resolve('E1'), ['closed']);
  assert.deepEqual(resolve('E1', '2019-03-31'), ['current', 'E1']);
});

it('codes that replaced each other, or that nothing replaced, are closed', () => {
  assert.deepEqual(resolve('C1'), ['closed']);
  assert.deepEqual(resolve('X1'), ['closed']);
  assert.deepEqual(resolve('U1'), ['closed']);
});

it('a code without a record is unknown', () => {
  assert.deepEqual(resolve('NEVER'), ['unknown']);
});

it('on a past day, the codes of that day answer', () => {
  assert.deepEqual(resolve('A1', '2005-01-01'), ['current', 'A1']);
  assert.deepEqual(resolve('A1', '2015-01-01'), ['replaced', 'A1>A2']);
  assert.deepEqual(resolve('A3', '2015-01-01'), ['unknown']);
  assert.deepEqual(resolve('RW6', '2021-09-30'), ['current', 'RW6']);
});

it('an announced successor counts from its day on', () => {
  assert.deepEqual(resolve('G1'), ['current', 'G1']);
  assert.deepEqual(resolve('G1', '2026-12-31'), ['current', 'G1']);
  assert.deepEqual(resolve('G1', '2027-01-01'), ['replaced', 'G1>G2']);
});
