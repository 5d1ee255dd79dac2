/**
 * Receives signed notifications, and prints each. Run it with Node 20 or newer, the secret of the subscription in
 * SECRET and a port in PORT. Answer 2xx only after you have stored the notification.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

createServer(async (request, response) => {
  const body = await text(request);
  const sent = Buffer.from(request.headers['gazetteer-signature'] ?? '');
  const time = /^t=(\d+)/.exec(sent)?.[1];
  const hash = createHmac('sha256', process.env.SECRET).update(`${time}.${body}`).digest('hex');
  const expected = Buffer.from(`t=${time},v1=${hash}`);
  const isValid = sent.length === expected.length && timingSafeEqual(sent, expected);
  if (isValid) {
    console.log(request.headers['gazetteer-delivery'], request.headers['gazetteer-resource']);
  }
  response.writeHead(isValid ? 204 : 401).end();
}).listen(process.env.PORT, '127.0.0.1');
