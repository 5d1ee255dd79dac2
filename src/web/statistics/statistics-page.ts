/** The statistics page: each figure as a picture, a table and a download. */

import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-store.ts';
import { csvLine } from '../../interfaces/answer/csv-line.ts';
import { type ChartWidth, sizeOf } from '../charts/chart.ts';
import { drawCharts } from '../charts/draw-charts.ts';
import { darkChart } from '../charts/svg-chart.ts';
import { answerText, asFile, CSV, editionRoute, SVG } from '../parts/answers.ts';
import { formatNumber } from '../parts/display.ts';
import { NO_PAGE } from '../parts/problems.ts';
import type { PageRoute, WebContext } from '../parts/web-options.ts';
import {
  type Cell,
  STATISTIC_IDS,
  type Statistic,
  type StatisticId,
  statisticsOf,
} from './statistics.ts';

/** The number of rows that the page shows. The download has all of them. */
const ROWS_SHOWN = 50;

async function statisticsPage(
  edition: Edition,
  { addresses, history }: WebContext,
): Promise<object> {
  // Pictures of different editions have different addresses, so that browsers can keep them.
  const version = `?edition=${edition.number}`;
  const statistics = await statisticsOf(edition, history);
  return {
    title: 'Statistics',
    statistics: statistics.map((statistic) => ({
      id: statistic.id,
      title: statistic.title,
      summary: statistic.summary,
      columns: statistic.columns,
      isNumber: statistic.columns.map((_, i) => typeof statistic.rows[0]?.[i] === 'number'),
      rows: statistic.rows.slice(0, ROWS_SHOWN).map((cells) => cells.map(cellText)),
      isCut: statistic.rows.length > ROWS_SHOWN,
      rowCount: formatNumber(statistic.rows.length),
      picture:
        statistic.rows.length === 0
          ? undefined
          : {
              ...sizeOf(statistic.chart, 'wide'),
              wide: `${addresses.statistics}/${statistic.id}.svg${version}`,
              wideDark: `${addresses.statistics}/${statistic.id}-dark.svg${version}`,
              narrow: `${addresses.statistics}/${statistic.id}-narrow.svg${version}`,
              narrowDark: `${addresses.statistics}/${statistic.id}-narrow-dark.svg${version}`,
            },
      csv: `${addresses.statistics}/${statistic.id}.csv`,
    })),
  };
}

async function statisticCsv(
  id: StatisticId,
  edition: Edition,
  history: EditionHistory,
): Promise<string> {
  const { columns, rows } = statisticOf(id, await statisticsOf(edition, history));
  return [columns, ...rows].map(csvLine).join('');
}

/** The first request for a picture of an edition draws all of them, because a page shows all. */
async function statisticPicture(
  id: StatisticId,
  width: ChartWidth,
  edition: Edition,
  history: EditionHistory,
): Promise<string> {
  const statistics = await statisticsOf(edition, history);
  let drawing = PICTURES.get(statistics);
  if (drawing === undefined) {
    drawing = drawAll(statistics);
    PICTURES.set(statistics, drawing);
    // A drawing that failed may succeed at the next request.
    drawing.catch(() => PICTURES.delete(statistics));
  }
  const picture = (await drawing).get(`${id} ${width}`);
  if (picture === undefined) throw new Error(`there is no picture of ${id}`);
  return picture;
}

type Pictures = ReadonlyMap<`${StatisticId} ${ChartWidth}`, string>;

const PICTURES = new WeakMap<readonly Statistic[], Promise<Pictures>>();

async function drawAll(statistics: readonly Statistic[]): Promise<Pictures> {
  const orders = statistics.flatMap(({ id, chart }) =>
    (['wide', 'narrow'] as const).map((width) => ({ id, chart, width })),
  );
  const drawn = await drawCharts(orders.map(({ chart, width }) => ({ chart, width })));
  return new Map(orders.map(({ id, width }, i) => [`${id} ${width}` as const, drawn[i] ?? '']));
}

function statisticOf(id: StatisticId, statistics: readonly Statistic[]): Statistic {
  const found = statistics.find((statistic) => statistic.id === id);
  if (found === undefined) throw new Error(`there is no statistic ${id}`);
  return found;
}

/** Numbers of editions are names, and have no thousands separators. */
function cellText(cell: Cell): string {
  return typeof cell === 'number' ? formatNumber(cell) : cell;
}

export function statisticsRoutes(options: WebContext): readonly PageRoute[] {
  const { history, show, fail } = options;
  return [
    editionRoute(options, '/statistics', async (edition, asked) =>
      show(asked, 'statistics.njk', await statisticsPage(edition, options)),
    ),
    editionRoute(options, '/statistics/{file}', async (edition, asked) => {
      const { id, narrow, dark, extension } = STATISTIC_FILE.exec(asked.id)?.groups ?? {};
      const known = STATISTIC_IDS.find((one) => one === id);
      if (known === undefined) return fail(NO_PAGE);
      if (extension === 'csv') {
        if (narrow !== undefined || dark !== undefined) return fail(NO_PAGE);
        const headers = asFile(`${known}.csv`);
        return answerText(asked, CSV, await statisticCsv(known, edition, history), { headers });
      }
      const width = narrow === undefined ? 'wide' : 'narrow';
      const svg = await statisticPicture(known, width, edition, history);
      return answerText(asked, SVG, dark === undefined ? svg : darkChart(svg));
    }),
  ];
}

const STATISTIC_FILE = /^(?<id>[a-z-]+?)(?<narrow>-narrow)?(?<dark>-dark)?\.(?<extension>svg|csv)$/;
