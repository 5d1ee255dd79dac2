/** The statistics page, and the pictures and downloads on it. */
import type { FastifyInstance } from 'fastify';
import { SVG, setHeaders } from '../answers.ts';
import { darkChart } from '../charts/svg-chart.ts';
import { download } from '../downloads.ts';
import { parameterOf, withEdition } from '../page-requests.ts';
import { NO_PAGE } from '../problems.ts';
import type { Answering, AppOptions } from '../web-options.ts';
import { STATISTIC_IDS } from './statistics.ts';
import { statisticCsv, statisticPicture, statisticsPage } from './statistics-page.ts';

export function addStatisticsRoutes(
  pages: FastifyInstance,
  options: AppOptions,
  answering: Answering,
): void {
  const { history } = options;
  const { show, fail } = answering;
  pages.get(
    '/statistics',
    withEdition(options, answering, async (edition, _request, reply) =>
      show(reply, 'statistics.njk', await statisticsPage(edition, history, options)),
    ),
  );
  pages.get(
    '/statistics/:file',
    withEdition(options, answering, async (edition, request, reply) => {
      const { id, narrow, dark, extension } =
        STATISTIC_FILE.exec(parameterOf(request, 'file'))?.groups ?? {};
      const known = STATISTIC_IDS.find((one) => one === id);
      if (known === undefined) return fail(reply, NO_PAGE);
      if (extension === 'csv') {
        if (narrow !== undefined || dark !== undefined) return fail(reply, NO_PAGE);
        return download(reply, await statisticCsv(known, edition, history), `${known}.csv`);
      }
      const width = narrow === undefined ? 'wide' : 'narrow';
      const svg = await statisticPicture(known, width, edition, history);
      setHeaders(reply, SVG);
      return reply.send(dark === undefined ? svg : darkChart(svg));
    }),
  );
}

const STATISTIC_FILE = /^(?<id>[a-z-]+?)(?<narrow>-narrow)?(?<dark>-dark)?\.(?<extension>svg|csv)$/;
