/** The formulas of the page about sizes are fitted to measurements. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { solve } from '../../bench/sizing/solve.ts';

it('finds the parts of a formula from what it gives', () => {
  const rows = [1, 2, 4].flatMap((threads) => [10, 60, 240].map((size) => [1, threads, size]));
  const values = rows.map(
    ([one = 0, threads = 0, size = 0]) => 150 * one + 45 * threads + 0.9 * size,
  );
  assert.deepEqual(
    solve(rows, values).map((factor) => Number(factor.toFixed(6))),
    [150, 45, 0.9],
  );
});

it('finds the least errors if measurements differ from every formula', () => {
  const rows = [
    [1, 0],
    [1, 1],
    [1, 2],
    [1, 3],
  ];
  const factors = solve(rows, [1, 0, 3, 2]);
  assert.deepEqual(
    factors.map((factor) => Number(factor.toFixed(6))),
    [0.6, 0.6],
  );
});
