/** What happened: to one organisation as JSON, and between two days as a page. */
import type { FastifyInstance } from 'fastify';
import { timelineOf } from '../../directory/events/timeline.ts';
import { parameterOf, parametersOf, setHeaders, withEdition } from '../answers.ts';
import { rowOfCode } from '../look-up/interpretations.ts';
import type { Answering, AppOptions } from '../web-options.ts';
import { changesPage } from './changes-page.ts';

export function addEventRoutes(
  pages: FastifyInstance,
  options: AppOptions,
  answering: Answering,
): void {
  pages.get(
    '/organizations/:code/events.json',
    withEdition(options, answering, async (edition, request, reply) => {
      const code = parameterOf(request, 'code');
      const row = rowOfCode(edition, code);
      setHeaders(reply, 'application/json; charset=utf-8');
      if (row === undefined) {
        const error = `No organisation has the code ${code}. Check the code.`;
        return reply.code(404).send(JSON.stringify({ error }));
      }
      const record = edition.rows.recordAt(row);
      const events = await timelineOf(edition, row, options.history);
      return reply.send(JSON.stringify({ code: record.code, name: record.name, events }));
    }),
  );
  pages.get(
    '/changes',
    withEdition(options, answering, async (edition, request, reply) => {
      const parameters = parametersOf(request);
      const page = await changesPage(edition, parameters, options);
      reply.code(page.status);
      return answering.show(reply, 'changes.njk', page);
    }),
  );
}
