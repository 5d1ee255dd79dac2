/** The client of `server.ts`, in its own process, so that its CPU does not count. */
import { Agent, type ClientRequest, request } from 'node:http';
import type { AskedAnswer, AskedRequest } from './case.ts';

export type ToClient =
  | { readonly kind: 'ask'; readonly port: number; readonly asked: readonly AskedRequest[] }
  | { readonly kind: 'leave' };

/** Of a refusal, in characters. */
const SHOWN_MAX = 1000;

const agent = new Agent({ keepAlive: true });
let asking: ClientRequest | undefined;

process.on('message', async (message: ToClient) => {
  if (message.kind === 'leave') {
    asking?.destroy();
    return;
  }
  let answer: AskedAnswer = { status: 0, bytes: 0 };
  for (const asked of message.asked) answer = await ask(message.port, asked);
  process.send?.(answer);
});
process.once('disconnect', () => process.exit());

/** One request after the other. The status of a request whose client left is 0. */
function ask(port: number, { method, path, query, headers, body }: AskedRequest) {
  return new Promise<AskedAnswer>((resolve) => {
    const target = query === undefined ? path : `${path}?${query}`;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { agent, port, method, path: target, headers: { ...headers, ...length } };
    const sent = request({ ...options, host: '127.0.0.1' }, (response) => {
      let bytes = 0;
      let text = '';
      const { statusCode: status = 0 } = response;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (status >= 400 && text.length < SHOWN_MAX) text += piece.toString('latin1');
      });
      response.on('close', () => {
        const { location } = response.headers;
        resolve({ status, bytes, location, text: text.slice(0, SHOWN_MAX) });
      });
    });
    asking = sent;
    sent.on('error', () => resolve({ status: 0, bytes: 0 }));
    sent.end(body);
  });
}
