/** The benchmark's tables hold together: cases, aims, and what the page about performance says. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AIMS } from '../../bench/aims.ts';
import { ENGINE_CASES } from '../../bench/engine/run.ts';
import { aimCell, aimText, markdownOf, quantile, spreadOf } from '../../bench/figures.ts';
import { HTTP_CASES } from '../../bench/http/cases.ts';
import { ORDER_CASES } from '../../bench/orders/cases.ts';
import { plain, readPage, rowsUnder } from '../tidy/markdown.ts';

const page = readPage('docs/explanation/performance.md');
const named = [...HTTP_CASES, ...ORDER_CASES].map(({ name }) => name);

it('no two cases have one name, and each can be typed', () => {
  assert.deepEqual([...new Set(named)], named);
  assert.deepEqual([...new Set(ENGINE_CASES)], ENGINE_CASES);
  assert.deepEqual(
    named.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)),
    [],
  );
});

it('every aim is of a case that is measured, and on the page', () => {
  const shown = rowsUnder(page, 'case', 'figure', 'aim').map((cells) => cells.map(plain));
  assert.deepEqual(
    shown.map(([name, figure, aim]) => [name, figure, aim]),
    AIMS.map((aim) => [aim.name, aim.figure, aimText(aim)]),
  );
  const measured = new Set(page.tables.flatMap(({ rows }) => rows.map(([name]) => plain(name))));
  for (const { name } of AIMS.filter(({ name }) => !/^(?:engine-\d+|worst)$/.test(name))) {
    assert.ok(measured.has(name), name);
  }
});

it('the page has figures of every case', () => {
  const measured = new Set(page.tables.flatMap(({ rows }) => rows.map(([name]) => plain(name))));
  assert.deepEqual(
    [...named, ...ENGINE_CASES].filter((name) => !measured.has(name)),
    [],
  );
});

it('an aim is missed below the least and above the most', () => {
  assert.equal(aimCell('read-json', 'ratio', 0.85), '≥ 0.9 (missed)');
  assert.equal(aimCell('read-json', 'ratio', 0.9), '≥ 0.9');
  assert.equal(aimCell('import-seconds', 'value', 10.1), '≤ 10 (missed)');
  assert.equal(aimCell('read-json', 'CPU µs', 1), '');
});

it('the middle, the ends and a share of figures are found', () => {
  assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, low: 1, high: 3 });
  assert.equal(quantile([1, 2, 3, 4], 0.99), 4);
  assert.ok(Number.isNaN(quantile([], 0.5)));
});

it('a table is Markdown in columns', () => {
  const table = { name: 't', title: 't', columns: ['a', 'b'], rows: [['x|y', 1234.5]] };
  assert.equal(markdownOf(table), '| a    | b       |\n| ---- | ------- |\n| x\\|y | 1,234.5 |');
});
