/** The page that tries order responses, and its tokens if `pages.giveTokens` is set. */
import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { setHeaders } from '../answers.ts';
import { NO_PAGE, type Problem } from '../problems.ts';
import type { Answering, AppOptions } from '../web-options.ts';

export function addOrderResponseRoutes(
  pages: FastifyInstance,
  { addresses, orders }: AppOptions,
  { show, fail }: Answering,
): void {
  if (orders === undefined) return;
  const { example, createToken } = orders;
  pages.get(addresses.tryOrders.slice(addresses.base.length), (_request, reply) =>
    show(reply, 'try-order-response.njk', {
      title: 'Try an order response',
      example: JSON.stringify(example, null, 2),
      givesTokens: createToken !== undefined,
    }),
  );
  pages.post(addresses.newToken.slice(addresses.base.length), {
    // Runs before the body is parsed, because the route accepts no body.
    onRequest: async ({ headers }, reply) => {
      if (createToken === undefined) return fail(reply, NO_PAGE);
      if (!isOwnHost(headers.host, addresses.fhir)) return fail(reply, OTHER_HOST);
      const token = await createToken();
      setHeaders(reply, 'application/json; charset=utf-8');
      return reply.code(201).header('Cache-Control', 'no-store').send(JSON.stringify({ token }));
    },
    handler: (_request, reply) => fail(reply, NO_PAGE),
  });
}

/**
 * Whether a request was sent to the public address, to an IP address or to localhost. Otherwise a
 * website could point its own name at this server (DNS rebinding), and read the token.
 */
function isOwnHost(host: string | undefined, publicUrl: string): boolean {
  const url = `http://${host}`;
  if (host === undefined || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return (
    hostname === new URL(publicUrl).hostname ||
    hostname === 'localhost' ||
    isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  );
}

const OTHER_HOST: Problem = {
  status: 403,
  title: 'You cannot create a token at this address',
  paragraphs: ['Open the page at the public address of the server, and create the token there.'],
  offersSearch: false,
};
