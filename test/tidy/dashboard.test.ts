/** The alert rules and the dashboard name metrics, labels, alerts and codes that exist. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { METRICS } from '../../src/cli/serve/monitoring/metrics.ts';
import { LOG_PROBLEMS } from '../../src/server/monitoring/log-problems.ts';
import { itemsUnder, plain, readPage } from './markdown.ts';
import { ROOT } from './source-files.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const RULES = 'deploy/prometheus/gazetteer-rules.yml';
const DASHBOARD = 'deploy/grafana/gazetteer.json';
const rules = read(RULES);

/** Labels that Prometheus adds, and the bound of a bucket. */
const ADDED_LABELS = ['job', 'instance', 'le'];
const LABELS = new Set([...ADDED_LABELS, ...METRICS.flatMap(({ labels }) => labels)]);
const SERIES = new Set(
  METRICS.flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);

for (const path of [RULES, DASHBOARD]) {
  describe(path, () => {
    const text = read(path).replaceAll('\\"', '"');

    it('names only metrics that the server has', () => {
      const named = [...text.matchAll(/\b(?:gazetteer|process)_[a-z_]+/g)].map(([name]) => name);
      assert.ok(named.length > 10);
      assert.deepEqual(
        named.filter((name) => !SERIES.has(name)),
        [],
      );
    });

    it('names only labels that the metrics have', () => {
      const groups = [...text.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, names = '']) =>
        names.split(',').map((name) => name.trim()),
      );
      const matched = [...text.matchAll(/[{,] ?([a-z_]+)=~?"/g)].map(([, name = '']) => name);
      const shown = [...text.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g)].map(
        ([, name = '']) => name,
      );
      assert.deepEqual(
        [...groups, ...matched, ...shown].filter((name) => !LABELS.has(name)),
        [],
      );
    });
  });
}

describe('the alert rules', () => {
  const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name = '']) => name);

  it('are in the manual with their severity', () => {
    const severities = [...rules.matchAll(/^ {10}severity: (\w+)$/gm)].map(([, name]) => name);
    const page = readPage('docs/how-to/alert-with-prometheus.md');
    assert.deepEqual(
      itemsUnder(page, 'Install the rules').map(({ name, facts }) => [plain(name), facts]),
      alerts.map((name, i) => [name, severities[i]]),
    );
  });

  it('each have a unit test', () => {
    const tests = read('test/deploy/gazetteer-rules.test.yml');
    assert.deepEqual(
      alerts.filter((name) => !new RegExp(`\\b${name}\\b`).test(tests)),
      [],
    );
  });

  it('name only codes of the log that exist', () => {
    const codes = [...rules.matchAll(/GZ\d+/g)].map(([code]) => code);
    assert.deepEqual(
      codes.filter((code) => !(code in LOG_PROBLEMS)),
      [],
    );
  });
});

it('the dashboard has panels with different ids that do not overlap', () => {
  const { panels } = JSON.parse(read(DASHBOARD));
  const ids = panels.map(({ id }: { id: number }) => id);
  assert.equal(new Set(ids).size, panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }: Panel) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  assert.equal(new Set(cells).size, cells.length);
});

interface Panel {
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
}
