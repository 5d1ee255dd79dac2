/** Draws charts as SVG, with presentation attributes only, so that any page can show them. */

import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

export interface Series {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
}

/** Values by category: bars that lie, the first category on top; or lines over sizes. */
export interface Chart {
  readonly kind: 'bars' | 'growth';
  readonly title: string;
  readonly categories: readonly string[];
  readonly series: readonly Series[];
}

export function drawChart(chart: Chart): string {
  echarts.use([BarChart, LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);
  const { categories, series, kind } = chart;
  const height = kind === 'bars' ? 110 + categories.length * (14 * series.length + 14) : 420;
  const size = { width: 800, height };
  const instance = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    instance.setOption(kind === 'bars' ? barOptions(chart) : growthOptions(chart));
    return `${withAttributes(instance.renderToSVGString({ useViewBox: true }))}\n`;
  } finally {
    instance.dispose();
  }
}

/** Without style sheets and style attributes, which strict pages do not apply. */
function withAttributes(svg: string): string {
  return svg
    .replace(/<style[\s\S]*?<\/style>\s*/g, '')
    .replace(/ class="[^"]*"/g, '')
    .replace(/ style="([^"]*)"/g, (_, style: string) =>
      style
        .split(';')
        .filter((declaration) => declaration !== '')
        .map((declaration) => ` ${declaration.replace(/^([^:]+):(.*)$/, '$1="$2"')}`)
        .join(''),
    );
}

/** Dark enough against white, and told from each other without colour sight. */
const COLOURS = ['#12504b', '#41b6e6', '#aeb7bd', '#8a1538', '#d5790b', '#5a2d82', '#007f3b'];
const FONT = 'Arial, sans-serif';
const TEXT = { color: '#212b32', fontSize: 13, fontFamily: FONT };
const LINE = { lineStyle: { color: '#d8dde0' } };
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect'];

const NUMBERS = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });
const format = (value: number) => NUMBERS.format(value);

function frameOf({ title }: Chart) {
  return {
    animation: false,
    backgroundColor: '#fff',
    color: COLOURS,
    textStyle: TEXT,
    title: { text: title, left: 8, top: 6, textStyle: { ...TEXT, fontSize: 15 } },
    legend: { top: 32, left: 4, itemGap: 36, textStyle: TEXT },
  };
}

function barOptions(chart: Chart) {
  return {
    ...frameOf(chart),
    grid: { top: 64, left: 260, right: 60, bottom: 36 },
    xAxis: { type: 'value', splitLine: LINE, axisLabel: { ...TEXT, formatter: format } },
    yAxis: {
      type: 'category',
      data: [...chart.categories],
      inverse: true,
      axisTick: { show: false },
      axisLabel: { ...TEXT, interval: 0 },
    },
    series: chart.series.map(({ name, values }) => ({
      type: 'bar',
      name,
      data: values.map((value) => value ?? '-'),
      barWidth: 12,
      barGap: '15%',
      emphasis: { disabled: true },
      label: { ...TEXT, fontSize: 11, show: true, position: 'right', formatter: labelOf },
    })),
  };
}

function growthOptions(chart: Chart) {
  return {
    ...frameOf(chart),
    grid: { top: 96, left: 70, right: 40, bottom: 44 },
    xAxis: {
      type: 'category',
      data: [...chart.categories],
      axisLabel: TEXT,
    },
    yAxis: { type: 'log', splitLine: LINE, axisLabel: { ...TEXT, formatter: format } },
    series: chart.series.map(({ name, values }, i) => ({
      type: 'line',
      name,
      data: values.map((value) => value ?? '-'),
      symbol: SYMBOLS[i % SYMBOLS.length],
      symbolSize: 9,
      emphasis: { disabled: true },
    })),
  };
}

function labelOf({ value }: { readonly value: unknown }): string {
  return typeof value === 'number' ? format(value) : '';
}
