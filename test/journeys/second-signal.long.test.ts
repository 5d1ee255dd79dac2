/** The exit codes of a server that a second signal stops at once. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { serve } from './program.ts';

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  it(`a second signal, ${signal}, ends with exit code ${code}`, async (context) => {
    const data = join(temporaryFolder(context), 'data');
    const server = await serve(context, ['--data', data, '--threads', '1']);
    // The server waits for the rest of a request that it has begun to read.
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    context.after(() => socket.destroy());
    await once(socket, 'connect');
    socket.write('POST /STU3/Organization/_search HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n');
    socket.write('Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\na');
    await once(socket, 'data');
    const exited = once(server.process, 'exit');
    server.process.kill('SIGTERM');
    await server.logged(/^stopping/);
    server.process.kill(signal);
    assert.deepEqual(await exited, [code, null]);
  });
}
