/** The page that tries order responses, and its tokens if `pages.giveTokens` is set. */
import { isIP } from 'node:net';
import { headerOf } from '../../fhir/http/headers.ts';
import { headersFor, JSON_TYPE } from '../parts/answers.ts';
import { NO_PAGE, type Problem } from '../parts/problems.ts';
import type { PageRoute, WebContext } from '../parts/web-options.ts';

export function orderResponseRoutes({
  addresses,
  orders,
  show,
  fail,
}: WebContext): readonly PageRoute[] {
  return [
    {
      path: '/try-order-response',
      answer: (asked) => {
        if (orders === undefined) return fail(NO_PAGE);
        return show(asked, 'try-order-response.njk', {
          title: 'Try an order response',
          example: JSON.stringify(orders.example, null, 2),
          givesTokens: orders.createToken !== undefined,
        });
      },
    },
    {
      path: '/try-order-response/token',
      method: 'POST',
      answer: async ({ request }) => {
        if (orders?.createToken === undefined) return fail(NO_PAGE);
        if (!isOwnHost(headerOf(request, 'host'), addresses.fhir)) return fail(OTHER_HOST);
        const token = await orders.createToken();
        const headers = [...headersFor(JSON_TYPE, 'no-store'), 'Content-Type', JSON_TYPE];
        return { status: 201, headers, body: JSON.stringify({ token }) };
      },
    },
  ];
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
  hidesSearch: true,
};
