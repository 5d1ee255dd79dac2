/** The routes of the pages. */
import type { FastifyInstance } from 'fastify';
import { apiPage } from './api/api-page.ts';
import { addOrderResponseRoutes } from './api/try-order-response.ts';
import { addAssetRoutes } from './asset-routes.ts';
import { addEditionRoutes } from './editions/edition-routes.ts';
import { addLookUpRoutes } from './look-up/look-up-routes.ts';
import { addResultDownloads } from './look-up/result-downloads.ts';
import { addStatisticsRoutes } from './statistics/statistics-routes.ts';
import type { Answering, AppOptions } from './web-options.ts';

export function addRoutes(pages: FastifyInstance, options: AppOptions, answering: Answering): void {
  addLookUpRoutes(pages, options, answering);
  addResultDownloads(pages, options, answering);
  addEditionRoutes(pages, options, answering);
  addStatisticsRoutes(pages, options, answering);
  pages.get('/api', (_request, reply) => {
    const { editions, face, addresses, orders } = options;
    const page = apiPage(editions.current(), face.face, addresses, orders !== undefined);
    return answering.show(reply, 'api.njk', page);
  });
  pages.get('/accessibility', (_request, reply) =>
    answering.show(reply, 'accessibility.njk', { title: 'Accessibility' }),
  );
  addOrderResponseRoutes(pages, options, answering);
  addAssetRoutes(pages, options, answering);
}
