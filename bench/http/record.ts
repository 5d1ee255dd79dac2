/** Answers of the program, as they came over the wire, to be sent again by the yardsticks. */
import { Agent, request } from 'node:http';
import type { Target } from '../load.ts';

export interface Recorded {
  readonly path: string;
  readonly status: number;
  /** Each name is followed by its value. */
  readonly headers: readonly string[];
  /** In base64. */
  readonly body: string;
}

export async function recordAnswers(
  port: number,
  targets: readonly Target[],
): Promise<readonly Recorded[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const recorded: Recorded[] = [];
  for (const target of targets) recorded.push(await recordOne(port, target, agent));
  agent.destroy();
  return recorded;
}

/** What the server adds of its own accord, and the yardstick too. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'date']);

async function recordOne(port: number, target: Target, agent: Agent): Promise<Recorded> {
  const { method = 'GET', path, headers } = target;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { port, host: '127.0.0.1', method, path, headers, agent },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const { rawHeaders: raw, statusCode: status = 0 } = answer;
          const kept = raw.filter(
            (_, i) => !OWN_HEADERS.has(raw[i - (i % 2)]?.toLowerCase() ?? ''),
          );
          resolve({ path, status, headers: kept, body: Buffer.concat(chunks).toString('base64') });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(target.body);
  });
}
