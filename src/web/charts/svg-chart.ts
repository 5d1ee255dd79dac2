/**
 * Draws charts as SVG with presentation attributes only, so that any page can show them. The
 * library is loaded with the first chart.
 */
import { pathToFileURL } from 'node:url';
import type * as Echarts from 'echarts';
import { libraryFile } from '../parts/libraries.ts';
import {
  AXIS_HEIGHT,
  type Chart,
  type ChartWidth,
  isHorizontal,
  sizeOf,
  TITLE_HEIGHT,
  topOf,
} from './chart.ts';

export async function drawChart(chart: Chart, width: ChartWidth): Promise<string> {
  const echarts = await load();
  const size = sizeOf(chart, width);
  const instance = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    instance.setOption({
      animation: false,
      backgroundColor: BACKGROUND,
      color: COLOURS,
      textStyle: TEXT,
      ...headOf(chart, width),
      ...axesOf(chart, width),
      series: seriesOf(chart),
    });
    return withAttributes(instance.renderToSVGString({ useViewBox: true }));
  } finally {
    instance.dispose();
  }
}

/** The picture of a chart in dark colours. */
export function darkChart(svg: string): string {
  return svg.replace(/#[0-9a-f]{3,6}\b/gi, (colour) => DARK[colour.toLowerCase()] ?? colour);
}

/** Dark enough on white, and different from each other for people with colour blindness. */
const COLOURS = ['#12504b', '#41b6e6', '#aeb7bd', '#8a1538', '#d5790b', '#5a2d82', '#007f3b'];
const BACKGROUND = '#fff';
const GRID = '#d8dde0';
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect'];
const FONT = 'Arial, sans-serif';
const TEXT = { color: '#212b32', fontFamily: FONT };
const LINES = { lineStyle: { color: GRID } };

/** The colours for dark pages. Texts are light, and the other parts have enough contrast. */
const DARK: Readonly<Record<string, string>> = {
  [BACKGROUND]: '#1d262c',
  [TEXT.color]: '#edf1f3',
  [GRID]: '#414b52',
  '#12504b': '#4fb3a9',
  '#aeb7bd': '#7d8b95',
  '#8a1538': '#e8789a',
  '#007f3b': '#41b873',
};

const NUMBERS = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });
const format = (value: number) => NUMBERS.format(value);

/** One file: it loads in an eighth of the time that the modules of the package take. */
async function load(): Promise<typeof Echarts> {
  return import(pathToFileURL(libraryFile('echarts', 'dist/echarts.esm.min.mjs')).href);
}

function headOf({ title, series }: Chart, width: ChartWidth) {
  const textStyle = { ...TEXT, fontSize: fontSizeOf(width) };
  const top = title === undefined ? 4 : TITLE_HEIGHT + 4;
  // The library computes the width of texts for a narrow font.
  const itemGap = width === 'narrow' || series.length > 3 ? 24 : 36;
  return {
    ...(title !== undefined && {
      title: { text: title, left: 0, top: 6, textStyle: { ...textStyle, fontSize: 15 } },
    }),
    ...(series.length > 1 && { legend: { top, left: 0, itemGap, textStyle } }),
  };
}

function axesOf(chart: Chart, width: ChartWidth) {
  const { kind, categories } = chart;
  const isAcross = isHorizontal(kind);
  const isNarrow = width === 'narrow';
  const label = { ...TEXT, fontSize: fontSizeOf(width) };
  const names = {
    type: 'category',
    data: [...categories],
    // The first is on top, as in the table.
    inverse: isAcross,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: TEXT.color } },
    axisLabel: {
      ...label,
      ...(isAcross
        ? // Wider than the library computes, because the reader's font may be wider than Arial.
          { width: isNarrow ? 110 : 250, overflow: 'break', interval: 0 }
        : { hideOverlap: true }),
    },
  };
  const values = {
    type: kind === 'lines' ? 'log' : 'value',
    ...(kind !== 'lines' && { minInterval: 1, splitNumber: isNarrow ? 2 : 5 }),
    splitLine: LINES,
    axisLabel: { ...label, hideOverlap: true, formatter: format },
  };
  return {
    grid: {
      top: topOf(chart) + 8,
      left: isAcross ? (isNarrow ? 140 : 300) : 64,
      right: isNarrow ? 28 : 60,
      bottom: AXIS_HEIGHT - 20,
    },
    xAxis: isAcross ? values : names,
    yAxis: isAcross ? names : values,
  };
}

function seriesOf({ kind, series }: Chart) {
  return series.map(({ name, colour, values }, i) => ({
    name,
    data: values.map((value) => value ?? '-'),
    emphasis: { disabled: true },
    ...(colour !== undefined && { itemStyle: { color: colour } }),
    ...markOf(kind, i, series.length),
  }));
}

/** How the values of series `i` are drawn. */
function markOf(kind: Chart['kind'], i: number, count: number) {
  switch (kind) {
    case 'lines':
      return { type: 'line', symbol: SYMBOLS[i % SYMBOLS.length], symbolSize: 9 };
    case 'levels':
      return { type: 'line', showSymbol: false };
    default:
      return { type: 'bar', ...barOf(kind, count) };
  }
}

function barOf(kind: Chart['kind'], count: number) {
  switch (kind) {
    case 'stacked-bars':
      return { stack: 'all', barMaxWidth: 22 };
    case 'columns':
      return { barMaxWidth: 28 };
    default:
      return { barMaxWidth: count === 1 ? 22 : 12, barGap: '15%', label: VALUE_LABEL };
  }
}

const VALUE_LABEL = {
  ...TEXT,
  show: true,
  position: 'right',
  formatter: ({ value }: { readonly value: unknown }) =>
    typeof value === 'number' ? format(value) : '',
};

function fontSizeOf(width: ChartWidth): number {
  return width === 'narrow' ? 13 : 14;
}

/** Strict pages apply neither style sheets nor style attributes of pictures. */
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
