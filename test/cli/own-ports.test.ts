/** A server does not take the port of its own health and metrics: it refuses at once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInProcess } from './run-in-process.ts';

const OWN =
  /^gazetteer: port and metrics\.port are both \d+\. Give each its own port, or set [^\n]+\n$/;

const CASES: readonly (readonly [words: string, isRefused: boolean])[] = [
  ['--port 8090 --metrics-port 8090', true],
  ['--port 9464', true],
  ['--port 8090 --metrics-port 8090 --host 0.0.0.0', true],
  ['--port 8090 --metrics-port 8090 --metrics-host 0.0.0.0', true],
  ['--port 8090 --metrics-port 8090 --host :: --metrics-host 127.0.0.1', true],
  ['--port 8090 --metrics-port 8090 --host 0:0::0 --metrics-host 127.0.0.1', true],
  ['--port 8090 --metrics-port 8090 --host ::1 --metrics-host 0:0:0:0:0:0:0:1', true],
  ['--port 8090 --metrics-port 8090 --host localhost', true],
  ['--port 8090 --metrics-port 8090 --host 127.0.0.2', false],
  ['--port 8090 --metrics-port 8090 --host ::1', false],
  ['--port 8090 --metrics-port 8090 --host 0.0.0.0 --metrics-host ::1', false],
  ['--port 8090 --metrics-port 8090 --host 0.0.0.0 --metrics-host localhost', true],
  ['--port 8090 --metrics-port 8090 --host [::1] --metrics-host localhost', true],
  ['--port 8090 --metrics-port 8090 --host some.example --metrics-host localhost', true],
  ['--port 8090 --metrics-port 8090 --host 192.168.1.5 --metrics-host localhost', false],
  ['--port 8090 --metrics-port 8090 --host fe80::1%eth0', false],
  ['--port 8090 --metrics-port 8090 --host fe80::1%eth0 --metrics-host fe80:0::1%eth0', true],
  ['--port 8090 --metrics-port 8091', false],
  ['--port 0 --metrics-port 0', false],
  ['--port 9464 --metrics-port off', false],
];

describe('the ports of a server', () => {
  for (const [words, isRefused] of CASES) {
    it(`"${words}" are ${isRefused ? 'refused' : 'accepted'}`, async () => {
      const serve = await runInProcess(['serve', ...words.split(' '), '--print-config']);
      assert.equal(serve.code, isRefused ? 2 : 0, serve.stderr);
      if (isRefused) assert.match(serve.stderr, OWN);
    });
  }

  it('are checked by doctor too', async () => {
    const { code, stdout } = await runInProcess([
      'doctor',
      '--port',
      '8090',
      '--metrics-port',
      '8090',
    ]);
    assert.equal(code, 1);
    assert.match(stdout, /^error +metrics port: port and metrics\.port are both 8090\./m);
  });
});
