/** Charts are drawn, and elsewhere than in the thread that asks for them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Chart } from '../../../src/web/charts/chart.ts';
import { drawCharts } from '../../../src/web/charts/draw-charts.ts';

const CHART: Chart = {
  kind: 'bars',
  categories: ['Oaks', 'Elms'],
  series: [{ name: 'Trees', values: [1234, 5] }],
};

describe('charts', () => {
  it('are drawn in the order and the width that was asked for', async () => {
    const [wide = '', narrow = '', ...others] = await drawCharts([
      { chart: CHART, width: 'wide' },
      { chart: CHART, width: 'narrow' },
    ]);
    assert.deepEqual(others, []);
    assert.match(wide, /^<svg width="760".*Oaks.*1,234/s);
    assert.match(narrow, /^<svg width="360".*Elms/s);
  });

  it('of levels begin at zero, and leave out what was not measured', async () => {
    const series = [{ name: 'Trees', values: [1000, undefined, 1010] }];
    const chart: Chart = { kind: 'levels', categories: ['1', '2', '3'], series };
    const [picture = ''] = await drawCharts([{ chart, width: 'wide' }]);
    assert.match(picture, />0<\/text>.*>1,200<\/text>/s);
    assert.doesNotMatch(picture, /NaN/);
  });

  it('take their time from another thread than that which asks', async () => {
    const [ownBefore, allBefore] = [process.threadCpuUsage(), process.cpuUsage()];
    await drawCharts([{ chart: CHART, width: 'wide' }]);
    const own = process.threadCpuUsage(ownBefore);
    const all = process.cpuUsage(allBefore);
    assert.ok(own.user < all.user / 4, `${own.user} of ${all.user} microseconds`);
  });

  it('that cannot be drawn are an error', async () => {
    const broken = { ...CHART, series: [{ ...CHART.series[0], values: 5 }] };
    // As no program writes it, for what the library throws.
    const orders = [{ chart: broken as unknown as Chart, width: 'wide' as const }];
    await assert.rejects(drawCharts(orders));
  });
});
