/**
 * A client that reports the result of each request: a complete answer, or how the connection
 * ended.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** The head as sent, including the status line. */
  readonly head: string;
  readonly body: string;
}

export interface Outcome {
  /**
   * The answers in the order of the requests; fewer than the requests if the connection ended
   * early.
   */
  readonly answers: readonly Answer[];
  /** When the system had accepted all bytes sent; undefined if it never did. */
  readonly sentMs: number | undefined;
  /** The code of the error that ended the connection, or `closed`. */
  readonly end: string | undefined;
}

/** Resolves with a connection, or undefined where the server accepts none. */
export async function openConnection(port: number): Promise<Socket | undefined> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  try {
    await once(socket, 'connect');
    // An error between two requests is reported with the next request.
    return socket.on('error', () => {});
  } catch {
    return undefined;
  }
}

/**
 * Sends several requests at once, and waits for that many answers or for the end of the
 * connection.
 */
export function exchange(socket: Socket, sent: string, count: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const answers: Answer[] = [];
    let text = '';
    let sentMs: number | undefined;
    const finish = (end: string | undefined): void => {
      socket.off('data', read).off('error', fail).off('close', close);
      resolve({ answers, sentMs, end });
    };
    const read = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      for (let next = takeAnswer(text); next !== undefined; next = takeAnswer(text)) {
        answers.push(next.answer);
        text = next.rest;
      }
      if (answers.length === count) finish(undefined);
    };
    const fail = (error: NodeJS.ErrnoException): void => finish(error.code ?? error.message);
    const close = (): void => finish('closed');
    socket.on('data', read).on('error', fail).on('close', close);
    socket.write(sent, (error) => {
      if (!error) sentMs = performance.now();
    });
  });
}

function takeAnswer(text: string): { answer: Answer; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const bodyAt = end + '\r\n\r\n'.length;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (text.length < bodyAt + length) return undefined;
  const status = Number(head.slice('HTTP/1.1 '.length).slice(0, 3));
  const answer = { status, head, body: text.slice(bodyAt, bodyAt + length) };
  return { answer, rest: text.slice(bodyAt + length) };
}
