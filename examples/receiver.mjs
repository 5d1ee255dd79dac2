/**
 * Receives signed notifications, and prints each. Run it with Node 20 or newer, the secret of the subscription in
 * SECRET and a port in PORT. Answer 2xx only after you have stored the notification. Store the ids of deliveries
 * with the notifications: this program forgets them when it ends.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const AGE_SECONDS_MAX = 300;
const delivered = new Set();

createServer(async (request, response) => {
  const body = await text(request);
  const sent = Buffer.from(request.headers['gazetteer-signature'] ?? '');
  const time = /^t=(\d+)/.exec(sent)?.[1];
  const hash = createHmac('sha256', process.env.SECRET).update(`${time}.${body}`).digest('hex');
  const expected = Buffer.from(`t=${time},v1=${hash}`);
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) <= AGE_SECONDS_MAX;
  const isSigned = sent.length === expected.length && timingSafeEqual(sent, expected);
  const isValid = isRecent && isSigned;
  const delivery = request.headers['gazetteer-delivery'];
  if (isValid && !delivered.has(delivery)) {
    console.log(delivery, request.headers['gazetteer-resource']);
    delivered.add(delivery);
  }
  response.writeHead(isValid ? 204 : 401).end();
}).listen(process.env.PORT, '127.0.0.1');
