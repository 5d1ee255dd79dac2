/** The benchmark's tables hold together: cases, aims, and what the page about performance says. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AIMS } from '../../bench/aims.ts';
import { ENGINE_CASES } from '../../bench/engine/run.ts';
import { aimCell, aimText, markdownOf, quantile, spreadOf } from '../../bench/figures.ts';
import { HTTP_CASES } from '../../bench/http/cases.ts';
import { ORDER_CASES } from '../../bench/orders/cases.ts';
import { readPage } from '../tidy/markdown.ts';

const page = readPage('docs/explanation/performance.md');
const scalingPage = readPage('docs/explanation/scaling.md');
/** The text has these aims: each is of many cases, or of one that the page has in a sentence. */
const IN_TEXT =
  /^(?:engine-\d+|near-\d+|worst|endpoints|order-[a-z]+.*|match-name|top-ups-.*|postcodes-.*|cluster-edition-last|leaving-.*)$/;
const named = [...HTTP_CASES, ...ORDER_CASES].map(({ name }) => name);

it('no two cases have one name, and each can be typed', () => {
  assert.deepEqual([...new Set(named)], named);
  assert.deepEqual([...new Set(ENGINE_CASES)], ENGINE_CASES);
  assert.deepEqual(
    named.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)),
    [],
  );
});

it('every aim is on the page', () => {
  const rows = [page, scalingPage].flatMap(({ tables }) => tables.flatMap(({ rows }) => rows));
  const missing = AIMS.filter((aim) => {
    const { name } = aim;
    const text = aimText(aim);
    return IN_TEXT.test(name)
      ? ![page, scalingPage].some((one) => one.text.includes(text))
      : !rows.some(
          ([first, ...cells]) => first === name && cells.some((cell) => cell.startsWith(text)),
        );
  });
  assert.deepEqual(missing, []);
});

it('the page shows only cases that exist', () => {
  const kinds: readonly [string, readonly string[]][] = [
    ['Over HTTP', HTTP_CASES.map(({ name }) => name)],
    ['The search itself', ENGINE_CASES],
  ];
  for (const [heading, cases] of kinds) {
    const shown = page.tables
      .filter((table) => table.heading === heading)
      .flatMap(({ rows }) => rows);
    const names = shown.map(([name = '']) => name);
    assert.ok(names.length > 0, heading);
    assert.deepEqual(
      names.filter((name) => !cases.includes(name)),
      [],
    );
  }
});

it('an aim is missed below the least and above the most', () => {
  assert.equal(aimCell('read-json', 'ratio', 0.85), '≥ 0.9 (missed)');
  assert.equal(aimCell('read-json', 'ratio', 0.9), '≥ 0.9');
  assert.equal(aimCell('import-peak', 'value', 800.1), '≤ 800 (missed)');
  assert.equal(aimCell('read-json', 'CPU µs', 1), '');
});

it('the middle, the ends and a share of figures are found', () => {
  assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, low: 1, high: 3 });
  assert.equal(quantile([1, 2, 3, 4], 0.99), 4);
  assert.ok(Number.isNaN(quantile([], 0.5)));
});

it('a table is Markdown in columns', () => {
  const table = { name: 't', title: 't', columns: ['a', 'b'], rows: [['x|y', 1234.5]] };
  assert.equal(markdownOf(table), '| a    | b       |\n|------|---------|\n| x\\|y | 1,234.5 |');
});
