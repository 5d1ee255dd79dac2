/** Draws charts as SVG. The library is loaded with the first: threads that serve only ask for sizes. */
import type { ChartDescription, SeriesKind } from './statistics.ts';

/** For a phone the same chart is drawn narrow, so that its text stays readable. */
export type ChartWidth = 'wide' | 'narrow';

export async function drawChart(chart: ChartDescription, width: ChartWidth): Promise<string> {
  const { echarts } = await load();
  const size = sizeOf(chart, width);
  const instance = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    instance.setOption(optionsOf(chart, width));
    return instance.renderToSVGString();
  } finally {
    instance.dispose();
  }
}

/** In pixels; the page reserves the room. */
export function sizeOf(
  { direction, categories, series }: ChartDescription,
  width: ChartWidth,
): { readonly width: number; readonly height: number } {
  const isNarrow = width === 'narrow';
  const legend = series.length > 1 ? LEGEND_HEIGHT : 0;
  return {
    width: isNarrow ? 360 : 760,
    height:
      direction === 'across'
        ? AXIS_HEIGHT + legend + categories.length * (isNarrow ? 44 : 30)
        : 340,
  };
}

const LEGEND_HEIGHT = 36;
const AXIS_HEIGHT = 50;

/** Dark enough against white to be told from it, and from each other without colour sight. */
const COLOURS: Readonly<Record<SeriesKind, string>> = {
  active: '#12504b',
  inactive: '#aeb7bd',
  added: '#007f3b',
  changed: '#41b6e6',
  removed: '#8a1538',
  plain: '#12504b',
};

const TEXT = '#212b32';
const LINES = '#d8dde0';
const FONT = 'Arial, sans-serif';

async function load() {
  const [echarts, { BarChart }, { GridComponent, LegendComponent }, { SVGRenderer }] =
    await Promise.all([
      import('echarts/core'),
      import('echarts/charts'),
      import('echarts/components'),
      import('echarts/renderers'),
    ]);
  echarts.use([BarChart, GridComponent, LegendComponent, SVGRenderer]);
  return { echarts };
}

function optionsOf({ direction, categories, series }: ChartDescription, width: ChartWidth) {
  const isAcross = direction === 'across';
  const isNarrow = width === 'narrow';
  const fontSize = isNarrow ? 13 : 14;
  const names = {
    type: 'category',
    data: [...categories],
    // The first is on top, as in the table.
    inverse: isAcross,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: TEXT } },
    axisLabel: {
      color: TEXT,
      fontSize,
      fontFamily: FONT,
      ...(isAcross
        ? // The room is larger than the library reckons: the reader's font may be wider than Arial.
          { width: isNarrow ? 110 : 250, overflow: 'break', interval: 0 }
        : { hideOverlap: true }),
    },
  };
  const values = {
    type: 'value',
    minInterval: 1,
    splitNumber: isNarrow ? 2 : 5,
    splitLine: { lineStyle: { color: LINES } },
    axisLabel: { color: TEXT, fontSize, fontFamily: FONT, hideOverlap: true, formatter: NUMBER },
  };
  return {
    animation: false,
    backgroundColor: '#fff',
    textStyle: { fontFamily: FONT, color: TEXT },
    ...(series.length > 1
      ? {
          legend: {
            top: 4,
            left: 0,
            itemGap: 24,
            textStyle: { color: TEXT, fontSize, fontFamily: FONT },
          },
        }
      : {}),
    grid: {
      top: series.length > 1 ? LEGEND_HEIGHT + 8 : 8,
      left: isAcross ? (isNarrow ? 140 : 300) : 64,
      right: isNarrow ? 28 : 60,
      bottom: AXIS_HEIGHT - 20,
    },
    xAxis: isAcross ? values : names,
    yAxis: isAcross ? names : values,
    series: series.map(({ name, kind, values: data }) => ({
      type: 'bar',
      name,
      data: [...data],
      ...(isAcross ? { stack: 'all', barMaxWidth: 22 } : { barMaxWidth: 28 }),
      ...(series.length === 1 ? { label: VALUE_LABEL } : {}),
      itemStyle: { color: COLOURS[kind] },
    })),
  };
}

const NUMBERS = new Intl.NumberFormat('en-GB');
const NUMBER = (value: number) => NUMBERS.format(value);

const VALUE_LABEL = {
  show: true,
  position: 'right',
  color: TEXT,
  fontFamily: FONT,
  formatter: ({ value }: { value: unknown }) => NUMBER(Number(value)),
};
