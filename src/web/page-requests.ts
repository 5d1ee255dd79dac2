/** Reads the parameters of a request for a page: those of its path and of its query. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Edition } from '../directory/edition/edition.ts';
import { NO_EDITION } from './problems.ts';
import type { Answering, AppOptions } from './web-options.ts';

/** The parameters of the query. */
export function parametersOf(request: FastifyRequest): URLSearchParams {
  const question = request.url.indexOf('?');
  return new URLSearchParams(question < 0 ? '' : request.url.slice(question + 1));
}

/** A parameter of the path; empty if the path has none of this name. */
export function parameterOf({ params }: FastifyRequest, name: string): string {
  const value = typeof params === 'object' && params !== null ? Reflect.get(params, name) : '';
  return typeof value === 'string' ? value : '';
}

/** A handler for a page that needs an edition. Without one, the answer says how to import one. */
export function withEdition(
  { editions }: Pick<AppOptions, 'editions'>,
  { fail }: Answering,
  page: (edition: Edition, request: FastifyRequest, reply: FastifyReply) => unknown,
) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const edition = editions.current();
    return edition === undefined ? fail(reply, NO_EDITION) : page(edition, request, reply);
  };
}
