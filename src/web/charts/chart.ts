/** A chart as data: its content, and the size of its picture. */

export interface Chart {
  readonly title?: string;
  /**
   * `bars` and `stacked-bars` are horizontal, for categories with long names. `columns` are
   * vertical, for points in time. `lines` have a logarithmic scale of values, and `levels` are lines
   * with a scale from zero, for many points in time.
   */
  readonly kind: 'bars' | 'stacked-bars' | 'columns' | 'lines' | 'levels';
  readonly categories: readonly string[];
  readonly series: readonly ChartSeries[];
}

export interface ChartSeries {
  readonly name: string;
  /** Absent: a colour by position. */
  readonly colour?: string;
  /** One for each category; undefined for a category without a value. */
  readonly values: readonly (number | undefined)[];
}

/** A narrow picture is for phones: its text stays readable. */
export type ChartWidth = 'wide' | 'narrow';

/** An order for a picture. */
export interface ChartOrder {
  readonly chart: Chart;
  readonly width: ChartWidth;
}

/** In pixels. The page reserves the space. */
export function sizeOf(
  chart: Chart,
  width: ChartWidth,
): { readonly width: number; readonly height: number } {
  const { kind, categories, series } = chart;
  const isNarrow = width === 'narrow';
  const bars = kind === 'bars' ? series.length : 1;
  const rowHeight = isNarrow ? 44 : 30 + 14 * (bars - 1);
  return {
    width: isNarrow ? 360 : 760,
    height: isHorizontal(kind)
      ? topOf(chart) + AXIS_HEIGHT + categories.length * rowHeight
      : topOf(chart) + PLOT_HEIGHT,
  };
}

/** The height of the title and the legend. */
export function topOf({ title, series }: Pick<Chart, 'title' | 'series'>): number {
  return (title === undefined ? 0 : TITLE_HEIGHT) + (series.length > 1 ? LEGEND_HEIGHT : 0);
}

export function isHorizontal(kind: Chart['kind']): boolean {
  return kind === 'bars' || kind === 'stacked-bars';
}

export const TITLE_HEIGHT = 30;
const LEGEND_HEIGHT = 36;
/** The axis of values below bars, and the space around it. */
export const AXIS_HEIGHT = 50;
/** The height of columns or lines, their axis included. */
const PLOT_HEIGHT = 304;
