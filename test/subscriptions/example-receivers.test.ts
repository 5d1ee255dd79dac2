/** The example receivers do what the page on notifications asks of a receiver. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../loopback.ts';
import { ROOT } from '../tidy/source-files.ts';

const SECRET = 'a secret for the receivers';
const RECEIVERS = [
  [process.execPath, 'examples/receiver.mjs'],
  ['python3', 'examples/receiver.py'],
] as const;

async function startReceiver(context: TestContext, program: string, file: string) {
  const port = await freePort();
  const receiver = spawn(program, [join(ROOT, file)], {
    env: { ...process.env, SECRET, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: receiver.stdout }).on('line', (line) => lines.push(line));
  context.after(async () => {
    receiver.kill('SIGKILL');
    await once(receiver, 'close');
  });
  const send = async (signature: string | undefined, delivery: string): Promise<number> => {
    const headers = {
      'gazetteer-delivery': delivery,
      'gazetteer-resource': 'OrderResponse/a/_history/1',
      ...(signature !== undefined && { 'gazetteer-signature': signature }),
    };
    const url = `http://127.0.0.1:${port}/`;
    for (;;) {
      try {
        return (await fetch(url, { method: 'POST', headers, body: '{}' })).status;
      } catch (error) {
        // It does not listen yet.
        if (receiver.exitCode !== null) throw error;
        await delay(50);
      }
    }
  };
  return { send, lines };
}

/** `agedBy` in seconds. */
function signatureOf(agedBy: number, secret = SECRET): string {
  const time = Math.floor(Date.now() / 1000) - agedBy;
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.{}`).digest('hex')}`;
}

for (const [program, file] of RECEIVERS) {
  const skip = spawnSync(program, ['--version']).error !== undefined && `there is no ${program}`;
  describe(file, { skip }, () => {
    it('takes a recent signature only, and stores each delivery once', async (context) => {
      const { send, lines } = await startReceiver(context, program, file);
      assert.equal(await send(undefined, 'unsigned'), 401);
      assert.equal(await send('t=now,v1=00', 'malformed'), 401);
      assert.equal(await send(signatureOf(0, 'another secret'), 'forged'), 401);
      assert.equal(await send(signatureOf(Date.now() / 1000), 'of 1970'), 401);
      assert.equal(await send(signatureOf(3600), 'old'), 401);
      assert.equal(await send(signatureOf(-3600), 'of the future'), 401);
      assert.equal(await send(signatureOf(60), 'first'), 204);
      assert.equal(await send(signatureOf(0), 'first'), 204);
      assert.equal(await send(signatureOf(0), 'second'), 204);
      while (!lines.some((line) => line.startsWith('second'))) await delay(20);
      const resource = 'OrderResponse/a/_history/1';
      assert.deepEqual(lines, [`first ${resource}`, `second ${resource}`]);
    });
  });
}
